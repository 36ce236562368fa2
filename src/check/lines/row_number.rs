//! Reads house number, letter and addition of a row. Several cells may hold the same part: `63` beside `Oudegracht 63`, or `a`
//! beside `12a`.

use super::after_number::{first_of_range, without_note};
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::is_digits;
use crate::validation::{EnteredNumber, FieldReading, numbers_of_date, without_leading_label};

/// Maximum number of digits of an addition after a dot, as in `70.4`. A longer number after a dot is not an addition.
const MAX_DIGITS_AFTER_DOT: usize = 2;

/// One way to read house number, letter and addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) struct NumberReading {
    pub(in crate::check) number: EnteredNumber,
    /// Why this reading may be wrong although the address exists, such as two cells that disagree, or a cell that is a date.
    pub(in crate::check) doubt: Option<FieldReason>,
    /// The text that this reading leaves out: a note after the number, or words before the street.
    pub(in crate::check) left_out: Option<String>,
}

/// Reads a number cell; `None` if its text is a date or not a house number.
pub(in crate::check) fn parse_number(text: &str) -> Option<EnteredNumber> {
    match numbers_of_date(text) {
        Some(_) => None,
        None => EnteredNumber::parse(without_leading_label(text)),
    }
}

impl NumberReading {
    pub(super) fn new(number: EnteredNumber) -> Self {
        Self {
            number,
            doubt: None,
            left_out: None,
        }
    }

    fn doubtful(number: EnteredNumber, doubt: FieldReason) -> Self {
        Self {
            doubt: Some(doubt),
            ..Self::new(number)
        }
    }

    /// The readings of two numbers in cells that disagree about a field.
    fn both_doubtful(numbers: [EnteredNumber; 2], field: FieldName) -> Vec<Self> {
        let doubt = FieldReason::conflicting(field);
        numbers.map(|number| Self::doubtful(number, doubt)).to_vec()
    }

    /// The same reading, which leaves `text` out.
    pub(super) fn without_text(self, text: Option<&str>) -> Self {
        let left_out = text.map(str::to_owned);
        Self { left_out, ..self }
    }

    /// The readings of a number cell, combined with the cells of letter and addition. Empty if the number cell is neither a house number
    /// nor a date.
    pub(in crate::check) fn from_cells(text: &str, suffix: [&str; 2]) -> Vec<Self> {
        let Some(number) = parse_number(text) else {
            let other = Self::from_dotted_number(text).or_else(|| Self::from_misread(text));
            return other.map_or_else(
                || Self::from_date_cell(text, suffix),
                |reading| reading.with_more_suffixes(suffix),
            );
        };
        let without_note = without_note(text).filter_map(|number| {
            let note = &text[number.len()..];
            Some(Self::from_noted_number(parse_number(number)?, note))
        });
        let range = first_of_range(without_leading_label(text)).map(Self::from_range);
        let doubtful = without_note.chain(range).chain(Self::from_misread(text));
        let doubtful = doubtful.flat_map(|reading| reading.with_more_suffixes(suffix));
        let mut readings = Self::with_suffix_cells(number, suffix);
        readings.extend(doubtful);
        readings
    }

    /// A number and an addition with a dot between them: `70.4`. `None` for three digits after the dot, because `1.000` may be a thousand.
    pub(super) fn from_dotted_number(text: &str) -> Option<Self> {
        let (number, addition) = without_leading_label(text.trim()).split_once('.')?;
        let is_short = (1..=MAX_DIGITS_AFTER_DOT).contains(&addition.len());
        if !is_short || !is_digits(number) || !is_digits(addition) {
            return None;
        }
        let number = EnteredNumber::parse(&format!("{number}-{addition}"))?;
        Some(Self::doubtful(number, FieldReason::ADDITION_MALFORMED))
    }

    /// A number in which letters were typed for digits that they look like: `l2`, `1O`.
    fn from_misread(text: &str) -> Option<Self> {
        let number = EnteredNumber::parse_misread(without_leading_label(text))?;
        Some(Self::doubtful(number, FieldReason::NUMBER_MALFORMED))
    }

    /// A number in front of a note such as `t/o school`.
    pub(super) fn from_noted_number(number: EnteredNumber, note: &str) -> Self {
        Self::doubtful(number, FieldReason::ADDITION_MALFORMED).without_text(Some(note))
    }

