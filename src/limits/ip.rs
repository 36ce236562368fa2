//! Limits the calls per minute of one client IP, for keys with this restriction, such as the public trial key.
//!
//! No 60 seconds have more calls than the limit. A window that starts with the first call of an IP, or a token bucket, would allow almost
//! twice as many across the end of a window. Instead, calls are counted in slots of two seconds. A slot counts until it has ended 60 seconds
//! ago, so a call counts for 60 to 62 seconds.
//!
//! IPv6 addresses with the same first 64 bits share a count, because a provider gives one customer such a network. An IPv4 address that is
//! mapped into IPv6 counts as IPv4.
//!
//! Memory is fixed: a hash with a secret of this process selects one of 2^15 sets of 8 clients. In a full set, a new IP replaces the client
//! with the fewest recent calls, and of several such clients the one that called longest ago. So a flood of IPs cannot clear the count of
//! an IP that has used up its calls.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::accounts::KeyId;
use crate::clock::Clock;

/// The length of a slot, in seconds.
const SLOT_S: u32 = 2;

/// The number of slots that count: a window of 60 seconds, and the slot in which the window begins.
const SLOTS: u32 = 60 / SLOT_S + 1;

/// The number of clients in one set. The clients of a set share a lock, and a new client replaces one of them.
const CLIENTS_PER_SET: usize = 8;

/// The number of sets. It is a power of two, because the low bits of a hash select a set.
const SETS: usize = 1 << 15;

/// The counts of all client IPs, for all keys with this limit.
#[derive(Debug)]
pub struct IpRateLimiter {
    clock: Clock,
    /// Each process has a random hash function, so that no client can choose IPs that share a set.
    hasher: RandomState,
    /// Allocated at the first call with a key that has this limit.
    sets: OnceLock<Box<[Mutex<ClientSet>]>>,
}

type ClientSet = [RecentCalls; CLIENTS_PER_SET];

/// The recent calls of one client IP with one key.
#[derive(Clone, Copy, Debug, Default)]
struct RecentCalls {
    client_hash: u64,
    /// The number of the slot of the last call. Slots are numbered from the start of the clock's monotonic time.
    last_slot: u32,
    /// The calls in the last [`SLOTS`] slots up to `last_slot`. The number of a slot modulo [`SLOTS`] is its index.
    calls: [u16; SLOTS as usize],
}

impl IpRateLimiter {
    /// The highest limit that can be counted.
    pub const MAX_PER_MINUTE: NonZeroU32 = NonZeroU32::new(u16::MAX as u32).expect("not zero");

    /// Creates a limiter that has counted no calls.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            hasher: RandomState::new(),
            sets: OnceLock::new(),
        }
    }

    /// Counts a call, unless the IP has used up its calls of the last minute. A limit above 65,535 counts as 65,535.
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
        let sets = self
            .sets
            .get_or_init(|| (0..SETS).map(|_| Mutex::default()).collect());
        let set_index =
            usize::try_from(client_hash % SETS as u64).expect("less than the number of sets");
        // Ignores poisoning, because no code panics while a count is half changed.
        let mut set = sets[set_index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Read under the lock. Otherwise, another thread could have opened a later slot, and this call would count in an earlier one.
        let now = governor::clock::Clock::now(&self.clock);
        let limit = per_minute.min(IpRateLimiter::MAX_PER_MINUTE).get();
        find_or_insert(&mut set, client_hash, slot_at(now)).take(limit, now)
    }
}

impl RecentCalls {
    /// Counts a call, unless there are `limit` recent calls.
    ///
    /// # Errors
    /// The time until enough slots have left the window to allow one more call.
    fn take(&mut self, limit: u32, now: Duration) -> Result<(), Duration> {
        let slot = slot_at(now);
        let mut count = self.calls_in_window(slot);
        if count < limit {
            self.advance_to(slot);
            self.calls[slot_index(slot)] += 1;
            return Ok(());
        }
        let mut freeing = window_slots(slot);
        let freed_by = freeing.find(|&number| {
            count -= self.calls_in(number);
            count < limit
        });
        let freed_at = freed_by.unwrap_or(slot) + SLOTS;
        Err(Duration::from_secs(u64::from(freed_at) * u64::from(SLOT_S)).saturating_sub(now))
    }

    /// The number of calls in the window that ends with `slot`, which is not before `last_slot`.
    fn calls_in_window(&self, slot: u32) -> u32 {
        window_slots(slot).map(|number| self.calls_in(number)).sum()
    }

    /// The calls in one of the slots that count.
    fn calls_in(&self, number: u32) -> u32 {
        match number <= self.last_slot {
            true => self.calls[slot_index(number)].into(),
            false => 0,
        }
    }

    /// Sets `last_slot` to `slot`, and clears the slots between them.
    fn advance_to(&mut self, slot: u32) {
        for number in (self.last_slot + 1..=slot).take(SLOTS as usize) {
            self.calls[slot_index(number)] = 0;
        }
        self.last_slot = slot;
    }
}

/// The number of the slot at a time.
fn slot_at(now: Duration) -> u32 {
    u32::try_from(now.as_secs() / u64::from(SLOT_S)).expect("less than 272 years")
}

