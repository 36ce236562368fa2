//! Provides the time of day, for billing periods and headers, and a monotonic time, for rate limits. Setting the time of day does not
//! change the monotonic time. One type has both times, so that a test advances them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;

/// The earliest accepted time. A UUID of version 7 cannot hold an earlier time, and rustls panics at an earlier time. A clock that shows an
/// earlier time was never set.
const EARLIEST: Timestamp = Timestamp::UNIX_EPOCH;

/// The latest accepted time, 9999-01-01T00:00:00Z. The time library ends one year later. The program leaves this last year free, so that it
/// can compute dates after the current time, such as the end of a billing period.
const LATEST: Timestamp = Timestamp::constant(253_370_764_800, 0);

/// The machine's clock shows a time that the program cannot work with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the clock of this machine is at {0}; expected a time from 1970 to 9998: set the clock, and start again"
)]
pub struct ClockOutOfRange(String);

/// Checks the machine's clock. Every command that records times calls this when it starts.
///
/// # Errors
/// If the clock is before 1970 or after 9998.
pub fn check_machine_clock() -> Result<(), ClockOutOfRange> {
    check_time(SystemTime::now())
}

fn check_time(time: SystemTime) -> Result<(), ClockOutOfRange> {
    match Timestamp::try_from(time) {
        Ok(time) if (EARLIEST..LATEST).contains(&time) => Ok(()),
        Ok(time) => Err(ClockOutOfRange(time.to_string())),
        Err(_) => Err(ClockOutOfRange("a year of five digits".to_owned())),
    }
}

/// The machine's time of day, in UTC. If the clock is set outside the accepted times while the process runs, returns the earliest or
/// latest accepted time, so that no request panics.
pub fn system_time() -> Timestamp {
    clamp_time(SystemTime::now())
}

fn clamp_time(time: SystemTime) -> Timestamp {
    let beyond = match time < SystemTime::UNIX_EPOCH {
        true => EARLIEST,
        false => LATEST,
    };
    Timestamp::try_from(time)
        .unwrap_or(beyond)
        .clamp(EARLIEST, LATEST)
}

/// A source of time. Clones share the same time.
#[derive(Clone, Debug)]
pub struct Clock(TimeSource);

#[derive(Clone, Debug)]
enum TimeSource {
    /// The machine's wall clock, and its monotonic clock counted from `started`.
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
    pub fn system() -> Self {
        Self(TimeSource::System {
            started: Instant::now(),
        })
    }

    /// A clock for tests that stays at `started` until it is [advanced](Self::advance).
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
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            TimeSource::System { .. } => system_time(),
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
    fn a_time_out_of_range_is_refused_at_startup_and_clamped_later() {
        #[track_caller]
        fn case(seconds_after_1970: i64, accepted: bool, clamped: &str) {
            let distance = Duration::from_secs(seconds_after_1970.unsigned_abs());
            let time = match seconds_after_1970 < 0 {
                true => SystemTime::UNIX_EPOCH - distance,
                false => SystemTime::UNIX_EPOCH + distance,
            };
            assert_eq!(check_time(time).is_ok(), accepted, "{seconds_after_1970}");
            assert_eq!(clamp_time(time).to_string(), clamped);
        }
        case(-1, false, "1970-01-01T00:00:00Z");
        case(0, true, "1970-01-01T00:00:00Z");
        case(1_767_700_000, true, "2026-01-06T11:46:40Z");
        case(253_370_764_799, true, "9998-12-31T23:59:59Z");
        case(253_370_764_800, false, "9999-01-01T00:00:00Z");
        // Later than the last time that the time library can write.
        case(300_000_000_000, false, "9999-01-01T00:00:00Z");
        case(-400_000_000_000, false, "1970-01-01T00:00:00Z");
    }

    #[test]
    fn the_machine_clock_cannot_be_advanced() {
        let clock = Clock::system();
        let earlier = governor::clock::Clock::now(&clock);
        clock.advance(Duration::from_secs(3_600));
        assert!(governor::clock::Clock::now(&clock) >= earlier);
        let apart = Clock::now(&clock).duration_since(Timestamp::now());
        assert!(
            apart.abs().as_secs() < 60,
            "the clock was not moved: {apart}"
        );
    }
}
