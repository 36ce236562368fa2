//! A submission: an admitted request with a body, read whole. Short work is done where the body was read; long work leaves the
//! async threads and waits for its turn.

use axum::extract::Request;
use axum::response::Response;

use super::call::{Admitted, to_response};
use super::dialect::Dialect;
use super::{Door, Problem, Reply, body};
use crate::access::Admission;
use crate::index::Snapshot;

/// The longest body that is worked on where it was read: to skim a longer one alone may take half a millisecond.
const SHORT_BODY_BYTES: usize = 64 << 10;

/// What one path that takes POST does.
#[derive(Clone, Copy)]
pub struct PostEndpoint {
    /// Whether the plan has it: asked before the body is read.
    pub(super) in_plan: fn(&Admission) -> bool,
    /// Whether it may take over half a millisecond.
    pub(super) long: bool,
    /// The body, then the work, then a view.
    pub(super) answer: fn(&Submission) -> Result<Reply, Problem>,
}

/// An admitted request with its body.
pub struct Submission {
    admitted: Admitted,
    body: Vec<u8>,
}

impl Door {
    /// Answers a POST whose path is known: admission, then the body, then the endpoint.
    pub async fn answer_submission(&self, request: Request, endpoint: PostEndpoint) -> Response {
        let dialect = Dialect::of(request.uri());
        let answered = match self.submission(request, endpoint).await {
            Ok(submission) => self.work(submission, endpoint).await,
            Err(problem) => Err(problem),
        };
        to_response(answered, dialect)
    }

    /// A body is neither read nor judged before its sender is known and may send it.
    async fn submission(
        &self,
        request: Request,
        endpoint: PostEndpoint,
    ) -> Result<Submission, Problem> {
        let (head, body) = request.into_parts();
        let admitted = self.admit(&head.headers, &head.extensions)?;
        if admitted.admission.restrictions.read_only {
            return Err(Problem::ReadOnlyKey);
        }
        if !(endpoint.in_plan)(&admitted.admission) {
            return Err(Problem::NotInPlan);
        }
        let body = body::read(&head.headers, body).await?;
        Ok(Submission { admitted, body })
    }

    async fn work(&self, submission: Submission, endpoint: PostEndpoint) -> Result<Reply, Problem> {
        if !endpoint.long && submission.body.len() <= SHORT_BODY_BYTES {
            return (endpoint.answer)(&submission);
        }
        let turn = self.app().long_work.clone().acquire_owned().await;
        let turn = turn.expect("nobody closes the turns");
        // The turn goes along: work whose client has left, or whose time is up, still keeps a core busy.
        let work = tokio::task::spawn_blocking(move || {
            let answered = (endpoint.answer)(&submission);
            drop(turn);
            answered
        });
        match work.await {
            Ok(answered) => answered,
            // Caught, counted and answered where every panic of a request is.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}

impl Submission {
    /// The body, up to [`MAX_BODY_BYTES`](body::MAX_BODY_BYTES).
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Who sent it.
    pub(super) fn admission(&self) -> &Admission {
        &self.admitted.admission
    }

    /// The addresses.
    ///
    /// # Errors
    /// Before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.admitted.snapshot()
    }
}