/// The slots of the window that ends with `slot`, the oldest first.
fn window_slots(slot: u32) -> RangeInclusive<u32> {
    slot.saturating_sub(SLOTS - 1)..=slot
}

/// The index of a slot in the array of a client.
fn slot_index(number: u32) -> usize {
    (number % SLOTS) as usize
}

/// Finds the calls of `client_hash`, or starts to count them.
fn find_or_insert(set: &mut ClientSet, client_hash: u64, slot: u32) -> &mut RecentCalls {
    let known = set
        .iter()
        .position(|client| client.client_hash == client_hash);
    let at = known.unwrap_or_else(|| {
        let fewest = |at: &usize| (set[*at].calls_in_window(slot), set[*at].last_slot);
        let at = (0..CLIENTS_PER_SET)
            .min_by_key(fewest)
            .expect("a set is not empty");
        set[at] = RecentCalls {
            client_hash,
            last_slot: slot,
            ..RecentCalls::default()
        };
        at
    });
    &mut set[at]
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
    fn no_minute_has_more_than_forty_calls() {
        let (limit, clock) = limit();
        let key = KeyId::fresh();
        let seconds = Duration::from_secs;
        let first = "192.0.2.1";
        assert_eq!(limit.take(key, FORTY, ip(first)), Ok(()));
        clock.advance(seconds(57));
        assert_eq!(calls(&limit, key, first), 39);
        // The first call is 61 seconds ago, but its slot ended 59 seconds ago.
        clock.advance(seconds(4));
        assert_eq!(limit.take(key, FORTY, ip(first)), Err(seconds(1)));
        clock.advance(seconds(1));
        assert_eq!(calls(&limit, key, first), 1);
        // The other 39 calls were at 57 seconds, in the slot until 58.
        assert_eq!(limit.take(key, FORTY, ip(first)), Err(seconds(118 - 62)));
        clock.advance(seconds(56) - Duration::from_nanos(1));
        let left = Duration::from_nanos(1);
        assert_eq!(limit.take(key, FORTY, ip(first)), Err(left));
        clock.advance(left);
        assert_eq!(calls(&limit, key, first), 39);
        clock.advance(seconds(3_600));
        assert_eq!(calls(&limit, key, first), 40);
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
        assert_eq!(another, Err(Duration::from_secs(62)));
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
                .map(|sets| size_of_val::<[Mutex<ClientSet>]>(sets))
        };
        let small = bytes();
        assert!(small.is_some_and(|bytes| bytes <= 22 << 20), "{small:?}");
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
        clock.advance(Duration::from_secs(62));
        assert_eq!(calls(&limit, key, "2001:db8::1"), 40);
    }

    #[test]
    fn a_full_set_replaces_the_client_with_the_fewest_recent_calls() {
        let mut set = ClientSet::default();
        let call = |set: &mut ClientSet, client: u64, at_s: u64| {
            let now = Duration::from_secs(at_s);
            let taken = find_or_insert(set, client, slot_at(now)).take(40, now);
            assert_eq!(taken, Ok(()));
        };
        for client in 1..=8 {
            // Clients 3 and 5 have one call, the others two.
            let calls = if client == 3 || client == 5 { 1 } else { 2 };
            (0..calls).for_each(|_| call(&mut set, client, 2 * client));
        }
        let clients = |set: &ClientSet| set.map(|client| client.client_hash);
        call(&mut set, 100, 18);
        assert_eq!(clients(&set), [1, 2, 100, 4, 5, 6, 7, 8]);
        call(&mut set, 101, 18);
        assert_eq!(clients(&set), [1, 2, 100, 4, 101, 6, 7, 8]);
        // Client 1 had more calls, but they no longer count.
        call(&mut set, 102, 64);
        assert_eq!(clients(&set), [102, 2, 100, 4, 101, 6, 7, 8]);
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
        fn no_60_seconds_exceed_the_limit_and_no_call_counts_for_more_than_62(
            limit_of in 1_u32..5,
            steps in prop::collection::vec((0_u64..40_000, 0_u8..3, any::<bool>()), 1..60),
        ) {
            let (limit, clock) = limit();
            let (key, per_minute) = (KeyId::fresh(), NonZeroU32::new(limit_of).expect("not zero"));
            let now = || governor::clock::Clock::now(&clock);
            // The times of the accepted calls of each IP.
            let mut model = [const { Vec::<Duration>::new() }; 3];
            for (pause_ms, host, waits) in steps {
                clock.advance(Duration::from_millis(pause_ms));
                let address = IpAddr::from([192, 0, 2, host]);
                let accepted = &mut model[usize::from(host)];
                let within = |accepted: &[Duration], seconds| {
                    let is_recent = |at: &&Duration| now() - **at < Duration::from_secs(seconds);
                    u32::try_from(accepted.iter().filter(is_recent).count()).expect("a few")
                };
                match limit.take(key, per_minute, address) {
                    Ok(()) => accepted.push(now()),
                    Err(wait) => {
                        prop_assert!(within(accepted, 62) >= limit_of);
                        prop_assert!(wait <= Duration::from_secs(62));
                        if waits {
                            clock.advance(wait);
                            prop_assert_eq!(limit.take(key, per_minute, address), Ok(()));
                            accepted.push(now());
                        }
                    }
                }
                prop_assert!(within(accepted, 60) <= limit_of);
            }
        }
    }
}
