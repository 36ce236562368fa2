//! Holds the fields of an address as they were read from a row.

use postduif_schema::{FuzzyMatcher, MaxEdits, fold, squashed};

use super::care_of::address_after_mark;
use super::country::without_country;
use crate::check::reason::FieldReason;
use crate::search::{has_digit, is_number_label, is_unit_word};
use crate::validation::{EnteredAddress, EnteredNames, EnteredNumber, HouseNumberSuffix};

/// Minimum number of letters of a word that may be a part of a name. Shorter words are not compared.
const MIN_LETTERS_OF_NAME: usize = 3;

/// Articles that people write before a street, even if the name of the street in the register has no article.
pub(in crate::check) const ARTICLES: [&str; 6] = ["de", "het", "t", "den", "der", "ter"];

/// One way to read a row as the fields of an address. A field is empty if its cell is empty, and `None` if the table has no such
/// column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) struct AddressEntry {
    pub(in crate::check) postcode: Option<String>,
    pub(in crate::check) number: EnteredNumber,
    pub(in crate::check) street: Option<String>,
    pub(in crate::check) city: Option<String>,
    /// Why the entry may be wrong although the address exists, such as two cells that disagree.
    pub(in crate::check) doubt: Option<FieldReason>,
    /// The text that was left out, because it is a name before the street or a note after the number. It may end in a unit.
    pub(in crate::check) left_out: Option<String>,
    /// Whether the line has a number before the house number, except an ordinal such as `2e`. That number is part of the street
    /// (`Jol 10 - 37`), or `number` is not the house number (`Dijk 10, kamer 37`).
    pub(in crate::check) has_earlier_number: bool,
}

impl AddressEntry {
    /// The entry of a text that need not have every part. A part that is missing in the text is not a mistake, so it becomes `None`.
    pub(in crate::check) fn without_empty_parts(mut self) -> Self {
        for part in [&mut self.postcode, &mut self.street, &mut self.city] {
            part.take_if(|part| part.is_empty());
        }
        self
    }

    pub(in crate::check) fn with_number(&self, number: EnteredNumber) -> Self {
        Self {
            number,
            ..self.clone()
        }
    }

    /// The same entry with `addition` in place of its own addition.
    pub(in crate::check) fn with_addition(&self, addition: &str) -> Self {
        self.with_number(EnteredNumber {
            addition: Some(addition.to_owned()),
            ..self.number.clone()
        })
    }

    /// Whether `other` has the same number with a letter or an addition, and this entry has neither.
    pub(in crate::check) fn lacks_suffix_of(&self, other: &Self) -> bool {
        self.number.number == other.number.number
            && self.number.suffix_text().is_empty()
            && !other.number.suffix_text().is_empty()
    }

    /// Whether `street`, a name in the register, can be the entered street. If the line has an earlier number, `street` must have a digit,
    /// or be at the end of the entered street (Dijk in `Studio 54, Dijk 5`), or equal an entered street without digits with at most one mistake (Dijk
    /// for `Kamer 12, Dijck 5`). The number in `Dijk 9-11` is not such a mistake.
    pub(in crate::check) fn fits_street(&self, street: &str) -> bool {
        let entered = fold(self.street.as_deref().unwrap_or_default());
        let before = entered.strip_suffix(&*fold(street));
        !self.has_earlier_number
            || has_digit(street)
            || before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
            || !has_digit(&entered) && is_nearly_same(&entered, street)
    }

    /// Whether street and number of this entry together are only the name `street`, as in `Plein 1945`. Then the entry has no house number.
    pub(in crate::check) fn is_only_street(&self, street: &str) -> bool {
        let name = self.street.as_deref().unwrap_or_default();
        self.number.suffix_text().is_empty()
            && squashed(&format!("{name}{}", self.number.number)) == squashed(street)
    }

    /// Whether a cell holds more than the address, such as the name of a company in front of the street. `street` is the name in the
    /// register. Short words and words with digits are not compared.
    pub(in crate::check) fn leaves_text_of(&self, cell: &str, street: &str) -> bool {
        let addition = &self.number.addition;
        let parts = [&self.street, &self.city, addition]
            .map(|part| fold(part.as_deref().unwrap_or_default()));
        let is_read = |word: &str| {
            let mut read = parts.iter().flat_map(|part| part.split(' '));
            read.any(|part| part == word) || is_number_label(word) || is_unit_word(word)
        };
        let has_mark = address_after_mark(cell) != cell;
        let cell = fold(without_country(cell));
        let mut words = cell
            .split(' ')
            .filter(|word| word.len() >= MIN_LETTERS_OF_NAME);
        has_mark
            || has_words_before(&parts[0], &fold(street))
            || words.any(|word| !has_digit(word) && !is_read(word))
    }

    /// Converts the entry to the input of validation.
    pub(in crate::check) fn to_entered(&self) -> EnteredAddress<'_> {
        let number = &self.number;
        let [postcode, street, city] =
            [&self.postcode, &self.street, &self.city].map(Option::as_deref);
        let suffix = HouseNumberSuffix::new(number.letter.as_deref(), number.addition.as_deref());
        EnteredAddress::new(
            postcode.unwrap_or_default(),
            number.number,
            suffix.or_from_street(number.number, street),
            EnteredNames::new(street, city),
        )
    }
}

/// Whether the entered street is the name `street` after other words: `vve dijk` for `dijk`. The name may have one mistake. Both texts are
/// folded. Articles do not count as other words.
fn has_words_before(entered: &str, street: &str) -> bool {
    let count = street.split(' ').count();
    let words: Vec<&str> = entered.split(' ').collect();
    let Some(before) = words.len().checked_sub(count).filter(|&before| before > 0) else {
        return false;
    };
    let name = words[before..].join(" ");
    let is_same = name == street || is_nearly_same(&name, street);
    is_same && !words[..before].iter().all(|word| ARTICLES.contains(word))
}

/// Whether an entered name is the name `street` with at most one mistake.
fn is_nearly_same(entered: &str, street: &str) -> bool {
    let street = squashed(street);
    let matcher = FuzzyMatcher::new(&street, MaxEdits::One);
    matcher.distance(&squashed(entered)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_the_street_are_found() {
        for (entered, street) in [("vve dijk", "dijk"), ("ah oude dik", "oude dijk")] {
            assert!(has_words_before(entered, street), "{entered}");
        }
        for (entered, street) in [
            ("dijk", "dijk"),
            ("de dijk", "dijk"),
            ("dorps dijk", "dorpsdijk"),
            ("burg van dijk laan", "burgemeester van dijklaan"),
        ] {
            assert!(!has_words_before(entered, street), "{entered}");
        }
    }

    #[test]
    fn an_earlier_number_is_no_mistake_in_the_street() {
        for (entered, street, expected) in [
            ("Kade 9", "Kade", false),
            ("Kade 09", "Kade 09", true),
            ("Kaade", "Kade", true),
            ("Studio 54, Kade", "Kade", true),
        ] {
            let entry = AddressEntry {
                postcode: None,
                number: EnteredNumber::parse("11").expect("a house number"),
                street: Some(entered.to_owned()),
                city: None,
                doubt: None,
                left_out: None,
                has_earlier_number: true,
            };
            assert_eq!(entry.fits_street(street), expected, "{entered}");
        }
    }
}
