//! Computes the delay before a failed task is retried. Applying, publishing and fetching use these delays.

use std::time::Duration;

/// The delay after the first failure. Each further failure in a row doubles the delay, up to `MAX_RETRY_DELAY`.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
const MAX_RETRY_DELAY: Duration = Duration::from_mins(5);

/// The delay after a failure. `previous` is the delay after the previous failure, or `None` after the first failure in a row.
pub(super) fn next_retry_delay(previous: Option<Duration>) -> Duration {
    previous.map_or(FIRST_RETRY_DELAY, |delay| (delay * 2).min(MAX_RETRY_DELAY))
}
