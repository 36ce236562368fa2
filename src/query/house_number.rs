//! Choosing addresses by letter and addition as people write them: `12A-1`, `12 a1`, `12-A/1`.
//!
//! Source: decisions, Parameters: without regard to case; where nothing fits as given, letter and addition are compared
//! joined, without spaces, hyphens and slashes.

use postduif_schema::Address;

/// What was asked for behind the house number. Each part is trimmed; an empty one is the same as none, because forms send
/// the fields that were left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseNumberSuffix<'a> {
    letter: Option<&'a str>,
    addition: Option<&'a str>,
}

impl<'a> HouseNumberSuffix<'a> {
    /// Takes letter and addition as they were sent.
    #[must_use]
    pub fn new(letter: Option<&'a str>, addition: Option<&'a str>) -> Self {
        let given = |text: Option<&'a str>| text.map(str::trim).filter(|text| !text.is_empty());
        Self {
            letter: given(letter),
            addition: given(addition),
        }
    }

    /// Keeps the addresses that were asked for: all when nothing was, else those that fit as given, else those that fit
    /// joined. What was not given is not compared, so letter `A` keeps `12A` and `12A-1`.
    pub fn retain(self, addresses: &mut Vec<Address>) {
        if addresses.iter().any(|address| self.fits(address)) {
            addresses.retain(|address| self.fits(address));
        } else {
            addresses.retain(|address| self.fits_joined(address));
        }
    }

    fn fits(self, address: &Address) -> bool {
        let letter = address.letter.map(|letter| [letter.ascii()]);
        let addition = address
            .addition
            .as_ref()
            .map(|addition| addition.as_str().as_bytes());
        same(self.letter, letter.as_ref().map(<[u8; 1]>::as_slice)) && same(self.addition, addition)
    }

    fn fits_joined(self, address: &Address) -> bool {
        let asked = [self.letter, self.addition];
        let asked = asked
            .iter()
            .flatten()
            .flat_map(|text| text.chars())
            .filter(|&c| !separates(c));
        let letter = address.letter.map(|letter| char::from(letter.ascii()));
        let addition = address
            .addition
            .iter()
            .flat_map(|addition| addition.as_str().chars());
        let known = letter.into_iter().chain(addition);
        asked
            .map(|c| c.to_ascii_uppercase())
            .eq(known.map(|c| c.to_ascii_uppercase()))
    }
}

/// Whether a part is as asked; a part that was not asked for always is.
fn same(asked: Option<&str>, known: Option<&[u8]>) -> bool {
    asked
        .is_none_or(|asked| known.is_some_and(|known| asked.as_bytes().eq_ignore_ascii_case(known)))
}

fn separates(c: char) -> bool {
    c.is_whitespace() || c == '-' || c == '/'
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{HouseLetter, HouseNumber};

    /// `A`, `A/1` (letter and addition), `/A` (addition alone), `` (neither).
    fn address(suffix: &str) -> Address {
        let number = HouseNumber::new(12).expect("a house number");
        let plain = Address::of_box(
            "1234AB".parse().expect("a postcode"),
            number,
            ["", "", ""].map(Into::into),
        );
        let (letter, addition) = suffix.split_once('/').unwrap_or((suffix, ""));
        let letter = letter.bytes().next().and_then(HouseLetter::from_ascii);
        Address {
            letter,
            addition: addition.parse().ok(),
            ..plain
        }
    }

    #[test]
    fn letter_and_addition_fit_as_given_or_else_joined() {
        #[track_caller]
        fn case(known: &[&str], letter: &str, addition: &str, expected: &[&str]) {
            let mut addresses: Vec<Address> = known.iter().map(|suffix| address(suffix)).collect();
            HouseNumberSuffix::new(Some(letter), Some(addition)).retain(&mut addresses);
            let expected: Vec<Address> = expected.iter().map(|suffix| address(suffix)).collect();
            assert_eq!(
                addresses, expected,
                "letter {letter:?}, addition {addition:?} of {known:?}"
            );
        }
        let all = ["", "A", "A/1", "B", "/A", "/2", "/bis"];
        case(&all, "", "", &all);
        case(&all, " ", "\t", &all);
        case(&all, "A", "", &["A", "A/1"]);
        case(&all, "a", "", &["A", "A/1"]);
        case(&all, " a ", "1", &["A/1"]);
        case(&all, "", "a", &["/A"]);
        case(&all, "", "BIS", &["/bis"]);
        case(&all, "", "a1", &["A/1"]);
        case(&all, "", "A-1", &["A/1"]);
        case(&all, "", "A / 1", &["A/1"]);
        case(&all, "A-1", "", &["A/1"]);
        case(&all, "C", "", &[]);
        case(&all, "A", "2", &[]);
        case(&["", "/A"], "A", "", &["/A"]);
        case(&["", "A"], "", "a", &["A"]);
        case(&["", "/b1s"], "b", "1s", &["/b1s"]);
        case(&["", "A"], "é", "", &[]);
        // Nothing but separators is not nothing: it fits only what has no suffix.
        case(&["", "A"], "", "-", &[""]);
        case(&[], "A", "", &[]);
    }
}
