//! A call: a GET that was admitted. It is the only way from a GET to the addresses, so nothing answers without a key.

use std::borrow::Cow;
use std::pin::Pin;

use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use percent_encoding::percent_decode_str;
use tokio::time::timeout;

use super::request::{Admitted, Visit, caught};
use super::service::Arrival;
use super::{Door, Problem, Reply};
use crate::accounts::Endpoint;
use crate::snapshot::Snapshot;
use crate::state::App;

/// What one path that takes GET does.
#[derive(Clone, Copy)]
pub struct GetEndpoint {
    /// What plans and counts call it.
    pub(crate) endpoint: Endpoint,
    /// Parameters, then the work, then a view. It takes microseconds and so needs no thread of its own.
    pub(crate) answer: fn(&Call<'_>) -> Result<Reply, Problem>,
}

/// An answer that is there, or will be.
pub enum Answer {
    /// It is there.
    Now(Response),
    /// It will be.
    Later(Later),
}

/// An answer that will be there.
pub(super) type Later = Pin<Box<dyn Future<Output = Response> + Send>>;

/// An admitted request, with the addresses that it may see.
pub struct Call<'a> {
    uri: &'a Uri,
    admitted: &'a Admitted,
}

impl Door {
    /// Answers a GET whose path is known: admission, then the endpoint. Done at once, but for a call that has to be leased
    /// first.
    pub(super) fn answer(&self, head: Parts, arrival: Arrival, get: GetEndpoint) -> Answer {
        let mut visit = match self.receive(&head, arrival, get.endpoint) {
            Ok(visit) => visit,
            Err(problem) => return Answer::Now(problem.response(arrival.dialect)),
        };
        let app = self.app();
        let mut admitted = match visit.enter(app) {
            Ok(admitted) => admitted,
            Err(problem) => return Answer::Now(visit.refuse(app, &problem)),
        };
        if !admitted.waits() {
            return Answer::Now(serve(app, &head.uri, visit, admitted, get));
        }
        let app = app.clone();
        Answer::Later(Box::pin(async move {
            // A call that is not there by then is told like one that cannot be had.
            let waited = admitted.wait(&app.gate, visit.admission());
            timeout(app.request_timeout, waited).await.ok();
            serve(&app, &head.uri, visit, admitted, get)
        }))
    }
}

fn serve(app: &App, uri: &Uri, visit: Visit, admitted: Admitted, get: GetEndpoint) -> Response {
    let call = Call {
        uri,
        admitted: &admitted,
    };
    let answered = caught(|| (get.answer)(&call));
    visit.leave(app, answered, admitted)
}

impl<'a> Call<'a> {
    /// The addresses: asked for when the parameters are known to be right, because a call that is not in the bundle ends here.
    ///
    /// # Errors
    /// When the bundle is used up, and before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.admitted.snapshot()
    }

    /// The last `N` parts of the path, percent-decoded. Bytes that are no UTF-8 become U+FFFD, which no parameter takes.
    pub(super) fn path_end<const N: usize>(&self) -> [Cow<'a, str>; N] {
        let mut parts = self.uri.path().rsplit('/');
        let mut end = [const { Cow::Borrowed("") }; N];
        for slot in end.iter_mut().rev() {
            *slot = percent_decode_str(parts.next().unwrap_or_default()).decode_utf8_lossy();
        }
        end
    }

    /// The value of a query parameter, decoded as a form sends it. Of several with one name the first counts: there is no
    /// list parameter, and the first is what a person reads in the address line.
    pub(super) fn query(&self, name: &str) -> Option<Cow<'a, str>> {
        let query = self.uri.query().unwrap_or_default();
        form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }
}
