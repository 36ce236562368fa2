//! How many calls a node takes at a time: few enough that a node that dies loses little, and that several nodes share the end
//! of a bundle; many enough that a busy account asks the database once or twice a minute, and goes on without it that long.

use std::num::NonZeroU16;

use crate::accounts::Limits;

/// The part of what is left that one lease takes.
const PART: u64 = 50;

/// A lease may always grow to this.
const CEILING: u64 = 500;

/// Seconds at the plan's full rate that a lease may serve.
const SECONDS: u64 = 60;

/// What a refill works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Calls in hand already.
    pub(crate) in_hand: u64,
    /// Calls that wait.
    pub(crate) waiting: u64,
}

impl Demand {
    /// How many calls to take when `free` are in nobody's hand: up to the size of a lease, and what waits.
    pub(crate) fn lease(self, limits: Limits, free: u64) -> u64 {
        (self.level(limits, free) + self.waiting)
            .saturating_sub(self.in_hand)
            .min(free)
    }

    /// Whether calls go on waiting when so many are granted.
    pub(crate) fn is_short(self, granted: u64) -> bool {
        self.waiting > self.in_hand + granted
    }

    /// What shall be in hand when nothing waits.
    pub(crate) fn level(self, limits: Limits, free: u64) -> u64 {
        let bulk = limits.bulk_max.map_or(0, NonZeroU16::get);
        let rate = u64::from(limits.calls_per_second.get()) * SECONDS;
        let most = CEILING.max(bulk.into()).max(rate);
        ((free + self.in_hand) / PART).clamp(1, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{OwnNumbers, PlanName, Plans};

    fn limits(name: PlanName) -> Limits {
        let own = match name {
            PlanName::Enterprise => OwnNumbers {
                calls_per_month: "5000000".parse().ok(),
                calls_per_second: "200".parse().ok(),
                bulk_max: None,
            },
            _ => OwnNumbers::default(),
        };
        Plans::default()
            .plan(name, own)
            .expect("numbers that fit")
            .limits()
    }

    #[test]
    fn a_lease_is_a_fiftieth_of_what_is_left_within_bounds() {
        #[track_caller]
        fn case(plan: PlanName, free: u64, expected: u64) {
            let demand = Demand {
                in_hand: 0,
                waiting: 0,
            };
            let lease = demand.lease(limits(plan), free);
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
            let demand = Demand { in_hand, waiting };
            let lease = demand.lease(limits(PlanName::Free), free);
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
