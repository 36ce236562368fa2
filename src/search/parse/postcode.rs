//! Reads a typed postcode, complete or only its beginning.

use crate::search::word_shape::{is_four_digits, is_lowercase};
use postduif_schema::Postcode;

/// Length in bytes of a postcode with one character too many.
const LENGTH_WITH_DOUBLED: usize = 7;

/// The postcodes that begin with the typed characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostcodeRange {
    /// The first postcode.
    pub first: Postcode,
    /// The last postcode. It equals the first if all six characters were typed.
    pub last: Postcode,
    /// How much of the postcode was typed, and where in the text.
    pub kind: PostcodeKind,
}

/// How much of a postcode was typed, and where in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostcodeKind {
    /// All six characters.
    Whole,
    /// Four digits, or five characters, before all other words.
    LeadingPrefix,
    /// Four digits, or five characters, after other words.
    LaterPrefix,
    /// One to three digits at the end of the text, after a house number.
    PrefixAfterNumber,
}

impl PostcodeRange {
    /// Whether all six characters were typed.
    pub fn is_whole(&self) -> bool {
        self.kind == PostcodeKind::Whole
    }

    /// Whether at least one letter was typed after the digits.
    pub fn has_letter(&self) -> bool {
        self.last.code() - self.first.code() < 26
    }

    /// The postcodes that begin with these one to three digits.
    pub(super) fn from_leading_digits(digits: &str) -> Option<Self> {
        match digits.len() {
            1..=3 => Self::from_beginning(digits, PostcodeKind::PrefixAfterNumber),
            _ => None,
        }
    }

    /// Whether a postcode is in the range.
    #[must_use]
    pub fn contains(&self, postcode: Postcode) -> bool {
        (self.first..=self.last).contains(&postcode)
    }

    /// The postcodes that begin with these four digits and up to two letters; `None` if no postcode can begin with them.
    pub(super) fn parse(digits: &str, letters: &str, leading: bool) -> Option<Self> {
        if !is_four_digits(digits) || letters.len() > 2 || !is_lowercase(letters) {
            return None;
        }
        let kind = match (letters.len(), leading) {
            (2, _) => PostcodeKind::Whole,
            (_, true) => PostcodeKind::LeadingPrefix,
            (_, false) => PostcodeKind::LaterPrefix,
        };
        Self::from_beginning(&format!("{digits}{letters}"), kind)
    }

    fn from_beginning(typed: &str, kind: PostcodeKind) -> Option<Self> {
        let filled_up = |fill: &str| format!("{typed}{}", &fill[typed.len()..]);
        Some(Self {
            first: Postcode::from_input(&filled_up("0000aa")).ok()?,
            last: Postcode::from_input(&filled_up("9999zz")).ok()?,
            kind,
        })
    }
}

/// Whether two folded texts are the digits and the letters of a postcode.
pub(super) fn is_postcode(digits: &str, letters: &str) -> bool {
    is_four_digits(digits) && letters.len() == 2 && is_lowercase(letters)
}

/// The postcode in a folded word in which one character was typed twice: `1234abb`, `12334ab`. `None` if more than one postcode is
/// possible, as in `11223ab`.
pub fn postcode_without_doubled_character(word: &str) -> Option<String> {
    if word.len() != LENGTH_WITH_DOUBLED || !word.is_ascii() {
        return None;
    }
    let is_doubled = |at: &usize| word.as_bytes()[*at] == word.as_bytes()[at - 1];
    let without = |at: usize| word[..at].to_owned() + &word[at + 1..];
    let is_postcode = |text: &String| Postcode::from_input(text).is_ok();
    let shorter = (1..word.len()).filter(is_doubled).map(without);
    let mut postcodes: Vec<String> = shorter.filter(is_postcode).collect();
    postcodes.dedup();
    (postcodes.len() == 1).then(|| postcodes.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_was_typed_twice_is_removed() {
        #[track_caller]
        fn case(word: &str, expected: Option<&str>) {
            assert_eq!(
                postcode_without_doubled_character(word).as_deref(),
                expected
            );
        }
        case("1234abb", Some("1234ab"));
        case("12334ab", Some("1234ab"));
        case("11123ab", Some("1123ab"));
        case("11223ab", None);
        case("1234abc", None);
        case("1234aa", None);
        case("kerkkad", None);
        case("123ħab", None);
    }
}
