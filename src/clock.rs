//! What time it is: for people (periods, headers) and for buckets, which must not see the wall clock jump. One type for both,
//! so that a test moves them together.

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
    /// A test's: stands still until it is told how much time passed.
    Fake {
        started: Timestamp,
        elapsed_ns: Arc<AtomicU64>,
        /// How much the time of day was set back.
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

    /// A clock for tests that stands still at `started` until it is [advanced](Self::advance).
    #[must_use]
    pub fn fake(started: Timestamp) -> Self {
        Self(TimeSource::Fake {
            started,
            elapsed_ns: Arc::default(),
            set_back_ns: Arc::default(),
        })
    }

    /// Lets time pass on a fake clock; the machine's clock is nobody's to move.
    pub fn advance(&self, by: Duration) {
        if let TimeSource::Fake {
            elapsed_ns: passed_ns,
            ..
        } = &self.0
        {
            passed_ns.fetch_add(as_nanoseconds(by), Ordering::Relaxed);
        }
    }

    /// Sets the time of day of a fake clock back, as an operator or a time server may; time passes on all the same.
    pub fn set_back(&self, by: Duration) {
        if let TimeSource::Fake {
            set_back_ns: behind_ns,
            ..
        } = &self.0
        {
            behind_ns.fetch_add(as_nanoseconds(by), Ordering::Relaxed);
        }
    }

    /// The time of day, in UTC.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            TimeSource::System { .. } => Timestamp::now(),
            TimeSource::Fake {
                started,
                elapsed_ns: passed_ns,
                set_back_ns: behind_ns,
            } => {
                let [passed, behind] = [passed_ns, behind_ns]
                    .map(|time| Duration::from_nanos(time.load(Ordering::Relaxed)));
                *started + passed - behind
            }
        }
    }
}

/// Time since the clock was made; never goes back, whatever happens to the time of day.
impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        match &self.0 {
            TimeSource::System { started } => started.elapsed(),
            TimeSource::Fake {
                elapsed_ns: passed_ns,
                ..
            } => Duration::from_nanos(passed_ns.load(Ordering::Relaxed)),
        }
    }
}

fn as_nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).expect("a test lets less than 584 years pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fake_clock_moves_both_times_when_told_and_in_all_its_copies() {
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
            "time does not run backwards"
        );
    }

    #[test]
    fn the_machines_clock_goes_on() {
        let clock = Clock::system();
        let earlier = governor::clock::Clock::now(&clock);
        clock.advance(Duration::from_secs(3_600));
        assert!(governor::clock::Clock::now(&clock) >= earlier);
        let apart = Clock::now(&clock).duration_since(Timestamp::now());
        assert!(apart.abs().as_secs() < 60, "nobody moved it: {apart}");
    }
}
