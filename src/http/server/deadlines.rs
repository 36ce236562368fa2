//! How long a connection is waited on: for the head of its next request, and for an answer that does not come about.
//!
//! hyper has the first limit too, and sets a timer of the runtime for each request: a lock that all threads share, taken twice.
//! Here a request notes the time, and one timer for each connection looks at the note when it may be over. The second limit is a
//! bound for what ought not to happen: whatever becomes of an answer, no connection keeps its place for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Set while a request is being answered.
const ANSWERING: u64 = 1 << 63;

/// How long each wait may take.
#[derive(Clone, Copy)]
pub(super) struct Waits {
    /// For the head of a request, from the moment the last answer was there: sending it is part of this.
    pub(super) head: Duration,
    /// For an answer, from the end of the head: longer than any request may take.
    pub(super) answer: Duration,
}

/// The patience with one connection. Cloning shares it.
#[derive(Clone)]
pub(super) struct Patience {
    waits: Waits,
    accepted: Instant,
    /// When the wait began, in milliseconds since the connection was accepted, and which one it is.
    since: Arc<AtomicU64>,
}

impl Patience {
    /// Waits for a head from now on.
    pub(super) fn new(waits: Waits) -> Self {
        Self {
            waits,
            accepted: Instant::now(),
            since: Arc::default(),
        }
    }

    /// A head has come, its answer is waited for.
    pub(super) fn end(&self) {
        self.since
            .store(self.passed_ms() | ANSWERING, Ordering::Relaxed);
    }

    /// The answer is there, the next head is waited for.
    pub(super) fn begin(&self) {
        self.since.store(self.passed_ms(), Ordering::Relaxed);
    }

    /// Ends when a wait has taken too long.
    pub(super) async fn run_out(&self) {
        while let Some(left) = self.left() {
            // An answer may be there soon, and a head is waited for from then on. Never none at all, so that this ends.
            let look_again = left.min(self.waits.head).max(Duration::from_millis(1));
            tokio::time::sleep(look_again).await;
        }
    }

    fn left(&self) -> Option<Duration> {
        let since = self.since.load(Ordering::Relaxed);
        let limit = match since & ANSWERING {
            0 => self.waits.head,
            _ => self.waits.answer,
        };
        let waited_ms = self.passed_ms().saturating_sub(since & !ANSWERING);
        limit.checked_sub(Duration::from_millis(waited_ms))
    }

    fn passed_ms(&self) -> u64 {
        let passed = self.accepted.elapsed().as_millis();
        u64::try_from(passed).expect("fewer than 292 million years")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(20);
    const WAITS: Waits = Waits {
        head: LIMIT,
        answer: Duration::from_millis(60),
    };

    #[tokio::test]
    async fn a_silent_client_is_waited_for_as_long_as_the_limit() {
        let patience = Patience::new(WAITS);
        patience.run_out().await;
        assert!(patience.accepted.elapsed() >= LIMIT);
        patience.end();
        let again = Instant::now();
        patience.begin();
        patience.run_out().await;
        // The note is in whole milliseconds.
        assert!(again.elapsed() + Duration::from_millis(1) >= LIMIT);
    }

    #[tokio::test]
    async fn an_answer_may_take_longer_but_not_for_ever() {
        let patience = Patience::new(WAITS);
        let asked = Instant::now();
        patience.end();
        patience.run_out().await;
        assert!(asked.elapsed() + Duration::from_millis(1) >= WAITS.answer);
    }
}