    /// The first number of a range.
    pub(super) fn from_range(number: EnteredNumber) -> Self {
        let doubt = FieldReason::new(FieldName::Number, Mistake::SeveralFit);
        Self::doubtful(number, doubt)
    }

    /// Combines this reading with the cells of letter and addition. All results keep the doubt of this reading.
    fn with_more_suffixes(self, suffix: [&str; 2]) -> Vec<Self> {
        let readings = Self::with_suffix_cells(self.number, suffix).into_iter();
        let with_doubt = |other: Self| Self {
            doubt: self.doubt,
            left_out: self.left_out.clone(),
            ..other
        };
        readings.map(with_doubt).collect()
    }

    /// The readings of a number cell that a spreadsheet has turned into a date, combined with the cells of letter and addition. Empty if
    /// the number cell is not a date.
    fn from_date_cell(text: &str, suffix: [&str; 2]) -> Vec<Self> {
        let numbers = numbers_of_date(text).unwrap_or_default();
        let numbers = numbers
            .iter()
            .filter_map(|number| EnteredNumber::parse(number));
        numbers
            .map(|number| Self::doubtful(number, FieldReason::NUMBER_MALFORMED))
            .flat_map(|reading| reading.with_more_suffixes(suffix))
            .collect()
    }

    /// The ways to combine the number cell with the cells of letter and addition.
    pub(in crate::check) fn with_suffix_cells(
        number: EnteredNumber,
        cells: [&str; 2],
    ) -> Vec<Self> {
        let [letter, addition] = cells.map(|text| (!text.is_empty()).then(|| text.to_owned()));
        if number.suffix_text().is_empty() {
            let repeated = addition.as_deref().and_then(EnteredNumber::parse);
            let repeated = repeated.filter(|other| other.number == number.number);
            let readings = FieldReading::all_readings(number, letter, addition).into_iter();
            let numbers = readings.map(|reading| reading.number).chain(repeated);
            return numbers.map(Self::new).collect();
        }
        let is_new = cells.map(|cell| !number.has_suffix_text(cell));
        if is_new == [false; 2] || number.has_suffix_text(&cells.concat()) {
            return vec![Self::new(number)];
        }
        let is_in_number = [number.letter.is_some(), number.addition.is_some()];
        match (is_in_number, is_new) {
            ([true, false], [false, true]) => {
                vec![Self::new(EnteredNumber { addition, ..number })]
            }
            ([false, true], [true, false]) => vec![Self::new(EnteredNumber { letter, ..number })],
            _ => {
                let with_cells = EnteredNumber {
                    letter,
                    addition,
                    ..number
                };
                Self::both_doubtful([with_cells, number], FieldName::Addition)
            }
        }
    }

    /// The readings of this number and the number in the street's cell: one reading if the two numbers agree or complete each other, and
    /// otherwise two.
    pub(in crate::check) fn combine_with(&self, other: &EnteredNumber) -> Vec<Self> {
        let [own_suffix, other_suffix] = [&self.number, other].map(EnteredNumber::suffix_text);
        let conflict = if self.number.number != other.number {
            FieldName::Number
        } else if own_suffix == other_suffix || other_suffix.is_empty() {
            return vec![self.clone()];
        } else if own_suffix.is_empty() {
            return vec![Self {
                number: other.clone(),
                ..self.clone()
            }];
        } else {
            FieldName::Addition
        };
        Self::both_doubtful([self.number.clone(), other.clone()], conflict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_no_house_number() {
        for text in ["2026-01-12 00:00:00", "12-1-2026", "12-jan"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
        for text in ["12-1", "45-1-1950", "12-jansen"] {
            assert!(parse_number(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_dot_may_come_before_the_addition() {
        let suffix = |text| {
            let reading = NumberReading::from_dotted_number(text)?;
            Some((reading.number.number.get(), reading.number.suffix_text()))
        };
        assert_eq!(suffix("70.4"), Some((70, "4".to_owned())));
        assert_eq!(suffix("nr. 70.04"), Some((70, "04".to_owned())));
        for text in ["70", "1.200", "70.A", "70.", ".4", "70.4.1"] {
            assert_eq!(suffix(text), None, "{text}");
        }
        let cells = NumberReading::from_cells("70.00", ["", ""]);
        assert!(cells.iter().all(|reading| reading.doubt.is_none()));
    }
}
