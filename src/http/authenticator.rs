//! One way into the house: which keys it takes, and all that lies behind it.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::Problem;
use crate::accounts::{Admission, Allowed, Caller};
use crate::state::App;

/// Source: contract.md, Authentication.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// One way into the house.
#[derive(Clone)]
pub struct Door {
    app: Arc<App>,
    takes: Allowed,
}

impl Door {
    /// A door to `app` for the keys that it `takes`.
    #[must_use]
    pub fn new(app: Arc<App>, takes: Allowed) -> Self {
        Self { app, takes }
    }

    /// What lies behind the door.
    pub(super) fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Whose key was sent, when it may be used from where the caller is. Before the keys were read nobody can tell.
    pub(super) fn authenticate(
        &self,
        headers: &HeaderMap,
        caller: &Caller<'_>,
    ) -> Result<Arc<Admission>, Problem> {
        let key = headers.get(X_API_KEY);
        let key = key.map_or(&[][..], HeaderValue::as_bytes);
        let keys = &self.app.gate.keys;
        keys.authenticate(key, self.takes, caller)
            .map_err(|denied| match keys.is_loaded() {
                true => denied.into(),
                false => Problem::AccountsUnavailable,
            })
    }
}
