//! One request of a known key, from the door to the answer: what it may do, what it takes from its bucket and its bundle, and
//! what every answer tells of both.
//!
//! Source: decisions.md, Order of checks and Headers. The order is plan, calls per second, parameters, bundle, work. One call
//! is set aside before the parameters are read and asked for after them, so that a call that counts has been taken.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;

use super::client_info::caller;
use super::quota_reservation::{Charge, Settled};
use super::service::Arrival;
use super::{Door, Problem, Reply, headers, service};
use crate::accounts::{Admission, Endpoint, Environment};
use crate::limits::{Rate, TooFast};
use crate::snapshot::{Held, Snapshot};
use crate::state::App;
use crate::state::Gate;
use crate::usage::Event;

/// A request whose sender is known.
pub(super) struct Visit {
    arrival: Arrival,
    admission: Arc<Admission>,
    endpoint: Endpoint,
    /// Whether it wants to send something: a key may be for reading alone.
    submits: bool,
    client: IpAddr,
    /// The page that may read the answer.
    page: Option<HeaderValue>,
    /// None before anything was taken from the bucket.
    rate: Option<Rate>,
}

/// What an admitted request has in hand: it outlives the visit where work leaves the async threads.
pub(super) struct Admitted {
    charge: Charge,
    /// Held from start to end, so that every part of an answer is of one generation.
    snapshot: Held,
}

impl Door {
    /// Asks for the key. Without a known one there is nothing to tell but that.
    pub(super) fn receive(
        &self,
        head: &Parts,
        arrival: Arrival,
        endpoint: Endpoint,
    ) -> Result<Visit, Problem> {
        let app = self.app();
        let caller = caller(&head.headers, arrival.peer, &app.gate.proxies.load());
        let admission = self.authenticate(&head.headers, &caller)?;
        Ok(Visit {
            arrival,
            // Its key is admitted, so the page is listed.
            page: head.headers.get(ORIGIN).cloned(),
            client: caller.address,
            admission,
            endpoint,
            submits: head.method == Method::POST,
            rate: None,
        })
    }
}

impl Visit {
    /// Whom it belongs to.
    pub(super) fn admission(&self) -> &Arc<Admission> {
        &self.admission
    }

    /// Rights and plan, calls per second, and one call set aside, or [waited](Admitted::wait) for.
    pub(super) fn enter(&mut self, app: &App) -> Result<Admitted, Problem> {
        if self.submits && self.admission.restrictions.read_only {
            return Err(Problem::ReadOnlyKey);
        }
        if !self.admission.has(self.endpoint) {
            return Err(Problem::NotInPlan);
        }
        self.slow_down(&app.gate)?;
        let snapshot = match self.admission.environment {
            Environment::Live => app.live.hold(),
            Environment::Test => Held::of(app.sandbox.clone()),
        };
        Ok(Admitted {
            charge: Charge::one(&app.gate, &self.admission),
            snapshot,
        })
    }

    /// What one address may do comes first, so that nobody empties a public key's bucket for all others.
    fn slow_down(&mut self, gate: &Gate) -> Result<(), Problem> {
        let key = self.admission.key;
        if let Some(per_minute) = self.admission.restrictions.per_address_per_minute
            && let Err(wait) = gate.addresses.check(key, per_minute, self.client)
        {
            gate.limited.address.increment(1);
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
        Ok(taken.inspect_err(|_| gate.limited.rate.increment(1))?)
    }

    /// The whole response to a request that was not let in.
    pub(super) fn refuse(self, app: &App, problem: &Problem) -> Response {
        let response = problem.response(self.arrival.dialect);
        self.tell(app, response, Settled::default())
    }

    /// The whole response to one that was.
    pub(super) fn leave(
        self,
        app: &App,
        answered: Result<Reply, Problem>,
        admitted: Admitted,
    ) -> Response {
        let response = match answered {
            Ok(reply) => reply.response(),
            Err(problem) => {
                // Counted here: what was asked wrongly is answered 400, whatever is left of the bundle.
                if matches!(problem, Problem::QuotaExceeded { .. }) {
                    app.gate.limited.bundle.increment(1);
                }
                problem.response(self.arrival.dialect)
            }
        };
        let settled = admitted.charge.settle(response.status());
        self.tell(app, response, settled)
    }

    /// What stands on every response to a known key.
    fn tell(mut self, app: &App, mut response: Response, settled: Settled) -> Response {
        let Gate { rates, bundles, .. } = &*app.gate;
        let whose = &self.admission;
        let standing = settled.standing;
        let standing = standing.unwrap_or_else(|| bundles.standing(whose));
        let rate = self.rate;
        let rate = rate.unwrap_or_else(|| rates.look(whose.key, whose.per_second()));
        let told = response.headers_mut();
        headers::tell_rate(told, &rate);
        match self.admission.environment {
            Environment::Live => headers::tell_quota(told, &standing),
            Environment::Test => headers::tell_no_quota(told, &standing),
        }
        if let Some(page) = self.page.take() {
            headers::let_page_read(told, page);
        }
        self.record(app, response.status(), settled.lines);
        response
    }
}

impl Visit {
    /// Counts the request and has it written down; the sandbox counts nothing.
    fn record(&self, app: &App, status: StatusCode, lines: u32) {
        if self.admission.environment == Environment::Test {
            return;
        }
        app.usage.record(Event {
            at: app.gate.clock.now(),
            request_id: self.arrival.id,
            key: self.admission.key,
            endpoint: self.endpoint.as_str(),
            status: status.as_u16(),
            lines,
            took: self.arrival.began.elapsed(),
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
    pub(super) async fn wait(&mut self, gate: &Gate, whose: &Admission) {
        self.charge.wait(gate, whose).await;
    }

    /// The addresses, for a call that is in the bundle.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, Problem> {
        self.charge.check()?;
        self.snapshot.get().ok_or(Problem::IndexUnavailable)
    }

    /// The addresses, for a request of that many lines, each of them a call.
    pub(super) fn snapshot_for(
        &self,
        gate: &Gate,
        whose: &Admission,
        lines: usize,
    ) -> Result<&Snapshot, Problem> {
        self.charge.lines(gate, whose, lines)?;
        self.snapshot()
    }
}

/// The answer, or a 500 in place of a panic. Here and not only in the [`Front`](super::Front), which does not know the key:
/// what is told on every response is told on this one too. What requests share is only ever replaced as a whole, so a panic
/// leaves nothing half changed.
pub(super) fn caught(answer: impl FnOnce() -> Result<Reply, Problem>) -> Result<Reply, Problem> {
    std::panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(service::panicked()))
}
