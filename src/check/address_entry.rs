//! Holds the fields of an address as they were read from a row.

use postduif_schema::fold;

use super::cell_text::squashed;
use super::country::without_country;
use super::reason::FieldReason;
use super::row_number::suffix_text;
use crate::search::{is_number_label, is_unit_word};
use crate::validation::{EnteredAddress, EnteredNames, EnteredNumber, HouseNumberSuffix};

/// Minimum number of letters of a word that may be a part of a name.
const MIN_LETTERS_OF_NAME: usize = 3;

/// One way to read a row as the fields of an address. A field is empty if its cell is empty, and `None` if the table has no such
/// column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AddressEntry {
    pub(super) postcode: Option<String>,
    pub(super) number: EnteredNumber,
    pub(super) street: Option<String>,
    pub(super) city: Option<String>,
    /// Why the entry may be wrong although the address exists, such as two cells that disagree.
    pub(super) doubt: Option<FieldReason>,
    /// Whether the line has a number before the house number, except an ordinal such as `2e`. That number is part of the street
    /// (`Jol 10 - 37`), or `number` is not the house number (`Dijk 10, kamer 37`).
    pub(super) has_earlier_number: bool,
}

impl AddressEntry {
    /// Whether `other` has the same number with a letter or an addition, and this entry has neither.
    pub(super) fn lacks_suffix_of(&self, other: &Self) -> bool {
        self.number.number == other.number.number
            && suffix_text(&self.number).is_empty()
            && !suffix_text(&other.number).is_empty()
    }

    /// Whether the street can be the one entered. If the line has an earlier number, the street's name must have a digit, or be at the end
    /// of the entered text (`Studio 54, Dijk 5`).
    pub(super) fn fits_street(&self, street: &str) -> bool {
        let entered = fold(self.street.as_deref().unwrap_or_default());
        let before = entered.strip_suffix(&*fold(street));
        !self.has_earlier_number
            || street.contains(|c: char| c.is_ascii_digit())
            || before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
    }

    /// Whether street and number are together only the street's name, as in `Plein 1945`.
    pub(super) fn is_only_street(&self, street: &str) -> bool {
        let name = self.street.as_deref().unwrap_or_default();
        suffix_text(&self.number).is_empty()
            && squashed(&format!("{name}{}", self.number.number)) == squashed(street)
    }

    /// Whether a cell holds more than this entry, such as the name of a company in front of the street. Short words and words with digits
    /// are not compared.
    pub(super) fn leaves_text_of(&self, cell: &str) -> bool {
        let addition = &self.number.addition;
        let parts = [&self.street, &self.city, addition]
            .map(|part| fold(part.as_deref().unwrap_or_default()));
        let is_read = |word: &str| {
            let mut read = parts.iter().flat_map(|part| part.split(' '));
            read.any(|part| part == word) || is_number_label(word) || is_unit_word(word)
        };
        let cell = fold(without_country(cell));
        let mut words = cell
            .split(' ')
            .filter(|word| word.len() >= MIN_LETTERS_OF_NAME);
        words.any(|word| !word.contains(|c: char| c.is_ascii_digit()) && !is_read(word))
    }

    /// Converts the entry to the input of validation.
    pub(super) fn to_entered(&self) -> EnteredAddress<'_> {
        EnteredAddress {
            postcode: self.postcode.as_deref().unwrap_or_default(),
            number: self.number.number,
            suffix: HouseNumberSuffix::new(
                self.number.letter.as_deref(),
                self.number.addition.as_deref(),
            )
            .or_from_street(self.number.number, self.street.as_deref()),
            names: EnteredNames::new(self.street.as_deref(), self.city.as_deref()),
        }
    }
}
