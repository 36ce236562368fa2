//! Limits calls per second. Each key has a token bucket, which holds the calls of one second and refills in one second.
//!
//! Owns the buckets. They are in memory, so each node has its own buckets, and the limit is exact on one node only. Idle buckets are
//! dropped. A bucket also refills while calls empty it, so at a rate of n, up to 2n − 1 calls pass within one second.
//!
//! Source: decisions.md, section Headers. The section also defines the three rate headers.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use governor::Quota;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};

use crate::accounts::KeyId;
use crate::clock::Clock;

/// How often full buckets are removed from memory.
pub const RATE_SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// The buckets of all keys.
#[derive(Debug)]
pub struct RateLimiter {
    clock: Clock,
    /// One limiter for each rate in use. Few different rates are in use.
    by_rate: ArcSwap<HashMap<NonZeroU32, Arc<KeyedLimiter>>>,
}

/// The state of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateStatus {
    /// Calls per second.
    pub limit: NonZeroU32,
    /// Whole calls left in the bucket.
    pub remaining: u32,
    /// When the bucket is full again: Unix time in whole seconds, rounded up.
    pub reset: i64,
}

/// The refusal of a call, because the bucket is empty or the client IP has used up its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// Whole seconds, at least 1, until the next call can pass.
    pub retry_after_s: u32,
}

impl RateLimited {
    /// Refuses a call that must wait this long.
    pub fn from_wait(wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self {
            retry_after_s: u32::try_from(seconds).unwrap_or(u32::MAX).max(1),
        }
    }
}

impl RateLimiter {
    /// Creates a limiter that has counted no calls, so all buckets are full.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            by_rate: ArcSwap::default(),
        }
    }

    /// Takes one call from the key's bucket. Returns the state of the bucket, whether the call passes or not.
    pub fn take(
        &self,
        key: KeyId,
        per_second: NonZeroU32,
    ) -> (RateStatus, Result<(), RateLimited>) {
        self.with_limiter(per_second, |limiter| {
            let taken = limiter.limiter.check_key(&key).map_err(|not_until| {
                RateLimited::from_wait(
                    not_until.wait_time_from(governor::clock::Clock::now(&self.clock)),
                )
            });
            (limiter.status(key, &self.clock), taken)
        })
    }

    /// The state of the key's bucket. Takes no call from the bucket.
    pub fn status(&self, key: KeyId, per_second: NonZeroU32) -> RateStatus {
        self.with_limiter(per_second, |limiter| limiter.status(key, &self.clock))
    }

    /// Drops full buckets. This loses nothing, because a new bucket is full too.
    pub fn sweep(&self) {
        for limiter in self.by_rate.load().values() {
            limiter.limiter.retain_recent();
            limiter.limiter.shrink_to_fit();
        }
    }

    /// The number of buckets in memory.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.by_rate
            .load()
            .values()
            .map(|limiter| limiter.limiter.len())
            .sum()
    }

    /// Runs `operation` with the limiter of a rate.
    fn with_limiter<T>(
        &self,
        per_second: NonZeroU32,
        operation: impl FnOnce(&KeyedLimiter) -> T,
    ) -> T {
        if let Some(limiter) = self.by_rate.load().get(&per_second) {
            return operation(limiter);
        }
        let made = Arc::new(KeyedLimiter::new(per_second, self.clock.clone()));
        self.by_rate.rcu(|by_rate| {
            let mut by_rate = HashMap::clone(by_rate);
            by_rate.entry(per_second).or_insert_with(|| made.clone());
            by_rate
        });
        self.with_limiter(per_second, operation)
    }
}

/// The buckets of all keys with one rate.
#[derive(Debug)]
struct KeyedLimiter {
    limiter: governor::RateLimiter<KeyId, BucketStore, Clock, NoOpMiddleware<Duration>>,
    buckets: BucketStore,
    per_second: NonZeroU32,
    /// The clock's time when this limiter was created. Times in the buckets are counted from it.
    started: Duration,
}

impl KeyedLimiter {
    fn new(per_second: NonZeroU32, clock: Clock) -> Self {
        let buckets = BucketStore::default();
        Self {
            started: governor::clock::Clock::now(&clock),
            limiter: governor::RateLimiter::new(
                Quota::per_second(per_second),
                buckets.clone(),
                clock,
            ),
            buckets,
            per_second,
        }
    }

    fn status(&self, key: KeyId, clock: &Clock) -> RateStatus {
        let now = governor::clock::Clock::now(clock) - self.started;
        let until_full = self.buckets.full_at(&key).saturating_sub(now);
        let missing = until_full.as_nanos().div_ceil(self.per_call().as_nanos());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        RateStatus {
            limit: self.per_second,
            remaining: self.per_second.get().saturating_sub(missing),
            reset: ceil_seconds(clock.now() + until_full),
        }
    }

    /// The time in which a bucket gains one call.
    fn per_call(&self) -> Duration {
        Quota::per_second(self.per_second).replenish_interval()
    }
}

/// A shared handle to governor's store, so that a bucket can be read without taking a call from it.
#[derive(Clone, Debug, Default)]
struct BucketStore(Arc<DashMapStateStore<KeyId>>);

impl BucketStore {
    /// When the bucket is full again, in the limiter's time. governor stores this time as the state of a bucket, and calls it the
    /// theoretical arrival time.
    fn full_at(&self, key: &KeyId) -> Duration {
        let state = self.0.measure_and_replace(key, Err::<((), Nanos), _>);
        state.err().flatten().map_or(Duration::ZERO, Duration::from)
    }
}

impl StateStore for BucketStore {
    type Key = KeyId;

    fn measure_and_replace<T, F, E>(&self, key: &KeyId, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, f)
    }
}

impl ShrinkableKeyedStateStore<KeyId> for BucketStore {
    fn retain_recent(&self, drop_below: Nanos) {
        self.0.retain_recent(drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn ceil_seconds(moment: jiff::Timestamp) -> i64 {
    moment.as_second() + i64::from(moment.subsec_nanosecond() > 0)
}

#[cfg(test)]
mod tests;
