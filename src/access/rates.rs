//! Calls per second, one bucket per key: it holds a second's worth of calls and fills again over a second.
//!
//! Owns the buckets, in memory, exact on one node; idle ones are dropped. A full bucket that is emptied fills while more is
//! taken from it, so within any one second at most 2n − 1 calls pass. Refuses to know what a call is.
//! Source: decisions.md, Headers (the bucket holds one second's worth of calls; what the three headers say).

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use governor::Quota;
use governor::nanos::Nanos;
use governor::state::StateStore as _;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore as _};

use super::{Clock, KeyId};

/// How often idle buckets are dropped.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// The buckets of all keys.
#[derive(Debug)]
pub struct Rates {
    clock: Clock,
    /// One limiter has one rate, so there is one for each rate in use: a handful.
    by_rate: ArcSwap<HashMap<NonZeroU32, Arc<Limiter>>>,
}

/// What a bucket holds at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Calls per second.
    pub limit: NonZeroU32,
    /// Whole calls that are in the bucket.
    pub remaining: u32,
    /// When it is full again: Unix time in whole seconds, rounded up.
    pub reset: i64,
}

/// The bucket is empty, or the address has had its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFast {
    /// Whole seconds, at least 1, after which the next call passes.
    pub retry_after_s: u32,
}

impl TooFast {
    /// A refusal until a time from now.
    #[must_use]
    pub fn after(wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self {
            retry_after_s: u32::try_from(seconds).unwrap_or(u32::MAX).max(1),
        }
    }
}

impl Rates {
    /// Full buckets for everyone.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            by_rate: ArcSwap::default(),
        }
    }

    /// Takes one call from the key's bucket, and says what is left either way.
    pub fn take(&self, key: KeyId, per_second: NonZeroU32) -> (Rate, Result<(), TooFast>) {
        self.with(per_second, |limiter, now| {
            let (full_at, taken) = limiter.take(key, now);
            (limiter.rate(full_at, now, &self.clock), taken)
        })
    }

    /// What is in the key's bucket, without taking from it.
    #[must_use]
    pub fn look(&self, key: KeyId, per_second: NonZeroU32) -> Rate {
        self.with(per_second, |limiter, now| {
            limiter.rate(limiter.full_at(key), now, &self.clock)
        })
    }

    /// Drops the buckets that are full again: they say nothing that a new one would not.
    pub fn sweep(&self) {
        for limiter in self.by_rate.load().values() {
            limiter
                .buckets
                .retain_recent(limiter.since_start(&self.clock));
            limiter.buckets.shrink_to_fit();
        }
    }

    /// How many buckets are kept.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.by_rate
            .load()
            .values()
            .map(|limiter| limiter.buckets.len())
            .sum()
    }

    /// Hands out the limiter of a rate and its time.
    fn with<T>(&self, per_second: NonZeroU32, use_it: impl FnOnce(&Limiter, Nanos) -> T) -> T {
        let by_rate = self.by_rate.load();
        if let Some(limiter) = by_rate.get(&per_second) {
            return use_it(limiter, limiter.since_start(&self.clock));
        }
        self.by_rate.rcu(|by_rate| {
            let mut by_rate = HashMap::clone(by_rate);
            let made = || Arc::new(Limiter::new(per_second, &self.clock));
            by_rate.entry(per_second).or_insert_with(made);
            by_rate
        });
        self.with(per_second, use_it)
    }
}

/// The buckets of all keys with one rate, in governor's store.
#[derive(Debug)]
struct Limiter {
    buckets: DashMapStateStore<KeyId>,
    per_second: NonZeroU32,
    /// Time in which a bucket gains one call.
    per_call: Nanos,
    /// What the states in the buckets count from.
    started: Duration,
}

/// A bucket's state is the time when it is full again, which calls move on. This is the generic cell rate algorithm, which
/// governor has too, but without a way to tell what is left from the very state that it judged by.
impl Limiter {
    fn new(per_second: NonZeroU32, clock: &Clock) -> Self {
        Self {
            buckets: DashMapStateStore::default(),
            per_second,
            per_call: Quota::per_second(per_second).replenish_interval().into(),
            started: governor::clock::Clock::now(clock),
        }
    }

    fn since_start(&self, clock: &Clock) -> Nanos {
        (governor::clock::Clock::now(clock) - self.started).into()
    }

    /// When the bucket is full again after the call, if it passes.
    fn take(&self, key: KeyId, now: Nanos) -> (Nanos, Result<(), TooFast>) {
        // A bucket that lacks all its calls but one passes the last.
        let full_but_one = self.per_call * u64::from(self.per_second.get() - 1);
        let judged = self.buckets.measure_and_replace(&key, |full_at| {
            let full_at = full_at.unwrap_or(now);
            let passes_at = full_at.saturating_sub(full_but_one);
            if now < passes_at {
                return Err((full_at, passes_at.saturating_sub(now)));
            }
            let full_at = full_at.max(now) + self.per_call;
            Ok((full_at, full_at))
        });
        match judged {
            Ok(full_at) => (full_at, Ok(())),
            Err((full_at, wait)) => (full_at, Err(TooFast::after(wait.into()))),
        }
    }

    fn full_at(&self, key: KeyId) -> Nanos {
        let look = Err::<((), Nanos), _>;
        let state = self.buckets.measure_and_replace(&key, look);
        state.err().flatten().unwrap_or_default()
    }

    fn rate(&self, full_at: Nanos, now: Nanos, clock: &Clock) -> Rate {
        let until_full = full_at.saturating_sub(now);
        let missing = until_full.as_u64().div_ceil(self.per_call.as_u64());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Rate {
            limit: self.per_second,
            remaining: self.per_second.get().saturating_sub(missing),
            reset: rounded_up(clock.now() + Duration::from(until_full)),
        }
    }
}

fn rounded_up(moment: jiff::Timestamp) -> i64 {
    moment.as_second() + i64::from(moment.subsec_nanosecond() > 0)
}

#[cfg(test)]
mod tests;
