//! Limits the calls per minute of one client IP, for keys with this restriction, such as the public trial key.
//!
//! Counts the calls in the minute that starts with the first call of an IP. A token bucket would refill within that minute and so allow
//! too many calls. IPv6 addresses with the same first 64 bits share a count, because a provider gives one customer such a network. An IPv4
//! address that is mapped into IPv6 counts as IPv4.
//!
//! Memory is fixed: a hash with a secret of this process selects one of 2^15 sets of 8 counts. In a full set, a new IP replaces the count
//! with the fewest calls, and of several such counts the oldest. So a flood of IPs cannot clear the count of an IP that has used up its
//! calls.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::accounts::KeyId;
use crate::clock::Clock;

/// The time window of a count.
const WINDOW: Duration = Duration::from_secs(60);

/// The number of counts in one set. The counts of a set share a lock, and a new count replaces one of them.
const WAYS: usize = 8;

/// The number of sets. It is a power of two, because the low bits of a hash select a set.
const SETS: usize = 1 << 15;

/// The counts of all client IPs, for all keys with this limit.
#[derive(Debug)]
pub struct IpRateLimiter {
    clock: Clock,
    /// Each process has a random hash function, so that no client can choose IPs that share a set.
    hasher: RandomState,
    /// Allocated at the first call with a key that has this limit.
    sets: OnceLock<Box<[Mutex<CountSet>]>>,
}

type CountSet = [WindowCount; WAYS];

/// The calls of one client IP with one key; unused if `calls` is 0.
#[derive(Clone, Copy, Debug, Default)]
struct WindowCount {
    client_hash: u64,
    /// The start of the window, in the monotonic time of the clock.
    window_start: Duration,
    calls: u32,
}

impl IpRateLimiter {
    /// Creates a limiter that has counted no calls.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            hasher: RandomState::new(),
            sets: OnceLock::new(),
        }
    }

    /// Counts a call, unless the IP has used up its calls of the current minute.
    ///
    /// # Errors
    /// The time until the IP may call again.
    pub fn take(
        &self,
        key: KeyId,
        per_minute: NonZeroU32,
        client_ip: IpAddr,
    ) -> Result<(), Duration> {
        let client_hash = self.hasher.hash_one((key, ip_prefix(client_ip)));
        let now = governor::clock::Clock::now(&self.clock);
        let sets = self
            .sets
            .get_or_init(|| (0..SETS).map(|_| Mutex::default()).collect());
        let set_index =
            usize::try_from(client_hash % SETS as u64).expect("less than the number of sets");
        // Ignores poisoning, because no code panics while a count is half changed.
        let mut set = sets[set_index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let count = find_or_insert(&mut set, client_hash, now);
        if count.calls >= per_minute.get() {
            return Err((count.window_start + WINDOW).saturating_sub(now));
        }
        count.calls += 1;
        Ok(())
    }
}

/// Finds the count of `client_hash`, or starts a new count.
fn find_or_insert(set: &mut CountSet, client_hash: u64, now: Duration) -> &mut WindowCount {
    let is_current =
        |count: &WindowCount| count.calls > 0 && now.saturating_sub(count.window_start) < WINDOW;
    let known = set
        .iter()
        .position(|count| count.client_hash == client_hash && is_current(count));
    let place = known.unwrap_or_else(|| {
        let fewest = |at: &usize| {
            let count = &set[*at];
            (is_current(count), count.calls, count.window_start)
        };
        let place = (0..WAYS).min_by_key(fewest).expect("a set is not empty");
        set[place] = WindowCount {
            client_hash,
            window_start: now,
            calls: 0,
        };
        place
    });
    &mut set[place]
}

