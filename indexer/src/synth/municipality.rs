//! The codes of real municipalities, as the towns of a delivery need them: those in force on the stand day, and those that ended before it.
//!
//! Source: CBS, Gemeentelijke indeling, by year (CC BY 4.0), in `indexer/data/municipalities.csv`.

use super::calendar::{Calendar, Day};

const TABLE: &str = include_str!("../../data/municipalities.csv");

/// The municipality codes around a stand day.
pub(super) struct Municipalities {
    /// In force on the stand day, ascending.
    pub(super) current: Vec<u16>,
    /// Ended in the fifteen years before the stand day, with the day on which they no longer held.
    pub(super) ended: Vec<(u16, Day)>,
}

impl Municipalities {
    pub(super) fn at(calendar: &Calendar) -> Self {
        let stand = text(calendar, Day::STAND);
        let mut found = Self {
            current: Vec::new(),
            ended: Vec::new(),
        };
        for (code, from, to) in rows() {
            if from <= stand && (to.is_empty() || to > stand) {
                found.current.push(code);
            } else if !to.is_empty() && to <= stand {
                found
                    .ended
                    .extend(day_of(calendar, to).map(|day| (code, day)));
            }
        }
        found.current.dedup();
        found
    }
}

/// Code, first day and last day (empty while in force) of every row of the table.
fn rows() -> impl Iterator<Item = (u16, &'static str, &'static str)> {
    TABLE.lines().skip(1).filter_map(|line| {
        let mut tail = line.rsplitn(3, ',');
        let (to, from) = (tail.next()?, tail.next()?);
        let code = tail.next()?.split(',').next()?.parse().ok()?;
        Some((code, from, to))
    })
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
        assert_eq!(rows().count(), TABLE.lines().count() - 1);
    }
}
