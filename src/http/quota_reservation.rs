//! Reserves the calls of a request from its account's quota: one call, or one per line of a bulk request.
//!
//! Calls are reserved before the work. Depending on the status of the response, they are then committed or refunded. Source: decisions.md,
//! section Order of checks. An authorized call counts unless its response is a 401, 403, 405, 429 or 5xx. A successful bulk request counts
//! one call per line. If fewer calls are left than the request has lines, the request is refused and counts nothing.

use axum::http::StatusCode;

use super::ApiError;
use crate::accounts::KeyGrant;
use crate::limits::{QuotaPermit, QuotaRefusal, QuotaStatus};
use crate::state::AccessControl;

/// Calls that are reserved for one request. Dropping the reservation refunds them.
#[derive(Default)]
pub(super) enum QuotaReservation {
    /// Nothing is counted, because the request is for the sandbox, has a key without an account, or is not authorized yet.
    #[default]
    Unmetered,
    Rejected(ApiError),
    /// This node has no call left to reserve, but may be able to lease some.
    NeedsLease,
    Reserved {
        first: QuotaPermit,
        /// For a bulk request, the permit for every line after the first one, and the number of these lines.
        lines: Option<(QuotaPermit, u32)>,
    },
}

impl QuotaReservation {
    /// Reserves one call if this node has one left. Never waits.
    pub(super) fn reserve_one(access: &AccessControl, grant: &KeyGrant) -> Self {
        if !grant.is_metered() {
            return Self::Unmetered;
        }
        match access.quotas.try_reserve(grant, 1) {
            Ok(permit) => Self::from_first(permit),
            Err(QuotaRefusal::Pending) => Self::NeedsLease,
            Err(refusal) => Self::Rejected(refusal.into()),
        }
    }

    fn from_first(first: QuotaPermit) -> Self {
        Self::Reserved { first, lines: None }
    }

    /// True if this node must lease a call before it can reserve the first one.
    pub(super) fn needs_lease(&self) -> bool {
        matches!(self, Self::NeedsLease)
    }

    /// Waits until the first call is reserved or refused.
    pub(super) async fn wait_for_lease(&mut self, access: &AccessControl, grant: &KeyGrant) {
        if self.needs_lease() {
            *self = match access.quotas.reserve(grant, 1).await {
                Ok(permit) => Self::from_first(permit),
                Err(refusal) => Self::Rejected(refusal.into()),
            };
        }
    }

    /// Checks that the first call is reserved. If it is not, the error gives the reason.
    pub(super) fn require_reserved(&self) -> Result<(), ApiError> {
        match self {
            Self::Rejected(error) => Err(error.clone()),
            Self::NeedsLease => Err(ApiError::AccountsUnavailable),
            Self::Unmetered | Self::Reserved { .. } => Ok(()),
        }
    }

    /// Reserves one call for each line after the first line, or none at all. Waits if this node must lease more calls.
    pub(super) async fn reserve_lines(
        &mut self,
        access: &AccessControl,
        grant: &KeyGrant,
        line_count: usize,
    ) -> Result<(), ApiError> {
        self.require_reserved()?;
        let extra_calls = u32::try_from(line_count)
            .unwrap_or(u32::MAX)
            .saturating_sub(1);
        if let Self::Reserved { lines, .. } = self
            && extra_calls > 0
        {
            *lines = Some((
                access.quotas.reserve(grant, extra_calls).await?,
                extra_calls,
            ));
        }
        Ok(())
    }

    /// Commits or refunds the calls, depending on the status of the response.
    pub(super) fn settle(self, status: StatusCode) -> ChargeResult {
        let Self::Reserved { first, lines } = self else {
            return ChargeResult::default();
        };
        if !is_billable(status) {
            return ChargeResult::default();
        }
        let (calls, quota_status) = match lines {
            Some((permit, extra_calls)) => {
                let quota_status = permit.status();
                permit.commit();
                (1 + extra_calls, quota_status)
            }
            None => (1, first.status()),
        };
        first.commit();
        ChargeResult {
            calls,
            quota_status: Some(quota_status),
        }
    }
}

/// True if a request counts against the quota after a response with this status. Source: decisions.md, section Order of checks.
fn is_billable(status: StatusCode) -> bool {
    let never = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    !status.is_server_error() && !never.contains(&status)
}

/// The outcome of settling a reservation.
#[derive(Default)]
pub(super) struct ChargeResult {
    /// The number of calls that were charged, one for each line of a bulk request.
    pub(super) calls: u32,
    /// The quota after the charge; `None` if nothing was charged.
    pub(super) quota_status: Option<QuotaStatus>,
}

impl From<QuotaRefusal> for ApiError {
    fn from(refusal: QuotaRefusal) -> Self {
        match refusal {
            QuotaRefusal::Exhausted { retry_after_s } => Self::QuotaExceeded { retry_after_s },
            QuotaRefusal::Pending | QuotaRefusal::Unavailable => Self::AccountsUnavailable,
        }
    }
}
