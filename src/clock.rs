//! The clock: the time of day for billing periods and headers, and a monotonic time for rate limits, which must not see the time of
//! day jump. One type for both, so that a test moves them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// A source of time. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Clock(TimeSource);

#[derive(Clone, Debug)]
enum TimeSource {
    /// The machine's: its wall clock, and its monotonic clock counted from `started`.
    System { started: Instant },
    /// A clock for tests, which moves only when a test advances it.
    Fake {
        started: Timestamp,
        elapsed_ns: Arc<AtomicU64>,
        /// How far the time of day was set back.
        set_back_ns: Arc<AtomicU64>,
    },
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self(TimeSource::System {
            started: Instant::now(),
        })
    }

    /// A clock for tests that stays at `started` until it is [advanced](Self::advance).
    #[must_use]
    pub fn fake(started: Timestamp) -> Self {
        Self(TimeSource::Fake {
            started,
            elapsed_ns: Arc::default(),
            set_back_ns: Arc::default(),
        })
    }

    /// Advances a fake clock. Does nothing to the machine's clock.
    pub fn advance(&self, by: Duration) {
        if let TimeSource::Fake { elapsed_ns, .. } = &self.0 {
            elapsed_ns.fetch_add(as_nanoseconds(by), Ordering::Relaxed);
        }
    }

    /// Sets the time of day of a fake clock back, as an operator or a time server may. The monotonic time is unaffected.
    pub fn set_back(&self, by: Duration) {
        if let TimeSource::Fake { set_back_ns, .. } = &self.0 {
            set_back_ns.fetch_add(as_nanoseconds(by), Ordering::Relaxed);
        }
    }

    /// The time of day, in UTC.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            TimeSource::System { .. } => Timestamp::now(),
            TimeSource::Fake {
                started,
                elapsed_ns,
                set_back_ns,
            } => {
                let [elapsed, set_back] = [elapsed_ns, set_back_ns]
                    .map(|time| Duration::from_nanos(time.load(Ordering::Relaxed)));
                *started + elapsed - set_back
            }
        }
    }
}

/// The monotonic time since the clock was created. It never goes back, even if the time of day does.
impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        match &self.0 {
            TimeSource::System { started } => started.elapsed(),
            TimeSource::Fake { elapsed_ns, .. } => {
                Duration::from_nanos(elapsed_ns.load(Ordering::Relaxed))
            }
        }
    }
}

fn as_nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).expect("a test advances the clock by less than 584 years")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fake_clock_advances_both_times_in_all_its_copies() {
        let started = Timestamp::from_second(1_767_700_000).expect("in range");
        let clock = Clock::fake(started);
        let copy = clock.clone();
        assert_eq!(Clock::now(&clock), started);
        copy.advance(Duration::from_millis(1_500));
        assert_eq!(Clock::now(&clock), started + Duration::from_millis(1_500));
        assert_eq!(
            governor::clock::Clock::now(&clock),
            Duration::from_millis(1_500)
        );
        clock.set_back(Duration::from_secs(2));
        assert_eq!(Clock::now(&copy), started - Duration::from_millis(500));
        assert_eq!(
            governor::clock::Clock::now(&clock),
            Duration::from_millis(1_500),
            "the monotonic time does not go back"
        );
    }

    #[test]
    fn the_machine_clock_cannot_be_advanced() {
        let clock = Clock::system();
        let earlier = governor::clock::Clock::now(&clock);
        clock.advance(Duration::from_secs(3_600));
        assert!(governor::clock::Clock::now(&clock) >= earlier);
        let apart = Clock::now(&clock).duration_since(Timestamp::now());
        assert!(apart.abs().as_secs() < 60, "it was not moved: {apart}");
    }
}
