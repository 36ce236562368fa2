//! One request of a known key, from the door to the answer: what it may do, what it takes from its bucket and its bundle, and
//! what every answer tells of both.
//!
//! Source: decisions.md, Order of checks and Headers. The order is plan, calls per second, parameters, bundle, work. One call
//! is set aside before the parameters are read and asked for after them, so that a call that counts has been taken.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::Request;
use axum::http::header::ORIGIN;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use uuid::Uuid;

use super::caller::caller;
use super::charge::{Charge, Settled};
use super::dialect::Dialect;
use super::front::RequestId;
use super::{Door, Problem, Reply, front, headers};
use crate::access::{Admission, Endpoint, Environment, Rate, TooFast};
use crate::index::Snapshot;
use crate::state::App;
use crate::usage::Event;

/// A request whose sender is known.
pub(super) struct Visit {
    app: Arc<App>,
    id: Uuid,
    admission: Arc<Admission>,
    endpoint: Endpoint,
    /// Whether it wants to send something: a key may be for reading alone.
    submits: bool,
    dialect: Dialect,
    client: IpAddr,
    /// The page that may read the answer.
    page: Option<HeaderValue>,
    began: Instant,
    /// None before anything was taken from the bucket.
    rate: Option<Rate>,
}

/// What an admitted request has in hand: it outlives the visit where work leaves the async threads.
pub(super) struct Admitted {
    pub(super) admission: Arc<Admission>,
    charge: Charge,
    /// Held from start to end, so that every part of an answer is of one generation; none before the first is published.
    snapshot: Option<Arc<Snapshot>>,
}

impl Door {
    /// Asks for the key. Without a known one there is nothing to tell but that.
    pub(super) fn receive(&self, request: &Request, endpoint: Endpoint) -> Result<Visit, Problem> {
        let began = Instant::now();
        let app = self.app();
        let caller = caller(request.headers(), request.extensions(), &app.gate.proxies);
        let admission = self.authenticate(request.headers(), &caller)?;
        let id = request.extensions().get();
        Ok(Visit {
            app: app.clone(),
            id: id.map_or(Uuid::nil(), |RequestId(id)| *id),
            // Its key is admitted, so the page is listed.
            page: request.headers().get(ORIGIN).cloned(),
            client: caller.address,
            admission,
            endpoint,
            submits: request.method() == Method::POST,
            dialect: Dialect::of(request.uri()),
            began,
            rate: None,
        })
    }
}

impl Visit {
    /// Rights and plan, calls per second, and one call set aside, or [waited](Admitted::wait) for.
    pub(super) fn enter(&mut self) -> Result<Admitted, Problem> {
        if self.submits && self.admission.restrictions.read_only {
            return Err(Problem::ReadOnlyKey);
        }
        if !self.admission.has(self.endpoint) {
            return Err(Problem::NotInPlan);
        }
        self.slow_down()?;
        let snapshot = match self.admission.environment {
            Environment::Live => self.app.live.snapshot(),
            Environment::Test => Some(self.app.sandbox.clone()),
        };
        Ok(Admitted {
            charge: Charge::one(&self.app.gate, &self.admission),
            admission: self.admission.clone(),
            snapshot,
        })
    }

    /// What one address may do comes first, so that nobody empties a public key's bucket for all others.
    fn slow_down(&mut self) -> Result<(), Problem> {
        let (gate, key) = (&self.app.gate, self.admission.key);
        if let Some(per_minute) = self.admission.restrictions.per_address_per_minute
            && let Err(wait) = gate.addresses.check(key, per_minute, self.client)
        {
            let refused = TooFast::after(wait);
            // The bucket may hold some yet, but none for this address before its minute is over.
            self.rate = Some(Rate {
                remaining: 0,
                reset: gate.clock.now().as_second() + i64::from(refused.retry_after_s),
                limit: self.admission.per_second(),
            });
            return Err(refused.into());
        }
        let (rate, taken) = gate.rates.take(key, self.admission.per_second());
        self.rate = Some(rate);
        Ok(taken?)
    }

    fn bucket(&self) -> Rate {
        let rates = &self.app.gate.rates;
        rates.look(self.admission.key, self.admission.per_second())
    }

    /// The whole response to a request that was not let in.
    pub(super) fn refuse(self, problem: &Problem) -> Response {
        let response = problem.response(self.dialect);
        self.tell(response, Settled::default())
    }

    /// The whole response to one that was.
    pub(super) fn leave(self, answered: Result<Reply, Problem>, admitted: Admitted) -> Response {
        let response = match answered {
            Ok(reply) => reply.response(),
            Err(problem) => problem.response(self.dialect),
        };
        let settled = admitted.charge.settle(response.status());
        self.tell(response, settled)
    }

    /// What stands on every response to a known key.
    fn tell(mut self, mut response: Response, settled: Settled) -> Response {
        let bundles = &self.app.gate.bundles;
        let standing = settled.standing;
        let standing = standing.unwrap_or_else(|| bundles.standing(&self.admission));
        let told = response.headers_mut();
        headers::tell_rate(told, &self.rate.unwrap_or_else(|| self.bucket()));
        match self.admission.environment {
            Environment::Live => headers::tell_quota(told, &standing),
            Environment::Test => headers::tell_no_quota(told, &standing),
        }
        if let Some(page) = self.page.take() {
            headers::let_page_read(told, page);
        }
        self.record(response.status(), settled.lines);
        response
    }
}

impl Visit {
    /// Counts the request and has it written down; the sandbox counts nothing.
    fn record(&self, status: StatusCode, lines: u32) {
        if self.admission.environment == Environment::Test {
            return;
        }
        self.app.usage.record(Event {
            at: self.app.gate.clock.now(),
            request_id: self.id,
            key: self.admission.key,
            endpoint: self.endpoint.as_str(),
            status: status.as_u16(),
            lines,
            took: self.began.elapsed(),
            client: self.client,
        });
    }
}

impl Admitted {
    /// Whether the call that was set aside has to be leased first.
    pub(super) fn waits(&self) -> bool {
        self.charge.waits()
    }

    /// Waits for it, a moment at most.
    pub(super) async fn wait(&mut self) {
        self.charge.wait(&self.admission).await;
    }

    /// The addresses, for a call that is in the bundle.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.charge.check()?;
        self.snapshot.as_deref().ok_or(Problem::IndexUnavailable)
    }

    /// The addresses, for a request of that many lines, each of them a call. May block the thread.
    pub(super) fn snapshot_for(&self, lines: usize) -> Result<&Snapshot, Problem> {
        self.charge.lines(&self.admission, lines)?;
        self.snapshot()
    }
}

/// The answer, or a 500 in place of a panic. Here and not only in the [`Front`](super::Front), which does not know the key:
/// what is told on every response is told on this one too. What requests share is only ever replaced as a whole, so a panic
/// leaves nothing half changed.
pub(super) fn caught(answer: impl FnOnce() -> Result<Reply, Problem>) -> Result<Reply, Problem> {
    std::panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(front::panicked()))
}
