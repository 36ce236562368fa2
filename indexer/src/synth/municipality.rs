//! The codes of real municipalities, as the towns of a delivery need them: those in force on the stand day, and those that ended before it.
//!
//! Source: CBS, Gemeentelijke indeling, by year (CC BY 4.0), in `indexer/data/municipalities.csv`.

use super::calendar::{Calendar, Day};
use crate::day::Day as RegisterDay;
use crate::municipalities;

/// The municipality codes around a stand day.
pub(super) struct Municipalities {
    /// In force on the stand day, ascending.
    pub(super) current: Vec<u16>,
    /// Ended in the fifteen years before the stand day, with the day on which they no longer held.
    pub(super) ended: Vec<(u16, Day)>,
}

impl Municipalities {
    pub(super) fn at(calendar: &Calendar) -> Self {
        let stand: RegisterDay = parse(text(calendar, Day::STAND));
        let mut found = Self {
            current: Vec::new(),
            ended: Vec::new(),
        };
        for row in municipalities::MunicipalityDirectory::built_in().rows() {
            let code = row.code.get();
            if row.period.holds_on(stand) {
                found.current.push(code);
            } else if let Some(end) = row.period.end.filter(|&end| end <= stand) {
                let day = day_of(calendar, &end.to_string());
                found.ended.extend(day.map(|day| (code, day)));
            }
        }
        found.current.dedup();
        found
    }
}

fn parse(date: &str) -> RegisterDay {
    date.parse().expect("a calendar holds dates")
}

fn text(calendar: &Calendar, day: Day) -> &str {
    std::str::from_utf8(calendar.text(day)).expect("the text of a day is ASCII")
}

fn day_of(calendar: &Calendar, date: &str) -> Option<Day> {
    (-5_400..=0)
        .map(Day)
        .find(|&day| text(calendar, day) == date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_codes_follow_the_stand_day() {
        let [early, late] = [date(2021, 9, 15), date(2026, 1, 8)]
            .map(|stand| Municipalities::at(&Calendar::around(stand)));
        assert_eq!((early.current.len(), late.current.len()), (352, 342));
        assert!(
            early.current.contains(&457)
                && !late.current.contains(&457)
                && late.current.contains(&351)
        );
        assert!(late.ended.iter().any(|&(code, _)| code == 457));
    }
}
