//! What a request takes from its account's bundle: one call, or one per line of a bulk request.
//!
//! A call is set aside before the work and kept or given back by the status of the answer. Source: decisions.md, Order of
//! checks: an admitted call counts whatever its answer; 401, 403, 405, 429 and 5xx never count; a bulk request that is
//! carried out counts one per line, and takes nothing when fewer are left.

use std::cell::OnceCell;

use axum::http::StatusCode;
use tokio::runtime::Handle;

use super::Problem;
use crate::access::{Admission, Environment, Gate, NotNow, Refused, Standing, Taken};

/// Calls that are set aside for one request.
pub(super) struct Charge(State);

enum State {
    /// The sandbox never counts.
    Free,
    Refused(Problem),
    /// This node has none in hand, but may lease some.
    Waits,
    Taken {
        first: Taken,
        /// The other lines of a bulk request.
        rest: OnceCell<(Taken, u32)>,
    },
}

impl Charge {
    /// Sets one call aside where this node has one in hand.
    pub(super) fn one(gate: &Gate, whose: &Admission) -> Self {
        if whose.environment == Environment::Test {
            return Self(State::Free);
        }
        Self(match gate.bundles.try_take(whose, 1) {
            Ok(taken) => State::taken(taken),
            Err(NotNow::Wait) => State::Waits,
            Err(NotNow::Exhausted) => State::Refused(told(Refused::Exhausted, gate, whose)),
        })
    }

    /// Whether it still has to be leased.
    pub(super) fn waits(&self) -> bool {
        matches!(self.0, State::Waits)
    }

    /// Waits until it is leased, or is known not to be.
    pub(super) async fn wait(&mut self, gate: &Gate, whose: &Admission) {
        if !self.waits() {
            return;
        }
        self.0 = match gate.bundles.take(whose, 1).await {
            Ok(taken) => State::taken(taken),
            Err(refused) => State::Refused(told(refused, gate, whose)),
        };
    }

    /// Whether the call may go on.
    pub(super) fn check(&self) -> Result<(), Problem> {
        match &self.0 {
            State::Refused(problem) => Err(problem.clone()),
            State::Waits => Err(Problem::AccountsUnavailable),
            State::Free | State::Taken { .. } => Ok(()),
        }
    }

    /// Sets calls aside for all lines of a request, or none. Blocks the thread where this node has to lease more first, so it
    /// belongs on a thread for long work.
    pub(super) fn lines(
        &self,
        gate: &Gate,
        whose: &Admission,
        lines: usize,
    ) -> Result<(), Problem> {
        self.check()?;
        let State::Taken { rest, .. } = &self.0 else {
            return Ok(());
        };
        let more = u32::try_from(lines).unwrap_or(u32::MAX).saturating_sub(1);
        if more == 0 {
            return Ok(());
        }
        let taken = match gate.bundles.try_take(whose, more) {
            Ok(taken) => Ok(taken),
            Err(NotNow::Exhausted) => Err(Refused::Exhausted),
            Err(NotNow::Wait) => Handle::current().block_on(gate.bundles.take(whose, more)),
        };
        // A request sets its lines aside once; were it to do so twice, the second would go back at once.
        let taken = taken.map_err(|refused| told(refused, gate, whose))?;
        rest.set((taken, more)).ok();
        Ok(())
    }

    /// Keeps or gives back by the status of the answer.
    pub(super) fn settle(self, status: StatusCode) -> Settled {
        let State::Taken { first, rest } = self.0 else {
            return Settled::default();
        };
        if !counts(status) {
            return Settled::default();
        }
        let rest = rest.into_inner();
        let lines = 1 + rest.as_ref().map_or(0, |(_, more)| *more);
        let last = rest.as_ref().map_or(&first, |(taken, _)| taken);
        let standing = Some(last.standing());
        first.keep();
        if let Some((taken, _)) = rest {
            taken.keep();
        }
        Settled { lines, standing }
    }
}

impl State {
    fn taken(first: Taken) -> Self {
        Self::Taken {
            first,
            rest: OnceCell::new(),
        }
    }
}

/// Whether an answer with this status is a call. Source: decisions.md, Order of checks.
fn counts(status: StatusCode) -> bool {
    let never = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    !status.is_server_error() && !never.contains(&status)
}

/// What became of a charge.
#[derive(Default)]
pub(super) struct Settled {
    /// Calls that were taken: one for each line of a bulk request.
    pub(super) lines: u32,
    /// What was left of the bundle when its calls had been taken, where they are kept.
    pub(super) standing: Option<Standing>,
}

/// What a client is told when nothing was taken.
fn told(refused: Refused, gate: &Gate, whose: &Admission) -> Problem {
    match refused {
        Refused::Unavailable => Problem::AccountsUnavailable,
        Refused::Exhausted => {
            let reset = gate.bundles.standing(whose).reset;
            let left_s = reset.as_second() - gate.clock.now().as_second();
            Problem::QuotaExceeded {
                retry_after_s: u32::try_from(left_s).unwrap_or_default().max(1),
            }
        }
    }
}
