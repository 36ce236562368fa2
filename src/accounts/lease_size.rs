//! How many calls a node takes at a time: few enough that a node that dies loses little, and that several nodes share the end
//! of a bundle; many enough that a busy account asks the database once or twice a minute, and goes on without it that long.

use std::num::NonZeroU16;

use crate::accounts::PlanLimits;

/// The part of what is left that one lease takes.
const REMAINDER_DIVISOR: u64 = 50;

/// A lease may always grow to this.
const BASE_MAX_LEASE: u64 = 500;

/// Seconds at the plan's full rate that a lease may serve.
const MAX_LEASE_SECONDS: u64 = 60;

/// What a refill works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeaseDemand {
    /// Calls in hand already.
    pub(crate) available: u64,
    /// Calls that wait.
    pub(crate) waiting: u64,
}

impl LeaseDemand {
    /// How many calls to take when `free` are in nobody's hand: up to the size of a lease, and what waits.
    pub(crate) fn lease_size(self, limits: PlanLimits, free: u64) -> u64 {
        (self.target_size(limits, free) + self.waiting)
            .saturating_sub(self.available)
            .min(free)
    }

    /// Whether calls go on waiting when so many are granted.
    pub(crate) fn is_unmet_by(self, granted: u64) -> bool {
        self.waiting > self.available + granted
    }

    /// What shall be in hand when nothing waits.
    pub(crate) fn target_size(self, limits: PlanLimits, free: u64) -> u64 {
        let max_bulk_lines = limits.bulk_max.map_or(0, NonZeroU16::get);
        let rate = u64::from(limits.calls_per_second.get()) * MAX_LEASE_SECONDS;
        let most = BASE_MAX_LEASE.max(max_bulk_lines.into()).max(rate);
        ((free + self.available) / REMAINDER_DIVISOR).clamp(1, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{CustomLimits, PlanName, Plans};

    fn limits(name: PlanName) -> PlanLimits {
        let own = match name {
            PlanName::Enterprise => CustomLimits {
                calls_per_month: "5000000".parse().ok(),
                calls_per_second: "200".parse().ok(),
                bulk_max: None,
            },
            _ => CustomLimits::default(),
        };
        Plans::default()
            .resolve(name, own)
            .expect("numbers that fit")
            .limits()
    }

    #[test]
    fn a_lease_is_a_fiftieth_of_what_is_left_within_bounds() {
        #[track_caller]
        fn case(plan: PlanName, free: u64, expected: u64) {
            let demand = LeaseDemand {
                available: 0,
                waiting: 0,
            };
            let lease = demand.lease_size(limits(plan), free);
            assert_eq!(lease, expected, "{plan}, {free} free");
        }
        case(PlanName::Free, 500, 10);
        case(PlanName::Free, 100, 2);
        case(PlanName::Free, 99, 1);
        case(PlanName::Free, 1, 1);
        case(PlanName::Free, 0, 0);
        case(PlanName::Plus, 55_000, 1_100);
        case(PlanName::Pro, 110_000, 2_200);
        case(PlanName::Pro, 20_000, 400);
        case(PlanName::Enterprise, 5_500_000, 12_000);
    }

    #[test]
    fn a_refill_tops_up_and_covers_what_waits() {
        #[track_caller]
        fn case(in_hand: u64, waiting: u64, free: u64, expected: u64) {
            let demand = LeaseDemand {
                available: in_hand,
                waiting,
            };
            let lease = demand.lease_size(limits(PlanName::Free), free);
            assert_eq!(
                lease, expected,
                "{in_hand} in hand, {waiting} wait, {free} free"
            );
        }
        case(4, 0, 496, 6);
        case(10, 0, 490, 0);
        case(30, 0, 470, 0);
        case(4, 40, 496, 46);
        case(2, 40, 20, 20);
        case(0, 1, 1, 1);
        case(0, 9, 0, 0);
    }
}
