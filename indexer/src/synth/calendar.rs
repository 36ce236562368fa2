//! Days and moments, counted from the stand day, and their text.
//!
//! Every date of a delivery is said relative to its stand day; the texts are made once, since a delivery writes some ten of them per voorkomen.

use jiff::ToSpan;
use jiff::civil::Date;

/// A calendar day: days after the stand day, negative before it. Between [`Day::FIRST`] and [`Day::LAST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Day(pub(super) i32);

impl Day {
    /// The oldest day a delivery names: 44 years back, about the age of the oldest source documents in real deliveries.
    pub(super) const FIRST: Day = Day(-16_100);
    /// The last day a delivery names.
    pub(super) const LAST: Day = Day(1_500);
    /// The stand day: voorkomens that begin on it hold, those that end on it do not.
    pub(super) const STAND: Day = Day(0);
}

/// A moment of local time: a day and the milliseconds since its midnight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Moment {
    pub(super) day: Day,
    pub(super) ms: u32,
}

/// The texts of all days between [`Day::FIRST`] and [`Day::LAST`].
pub(super) struct Calendar {
    texts: Vec<[u8; 10]>,
    year: u16,
}

impl Calendar {
    /// The calendar around a stand day between 2010 and 2100, which [`super::Spec`] holds.
    pub(super) fn around(stand: Date) -> Self {
        let texts = (Day::FIRST.0..=Day::LAST.0)
            .map(|days| {
                let date = stand
                    .checked_add(days.days())
                    .expect("a century on either side of a stand day is on the calendar");
                let mut text = [0; 10];
                text.copy_from_slice(date.to_string().as_bytes());
                text
            })
            .collect();
        Self {
            texts,
            year: u16::try_from(stand.year()).expect("a stand year is positive"),
        }
    }

    /// The day as `2026-01-08`.
    pub(super) fn text(&self, day: Day) -> &[u8; 10] {
        let index =
            usize::try_from(day.0 - Day::FIRST.0).expect("no day before the first is named");
        &self.texts[index]
    }

    /// The year of the stand day.
    pub(super) fn year(&self) -> u16 {
        self.year
    }

    /// The first 1 January after the stand day: when municipalities merge.
    pub(super) fn new_year(&self) -> Day {
        let next = (1..=366).find(|&days| self.text(Day(days)).ends_with(b"-01-01"));
        Day(next.expect("every year has a first of January"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn days_read_as_dates() {
        let calendar = Calendar::around(date(2026, 1, 8));
        assert_eq!(calendar.text(Day::STAND), b"2026-01-08");
        assert_eq!(calendar.text(Day(-8)), b"2025-12-31");
        assert_eq!(calendar.text(Day::FIRST), b"1981-12-10");
        assert_eq!(calendar.text(calendar.new_year()), b"2027-01-01");
    }
}
