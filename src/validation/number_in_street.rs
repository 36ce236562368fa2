//! Reads the house number that people repeat after the street, such as `Dijk 12-3` with number 12.

use postduif_schema::{Address, HouseNumber, MAX_SUFFIX_CHARS};

use super::entered_number::{split_number_at_end, without_unit_word};
use super::house_number_suffix::HouseNumberSuffix;
use crate::search::begins_with_digit;

/// A street without the house number that was entered after it.
pub(super) struct NumberInStreet {
    /// The folded name of the street.
    pub(super) street: String,
    /// The texts after the number that may be its suffix. In each text, letter and addition are joined. The longest text is first.
    suffixes: Vec<String>,
}

impl NumberInStreet {
    /// Reads a folded street; `None` if no word after the first begins with the number. The longest suffix is the text after the number, up
    /// to the first word that would make it longer than any suffix in the register. Shorter suffixes are kept too, because a city may
    /// follow: `dijk 12a urk`.
    pub(super) fn read(street: &str, number: HouseNumber) -> Option<Self> {
        let (street, after) = split_number_at_end(street, number)?;
        let mut joined = String::new();
        let mut suffixes = Vec::new();
        for word in without_standalone_unit_word(after.trim_start()).split(' ') {
            if joined.len() + word.len() > MAX_SUFFIX_CHARS {
                break;
            }
            joined.push_str(word);
            if !joined.is_empty() {
                suffixes.push(joined.clone());
            }
        }
        // The longest suffix comes first.
        suffixes.reverse();
        Some(Self {
            street: street.to_owned(),
            suffixes,
        })
    }

    /// The suffixes to try, the likeliest first: those in the street that begin with `entered`, and then `entered` itself. If `entered` is
    /// empty, that is all suffixes in the street.
    pub(super) fn suffixes<'a>(
        &'a self,
        entered: HouseNumberSuffix<'a>,
    ) -> impl Iterator<Item = HouseNumberSuffix<'a>> {
        let own = self.suffixes.iter();
        let is_meant = move |own: &&String| entered.is_beginning_of(own);
        let own = own.filter(is_meant);
        own.map(|own| HouseNumberSuffix::new(None, Some(own)))
            .chain([entered])
    }
}

/// Removes a unit word that is a word of its own: `kamer 788` becomes `788`. Keeps a unit word that is joined to its number, because the
/// register has additions such as `nr5`.
fn without_standalone_unit_word(suffix: &str) -> &str {
    let after_letters = suffix.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match begins_with_digit(after_letters) {
        true => suffix,
        false => without_unit_word(suffix),
    }
}

/// Whether an address has the entered number and suffix.
pub(super) fn has_number_and_suffix(
    address: &Address,
    number: HouseNumber,
    suffix: HouseNumberSuffix<'_>,
) -> bool {
    address.number == number && suffix.is_same(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_suffix_are_read_at_the_end_of_the_street() {
        let number = HouseNumber::new(12).expect("a house number");
        let read = |street: &str| {
            let read = NumberInStreet::read(street, number);
            read.map(|read| (read.street, read.suffixes))
        };
        for (street, name, suffix) in [
            ("dijk 12", "dijk", &[][..]),
            ("dijk 12a", "dijk", &["a"]),
            ("dijk 12 615", "dijk", &["615"]),
            ("dijk 12 a 3", "dijk", &["a3", "a"]),
            ("dijk 12a urk", "dijk", &["aurk", "a"]),
            ("dijk 12 kamer 788", "dijk", &["788"]),
            ("dijk 12nr5", "dijk", &["nr5"]),
            ("dijk 12u06 1234ab weesp", "dijk", &["u06"]),
        ] {
            let (found_name, found) = read(street).expect("a number");
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!((&*found_name, &*found), (name, suffix), "{street}");
        }
        for street in ["dijk", "dijk 123", "12a", "dijk 13"] {
            assert_eq!(read(street), None, "{street}");
        }
    }
}
