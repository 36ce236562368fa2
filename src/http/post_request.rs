//! A submission: an admitted request with a body, read whole. Short work is done where the body was read; long work leaves the
//! async threads and waits for its turn.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::Response;

use super::limited_body::Coming;
use super::request::{Admitted, caught};
use super::service::Arrival;
use super::{Door, Problem, Reply, service};
use crate::accounts::{Admission, Endpoint};
use crate::snapshot::Snapshot;
use crate::state::App;

/// The longest body that is worked on where it was read: to skim a longer one alone may take half a millisecond.
const SHORT_BODY_BYTES: usize = 64 << 10;

/// What one path that takes POST does.
#[derive(Clone, Copy)]
pub struct PostEndpoint {
    /// What plans and counts call it.
    pub(super) endpoint: Endpoint,
    /// Whether it may take over half a millisecond.
    pub(super) long: bool,
    /// The body, then the work, then a view.
    pub(super) answer: fn(&Submission) -> Result<Reply, Problem>,
}

/// An admitted request with its body.
pub struct Submission {
    app: Arc<App>,
    admission: Arc<Admission>,
    admitted: Admitted,
    body: Vec<u8>,
}

/// What was asked of the body, and what the request had in hand for it.
type Outcome = (Result<Reply, Problem>, Admitted);

impl Door {
    /// Answers a POST whose path is known: admission, then the body, then the endpoint. A body is neither read nor judged
    /// before its sender is known and may send it.
    pub async fn answer_submission(&self, request: Request, post: PostEndpoint) -> Response {
        let arrival = Arrival::of(&request);
        let (head, body) = request.into_parts();
        let body = Coming::new(body);
        let mut visit = match self.receive(&head, arrival, post.endpoint) {
            Ok(visit) => visit,
            Err(problem) => return problem.response(arrival.dialect),
        };
        let app = self.app();
        let submitted = async {
            let mut admitted = visit.enter(app)?;
            let admission = visit.admission().clone();
            admitted.wait(&app.gate, &admission).await;
            let headers = &head.headers;
            Ok(self.submit(admission, admitted, headers, body, post).await)
        };
        // When time is up the future is dropped, and what it had set aside goes back.
        match tokio::time::timeout(self.app().request_timeout, submitted).await {
            Ok(Ok((answered, admitted))) => visit.leave(app, answered, admitted),
            Ok(Err(problem)) => visit.refuse(app, &problem),
            Err(_) => visit.refuse(app, &service::timed_out()),
        }
    }

    async fn submit(
        &self,
        admission: Arc<Admission>,
        admitted: Admitted,
        headers: &HeaderMap,
        body: Coming,
        post: PostEndpoint,
    ) -> Outcome {
        let body = match body.read(headers).await {
            Ok(body) => body,
            Err(problem) => return (Err(problem), admitted),
        };
        let submission = Submission {
            app: self.app().clone(),
            admission,
            admitted,
            body,
        };
        if !post.long && submission.body.len() <= SHORT_BODY_BYTES {
            return (submission.work(post), submission.admitted);
        }
        let (answered, mut submission) = submission.take_turn(post).await;
        if !submission.admitted.waits() {
            return (answered, submission.admitted);
        }
        // It came to nothing, for its lines have to be leased first: who waits for the database keeps no turn from others.
        let gate = &self.app().gate;
        submission.admitted.wait(gate, &submission.admission).await;
        let (answered, submission) = submission.take_turn(post).await;
        (answered, submission.admitted)
    }
}

impl Submission {
    /// Works when it is its turn, off the async threads.
    async fn take_turn(self, post: PostEndpoint) -> (Result<Reply, Problem>, Self) {
        let turn = self.app.long_work.clone().acquire_owned().await;
        let turn = turn.expect("nobody closes the turns");
        // The turn goes along: work whose client has left, or whose time is up, still keeps a core busy.
        let work = tokio::task::spawn_blocking(move || {
            let answered = self.work(post);
            drop(turn);
            (answered, self)
        });
        work.await.expect("panics are caught where they happen")
    }

    fn work(&self, post: PostEndpoint) -> Result<Reply, Problem> {
        caught(|| (post.answer)(self))
    }

    /// The body, up to [`MAX_BODY_BYTES`](super::limited_body::MAX_BODY_BYTES).
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Who sent it.
    pub(super) fn admission(&self) -> &Admission {
        &self.admission
    }

    /// The addresses: asked for when the body is known to be right, because a call that is not in the bundle ends here.
    ///
    /// # Errors
    /// When the bundle is used up, and before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.admitted.snapshot()
    }

    /// The addresses, for a request of that many lines, each of them a call. Only for long work, which begins anew where calls
    /// had to be leased for it.
    ///
    /// # Errors
    /// Likewise; and nothing is taken when fewer calls are left than there are lines.
    pub(super) fn snapshot_for(&self, lines: usize) -> Result<&Snapshot, Problem> {
        let gate = &self.app.gate;
        self.admitted.snapshot_for(gate, &self.admission, lines)
    }
}
