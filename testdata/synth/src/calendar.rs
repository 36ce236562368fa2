//! Converts days and moments, which are counted from the stand day, to text.
//!
//! Every date in a delivery is an offset from the delivery's stand day. The text of each day is made only once, because a delivery
//! contains about ten dates per voorkomen.

use jiff::ToSpan;
use jiff::civil::Date;

/// A calendar day as the number of days after the stand day, which is negative for earlier days. The range is [`DayOffset::FIRST`]
/// to [`DayOffset::LAST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DayOffset(pub(crate) i32);

impl DayOffset {
    /// The oldest day in a delivery: 44 years before the stand day. This is about the age of the oldest source documents in real
    /// deliveries.
    pub(crate) const FIRST: DayOffset = DayOffset(-16_100);
    /// The last day in a delivery.
    pub(crate) const LAST: DayOffset = DayOffset(1_500);
    /// The stand day. A voorkomen that begins on this day is valid; a voorkomen that ends on this day is not.
    pub(crate) const STAND: DayOffset = DayOffset(0);
}

/// A moment of local time: a day and the milliseconds since midnight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LocalMoment {
    pub(crate) day: DayOffset,
    pub(crate) ms: u32,
}

/// The texts of all days from [`DayOffset::FIRST`] to [`DayOffset::LAST`].
pub(crate) struct Calendar {
    texts: Vec<[u8; 10]>,
    stand: Date,
}

impl Calendar {
    /// The calendar around a stand day. [`crate::Spec`] guarantees that the stand day is between 2010 and 2100.
    pub(crate) fn around(stand: Date) -> Self {
        let texts = (DayOffset::FIRST.0..=DayOffset::LAST.0)
            .map(|days| {
                let mut text = [0; 10];
                text.copy_from_slice(day_after(stand, days).to_string().as_bytes());
                text
            })
            .collect();
        Self { texts, stand }
    }

    /// The day in the form `2026-01-08`.
    pub(crate) fn text(&self, day: DayOffset) -> &[u8; 10] {
        let index =
            usize::try_from(day.0 - DayOffset::FIRST.0).expect("no day is before the first");
        &self.texts[index]
    }

    /// The day as a date.
    pub(crate) fn date(&self, day: DayOffset) -> Date {
        day_after(self.stand, day.0)
    }

    /// The day in the form of file names, such as `08012026`.
    pub(crate) fn file_date(&self, day: DayOffset) -> String {
        self.date(day).strftime("%d%m%Y").to_string()
    }

    /// The year of the stand day.
    pub(crate) fn year(&self) -> u16 {
        u16::try_from(self.stand.year()).expect("a stand year is positive")
    }

    /// The first 1 January after the stand day, on which municipalities merge.
    pub(crate) fn new_year(&self) -> DayOffset {
        let next = (1..=366).find(|&days| self.text(DayOffset(days)).ends_with(b"-01-01"));
        DayOffset(next.expect("every year has a first of January"))
    }
}

fn day_after(stand: Date, days: i32) -> Date {
    stand
        .checked_add(days.days())
        .expect("a century on either side of a stand day is on the calendar")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn day_offsets_are_written_as_dates() {
        let calendar = Calendar::around(date(2026, 1, 8));
        assert_eq!(calendar.text(DayOffset::STAND), b"2026-01-08");
        assert_eq!(calendar.text(DayOffset(-8)), b"2025-12-31");
        assert_eq!(calendar.text(DayOffset::FIRST), b"1981-12-10");
        assert_eq!(calendar.text(calendar.new_year()), b"2027-01-01");
        assert_eq!(calendar.file_date(DayOffset(1)), "09012026");
    }
}
