//! Compares house numbers as people type them with those in the register, in every spelling of the letter and the addition: `12a`,
//! `12-2`, `12 bis`, `12 A 1`.
//!
//! Source: BAG openapi.yaml. A letter and an addition in the register contain no hyphen, space or slash, and have at most five
//! characters together. So the typed text is compared without hyphens, spaces and slashes.

use postduif_schema::{HouseLetter, HouseNumber, HouseNumberAddition};

/// Maximum characters of a letter and an addition together.
const MAX_SUFFIX_CHARS: usize = 5;

/// A typed house number with its suffix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedNumber {
    /// The number.
    pub number: HouseNumber,
    /// Letter and addition joined, in lower case; empty if none was typed.
    pub suffix: String,
    /// The number ends the text, so the user may still type more digits.
    pub may_continue: bool,
    /// The number comes before all other words.
    pub is_leading: bool,
}

/// How a letter and an addition match the typed suffix. A better match sorts before a worse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuffixMatch {
    /// Letter and addition equal the typed suffix, or there is no suffix on either side.
    Exact,
    /// Letter and addition equal the typed suffix except for leading zeros or the letter of a unit: `39` for `0039`, `302` for
    /// `K302`.
    Equivalent,
    /// Letter and addition begin with the typed suffix, which may be empty.
    Prefix,
}

impl TypedNumber {
    /// Compares the suffix with the letter and addition of an address; `None` if they do not match.
    #[must_use]
    pub fn match_suffix(
        &self,
        letter: Option<HouseLetter>,
        addition: Option<HouseNumberAddition>,
    ) -> Option<SuffixMatch> {
        let letter = letter.map(HouseLetter::ascii);
        let addition = addition.as_ref().map_or("", HouseNumberAddition::as_str);
        let mut known = [0; MAX_SUFFIX_CHARS];
        let mut length = 0;
        for (place, byte) in known
            .iter_mut()
            .zip(letter.into_iter().chain(addition.bytes()))
        {
            *place = byte.to_ascii_lowercase();
            length += 1;
        }
        let (known, typed) = (&known[..length], self.suffix.as_bytes());
        if known == typed || is_ground_floor(known) && is_ground_floor(typed) {
            return Some(SuffixMatch::Exact);
        }
        if !typed.is_empty() && are_equivalent_suffixes(typed, known) {
            return Some(SuffixMatch::Equivalent);
        }
        let begins = known.starts_with(typed) || without_zeros(known).starts_with(typed);
        begins.then_some(SuffixMatch::Prefix)
    }
}

/// Whether a typed suffix equals a suffix in the register, except for leading zeros of its numbers or the letter of a unit.
pub fn are_equivalent_suffixes(typed: &[u8], known: &[u8]) -> bool {
    let is_number = !typed.is_empty() && typed.iter().all(u8::is_ascii_digit);
    let unit = known
        .split_first()
        .filter(|(letter, _)| is_number && letter.is_ascii_alphabetic());
    let equals = |known| are_equal_but_zeros(typed, known);
    equals(known) || unit.is_some_and(|(_, unit)| equals(unit))
}

/// Whether two suffixes are equal except for leading zeros of their numbers.
pub fn are_equal_but_zeros(typed: &[u8], known: &[u8]) -> bool {
    significant_bytes(typed).eq(significant_bytes(known))
}

/// The bytes of a suffix without the leading zeros of its numbers. The number 0 itself stays.
fn significant_bytes(text: &[u8]) -> impl Iterator<Item = u8> {
    let is_leading_zero = |at: usize| {
        let begins = text[..at]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit());
        let is_followed = text.get(at + 1).is_some_and(u8::is_ascii_digit);
        text[at] == b'0' && is_followed && begins.into_iter().all(|&byte| byte == b'0')
    };
    (0..text.len())
        .filter(move |&at| !is_leading_zero(at))
        .map(|at| text[at])
}

fn without_zeros(text: &[u8]) -> &[u8] {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    &text[zeros..]
}

/// Whether a suffix means the ground floor of a house with an upper dwelling. Amsterdam and Haarlem use several spellings of this
/// suffix.
fn is_ground_floor(suffix: &[u8]) -> bool {
    matches!(suffix, b"h" | b"hs" | b"huis")
}
