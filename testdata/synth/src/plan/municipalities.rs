//! Reads the codes of real municipalities: those in force on the stand day, and those that ended by the stand day.
//!
//! Source: CBS, Gemeentelijke indeling, by year (CC BY 4.0), in `indexer/data/municipalities.csv`.

use crate::calendar::DayOffset;
use jiff::civil::Date;

const TABLE: &str = include_str!("../../../../indexer/data/municipalities.csv");
/// Municipalities that ended before this day, about fifteen years before the stand day, are omitted.
const FIRST_END: DayOffset = DayOffset(-5_400);

/// The municipality codes around a stand day.
pub(crate) struct MunicipalityCodes {
    /// The codes in force on the stand day, ascending.
    pub(crate) current: Vec<u16>,
    /// The codes that ended on or before the stand day. The date is the first day on which the code is no longer in force.
    pub(crate) ended: Vec<(u16, DayOffset)>,
}

impl MunicipalityCodes {
    pub(crate) fn read_for(stand: Date) -> Self {
        let mut found = Self {
            current: Vec::new(),
            ended: Vec::new(),
        };
        let mut table = csv::Reader::from_reader(TABLE.as_bytes());
        for row in table.records() {
            let row = row.expect("the table is valid CSV");
            let code = row[0].parse().expect("the first column is a code");
            let begin: Date = row[3].parse().expect("the fourth column is a date");
            let end: Option<Date> = (!row[4].is_empty())
                .then(|| row[4].parse().expect("the fifth column is a date or empty"));
            match end {
                Some(end) if end <= stand => {
                    let day = DayOffset((end - stand).get_days());
                    found
                        .ended
                        .extend((day >= FIRST_END).then_some((code, day)));
                }
                _ if begin <= stand => found.current.push(code),
                _ => {}
            }
        }
        found.current.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_codes_follow_the_stand_day() {
        let [early, late] = [date(2021, 9, 15), date(2026, 1, 8)].map(MunicipalityCodes::read_for);
        assert_eq!((early.current.len(), late.current.len()), (352, 342));
        assert!(
            early.current.contains(&457)
                && !late.current.contains(&457)
                && late.current.contains(&351)
        );
        assert!(late.ended.iter().any(|&(code, _)| code == 457));
    }
}
