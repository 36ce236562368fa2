//! House numbers as people type them, with letter and addition in every spelling: `12a`, `12-2`, `12 bis`, `12 A 1`.
//!
//! Source: the register stores no hyphen, space or slash in letter or addition, and at most five characters in both (BAG
//! openapi.yaml). So the typed text is compared without them.

use postduif_schema::{HouseLetter, HouseNumber, HouseNumberAddition};

/// Characters of a letter and an addition together.
const MAX_SUFFIX_CHARS: usize = 5;

/// A typed house number with its suffix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedNumber {
    /// The number.
    pub number: HouseNumber,
    /// Letter and addition joined, in lower case; empty if none was typed.
    pub suffix: String,
    /// It ends the text, so more digits may follow.
    pub may_continue: bool,
    /// It is before all other words.
    pub is_leading: bool,
}

/// How a letter and an addition match the typed suffix. Better ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuffixMatch {
    /// They equal the typed suffix; both may be empty.
    Exact,
    /// They begin with the typed suffix, which may be empty.
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
        known.starts_with(typed).then_some(SuffixMatch::Prefix)
    }
}

/// The ground floor of a house with an upper dwelling: Amsterdam and Haarlem register it in several spellings.
fn is_ground_floor(suffix: &[u8]) -> bool {
    matches!(suffix, b"h" | b"hs" | b"huis")
}
