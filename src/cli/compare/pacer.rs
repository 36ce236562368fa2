//! Spreads the calls to a service evenly over time, and delays them while the service asks for a pause.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The rate for a service that reports no limit. It is below the lowest limit of a plan, 3 calls a second. Source: contract.md,
/// section Plans.
const DEFAULT_CALLS_PER_SECOND: u32 = 2;

/// Factor by which the interval between calls is longer than the limit requires. Two calls may arrive closer together than they
/// were sent, so without this factor a call could exceed the limit.
const HEADROOM: f64 = 1.05;

/// Delays calls to one service, so that they stay below its limit.
pub(super) struct CallPacer {
    max_calls_per_second: Option<u32>,
    /// Locked while a call waits, so that calls are made in the order in which they were requested.
    call_order_lock: tokio::sync::Mutex<()>,
    state: Mutex<PaceState>,
}

#[derive(Clone, Copy)]
struct PaceState {
    next_call: Instant,
    interval: Duration,
}

impl CallPacer {
    pub(super) fn new(max_calls_per_second: Option<u32>) -> Self {
        let state = PaceState {
            next_call: Instant::now(),
            interval: interval(None, max_calls_per_second),
        };
        Self {
            max_calls_per_second,
            call_order_lock: tokio::sync::Mutex::default(),
            state: Mutex::new(state),
        }
    }

    /// Waits until a call may be made.
    pub(super) async fn wait(&self) {
        let _guard = self.call_order_lock.lock().await;
        loop {
            let next_call = {
                let (mut state, now) = (self.state(), Instant::now());
                if state.next_call <= now {
                    state.next_call = now + state.interval;
                    return;
                }
                state.next_call
            };
            // Check again after waking up, because a pause may have begun meanwhile.
            sleep_until(next_call).await;
        }
    }

    /// Sets the rate to the limit that the service reports, but not higher than the maximum that was passed to `new`.
    pub(super) fn set_limit(&self, calls_per_second: Option<u32>) {
        self.state().interval = interval(calls_per_second, self.max_calls_per_second);
    }

    /// Delays the next call by at least `pause`.
    pub(super) fn pause(&self, pause: Duration) {
        let mut state = self.state();
        state.next_call = state.next_call.max(Instant::now() + pause);
    }

    fn state(&self) -> MutexGuard<'_, PaceState> {
        self.state
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

fn interval(reported: Option<u32>, max: Option<u32>) -> Duration {
    let reported = reported.filter(|&limit| limit > 0);
    let calls_per_second = reported.into_iter().chain(max).min();
    let calls_per_second = calls_per_second.unwrap_or(DEFAULT_CALLS_PER_SECOND);
    Duration::from_secs(1).mul_f64(HEADROOM / f64::from(calls_per_second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_of_the_reported_limit_and_the_flag_is_used() {
        #[track_caller]
        fn case(reported: Option<u32>, max: Option<u32>, milliseconds: u128) {
            assert_eq!(interval(reported, max).as_millis(), milliseconds);
        }
        case(None, None, 525);
        case(Some(10), None, 105);
        case(Some(0), None, 525);
        case(None, Some(5), 210);
        case(Some(10), Some(5), 210);
        case(Some(3), Some(5), 350);
    }

    #[test]
    fn calls_are_spread_evenly_and_wait_until_a_pause_is_over() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.expect("a runtime").block_on(async {
            let (pacer, began) = (CallPacer::new(Some(100)), Instant::now());
            for _ in 0..3 {
                pacer.wait().await;
            }
            assert!(began.elapsed() >= Duration::from_millis(21));
            pacer.pause(Duration::from_millis(50));
            let paused = Instant::now();
            pacer.wait().await;
            assert!(paused.elapsed() >= Duration::from_millis(49));
        });
    }
}
