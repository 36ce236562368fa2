//! Holds the fields of an address as they were read from a row.

use postduif_schema::fold;

use super::cell_text::squashed;
use super::country::without_country;
use super::reason::FieldReason;
use super::row_number::suffix_text;
use crate::validation::{EnteredAddress, EnteredNames, EnteredNumber, HouseNumberSuffix};

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
    pub(super) fn is_same_number_without_suffix(&self, other: &Self) -> bool {
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

    /// Whether a cell has text beside what was read from it, such as the name of a company in front of the street.
    pub(super) fn has_less_than(&self, cell: &str) -> bool {
        let mut rest = squashed(without_country(cell));
        let number = format!("{}{}", self.number.number, suffix_text(&self.number));
        let parts =
            [&self.postcode, &self.city, &self.street].map(|part| part.as_deref().map(squashed));
        for part in parts.into_iter().flatten().chain([number]) {
            rest = rest.replacen(&part, "", 1);
        }
        !rest.is_empty()
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
