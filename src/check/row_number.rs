//! Reads house number, letter and addition of a row. Several cells may hold the same part: `63` beside `Oudegracht 63`, or `a`
//! beside `12a`.

use jiff::civil::Date;
use postduif_schema::{fold, squash};

use super::reason::{FieldName, FieldReason, Mistake};
use crate::search::is_number_label;
use crate::validation::EnteredNumber;

/// The abbreviations of the months.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb"],
    &["mrt", "mar"],
    &["apr"],
    &["mei", "may"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep"],
    &["okt", "oct"],
    &["nov"],
    &["dec"],
];

/// One way to read house number, letter and addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberReading {
    pub(super) number: EnteredNumber,
    /// Why this reading may be wrong although the address exists: two cells disagree, or the cell is a date.
    pub(super) doubt: Option<FieldReason>,
}

/// Reads a number cell; `None` if its text is not a house number.
pub(super) fn parse_number(text: &str) -> Option<EnteredNumber> {
    match numbers_of_date(text).is_empty() {
        true => EnteredNumber::parse(without_label(text)),
        false => None,
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

/// The house numbers that a spreadsheet turns into this date, the likeliest first: 12-1 becomes 12 January, and 12-31 becomes the first
/// day of December 1931. Empty if the text is not a date.
fn numbers_of_date(text: &str) -> Vec<String> {
    if let Some(date) = parse_date(text) {
        let (day, month, year) = (date.day(), date.month(), date.year() % 100);
        let month_and_year = (day == 1).then(|| format!("{month}-{year}"));
        let day_and_month = [format!("{day}-{month}"), format!("{month}-{day}")];
        return day_and_month.into_iter().chain(month_and_year).collect();
    }
    let Some((first, second)) = text.split_once(['-', ' ']) else {
        return Vec::new();
    };
    let is_number = |text: &str| text.parse::<u8>().is_ok();
    let numbers = match (month_of_name(first), month_of_name(second)) {
        (Some(month), None) if is_number(second) => Some(format!("{month}-{second}")),
        (None, Some(month)) if is_number(first) => Some(format!("{first}-{month}")),
        _ => None,
    };
    numbers.into_iter().collect()
}

/// The day of a text that begins with a date such as `2026-01-12`, or is a date such as `12-1-2026`.
fn parse_date(text: &str) -> Option<Date> {
    if let Some(Ok(date)) = text.get(..10).map(str::parse) {
        return Some(date);
    }
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    let [day, month, year] = parts.try_into().ok()?;
    let year = Some(year).filter(|year| year.len() == 4)?;
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// The number of a month, from 1, by its Dutch or English abbreviation.
fn month_of_name(name: &str) -> Option<usize> {
    let name = squashed(name);
    let month = MONTHS.iter().position(|names| names.contains(&&*name))?;
    Some(month + 1)
}

impl NumberReading {
    fn new(number: EnteredNumber) -> Self {
        Self {
            number,
            doubt: None,
        }
    }

    /// The readings of a number cell that a spreadsheet has turned into a date; none if it is not a date.
    pub(super) fn from_date(text: &str) -> Vec<Self> {
        let read = |number: String| {
            Some(Self {
                number: EnteredNumber::parse(&number)?,
                doubt: Some(FieldReason::new(FieldName::Number, Mistake::Malformed)),
            })
        };
        numbers_of_date(text).into_iter().filter_map(read).collect()
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
            assert_eq!(numbers_of_date(text), expected, "{text}");
            let number = parse_number(text);
            assert_eq!(number.is_none(), !expected.is_empty(), "{text}");
        }
        case("2026-01-12", &["12-1", "1-12"]);
        case("2026-01-12 00:00:00", &["12-1", "1-12"]);
        case("1931-12-01", &["1-12", "12-1", "12-31"]);
        case("12-1-2026", &["12-1", "1-12"]);
        case("12/01/2026", &["12-1", "1-12"]);
        case("12-jan", &["12-1"]);
        case("jan-31", &["1-31"]);
        case("5 mrt.", &["5-3"]);
        case("12-1", &[]);
        case("12-13-14", &[]);
        case("30-2-2026", &[]);
        case("12-jansen", &[]);
        case("2026", &[]);
    }
}
