//! One way into the house: which keys it takes, and all that lies behind it.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::ApiError;
use crate::accounts::{AcceptedKeys, ClientInfo, KeyGrant};
use crate::state::App;

/// Source: contract.md, Authentication.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// One way into the house.
#[derive(Clone)]
pub struct Authenticator {
    app: Arc<App>,
    accepts: AcceptedKeys,
}

impl Authenticator {
    /// A door to `app` for the keys that it `takes`.
    #[must_use]
    pub fn new(app: Arc<App>, accepts: AcceptedKeys) -> Self {
        Self { app, accepts }
    }

    /// What lies behind the door.
    pub(super) fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Whose key was sent, when it may be used from where the caller is. Before the keys were read nobody can tell.
    pub(super) fn check_key(
        &self,
        headers: &HeaderMap,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, ApiError> {
        let key = headers.get(X_API_KEY);
        let key = key.map_or(&[][..], HeaderValue::as_bytes);
        let keys = &self.app.access.keys;
        keys.authenticate(key, self.accepts, client)
            .map_err(|denied| match keys.is_loaded() {
                true => denied.into(),
                false => ApiError::AccountsUnavailable,
            })
    }
}
