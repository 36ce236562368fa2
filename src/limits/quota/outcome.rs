//! Defines the result of a quota reservation, and the quota status that the response headers report.

use jiff::Timestamp;

/// The result of reserving calls. `T` is the value of a granted reservation: a permit or, inside this module, the number of calls on
/// credit. All calls are reserved, or none.
pub type QuotaOutcome<T> = Result<T, QuotaRefusal>;

/// Why calls are not reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaRefusal {
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
