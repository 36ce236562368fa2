//! Credit: calls that are served while the database is away and nothing is in hand. They are in no row yet, so they are
//! bounded, and booked when the database is back.

/// The part of what was free that may be given on credit: up to four nodes that saw the same row give away no more than it had.
const FREE_DIVISOR: u64 = 4;

/// Less than this part of the allowance free, and nothing is given: near the edge a limit is a limit.
const EDGE_DIVISOR: u64 = 10;

/// The part of its allowance for an account whose row was not seen in this period: as much as a first lease.
const UNSEEN_DIVISOR: u64 = 50;

/// Calls of one account in one period that were served on credit and are not known to be booked.
#[derive(Debug, Default)]
pub(super) struct OutageCredit {
    /// Taken; whether they are used is still open.
    pending: u64,
    /// Used.
    used: u64,
    /// Given to the database, which has not said that it has booked them.
    booking: u64,
}

impl OutageCredit {
    /// How many calls may be on credit, by the row as it was seen last.
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

    /// Notes that calls are used; those that were taken in another period's page are new to this one.
    pub(super) fn commit(&mut self, calls: u64) {
        self.refund(calls);
        self.used += calls;
    }

    /// What is to be booked now.
    pub(super) fn start_booking(&mut self) -> u64 {
        self.booking += self.used;
        std::mem::take(&mut self.used)
    }

    /// The database has surely not booked these.
    pub(super) fn rollback_booking(&mut self, calls: u64) {
        self.booking = self.booking.saturating_sub(calls);
        self.used += calls;
    }

    /// The row was seen. Calls whose booking was never answered are in it or lost: they are not booked twice.
    pub(super) fn end_booking(&mut self) {
        self.booking = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_what_was_free_and_nothing_near_the_edge() {
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
    fn what_is_not_known_to_be_booked_counts_until_the_row_is_seen() {
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
