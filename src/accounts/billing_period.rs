//! Computes billing periods: months in UTC that begin on the day of the month on which the account was created.
//!
//! Source: decisions.md, section Headers (`X-Quota-Reset`).

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// One billing period. It includes its start, but not its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BillingPeriod {
    start: Timestamp,
    end: Timestamp,
}

impl BillingPeriod {
    /// The period that contains `now`, for an account that was created on the day `billing_anchor`.
    ///
    /// Only the day of the month of `billing_anchor` counts, so there are periods before the anchor too. A node with a slow clock may ask
    /// for one of them.
    pub fn from_anchor(billing_anchor: Date, now: Timestamp) -> Self {
        let first = now.to_zoned(TimeZone::UTC).date().first_of_month();
        let this = period_start_in(first, billing_anchor.day());
        if now >= this {
            let next = first.checked_add(1.month());
            Self {
                start: this,
                end: next.map_or(Timestamp::MAX, |next| {
                    period_start_in(next, billing_anchor.day())
                }),
            }
        } else {
            let last = first.checked_sub(1.month());
            Self {
                start: last.map_or(Timestamp::MIN, |last| {
                    period_start_in(last, billing_anchor.day())
                }),
                end: this,
            }
        }
    }

    /// The start of the period: 00:00 UTC on the anchor's day, or on the last day of a shorter month.
    pub fn start(self) -> Timestamp {
        self.start
    }

    /// The end of the period, which is the start of the next one.
    pub fn end(self) -> Timestamp {
        self.end
    }

    /// The first day of the period, in UTC.
    pub fn first_day(self) -> Date {
        self.start.to_zoned(TimeZone::UTC).date()
    }

    /// Whole seconds until the period ends, at least 1.
    pub fn seconds_left(self, now: Timestamp) -> u32 {
        let left_s = self.end.as_second() - now.as_second();
        u32::try_from(left_s).unwrap_or_default().max(1)
    }

    /// True if the period contains a moment.
    #[must_use]
    pub fn contains(self, moment: Timestamp) -> bool {
        self.start <= moment && moment < self.end
    }
}

/// The start of the period that begins in the month of `first`: on `day`, or on the last day of a shorter month. A start outside
/// the range of [`Timestamp`] becomes its minimum or maximum.
fn period_start_in(first: Date, day: i8) -> Timestamp {
    let date = first
        .with()
        .day(day.min(first.days_in_month()))
        .build()
        .expect("a month has every day up to its last");
    match date.to_zoned(TimeZone::UTC) {
        Ok(midnight) => midnight.timestamp(),
        Err(_) if date.year() < 0 => Timestamp::MIN,
        Err(_) => Timestamp::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn moment(text: &str) -> Timestamp {
        text.parse().expect("a moment")
    }

    /// Each row has an anchor, the current time, and the start and end of the period.
    const PERIODS: &str = "
        # In the middle, on the first day, and at both sides of a boundary.
        2026-01-06 2026-03-20T12:00:00Z 2026-03-06 2026-04-06
        2026-01-06 2026-01-06T08:00:00Z 2026-01-06 2026-02-06
        2026-01-06 2026-02-06T00:00:00Z 2026-02-06 2026-03-06
        2026-01-06 2026-02-05T23:59:59.999999999Z 2026-01-06 2026-02-06
        # Day 31, 30 and 29 in shorter months: the last day, and no drift afterwards.
        2026-01-31 2026-02-27T23:59:59Z 2026-01-31 2026-02-28
        2026-01-31 2026-02-28T00:00:00Z 2026-02-28 2026-03-31
        2026-01-31 2026-04-30T00:00:00Z 2026-04-30 2026-05-31
        2026-01-31 2026-05-30T12:00:00Z 2026-04-30 2026-05-31
        2026-01-30 2026-03-01T12:00:00Z 2026-02-28 2026-03-30
        2026-01-29 2026-03-28T12:00:00Z 2026-02-28 2026-03-29
        # Leap years, 2100 not among them, and an account made on the leap day.
        2027-12-31 2028-02-28T12:00:00Z 2028-01-31 2028-02-29
        2027-12-31 2028-02-29T00:00:00Z 2028-02-29 2028-03-31
        2028-02-29 2029-02-28T00:00:00Z 2029-02-28 2029-03-29
        2028-02-29 2100-03-01T00:00:00Z 2100-02-28 2100-03-29
        # The year turns.
        2026-01-15 2027-01-01T00:00:00Z 2026-12-15 2027-01-15
        2026-01-01 2026-12-31T23:59:59Z 2026-12-01 2027-01-01
        # The days when Dutch clocks change are days like others.
        2026-01-29 2026-03-29T00:59:59Z 2026-03-29 2026-04-29
        2026-01-25 2026-10-24T23:59:59Z 2026-09-25 2026-10-25
        # A clock that is behind the day the account was made.
        2026-01-31 2025-12-15T00:00:00Z 2025-11-30 2025-12-31
    ";

    #[test]
    fn periods_begin_at_midnight_utc_on_the_anchors_day() {
        let rows = PERIODS
            .lines()
            .map(str::trim)
            .filter(|row| !row.is_empty() && !row.starts_with('#'));
        for row in rows {
            let words: Vec<&str> = row.split(' ').collect();
            let [anchor, now, start, end] = words[..] else {
                panic!("{row} does not have four words");
            };
            let period = BillingPeriod::from_anchor(day(anchor), moment(now));
            let midnight = |date: &str| moment(&format!("{date}T00:00:00Z"));
            let expected = (midnight(start), midnight(end));
            assert_eq!((period.start(), period.end()), expected, "{row}");
        }
    }

    #[test]
    fn periods_at_the_ends_of_the_calendar_do_not_panic() {
        for anchor in ["-009999-01-01", "2026-01-31", "9999-12-31"] {
            for now in [Timestamp::MIN, Timestamp::MAX] {
                let period = BillingPeriod::from_anchor(day(anchor), now);
                assert!(period.start() <= now && now <= period.end(), "{period:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn each_moment_is_in_exactly_one_period(
            first in 1_i8..=31,
            second in -2_000_000_000_i64..10_000_000_000,
        ) {
            let anchor = jiff::civil::date(2026, 1, first);
            let now = Timestamp::from_second(second).expect("in range");
            let period = BillingPeriod::from_anchor(anchor, now);
            prop_assert!(period.contains(now));
            let tick = std::time::Duration::from_nanos(1);
            let inside = [period.start(), period.end() - tick];
            for moment in inside {
                prop_assert_eq!(BillingPeriod::from_anchor(anchor, moment), period);
            }
            prop_assert_eq!(BillingPeriod::from_anchor(anchor, period.end()).start(), period.end());
            prop_assert_eq!(BillingPeriod::from_anchor(anchor, period.start() - tick).end(), period.start());
            let start = period.start().to_zoned(TimeZone::UTC);
            prop_assert_eq!(start.day(), first.min(start.date().days_in_month()));
            prop_assert_eq!((start.hour(), start.minute(), start.second()), (0, 0, 0));
        }
    }
}
