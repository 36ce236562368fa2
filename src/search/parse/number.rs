//! House numbers as people type them, with letter and addition in every spelling: `12a`, `12-2`, `12 bis`, `12 A 1`.
//!
//! Source: the register stores no hyphen, space or slash in letter or addition, and at most five characters in both (BAG
//! openapi.yaml); what people type is therefore compared without them.

use postduif_schema::{HouseLetter, HouseNumber, HouseNumberAddition};

use super::intent::Reading;

/// Characters of a letter and an addition.
const MAX_SUFFIX_CHARS: usize = 5;

/// Words that may belong to a letter and an addition.
const MAX_SUFFIX_WORDS: usize = 3;

/// A house number that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedNumber {
    /// The number.
    pub number: HouseNumber,
    /// Letter and addition joined, in small letters; empty when none was typed.
    pub suffix: String,
    /// Nothing stands behind it, so more digits may follow.
    pub may_continue: bool,
    /// It stands before everything else.
    pub is_leading: bool,
}

/// How a letter and an addition fit what was typed. Better ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuffixMatch {
    /// They are what was typed, or there are none and none was typed.
    Exact,
    /// They begin with what was typed, or none was typed.
    Prefix,
}

impl TypedNumber {
    /// Whether an address with this letter and addition may be meant.
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

/// The ground floor of a house with an upper house, as Amsterdam and Haarlem have it in several spellings.
fn is_ground_floor(suffix: &[u8]) -> bool {
    matches!(suffix, b"h" | b"hs" | b"huis")
}

/// Every way of finding a house number among words, that of none first, then the last number first.
pub(super) fn readings(words: &[&str]) -> Vec<Reading> {
    let whole = Reading {
        words: to_strings(words),
        ..Reading::default()
    };
    let at = (0..words.len()).rev();
    let numbered = at.flat_map(|at| readings_with_number_at(words, at));
    std::iter::once(whole).chain(numbered).collect()
}

/// The readings in which the number stands at a place, the one with the longest suffix first.
fn readings_with_number_at(words: &[&str], position: usize) -> Vec<Reading> {
    let Some((number, attached_suffix)) = split_number(words[position]) else {
        return Vec::new();
    };
    let mut suffix = attached_suffix.to_owned();
    let mut readings = Vec::new();
    for suffix_words in 0..=MAX_SUFFIX_WORDS {
        let end = position + 1 + suffix_words;
        if suffix_words > 0 {
            let Some(next) = words
                .get(end - 1)
                .filter(|word| is_possible_suffix_word(word))
            else {
                break;
            };
            suffix.push_str(next);
        }
        if !is_possible_suffix(&suffix) {
            break;
        }
        let between = position > 0 && end < words.len();
        readings.push(Reading {
            words: to_strings(&words[..position])
                .into_iter()
                .chain(to_strings(&words[end..]))
                .collect(),
            split_at: between.then_some(position),
            number: Some(TypedNumber {
                number,
                may_continue: suffix.is_empty() && end == words.len(),
                suffix: suffix.clone(),
                is_leading: position == 0 && !words[end..].is_empty(),
            }),
            postcode: None,
        });
    }
    readings.reverse();
    readings
}

/// `12a1` is 12 and `a1`. A word whose digits are no house number is none.
fn split_number(word: &str) -> Option<(HouseNumber, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = word.split_at(digits);
    let number = number.parse().ok()?;
    suffix.is_ascii().then_some((number, suffix))
}

/// Whether a text may be an addition, or a letter and an addition.
fn is_possible_suffix(text: &str) -> bool {
    let with_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    text.len() <= 4 + usize::from(with_letter)
}

fn is_possible_suffix_word(word: &str) -> bool {
    word.len() <= 5 && word.is_ascii()
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
