//! Counts since the last flush, in shards, so that threads seldom wait for each other.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::tz::Offset;

use super::RequestEvent;
use crate::accounts::{UsageCounts, UsageSlot};

/// Counts by key, day, endpoint and status class.
pub(super) type CountsBySlot = HashMap<UsageSlot, UsageCounts>;

/// Assigned to threads in turn, so each thread has its own on all but the largest machines.
const SHARDS: usize = 32;

static NEXT_SHARD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SHARD: Cell<usize> = Cell::new(NEXT_SHARD.fetch_add(1, Ordering::Relaxed) % SHARDS);
}

#[derive(Debug, Default)]
pub(super) struct ShardedCounters {
    shards: [Mutex<CountsBySlot>; SHARDS],
}

impl ShardedCounters {
    /// Counts one request.
    pub(super) fn add(&self, event: &RequestEvent) {
        let slot = UsageSlot {
            key_id: event.key,
            day: Offset::UTC.to_datetime(event.answered_at).date(),
            endpoint: event.endpoint,
            status_class: u8::try_from(event.status / 100).unwrap_or(u8::MAX),
        };
        let counts = UsageCounts {
            calls: 1,
            lines: event.lines.into(),
        };
        *lock_shard(&self.shards[SHARD.get()])
            .entry(slot)
            .or_default() += counts;
    }

    /// Moves all counts to `sum`.
    pub(super) fn drain_into(&self, sum: &mut CountsBySlot) {
        for shard in &self.shards {
            // Allocates before it locks, so that no request waits for the allocator.
            let mut drained = CountsBySlot::with_capacity(lock_shard(shard).len());
            std::mem::swap(&mut *lock_shard(shard), &mut drained);
            for (slot, counts) in drained {
                *sum.entry(slot).or_default() += counts;
            }
        }
    }
}

fn lock_shard(shard: &Mutex<CountsBySlot>) -> MutexGuard<'_, CountsBySlot> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
