//! The tally: what was counted since the last flush. Parted, so that threads seldom wait for each other.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::tz::Offset;

use super::Event;
use crate::accounts::{Counts, UsageSlot};

/// Counts by where they belong.
pub(super) type Counted = HashMap<UsageSlot, Counts>;

/// Threads take turns at them, so each has its own on all but the largest machines.
const PARTS: usize = 32;

static NEXT_PART: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static PART: Cell<usize> = Cell::new(NEXT_PART.fetch_add(1, Ordering::Relaxed) % PARTS);
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    parts: [Mutex<Counted>; PARTS],
}

impl Tally {
    /// Counts one request.
    pub(super) fn add(&self, event: &Event) {
        let slot = UsageSlot {
            key: event.key,
            day: Offset::UTC.to_datetime(event.at).date(),
            endpoint: event.endpoint,
            status_class: u8::try_from(event.status / 100).unwrap_or(u8::MAX),
        };
        let counts = Counts {
            calls: 1,
            lines: event.lines.into(),
        };
        *lock(&self.parts[PART.get()]).entry(slot).or_default() += counts;
    }

    /// Moves everything over to `sum`.
    pub(super) fn drain_into(&self, sum: &mut Counted) {
        for part in &self.parts {
            // Room is made before the lock is taken, so that nobody waits for the allocator.
            let mut taken = Counted::with_capacity(lock(part).len());
            std::mem::swap(&mut *lock(part), &mut taken);
            for (slot, counts) in taken {
                *sum.entry(slot).or_default() += counts;
            }
        }
    }
}

fn lock(part: &Mutex<Counted>) -> MutexGuard<'_, Counted> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}
