//! What a request takes from its account's bundle: one call, or one per line of a bulk request.
//!
//! A call is set aside before the work and kept or given back by the status of the answer. Source: decisions.md, Order of
//! checks: an admitted call counts whatever its answer; 401, 403, 405, 429 and 5xx never count; a bulk request that is
//! carried out counts one per line, and takes nothing when fewer are left.

use std::cell::OnceCell;

use super::Problem;
use crate::accounts::{Admission, Environment};
use crate::limits::{NotNow, Refused, Standing, Taken};
use crate::state::Gate;
use axum::http::StatusCode;

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
        /// The other lines of a bulk request, once it is known how many they are.
        rest: OnceCell<Rest>,
    },
}

enum Rest {
    Refused(Problem),
    /// So many, of which this node has too few in hand, but may lease more.
    Waits(u32),
    Taken(Taken, u32),
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

    /// Whether some of it still has to be leased.
    pub(super) fn waits(&self) -> bool {
        match &self.0 {
            State::Waits => true,
            State::Taken { rest, .. } => matches!(rest.get(), Some(Rest::Waits(_))),
            State::Free | State::Refused(_) => false,
        }
    }

    /// Waits until it is leased, or is known not to be.
    pub(super) async fn wait(&mut self, gate: &Gate, whose: &Admission) {
        let take = async |calls| {
            let taken = gate.bundles.take(whose, calls).await;
            taken.map_err(|refused| told(refused, gate, whose))
        };
        match &mut self.0 {
            State::Waits => {
                self.0 = take(1).await.map_or_else(State::Refused, State::taken);
            }
            State::Taken { rest, .. } => {
                if let Some(rest) = rest.get_mut()
                    && let Rest::Waits(more) = *rest
                {
                    let taken = |taken| Rest::Taken(taken, more);
                    *rest = take(more).await.map_or_else(Rest::Refused, taken);
                }
            }
            State::Free | State::Refused(_) => {}
        }
    }

    /// Whether the call may go on.
    pub(super) fn check(&self) -> Result<(), Problem> {
        match &self.0 {
            State::Refused(problem) => Err(problem.clone()),
            State::Waits => Err(Problem::AccountsUnavailable),
            State::Free | State::Taken { .. } => Ok(()),
        }
    }

    /// Sets calls aside for all lines of a request, or none. Where this node has to lease more first they are [waited
    /// for](Self::wait), and asked for again afterwards.
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
        let rest = rest.get_or_init(|| match gate.bundles.try_take(whose, more) {
            Ok(taken) => Rest::Taken(taken, more),
            Err(NotNow::Wait) => Rest::Waits(more),
            Err(NotNow::Exhausted) => Rest::Refused(told(Refused::Exhausted, gate, whose)),
        });
        match rest {
            Rest::Taken(..) => Ok(()),
            Rest::Waits(_) => Err(Problem::AccountsUnavailable),
            Rest::Refused(problem) => Err(problem.clone()),
        }
    }

    /// Keeps or gives back by the status of the answer.
    pub(super) fn settle(self, status: StatusCode) -> Settled {
        let State::Taken { first, rest } = self.0 else {
            return Settled::default();
        };
        if !counts(status) {
            return Settled::default();
        }
        let (lines, standing) = match rest.into_inner() {
            Some(Rest::Taken(taken, more)) => {
                let standing = taken.standing();
                taken.keep();
                (1 + more, standing)
            }
            _ => (1, first.standing()),
        };
        first.keep();
        Settled {
            lines,
            standing: Some(standing),
        }
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
