//! How long a connection is waited on: for the head of its next request, and for an answer that does not come about.
//!
//! hyper has the first limit too, and sets a timer of the runtime for each request: a lock that all threads share, taken twice.
//! Here a request notes the time, and one timer for each connection looks at the note when it may be over. The second limit is a
//! bound for what ought not to happen: whatever becomes of an answer, no connection keeps its place for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Set while a request is being answered.
const AWAITING_RESPONSE: u64 = 1 << 63;

/// How long each wait may take.
#[derive(Clone, Copy)]
pub(super) struct ConnectionTimeouts {
    /// For the head of a request, from the moment the last answer was there: sending it is part of this.
    pub(super) head: Duration,
    /// For an answer, from the end of the head: longer than any request may take.
    pub(super) response: Duration,
}

/// The patience with one connection. Cloning shares it.
#[derive(Clone)]
pub(super) struct ConnectionDeadlines {
    timeouts: ConnectionTimeouts,
    accepted_at: Instant,
    /// When the wait began, in milliseconds since the connection was accepted, and which one it is.
    wait_started_ms: Arc<AtomicU64>,
}

impl ConnectionDeadlines {
    /// Waits for a head from now on.
    pub(super) fn new(timeouts: ConnectionTimeouts) -> Self {
        Self {
            timeouts,
            accepted_at: Instant::now(),
            wait_started_ms: Arc::default(),
        }
    }

    /// A head has come, its answer is waited for.
    pub(super) fn begin_response_wait(&self) {
        self.wait_started_ms
            .store(self.elapsed_ms() | AWAITING_RESPONSE, Ordering::Relaxed);
    }

    /// The answer is there, the next head is waited for.
    pub(super) fn begin_head_wait(&self) {
        self.wait_started_ms
            .store(self.elapsed_ms(), Ordering::Relaxed);
    }

    /// Ends when a wait has taken too long.
    pub(super) async fn wait_until_expired(&self) {
        while let Some(remaining) = self.remaining() {
            // An answer may be there soon, and a head is waited for from then on. Never none at all, so that this ends.
            let next_check = remaining
                .min(self.timeouts.head)
                .max(Duration::from_millis(1));
            tokio::time::sleep(next_check).await;
        }
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
    const WAITS: ConnectionTimeouts = ConnectionTimeouts {
        head: LIMIT,
        response: Duration::from_millis(60),
    };

    #[tokio::test]
    async fn a_silent_client_is_waited_for_as_long_as_the_limit() {
        let patience = ConnectionDeadlines::new(WAITS);
        patience.wait_until_expired().await;
        assert!(patience.accepted_at.elapsed() >= LIMIT);
        patience.begin_response_wait();
        let again = Instant::now();
        patience.begin_head_wait();
        patience.wait_until_expired().await;
        // The note is in whole milliseconds.
        assert!(again.elapsed() + Duration::from_millis(1) >= LIMIT);
    }

    #[tokio::test]
    async fn an_answer_may_take_longer_but_not_for_ever() {
        let patience = ConnectionDeadlines::new(WAITS);
        let asked = Instant::now();
        patience.begin_response_wait();
        patience.wait_until_expired().await;
        assert!(asked.elapsed() + Duration::from_millis(1) >= WAITS.response);
    }
}
