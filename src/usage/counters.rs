//! Counts requests since the last flush. The counts are in shards, so that threads seldom wait for each other.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::tz::Offset;

use super::RequestEvent;
use crate::accounts::{RefusalCount, RefusalSlot, RefusalsBySlot, UsageCounts, UsageSlot};

/// Counts by key, day, endpoint and status class.
pub(super) type CountsBySlot = HashMap<UsageSlot, UsageCounts>;

/// Counts that are not in the accounts database yet.
#[derive(Debug, Default)]
pub(super) struct PendingUsage {
    pub(super) counts: CountsBySlot,
    /// Refused requests. This map stays small, because only refused requests are in it.
    pub(super) refusals: RefusalsBySlot,
}

impl PendingUsage {
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.refusals.is_empty()
    }

    fn with_capacity(counts: usize, refusals: usize) -> Self {
        Self {
            counts: CountsBySlot::with_capacity(counts),
            refusals: RefusalsBySlot::with_capacity(refusals),
        }
    }

    fn add(&mut self, event: &RequestEvent) {
        let day = Offset::UTC.to_datetime(event.answered_at).date();
        let slot = UsageSlot {
            key_id: event.key,
            day,
            endpoint: event.endpoint,
            status_class: u8::try_from(event.status / 100).unwrap_or(u8::MAX),
        };
        let counts = UsageCounts {
            calls: 1,
            lines: event.lines.into(),
        };
        *self.counts.entry(slot).or_default() += counts;
        if let Some(reason) = event.refusal {
            let slot = RefusalSlot {
                key_id: event.key,
                day,
                endpoint: event.endpoint,
                reason,
                status: event.status,
            };
            self.add_refusals(slot, RefusalCount::one(event.answered_at));
        }
    }

    fn add_refusals(&mut self, slot: RefusalSlot, more: RefusalCount) {
        let sum = self.refusals.entry(slot);
        sum.and_modify(|sum| *sum += more).or_insert(more);
    }

    /// Adds all counts of `other` to this value.
    fn append(&mut self, other: Self) {
        for (slot, counts) in other.counts {
            *self.counts.entry(slot).or_default() += counts;
        }
        for (slot, count) in other.refusals {
            self.add_refusals(slot, count);
        }
    }
}

/// The number of shards. Threads get shards in turn, so each thread has a shard of its own on all but the largest machines.
const SHARDS: usize = 32;

static NEXT_SHARD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SHARD: Cell<usize> = Cell::new(NEXT_SHARD.fetch_add(1, Ordering::Relaxed) % SHARDS);
}

#[derive(Debug, Default)]
pub(super) struct ShardedCounters {
    shards: [Mutex<PendingUsage>; SHARDS],
}

impl ShardedCounters {
    /// Counts one request.
    pub(super) fn add(&self, event: &RequestEvent) {
        lock_shard(&self.shards[SHARD.get()]).add(event);
    }

    /// Moves all counts into `sum`.
    pub(super) fn drain_into(&self, sum: &mut PendingUsage) {
        for shard in &self.shards {
            let (counts, refusals) = {
                let shard = lock_shard(shard);
                (shard.counts.len(), shard.refusals.len())
            };
            // Allocates while the shard is not locked, so that no request waits for the allocator.
            let mut drained = PendingUsage::with_capacity(counts, refusals);
            std::mem::swap(&mut *lock_shard(shard), &mut drained);
            sum.append(drained);
        }
    }
}

fn lock_shard(shard: &Mutex<PendingUsage>) -> MutexGuard<'_, PendingUsage> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
