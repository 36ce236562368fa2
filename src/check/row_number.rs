//! Reads house number, letter and addition of a row. Several cells may hold the same part: `63` beside `Oudegracht 63`, or `a`
//! beside `12a`.

use postduif_schema::{fold, squash};

use super::reason::{FieldName, FieldReason, Mistake};
use crate::search::is_number_label;
use crate::validation::EnteredNumber;

/// The abbreviations of the months in Dutch, English and German.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb"],
    &["mrt", "mar", "mrz"],
    &["apr"],
    &["mei", "may", "mai"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep", "sept"],
    &["okt", "oct"],
    &["nov"],
    &["dec", "dez"],
];

/// One way to read house number, letter and addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberReading {
    pub(super) number: EnteredNumber,
    /// Why this reading may be wrong although the address exists: two cells disagree, or the cell is a date.
    pub(super) doubt: Option<FieldReason>,
}

/// Reads a number cell; `None` if its text is a date or not a house number.
pub(super) fn parse_number(text: &str) -> Option<EnteredNumber> {
    match numbers_of_date(text) {
        Some(_) => None,
        None => EnteredNumber::parse(without_label(text)),
    }
}

/// Removes a label before the number, as in `nr. 12` and `#12`.
fn without_label(text: &str) -> &str {
    let at = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let (label, number) = text.split_at(at);
    match is_number_label(&squashed(label)) || label.trim() == "#" {
        true => number,
        false => text,
    }
}

/// The house numbers that become this date if they are typed into a spreadsheet, the likeliest first: 12-1 becomes 12 January, and 12-31
/// becomes the first day of December 1931. `None` if the text is not a date; empty if it is one without a possible day.
fn numbers_of_date(text: &str) -> Option<Vec<String>> {
    let date = match text.split_once([' ', 'T']) {
        Some((date, time)) if time.contains(':') => date,
        _ => text,
    };
    let parts = date.split(['-', '/', '.', ' ']);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let (one, other) = match *parts.as_slice() {
        [year, month, day] if is_year(year) => (day, month),
        [one, other, year] if is_year(year) => (one, other),
        [one, other] | [one, other, _] if has_one_month_name(one, other) => (one, other),
        _ => return None,
    };
    let (one, other) = (number_of_date_part(one)?, number_of_date_part(other)?);
    let is_day_and_month =
        one.min(other) <= 12 && (1..=31).contains(&one) && (1..=31).contains(&other);
    let pairs = [(one, other), (other, one)].into_iter();
    let pairs = pairs.filter(|_| is_day_and_month);
    let year = parts[0].get(2..).filter(|_| is_year(parts[0]) && one == 1);
    let month_and_year = year.and_then(|year| Some((other, year.parse().ok()?)));
    let numbers = pairs.chain(month_and_year);
    Some(
        numbers
            .map(|(number, addition)| format!("{number}-{addition}"))
            .collect(),
    )
}

/// Whether a part of a date is a year with four digits.
fn is_year(part: &str) -> bool {
    part.len() == 4 && (1900..2100).contains(&part.parse().unwrap_or_default())
}

fn has_one_month_name(one: &str, other: &str) -> bool {
    let is_number = |part: &str| part.len() <= 2 && part.parse::<u8>().is_ok();
    month_of_name(one).is_some() && is_number(other)
        || month_of_name(other).is_some() && is_number(one)
}

/// The number of a day, or of a month that may be given by its name.
fn number_of_date_part(part: &str) -> Option<u8> {
    month_of_name(part).or_else(|| part.parse().ok())
}

/// The number of a month, from 1, by its Dutch, English or German abbreviation.
fn month_of_name(name: &str) -> Option<u8> {
    let name = squashed(name);
    let months = (1..).zip(MONTHS);
    let mut named = months.filter(|(_, names)| names.contains(&&*name));
    named.next().map(|(month, _)| month)
}

impl NumberReading {
    fn new(number: EnteredNumber) -> Self {
        Self {
            number,
            doubt: None,
        }
    }

    /// The readings of a number cell that a spreadsheet has turned into a date, and of the cells of letter and addition; none if it is
    /// not a date.
    pub(super) fn of_date_cell(text: &str, cells: [&str; 2]) -> Vec<Self> {
        let numbers = numbers_of_date(text).unwrap_or_default();
        let numbers = numbers
            .iter()
            .filter_map(|number| EnteredNumber::parse(number));
        let readings = numbers.flat_map(|number| Self::with_suffix_cells(number, cells));
        let doubt = Some(FieldReason::new(FieldName::Number, Mistake::Malformed));
        readings.map(|reading| Self { doubt, ..reading }).collect()
    }

