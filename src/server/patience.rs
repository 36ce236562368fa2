//! How long a connection is waited on for the head of its next request.
//!
//! hyper has such a limit too, and sets a timer of the runtime for each request: a lock that all threads share, taken twice.
//! Here a request notes the time, and one timer for each connection looks at the note when it may be over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// No wait is on: a request is being answered.
const BUSY: u64 = u64::MAX;

/// The patience with one connection. Cloning shares it.
#[derive(Clone)]
pub(super) struct Patience {
    limit: Duration,
    accepted: Instant,
    /// When the wait began: milliseconds since the connection was accepted.
    since: Arc<AtomicU64>,
}

impl Patience {
    /// Waits from now on, for so long at most.
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            limit,
            accepted: Instant::now(),
            since: Arc::default(),
        }
    }

    /// A head has come.
    pub(super) fn end(&self) {
        self.since.store(BUSY, Ordering::Relaxed);
    }

    /// The answer is there; the next head is waited for.
    pub(super) fn begin(&self) {
        let passed = self.accepted.elapsed().as_millis();
        let passed = u64::try_from(passed).expect("fewer than 584 million years");
        self.since.store(passed, Ordering::Relaxed);
    }

    /// Ends when a wait has taken too long.
    pub(super) async fn run_out(&self) {
        loop {
            let Some(left) = self.limit.checked_sub(self.waited()) else {
                return;
            };
            // Never none at all, so that this ends.
            tokio::time::sleep(left.max(Duration::from_millis(1))).await;
        }
    }

    fn waited(&self) -> Duration {
        match self.since.load(Ordering::Relaxed) {
            BUSY => Duration::ZERO,
            since => self
                .accepted
                .elapsed()
                .saturating_sub(Duration::from_millis(since)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_silent_client_is_waited_for_as_long_as_the_limit() {
        let patience = Patience::new(LIMIT);
        patience.run_out().await;
        assert!(patience.accepted.elapsed() >= LIMIT);
        patience.end();
        patience.begin();
        let again = Instant::now();
        patience.run_out().await;
        // The note is in whole milliseconds.
        assert!(again.elapsed() + Duration::from_millis(1) >= LIMIT);
    }

    #[tokio::test]
    async fn an_answer_may_take_longer() {
        let patience = Patience::new(LIMIT);
        patience.end();
        let cut = tokio::time::timeout(3 * LIMIT, patience.run_out()).await;
        assert!(cut.is_err());
    }
}
