//! Computes leases. With a lease, a node takes calls in advance from the database row of an account's quota, and settles with
//! that row later.
//!
//! A lease is small enough that a node that dies loses few calls and that several nodes can share the end of a quota. It is large
//! enough that a busy account needs the database only once or twice a minute, and is served for that time while the database is
//! unavailable.

use std::num::NonZeroU16;

use jiff::Timestamp;

use super::{AccountId, BillingPeriod, PlanLimits};

/// A lease is the calls that are left in the quota, divided by this number: at least 1, and at most the maximum that follows.
const REMAINDER_DIVISOR: u64 = 50;

/// The maximum size of a lease, unless the plan's bulk maximum or rate asks for larger leases.
const BASE_MAX_LEASE: u64 = 500;

/// A lease may have as many calls as the plan's full rate allows in this many seconds.
const MAX_LEASE_SECONDS: u64 = 60;

/// A node's request to settle with the row of one account in one billing period.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRequest {
    pub(crate) account_id: AccountId,
    pub(crate) period: BillingPeriod,
    /// The limits of the account's plan.
    pub(crate) limits: PlanLimits,
    /// Calls used since the last report.
    pub(crate) used: u64,
    /// The part of `used` that was served on credit, which means without a lease. The row does not count these calls as leased yet.
    pub(crate) used_on_credit: u64,
    /// Unused calls that go back to the row.
    pub(crate) returned: u64,
    /// Calls that the row counts as leased and that this node has not used: available or reserved.
    pub(crate) outstanding: u64,
    /// The calls that this node has and needs; `None` if it needs no more calls.
    pub(crate) demand: Option<LeaseDemand>,
    /// True if a call was refused because the quota is used up.
    pub(crate) any_refused: bool,
    /// The highest quota notice that this node knows to be in the outbox: 80 or 100 percent, or 0 for none.
    pub(crate) notified_percent: u8,
}

/// The row after a settlement, and the calls that the settlement leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeaseResult {
    /// Calls that nodes have taken from the row, used or not.
    pub(crate) leased: u64,
    /// Calls that this settlement leased to the node.
    pub(crate) granted: u64,
    /// The target size of the node's lease at this settlement; 0 if the node needed no more calls.
    pub(crate) target_size: u64,
    /// Unused calls that are leased to other nodes, including calls lost with a node that died.
    pub(crate) on_other_nodes: u64,
    /// When this settlement set a recall mark for the other nodes, in milliseconds of Unix time; `None` if it set no mark.
    pub(crate) recall_marked_at: Option<i64>,
    /// The highest quota notice in the outbox: 80 or 100 percent, or 0 for none.
    pub(crate) notified_percent: u8,
}

/// A mark on a row. It says that a node is waiting for unused calls that are leased to other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecallMark {
    pub(crate) account_id: AccountId,
    /// The start of the billing period.
    pub(crate) period_start: Timestamp,
    /// When the node set the mark, in milliseconds of Unix time.
    pub(crate) marked_at: i64,
}

/// What a node has and needs when it asks for more calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeaseDemand {
    /// Calls available in the node's lease.
    pub(crate) available: u64,
    /// Calls of requests that wait until the node has leased them.
    pub(crate) waiting: u64,
}

impl LeaseDemand {
    /// How many calls to lease now, so that the node has its target size plus the calls that wait. At most `free`, the calls of the
    /// account's row that no node has leased.
    pub(crate) fn lease_size(self, limits: PlanLimits, free: u64) -> u64 {
        (self.target_size(limits, free) + self.waiting)
            .saturating_sub(self.available)
            .min(free)
    }

    /// True if calls still wait after this grant.
    pub(crate) fn is_unmet_by(self, granted: u64) -> bool {
        self.waiting > self.available + granted
    }

    /// How many calls the node should have available when no calls wait. `free` has the same meaning as in
    /// [`lease_size`](Self::lease_size).
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
    fn a_lease_is_a_fiftieth_of_the_remaining_calls_within_bounds() {
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
    fn a_refill_reaches_the_target_size_and_covers_the_waiting_calls() {
        #[track_caller]
        fn case(available: u64, waiting: u64, free: u64, expected: u64) {
            let demand = LeaseDemand { available, waiting };
            let lease = demand.lease_size(limits(PlanName::Free), free);
            assert_eq!(
                lease, expected,
                "{available} available, {waiting} wait, {free} free"
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