    /// The ways to combine the number cell with the cells of letter and addition.
    pub(super) fn with_suffix_cells(number: EnteredNumber, cells: [&str; 2]) -> Vec<Self> {
        let [letter, addition] = cells.map(|text| (!text.is_empty()).then(|| text.to_owned()));
        let given = cells.map(squashed);
        let own = [&number.letter, &number.addition].map(|part| part.as_deref().map(squashed));
        let own_text = suffix_text(&number);
        let is_new = |cell: &String| {
            !cell.is_empty() && *cell != own_text && !own.iter().flatten().any(|part| part == cell)
        };
        let is_new = [is_new(&given[0]), is_new(&given[1])];
        if is_new == [false; 2] || given.concat() == own_text {
            return vec![Self::new(number)];
        }
        let with_cells = EnteredNumber {
            letter: letter.clone(),
            addition: addition.clone(),
            ..number
        };
        match (own, is_new) {
            ([None, None], _) => {
                let mut readings = vec![Self::new(with_cells)];
                if given[0] == given[1] {
                    readings.push(Self::new(EnteredNumber { letter, ..number }));
                }
                let repeated = addition.as_deref().and_then(EnteredNumber::parse);
                let repeated = repeated.filter(|other| other.number == number.number);
                readings.extend(repeated.map(Self::new));
                readings
            }
            ([Some(_), None], [false, true]) => {
                vec![Self::new(EnteredNumber { addition, ..number })]
            }
            ([None, Some(_)], [true, false]) => vec![Self::new(EnteredNumber { letter, ..number })],
            _ => [with_cells, number]
                .map(|number| Self {
                    number,
                    doubt: Some(FieldReason::conflicting(FieldName::Addition)),
                })
                .to_vec(),
        }
    }

    /// The readings of this number and the number in the street's cell: one if they agree or complete each other, otherwise both.
    pub(super) fn combine_with(&self, other: &EnteredNumber) -> Vec<Self> {
        let [own_suffix, other_suffix] = [&self.number, other].map(suffix_text);
        let conflict = match () {
            () if self.number.number != other.number => Some(FieldName::Number),
            () if own_suffix == other_suffix || other_suffix.is_empty() => None,
            () if own_suffix.is_empty() => {
                return vec![Self {
                    number: other.clone(),
                    ..self.clone()
                }];
            }
            () => Some(FieldName::Addition),
        };
        let Some(conflict) = conflict else {
            return vec![self.clone()];
        };
        let both = [self.number.clone(), other.clone()];
        both.map(|number| Self {
            number,
            doubt: Some(FieldReason::conflicting(conflict)),
        })
        .to_vec()
    }
}

/// Letter and addition as one text, without case, spaces and marks.
pub(super) fn suffix_text(number: &EnteredNumber) -> String {
    let parts = [&number.letter, &number.addition];
    parts
        .map(|part| squashed(part.as_deref().unwrap_or_default()))
        .concat()
}

/// The text without case, spaces and marks.
pub(super) fn squashed(text: &str) -> String {
    squash([&*fold(text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_as_the_number_that_a_spreadsheet_turned_into_it() {
        #[track_caller]
        fn case(text: &str, expected: &[&str]) {
            let numbers = numbers_of_date(text).expect("a date");
            assert_eq!(numbers, expected, "{text}");
            assert_eq!(parse_number(text), None, "{text}");
        }
        case("2026-01-12", &["12-1", "1-12"]);
        case("2026-01-12 00:00:00", &["12-1", "1-12"]);
        case("2026/01/12", &["12-1", "1-12"]);
        case("1931-12-01", &["1-12", "12-1", "12-31"]);
        case("1909-12-01", &["1-12", "12-1", "12-9"]);
        case("12-1-2026", &["12-1", "1-12"]);
        case("12.01.2026", &["12-1", "1-12"]);
        case("1/31/2026", &["1-31", "31-1"]);
        case("12-jan", &["12-1", "1-12"]);
        case("12. Jan", &["12-1", "1-12"]);
        case("12-jan-26", &["12-1", "1-12"]);
        case("1-Dec", &["1-12", "12-1"]);
        case("jan-31", &["1-31", "31-1"]);
        case("5 mrt.", &["5-3", "3-5"]);
        case("1900-01-00", &[]);
        case("30-20-2026", &[]);
    }

    #[test]
    fn a_number_with_an_addition_is_not_a_date() {
        for text in [
            "12-1",
            "12-13-14",
            "10-2-1204",
            "12-jansen",
            "200-jan",
            "2026",
            "12 A",
            "1900",
        ] {
            assert_eq!(numbers_of_date(text), None, "{text}");
            assert!(parse_number(text).is_some(), "{text}");
        }
    }
}
