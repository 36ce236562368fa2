//! Tests the rate limiter on a fake clock and on the machine's clock.

use jiff::Timestamp;
use proptest::prelude::*;

use crate::limits::rate::*;

/// The time 2026-01-06T11:46:40Z.
const NOON: i64 = 1_767_700_000;

fn buckets() -> (Clock, RateLimiter, KeyId) {
    let clock = Clock::fake(Timestamp::from_second(NOON).expect("in range"));
    (clock.clone(), RateLimiter::new(clock), KeyId::fresh())
}

fn per_second(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not zero")
}

#[test]
fn a_bucket_has_the_calls_of_a_second_and_refills_in_a_second() {
    let (clock, rates, key) = buckets();
    let three = per_second(3);
    #[track_caller]
    fn case(rates: &RateLimiter, key: KeyId, passes: bool, remaining: u32, reset: i64) {
        let (rate, taken) = rates.take(key, per_second(3));
        let expected = RateStatus {
            limit: per_second(3),
            remaining,
            reset: NOON + reset,
        };
        assert_eq!((rate, taken.is_ok()), (expected, passes));
    }
    assert_eq!(rates.status(key, three).remaining, 3);
    assert_eq!(
        rates.status(key, three).reset,
        NOON,
        "the bucket is full now"
    );
    case(&rates, key, true, 2, 1);
    case(&rates, key, true, 1, 1);
    case(&rates, key, true, 0, 1);
    case(&rates, key, false, 0, 1);
    assert_eq!(
        rates.take(key, three).1,
        Err(RateLimited { retry_after_s: 1 })
    );
    clock.advance(Duration::from_millis(334));
    assert_eq!(rates.status(key, three).remaining, 1);
    case(&rates, key, true, 0, 2);
    clock.advance(Duration::from_millis(1_000));
    assert_eq!(rates.status(key, three).remaining, 3);
}

#[test]
fn each_key_has_its_own_bucket_and_reading_the_status_takes_no_call() {
    let (_clock, rates, key) = buckets();
    let one = per_second(1);
    assert_eq!(rates.take(key, one).1, Ok(()));
    assert_eq!(
        rates.take(key, one).1,
        Err(RateLimited { retry_after_s: 1 })
    );
    let other = KeyId::fresh();
    for _ in 0..5 {
        assert_eq!(rates.status(other, one).remaining, 1);
    }
    assert_eq!(rates.take(other, one).1, Ok(()));
}

#[test]
fn idle_buckets_are_dropped() {
    let (clock, rates, _) = buckets();
    for _ in 0..1_000 {
        assert_eq!(rates.take(KeyId::fresh(), per_second(5)).1, Ok(()));
    }
    rates.sweep();
    assert_eq!(rates.len(), 1_000, "no bucket is full again yet");
    clock.advance(Duration::from_secs(2));
    rates.sweep();
    assert_eq!(rates.len(), 0);
}

/// Makes calls as fast as possible on the machine's clock.
#[test]
fn no_more_calls_pass_on_the_machine_clock_than_the_bucket_and_its_refill() {
    for n in [3, 5, 50] {
        let (rates, key) = (RateLimiter::new(Clock::system()), KeyId::fresh());
        let (rate, began) = (per_second(n), std::time::Instant::now());
        let mut passed = 0;
        // Continues until `n` calls have passed, because on a busy machine this thread may not run enough within 400 ms.
        while passed < u128::from(n) || began.elapsed() < Duration::from_millis(400) {
            passed += u128::from(rates.take(key, rate).1.is_ok());
        }
        // One call takes a whole number of nanoseconds to refill, rounded down.
        let filled = began.elapsed().as_nanos() / (1_000_000_000 / u128::from(n));
        assert!(
            (u128::from(n)..=u128::from(n) + filled).contains(&passed),
            "{passed} calls passed at {n} a second; the full bucket had {n} and gained {filled}"
        );
    }
}

proptest! {
    #[test]
    fn no_more_calls_pass_than_the_bucket_and_its_refill(n in 1..60_u32, steps in prop::collection::vec((0..700_u64, 1..8_usize), 1..60)) {
        let (clock, rates, key) = buckets();
        let rate = per_second(n);
        let (mut passed, mut elapsed_ms) = (0_u64, 0);
        for (wait_ms, calls) in steps {
            clock.advance(Duration::from_millis(wait_ms));
            elapsed_ms += wait_ms;
            for _ in 0..calls {
                let before = rates.status(key, rate);
                let (after, taken) = rates.take(key, rate);
                prop_assert_eq!(taken.is_ok(), before.remaining > 0);
                prop_assert_eq!(after.remaining, before.remaining.saturating_sub(1));
                prop_assert!(after.remaining <= n && after.reset >= before.reset);
                passed += u64::from(taken.is_ok());
                // The limit is exact. One call takes a whole number of nanoseconds to refill, rounded down.
                let filled = elapsed_ms * 1_000_000 / (1_000_000_000 / u64::from(n));
                prop_assert!(passed <= u64::from(n) + filled, "{} of {} and {}", passed, n, filled);
            }
        }
    }

    #[test]
    fn a_call_passes_after_the_reported_wait(n in 1..60_u32, calls in 1..200_usize) {
        let (clock, rates, key) = buckets();
        for _ in 0..calls {
            if let (_, Err(RateLimited { retry_after_s })) = rates.take(key, per_second(n)) {
                clock.advance(Duration::from_secs(retry_after_s.into()));
                prop_assert_eq!(rates.take(key, per_second(n)).1, Ok(()));
            }
        }
    }
}
