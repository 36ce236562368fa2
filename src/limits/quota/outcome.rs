//! Defines the result of a quota reservation, and the quota status that the response headers report.

use jiff::Timestamp;

/// The result of reserving calls. `T` is the value of a granted reservation: a permit or, inside this module, the number of calls on
/// credit.
#[must_use = "dropping a permit returns its calls"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaOutcome<T> {
    /// All calls are reserved.
    Granted(T),
    /// This node has too few leased calls. A refill is queued, or other nodes will be asked to return calls.
    Pending,
    /// Quota and grace of this billing period have too few calls left.
    Exhausted {
        /// Seconds until the billing period ends, at least 1.
        retry_after_s: u32,
    },
    /// The accounts database is unavailable, and the local lease and the credit are used up.
    Unavailable,
}

impl<T> QuotaOutcome<T> {
    /// Replaces the value of a granted reservation.
    pub(super) fn map<U>(self, convert: impl FnOnce(T) -> U) -> QuotaOutcome<U> {
        match self {
            Self::Granted(value) => QuotaOutcome::Granted(convert(value)),
            Self::Pending => QuotaOutcome::Pending,
            Self::Exhausted { retry_after_s } => QuotaOutcome::Exhausted { retry_after_s },
            Self::Unavailable => QuotaOutcome::Unavailable,
        }
    }

    /// The granted value, or the reason for the refusal without `retry_after_s`.
    #[cfg(test)]
    pub(crate) fn into_result(self) -> Result<T, Refusal> {
        match self {
            Self::Granted(value) => Ok(value),
            Self::Pending => Err(Refusal::Pending),
            Self::Exhausted { retry_after_s } => {
                assert!(retry_after_s > 0, "a client waits at least a second");
                Err(Refusal::Exhausted)
            }
            Self::Unavailable => Err(Refusal::Unavailable),
        }
    }
}

/// Why a reservation was refused.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Pending,
    Exhausted,
    Unavailable,
}

/// The values of the quota headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaStatus {
    /// Calls per billing period.
    pub limit: u64,
    /// Calls left of the quota; 0 while the account uses its grace.
    pub remaining: u64,
    /// End of the billing period.
    pub reset: Timestamp,
}
