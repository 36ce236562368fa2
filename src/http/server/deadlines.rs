//! Enforces the deadlines of a connection: for the head of its next request, and for a response.
//!
//! hyper has a deadline for the head too, but sets a timer of the runtime for each request. Each timer takes a lock twice, and all threads
//! share that lock. Here each request only stores its start, and one timer per connection wakes when a deadline may have passed. The
//! deadline for a response is a safety net, so that no connection keeps its slot for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The bit that is set while a response is being made.
const AWAITING_RESPONSE: u64 = 1 << 63;

#[derive(Clone, Copy)]
pub(super) struct ConnectionTimeouts {
    /// The time limit for the head of a request. It starts when the previous response is made, so it includes the time to send that
    /// response.
    pub(super) head: Duration,
    /// The time limit for a response. It starts at the end of the request's head, and is longer than any request may take.
    pub(super) response: Duration,
}

/// The deadlines of one connection. Clones share their state.
#[derive(Clone)]
pub(super) struct ConnectionDeadlines {
    timeouts: ConnectionTimeouts,
    accepted_at: Instant,
    /// When the current wait began, in milliseconds since the connection was accepted. The bit [`AWAITING_RESPONSE`] is set during a wait
    /// for a response.
    wait_started_ms: Arc<AtomicU64>,
}

impl ConnectionDeadlines {
    /// Starts waiting for the first head.
    pub(super) fn new(timeouts: ConnectionTimeouts) -> Self {
        Self {
            timeouts,
            accepted_at: Instant::now(),
            wait_started_ms: Arc::default(),
        }
    }

    /// Starts the wait for the response. Call this when the head of a request has arrived.
    pub(super) fn begin_response_wait(&self) {
        self.wait_started_ms
            .store(self.elapsed_ms() | AWAITING_RESPONSE, Ordering::Relaxed);
    }

    /// Starts the wait for the next head. Call this when the response is made.
    pub(super) fn begin_head_wait(&self) {
        self.wait_started_ms
            .store(self.elapsed_ms(), Ordering::Relaxed);
    }

    /// Completes when a deadline has passed.
    pub(super) async fn wait_until_expired(&self) {
        while let Some(remaining) = self.remaining() {
            // Sleeps no longer than the deadline for a head, which is the shorter one and applies as soon as the response is made. Sleeps
            // at least 1 ms, so that time passes between two checks.
            let next_check = remaining
                .min(self.timeouts.head)
                .max(Duration::from_millis(1));
            tokio::time::sleep(next_check).await;
        }
    }

    /// Returns true if a response is being made, and when the current wait began.
    pub(super) fn current_wait(&self) -> (bool, Instant) {
        let wait_started_ms = self.wait_started_ms.load(Ordering::Relaxed);
        let since = Duration::from_millis(wait_started_ms & !AWAITING_RESPONSE);
        (
            wait_started_ms & AWAITING_RESPONSE != 0,
            self.accepted_at + since,
        )
    }

    fn remaining(&self) -> Option<Duration> {
        let wait_started_ms = self.wait_started_ms.load(Ordering::Relaxed);
        let limit = match wait_started_ms & AWAITING_RESPONSE {
            0 => self.timeouts.head,
            _ => self.timeouts.response,
        };
        let waited_ms = self
            .elapsed_ms()
            .saturating_sub(wait_started_ms & !AWAITING_RESPONSE);
        limit.checked_sub(Duration::from_millis(waited_ms))
    }

    fn elapsed_ms(&self) -> u64 {
        let elapsed = self.accepted_at.elapsed().as_millis();
        u64::try_from(elapsed).expect("fewer than 292 million years")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(20);
    const TIMEOUTS: ConnectionTimeouts = ConnectionTimeouts {
        head: LIMIT,
        response: Duration::from_millis(60),
    };

    #[tokio::test]
    async fn a_silent_connection_expires_after_the_head_timeout() {
        let deadlines = ConnectionDeadlines::new(TIMEOUTS);
        deadlines.wait_until_expired().await;
        assert!(deadlines.accepted_at.elapsed() >= LIMIT);
        deadlines.begin_response_wait();
        let started_at = Instant::now();
        deadlines.begin_head_wait();
        deadlines.wait_until_expired().await;
        // The start is stored in whole milliseconds, so up to 1 ms may be missing.
        assert!(started_at.elapsed() + Duration::from_millis(1) >= LIMIT);
    }

    #[tokio::test]
    async fn a_response_may_take_longer_than_a_head_but_not_for_ever() {
        let deadlines = ConnectionDeadlines::new(TIMEOUTS);
        let started_at = Instant::now();
        deadlines.begin_response_wait();
        deadlines.wait_until_expired().await;
        assert!(started_at.elapsed() + Duration::from_millis(1) >= TIMEOUTS.response);
    }
}
