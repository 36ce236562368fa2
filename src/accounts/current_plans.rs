//! Holds the current plans, which may change while the service runs.

use std::sync::Arc;

use arc_swap::ArcSwap;

use super::Plans;

/// A table of plans that is replaced as a whole. Clones share one table.
#[derive(Clone, Debug, Default)]
pub struct CurrentPlans(Arc<ArcSwap<Plans>>);

impl CurrentPlans {
    /// A table that holds `plans`.
    pub fn new(plans: Plans) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(plans)))
    }

    /// The current plans.
    pub fn load(&self) -> Arc<Plans> {
        self.0.load_full()
    }

    /// Replaces the plans. The grants of keys get the new plans at the next poll of the accounts database.
    pub fn store(&self, plans: Plans) {
        self.0.store(Arc::new(plans));
    }
}
