//! A call: a request that was admitted. It is the only way to the addresses, so nothing answers without a key.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use percent_encoding::percent_decode_str;

use super::caller::caller;
use super::dialect::Dialect;
use super::{Problem, Reply};
use crate::access::{Admission, Allowed, Environment};
use crate::index::Snapshot;
use crate::state::App;

/// Source: contract.md, Authentication.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// What one path does: parameters, then the work, then a view. It takes microseconds and so needs no thread of its own.
pub type Endpoint = fn(&Call<'_>) -> Result<Reply, Problem>;

/// One way into the house: which keys it takes, and all that lies behind it.
#[derive(Clone)]
pub struct Door {
    app: Arc<App>,
    takes: Allowed,
}

/// An admitted request, with the addresses that it may see.
pub struct Call<'a> {
    request: &'a Request,
    admitted: Admitted,
}

/// Who calls, and what they may see.
pub(super) struct Admitted {
    pub(super) admission: Arc<Admission>,
    /// Held from start to end, so that every part of an answer is of one generation; none before the first is published.
    snapshot: Option<Arc<Snapshot>>,
}

impl Door {
    /// A door to `app` for the keys that it `takes`.
    #[must_use]
    pub fn new(app: Arc<App>, takes: Allowed) -> Self {
        Self { app, takes }
    }

    /// Answers a request whose path and method are known: admission, then the endpoint.
    #[must_use]
    pub fn answer(&self, request: &Request, endpoint: Endpoint) -> Response {
        let answered = self
            .admit(request.headers(), request.extensions())
            .and_then(|admitted| endpoint(&Call { request, admitted }));
        to_response(answered, Dialect::of(request.uri()))
    }

    /// What lies behind the door.
    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// Who calls, and into which environment. What else can keep a caller out (plan, calls per second) belongs
    /// here, in the order of `decisions.md`; the bundle is asked after the parameters, by the endpoint.
    pub(super) fn admit(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Result<Admitted, Problem> {
        let key = headers
            .get(X_API_KEY)
            .map_or(&[][..], HeaderValue::as_bytes);
        let caller = caller(headers, extensions, &self.app.trusted_proxies);
        let admission = self.app.keys.authenticate(key, self.takes, &caller)?;
        let snapshot = match admission.environment {
            Environment::Live => self.app.live.snapshot(),
            Environment::Test => Some(self.app.sandbox.clone()),
        };
        Ok(Admitted {
            admission,
            snapshot,
        })
    }
}

/// The answer or the problem, as the path's dialect has it.
pub(super) fn to_response(answered: Result<Reply, Problem>, dialect: Dialect) -> Response {
    match answered {
        Ok(reply) => reply.response(),
        Err(problem) => problem.response(dialect),
    }
}

impl Admitted {
    /// The addresses.
    ///
    /// # Errors
    /// Before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.snapshot.as_deref().ok_or(Problem::IndexUnavailable)
    }
}

impl<'a> Call<'a> {
    /// The addresses; likewise.
    ///
    /// # Errors
    /// Before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.admitted.snapshot()
    }

    /// The last `N` parts of the path, percent-decoded. Bytes that are no UTF-8 become U+FFFD, which no parameter takes.
    pub(super) fn path_end<const N: usize>(&self) -> [Cow<'a, str>; N] {
        let mut parts = self.request.uri().path().rsplit('/');
        let mut end = [const { Cow::Borrowed("") }; N];
        for slot in end.iter_mut().rev() {
            *slot = percent_decode_str(parts.next().unwrap_or_default()).decode_utf8_lossy();
        }
        end
    }

    /// The value of a query parameter, decoded as a form sends it. Of several with one name the first counts: there is no
    /// list parameter, and the first is what a person reads in the address line.
    pub(super) fn query(&self, name: &str) -> Option<Cow<'a, str>> {
        let query = self.request.uri().query().unwrap_or_default();
        form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }
}
