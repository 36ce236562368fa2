//! Reads house number, letter and addition of a row. Several cells may hold the same part: `63` beside `Oudegracht 63`, or `a`
//! beside `12a`.

use postduif_schema::{fold, squash};

use super::reason::FieldName;
use crate::search::is_number_label;
use crate::validation::EnteredNumber;

/// One way to read house number, letter and addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberReading {
    pub(super) number: EnteredNumber,
    /// The part for which two cells disagree, if any.
    pub(super) conflict: Option<FieldName>,
}

/// Reads a number cell; `None` if its text is not a house number.
pub(super) fn parse_number(text: &str) -> Option<EnteredNumber> {
    match is_date(text) {
        true => None,
        false => EnteredNumber::parse(without_label(text)),
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

/// Whether a text begins with a date such as `2026-01-12`. Spreadsheets turn the house number 12-1 into such a date.
fn is_date(text: &str) -> bool {
    let shape = "dddd-dd-dd".bytes();
    let mut pairs = shape.zip(text.bytes());
    text.len() >= 10
        && pairs.all(|(shape, byte)| shape == byte || shape == b'd' && byte.is_ascii_digit())
}

impl NumberReading {
    fn new(number: EnteredNumber) -> Self {
        Self {
            number,
            conflict: None,
        }
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
                    conflict: Some(FieldName::Addition),
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
            conflict: Some(conflict),
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