/// The part of an IP that identifies a client: all of an IPv4 address, the first half of an IPv6 address.
fn ip_prefix(ip: IpAddr) -> (bool, u64) {
    match ip.to_canonical() {
        IpAddr::V4(address) => (false, u32::from(address).into()),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            let half = [a, b, c, d]
                .into_iter()
                .fold(0, |half, part| half << 16 | u64::from(part));
            (true, half)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;

    const FORTY: NonZeroU32 = NonZeroU32::new(40).expect("not zero");

    fn limit() -> (IpRateLimiter, Clock) {
        let clock = Clock::fake(Timestamp::UNIX_EPOCH);
        (IpRateLimiter::new(clock.clone()), clock)
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an IP")
    }

    /// Makes calls until one is refused, at most 100. Returns how many passed.
    fn calls(limit: &IpRateLimiter, key: KeyId, address: &str) -> usize {
        (0..100)
            .take_while(|_| limit.take(key, FORTY, ip(address)).is_ok())
            .count()
    }

    #[test]
    fn the_forty_first_call_within_a_minute_is_refused() {
        let (limit, clock) = limit();
        let key = KeyId::fresh();
        let first = ip("192.0.2.1");
        for _ in 0..40 {
            assert_eq!(limit.take(key, FORTY, first), Ok(()));
            clock.advance(Duration::from_millis(1_499));
        }
        let left = Duration::from_millis(60_000 - 40 * 1_499);
        assert_eq!(limit.take(key, FORTY, first), Err(left));
        clock.advance(left - Duration::from_nanos(1));
        assert_eq!(limit.take(key, FORTY, first), Err(Duration::from_nanos(1)));
        clock.advance(Duration::from_nanos(1));
        assert_eq!(
            calls(&limit, key, "192.0.2.1"),
            40,
            "a new minute has begun"
        );
        clock.advance(Duration::from_secs(3_600));
        assert_eq!(calls(&limit, key, "192.0.2.1"), 40);
    }

    #[test]
    fn each_ip_and_each_key_has_its_own_count() {
        let (limit, _) = limit();
        let [one, other] = [KeyId::fresh(), KeyId::fresh()];
        assert_eq!(calls(&limit, one, "192.0.2.1"), 40);
        assert_eq!(calls(&limit, one, "192.0.2.1"), 0);
        assert_eq!(calls(&limit, one, "::ffff:192.0.2.1"), 0, "the same IP");
        assert_eq!(calls(&limit, one, "192.0.2.2"), 40);
        assert_eq!(calls(&limit, other, "192.0.2.1"), 40);
        assert_eq!(
            calls(&limit, one, "::c000:201"),
            40,
            "not a mapped IPv4 address"
        );
    }

    #[test]
    fn ipv6_addresses_with_the_same_first_half_share_a_count() {
        let (limit, _) = limit();
        let key = KeyId::fresh();
        for host in 0..40 {
            let address = Ipv6Addr::new(0x2001, 0xdb8, 0, 7, host, host, host, host);
            assert_eq!(limit.take(key, FORTY, address.into()), Ok(()));
        }
        let another = limit.take(key, FORTY, ip("2001:db8:0:7:ffff::1"));
        assert_eq!(another, Err(WINDOW));
        assert_eq!(calls(&limit, key, "2001:db8:0:8::1"), 40, "the next /64");
    }

    #[test]
    fn a_changed_limit_applies_at_once() {
        let (limit, _) = limit();
        let key = KeyId::fresh();
        assert_eq!(calls(&limit, key, "192.0.2.1"), 40);
        let more = NonZeroU32::new(41).expect("not zero");
        assert_eq!(limit.take(key, more, ip("192.0.2.1")), Ok(()));
        assert!(limit.take(key, more, ip("192.0.2.1")).is_err());
    }

    #[test]
    fn a_million_ips_need_no_more_memory_than_one() {
        let (limit, clock) = limit();
        let key = KeyId::fresh();
        assert!(
            limit.sets.get().is_none(),
            "nothing is allocated before the first call"
        );
        assert_eq!(calls(&limit, key, "2001:db8::1"), 40);
        let bytes = || {
            limit
                .sets
                .get()
                .map(|sets| size_of_val::<[Mutex<CountSet>]>(sets))
        };
        let small = bytes();
        assert!(small.is_some_and(|bytes| bytes <= 9 << 20), "{small:?}");
        for number in 0..1_000_000_u32 {
            let address = Ipv4Addr::from(number).into();
            assert_eq!(limit.take(key, FORTY, address), Ok(()));
        }
        assert_eq!(bytes(), small);
        assert_eq!(
            calls(&limit, key, "2001:db8::1"),
            0,
            "the flood does not clear its count"
        );
        clock.advance(WINDOW);
        assert_eq!(calls(&limit, key, "2001:db8::1"), 40);
    }

    #[test]
    fn a_full_set_replaces_the_count_with_the_fewest_calls() {
        let mut set = CountSet::default();
        let second = Duration::from_secs;
        for who in 0..8 {
            let count = find_or_insert(&mut set, who, second(who));
            // Clients 3 and 5 have the fewest calls.
            count.calls = if who == 3 || who == 5 { 1 } else { 2 };
        }
        find_or_insert(&mut set, 100, second(9)).calls = 1;
        let held = |set: &CountSet| set.map(|count| count.client_hash);
        assert_eq!(held(&set), [0, 1, 2, 100, 4, 5, 6, 7]);
        find_or_insert(&mut set, 101, second(9)).calls = 1;
        assert_eq!(held(&set), [0, 1, 2, 100, 4, 101, 6, 7]);
        // Client 0 has more calls, but its minute is over.
        find_or_insert(&mut set, 102, second(60)).calls = 1;
        assert_eq!(held(&set), [102, 1, 2, 100, 4, 101, 6, 7]);
    }

    #[test]
    fn concurrent_threads_get_no_more_than_the_limit() {
        let (limit, _) = limit();
        let key = KeyId::fresh();
        let allowed: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| calls(&limit, key, "192.0.2.1")))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .sum()
        });
        assert_eq!(allowed, 40);
    }

    proptest! {
        #[test]
        fn no_minute_that_starts_with_a_first_call_exceeds_the_limit(
            limit_of in 1_u32..5,
            steps in prop::collection::vec((0_u64..70_000, 0_u8..3), 1..60),
        ) {
            let (limit, clock) = limit();
            let (key, per_minute) = (KeyId::fresh(), NonZeroU32::new(limit_of).expect("not zero"));
            // For each IP: the start of its current minute, and the calls in that minute.
            let mut model = [(None::<Duration>, 0_u32); 3];
            for (pause_ms, host) in steps {
                clock.advance(Duration::from_millis(pause_ms));
                let now = governor::clock::Clock::now(&clock);
                let (began, calls) = &mut model[usize::from(host)];
                if began.is_none_or(|began| now - began >= WINDOW) {
                    (*began, *calls) = (Some(now), 0);
                }
                let expected = if *calls < limit_of {
                    *calls += 1;
                    Ok(())
                } else {
                    Err(began.expect("just set") + WINDOW - now)
                };
                prop_assert_eq!(limit.take(key, per_minute, IpAddr::from([192, 0, 2, host])), expected);
            }
        }
    }
}
