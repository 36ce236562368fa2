//! Bounds credit: calls that are served while the accounts database is unavailable and the local lease is used up. No row counts these
//! calls until they are booked, when the database is available again.

/// The credit of one node is the number of free calls divided by this. So four nodes that saw the same row together grant no more calls
/// than were free.
const FREE_DIVISOR: u64 = 4;

/// A node grants credit only if the number of free calls is more than the allowance divided by this. So the allowance is not exceeded when
/// it is nearly used up.
const EDGE_DIVISOR: u64 = 10;

/// A node that has not seen the account's row in this period has the allowance divided by this as credit, which is as much as a first
/// lease.
const UNSEEN_DIVISOR: u64 = 50;

/// Calls of one account in one period that this node served on credit, and that are not known to be booked.
#[derive(Debug, Default)]
pub(super) struct OutageCredit {
    /// Calls that are reserved, and neither committed nor refunded.
    pending: u64,
    /// Calls that are committed, and not yet sent to the database.
    used: u64,
    /// Calls that were sent to the database, and are not yet confirmed.
    booking: u64,
}

impl OutageCredit {
    /// The maximum number of calls on credit. `leased` is the last known value in the row.
    pub(super) fn limit(allowance: u64, leased: Option<u64>) -> u64 {
        let Some(leased) = leased else {
            return (allowance / UNSEEN_DIVISOR).max(1).min(allowance);
        };
        let free = allowance.saturating_sub(leased);
        if free > allowance / EDGE_DIVISOR {
            free / FREE_DIVISOR
        } else {
            0
        }
    }

    pub(super) fn outstanding(&self) -> u64 {
        self.pending + self.used + self.booking
    }

    pub(super) fn reserve(&mut self, calls: u64) {
        self.pending += calls;
    }

    pub(super) fn refund(&mut self, calls: u64) {
        self.pending = self.pending.saturating_sub(calls);
    }

    /// Counts calls as used. Calls that were reserved in another [`PeriodUsage`](super::period_usage::PeriodUsage) are not pending here.
    pub(super) fn commit(&mut self, calls: u64) {
        self.refund(calls);
        self.used += calls;
    }

    /// Starts booking the used calls, and returns how many they are.
    pub(super) fn start_booking(&mut self) -> u64 {
        self.booking += self.used;
        std::mem::take(&mut self.used)
    }

    /// Undoes [`Self::start_booking`] if it is certain that the database did not book these calls.
    pub(super) fn rollback_booking(&mut self, calls: u64) {
        self.booking = self.booking.saturating_sub(calls);
        self.used += calls;
    }

    /// Ends all bookings when the database has returned the row. A booking that got no answer is not repeated: the row has it, or it is
    /// lost.
    pub(super) fn end_booking(&mut self) {
        self.booking = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_is_a_quarter_of_the_free_calls_and_zero_near_the_limit() {
        #[track_caller]
        fn case(allowance: u64, leased: Option<u64>, expected: u64) {
            assert_eq!(
                OutageCredit::limit(allowance, leased),
                expected,
                "{leased:?}"
            );
        }
        case(5_500, None, 110);
        case(30, None, 1);
        case(0, None, 0);
        case(5_500, Some(0), 1_375);
        case(5_500, Some(5_500 - 552), 138);
        case(5_500, Some(5_500 - 550), 0);
        case(5_500, Some(5_500), 0);
        case(5_500, Some(6_000), 0);
    }

    #[test]
    fn credit_counts_until_its_booking_is_confirmed() {
        let mut credit = OutageCredit::default();
        credit.reserve(10);
        credit.refund(2);
        credit.commit(5);
        assert_eq!((credit.outstanding(), credit.start_booking()), (8, 5));
        credit.rollback_booking(5);
        assert_eq!((credit.outstanding(), credit.start_booking()), (8, 5));
        assert_eq!((credit.outstanding(), credit.start_booking()), (8, 0));
        credit.end_booking();
        assert_eq!(credit.outstanding(), 3, "still pending");
    }
}
