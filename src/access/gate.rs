//! All that stands between a request and its answer, in one place: keys, buckets and bundles, on one clock.

use std::sync::Arc;

use super::{Bundles, Clock, KeyDirectory, Rates};

/// Everything that admission asks; nothing in it waits for the database.
#[derive(Debug)]
pub struct Gate {
    /// Every key that admits.
    pub keys: KeyDirectory,
    /// Calls per second.
    pub rates: Rates,
    /// Calls per month, as far as this node holds them.
    pub bundles: Arc<Bundles>,
    /// What time it is for all of them.
    pub clock: Clock,
}

impl Gate {
    /// A gate for these keys, with full buckets and no calls in hand yet.
    #[must_use]
    pub fn new(keys: KeyDirectory, clock: Clock) -> Self {
        Self {
            keys,
            rates: Rates::new(clock.clone()),
            bundles: Arc::new(Bundles::new(clock.clone())),
            clock,
        }
    }
}
