//! What a request takes from its account's bundle: one call, or one per line of a bulk request.
//!
//! A call is set aside before the work and kept or given back by the status of the answer. Source: decisions.md, Order of
//! checks: an admitted call counts whatever its answer; 401, 403, 405, 429 and 5xx never count; a bulk request that is
//! carried out counts one per line, and takes nothing when fewer are left.

use std::cell::OnceCell;

use super::ApiError;
use crate::accounts::{Environment, KeyGrant};
use crate::limits::{QuotaOutcome, QuotaPermit, QuotaStatus};
use crate::state::AccessControl;
use axum::http::StatusCode;

/// Calls that are set aside for one request.
pub(super) struct QuotaReservation(ReservationState);

enum ReservationState {
    /// The sandbox never counts.
    Unmetered,
    Rejected(ApiError),
    /// This node has none in hand, but may lease some.
    NeedsLease,
    Reserved {
        first: QuotaPermit,
        /// The other lines of a bulk request, once it is known how many they are.
        bulk: OnceCell<BulkReservation>,
    },
}

enum BulkReservation {
    Rejected(ApiError),
    /// So many, of which this node has too few in hand, but may lease more.
    NeedsLease(u32),
    Reserved(QuotaPermit, u32),
}

impl QuotaReservation {
    /// Sets one call aside where this node has one in hand.
    pub(super) fn reserve_one(access: &AccessControl, grant: &KeyGrant) -> Self {
        if grant.environment == Environment::Test {
            return Self(ReservationState::Unmetered);
        }
        Self(match access.quotas.try_reserve(grant, 1) {
            QuotaOutcome::Granted(permit) => ReservationState::reserved(permit),
            QuotaOutcome::Pending => ReservationState::NeedsLease,
            refused => ReservationState::Rejected(quota_error(&refused)),
        })
    }

    /// Whether some of it still has to be leased.
    pub(super) fn needs_lease(&self) -> bool {
        match &self.0 {
            ReservationState::NeedsLease => true,
            ReservationState::Reserved { bulk: rest, .. } => {
                matches!(rest.get(), Some(BulkReservation::NeedsLease(_)))
            }
            ReservationState::Unmetered | ReservationState::Rejected(_) => false,
        }
    }

    /// Waits until it is leased, or is known not to be.
    pub(super) async fn wait_for_lease(&mut self, access: &AccessControl, grant: &KeyGrant) {
        let take_permit = async |calls| match access.quotas.reserve(grant, calls).await {
            QuotaOutcome::Granted(permit) => Ok(permit),
            refused => Err(quota_error(&refused)),
        };
        match &mut self.0 {
            ReservationState::NeedsLease => {
                self.0 = take_permit(1)
                    .await
                    .map_or_else(ReservationState::Rejected, ReservationState::reserved);
            }
            ReservationState::Reserved { bulk: rest, .. } => {
                if let Some(rest) = rest.get_mut()
                    && let BulkReservation::NeedsLease(calls) = *rest
                {
                    let reserved = |taken| BulkReservation::Reserved(taken, calls);
                    *rest = take_permit(calls)
                        .await
                        .map_or_else(BulkReservation::Rejected, reserved);
                }
            }
            ReservationState::Unmetered | ReservationState::Rejected(_) => {}
        }
    }

    /// Whether the call may go on.
    pub(super) fn check(&self) -> Result<(), ApiError> {
        match &self.0 {
            ReservationState::Rejected(error) => Err(error.clone()),
            ReservationState::NeedsLease => Err(ApiError::AccountsUnavailable),
            ReservationState::Unmetered | ReservationState::Reserved { .. } => Ok(()),
        }
    }

    /// Sets calls aside for all lines of a request, or none. Where this node has to lease more first they are [waited
    /// for](Self::wait), and asked for again afterwards.
    pub(super) fn reserve_lines(
        &self,
        access: &AccessControl,
        grant: &KeyGrant,
        lines: usize,
    ) -> Result<(), ApiError> {
        self.check()?;
        let ReservationState::Reserved { bulk: rest, .. } = &self.0 else {
            return Ok(());
        };
        let extra_calls = u32::try_from(lines).unwrap_or(u32::MAX).saturating_sub(1);
        if extra_calls == 0 {
            return Ok(());
        }
        let rest = rest.get_or_init(|| match access.quotas.try_reserve(grant, extra_calls) {
            QuotaOutcome::Granted(permit) => BulkReservation::Reserved(permit, extra_calls),
            QuotaOutcome::Pending => BulkReservation::NeedsLease(extra_calls),
            refused => BulkReservation::Rejected(quota_error(&refused)),
        });
        match rest {
            BulkReservation::Reserved(..) => Ok(()),
            BulkReservation::NeedsLease(_) => Err(ApiError::AccountsUnavailable),
            BulkReservation::Rejected(error) => Err(error.clone()),
        }
    }

    /// Keeps or gives back by the status of the answer.
    pub(super) fn settle(self, status: StatusCode) -> ChargeResult {
        let ReservationState::Reserved { first, bulk: rest } = self.0 else {
            return ChargeResult::default();
        };
        if !is_billable(status) {
            return ChargeResult::default();
        }
        let (calls, quota_status) = match rest.into_inner() {
            Some(BulkReservation::Reserved(permit, extra_calls)) => {
                let quota_status = permit.status();
                permit.commit();
                (1 + extra_calls, quota_status)
            }
            _ => (1, first.status()),
        };
        first.commit();
        ChargeResult {
            calls,
            quota_status: Some(quota_status),
        }
    }
}

impl ReservationState {
    fn reserved(first: QuotaPermit) -> Self {
        Self::Reserved {
            first,
            bulk: OnceCell::new(),
        }
    }
}

/// Whether an answer with this status is a call. Source: decisions.md, Order of checks.
fn is_billable(status: StatusCode) -> bool {
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
pub(super) struct ChargeResult {
    /// Calls that were taken: one for each line of a bulk request.
    pub(super) calls: u32,
    /// What was left of the bundle when its calls had been taken, where they are kept.
    pub(super) quota_status: Option<QuotaStatus>,
}

/// The error of a reservation that was not granted.
fn quota_error(outcome: &QuotaOutcome<QuotaPermit>) -> ApiError {
    match *outcome {
        QuotaOutcome::Exhausted { retry_after_s } => ApiError::QuotaExceeded { retry_after_s },
        _ => ApiError::AccountsUnavailable,
    }
}
