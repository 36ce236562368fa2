//! Defines days, and periods from a begin day up to (not including) an end day.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use jiff::civil::Date;

/// A calendar day in four bytes, so that a country's voorkomens fit in memory.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Day(NonZeroU32);

/// The error for a text that is not a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a date such as 2021-09-15")]
pub struct BadDay(String);

impl Day {
    /// The year, of at most four digits.
    pub(crate) fn year(self) -> u16 {
        u16::try_from(self.0.get() >> 9).unwrap_or(u16::MAX - 100)
    }

    /// The day as a number; later days have greater numbers.
    pub(crate) fn to_u32(self) -> u32 {
        self.0.get()
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        let part = |number: i8| u32::try_from(number).unwrap_or(0);
        let year = u32::try_from(date.year()).unwrap_or(0);
        let packed = (year << 4 | part(date.month())) << 5 | part(date.day());
        Self(NonZeroU32::new(packed).expect("a month is at least 1"))
    }
}

impl FromStr for Day {
    type Err = BadDay;

    fn from_str(text: &str) -> Result<Self, BadDay> {
        text.parse().map(|XmlDate(date)| Self::from(date))
    }
}

pub(crate) struct XmlDate(pub(crate) Date);

impl FromStr for XmlDate {
    type Err = BadDay;

    /// Parses a day such as `2021-09-15`. A time or time zone after the day, which XML permits, is ignored.
    fn from_str(text: &str) -> Result<Self, BadDay> {
        let invalid = || BadDay(text.chars().take(40).collect());
        let (day, rest) = text.split_at_checked(10).ok_or_else(invalid)?;
        if !rest.is_empty() && !rest.starts_with(['T', 'Z', '+', '-']) {
            return Err(invalid());
        }
        day.parse().map(Self).map_err(|_| invalid())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packed = self.0.get();
        write!(
            f,
            "{:04}-{:02}-{:02}",
            packed >> 9,
            packed >> 5 & 0xf,
            packed & 0x1f
        )
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The days on which a version or relation holds, from `begin` up to (not including) `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ValidityPeriod {
    /// The first day of the period.
    pub begin: Day,
    /// The first day after the period; `None` if no end is known.
    pub end: Option<Day>,
}

impl ValidityPeriod {
    /// True if the period includes this day. A period that ends on its begin day never holds.
    #[must_use]
    pub fn holds_on(&self, day: Day) -> bool {
        self.begin <= day && self.end.is_none_or(|end| day < end)
    }

    /// True if both periods include some day.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let begin = self.begin.max(other.begin);
        self.holds_on(begin) && other.holds_on(begin)
    }

    /// True if the period includes this day or any later day.
    pub fn holds_on_or_after(&self, day: Day) -> bool {
        self.end.is_none_or(|end| day < end && self.begin < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn a_period_includes_its_begin_day_but_not_its_end_day() {
        #[track_caller]
        fn case(begin: &str, end: Option<&str>, on: bool, from: bool) {
            let period = ValidityPeriod {
                begin: day(begin),
                end: end.map(day),
            };
            let stand = day("2021-09-15");
            assert_eq!(
                (period.holds_on(stand), period.holds_on_or_after(stand)),
                (on, from),
                "{period:?}"
            );
        }
        case("2010-01-01", None, true, true);
        case("2021-09-15", None, true, true);
        case("2021-09-16", None, false, true);
        case("2010-01-01", Some("2021-09-16"), true, true);
        case("2010-01-01", Some("2021-09-15"), false, false);
        case("2010-01-01", Some("2021-09-14"), false, false);
        case("2021-09-15", Some("2021-09-15"), false, false);
        case("2022-01-01", Some("2022-01-01"), false, false);
        case("2022-01-01", Some("2023-01-01"), false, true);
    }

    #[test]
    fn periods_overlap_if_some_day_is_in_both() {
        #[track_caller]
        fn case(one: (&str, Option<&str>), other: (&str, Option<&str>), expected: bool) {
            let [one, other] = [one, other].map(|(begin, end)| ValidityPeriod {
                begin: day(begin),
                end: end.map(day),
            });
            assert_eq!(one.overlaps(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.overlaps(&one), expected, "{other:?} {one:?}");
        }
        let first = ("2010-01-01", Some("2021-01-01"));
        case(first, ("2020-12-31", None), true);
        case(first, ("2021-01-01", None), false);
        case(first, ("2015-01-01", Some("2016-01-01")), true);
        case(first, ("2015-01-01", Some("2015-01-01")), false);
        case(("2010-01-01", None), ("2010-01-01", None), true);
    }

    #[test]
    fn a_time_after_the_date_is_ignored_and_other_text_is_refused() {
        assert_eq!(day("2021-09-15T12:00:00.000"), day("2021-09-15"));
        for text in [
            "",
            "2021-02-30",
            "15-09-2021",
            "2021-09-1512",
            "2021-9-15",
            "-000001-01-01",
            "é021-09-15x",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn days_print_and_sort_like_dates(a in 0..4_000_000_i64, b in 0..4_000_000_i64) {
            let epoch = jiff::civil::date(1, 1, 1);
            let date = |days| epoch.checked_add(jiff::Span::new().days(days)).unwrap_or(epoch);
            let (a, b) = (date(a % 3_650_000), date(b % 3_650_000));
            prop_assert_eq!(Day::from(a).to_string(), a.to_string());
            prop_assert_eq!(Day::from(a).cmp(&Day::from(b)), a.cmp(&b));
        }
    }
}
