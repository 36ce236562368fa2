//! Selects addresses by letter and addition as people write them: `12A-1`, `12 a1`, `12-A/1`.
//!
//! Source: decisions.md, section Parameters. Case is ignored. If no address matches the letter and the addition as given, they
//! are joined and compared without spaces, hyphens and slashes.

use std::cmp::Ordering;

use postduif_schema::{Address, HouseNumber, HouseNumberAddition};

use super::entered_number::{
    split_number_at_end, strip_number, without_decimals, without_unit_word,
};
use super::suffix_placeholder::{SuffixPart, may_be_placeholder};
use crate::search::{NumberAgreement, SuffixMatch, are_equivalent_suffixes, begins_with_digit};

/// Maximum number of bytes of an entered letter or addition that are compared. A longer text matches no address, because a letter or an
/// addition in the register has at most four bytes.
const MAX_PART_BYTES: usize = 64;

/// Maximum number of bytes of such a text that are read. Notes are longer than a letter or an addition.
const MAX_TEXT_BYTES: usize = 200;

/// Maximum number of bytes of a suffix that is read from the end of a street. A longer text is a word, not a suffix.
const MAX_SUFFIX_IN_STREET: usize = 4;

/// The beginning of the text of a letter or an addition, without white space around it. If the text is long, also without marks around it.
pub(super) fn cut_part(text: &str) -> &str {
    let text = text.trim();
    let unmarked = match text.len() {
        ..=MAX_TEXT_BYTES => text,
        _ => text.trim_matches(is_mark),
    };
    &unmarked[..unmarked.floor_char_boundary(MAX_TEXT_BYTES)]
}

/// The letter and the addition after an entered house number. Each of the two parts is trimmed. An empty part counts as not entered,
/// because web forms also send fields that were left empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseNumberSuffix<'a> {
    pub(super) letter: Option<&'a str>,
    pub(super) addition: Option<&'a str>,
    /// The addition as it was before its unit word was removed: `app 3` if `addition` is `3`. `None` if no word was removed.
    addition_with_unit_word: Option<&'a str>,
}

impl<'a> HouseNumberSuffix<'a> {
    /// Trims letter and addition as received: removes quotes, brackets and other marks around them, and a word such as `kamer` before a
    /// number. A text that consists of such marks only is kept.
    pub fn new(letter: Option<&'a str>, addition: Option<&'a str>) -> Self {
        let trim = |text: &'a str| match cut_part(text).trim_matches(is_mark) {
            "" => text.trim(),
            trimmed => without_decimals(trimmed),
        };
        let non_empty = |text: Option<&'a str>| text.map(trim).filter(|text| !text.is_empty());
        let is_unit = |text: &str| {
            let unit = without_unit_word(text);
            unit.len() < text.len() && begins_with_digit(unit)
        };
        let (letter, addition_with_unit_word) = match (non_empty(letter), non_empty(addition)) {
            // `garage 1` is an addition, also in the field of the letter.
            (Some(letter), None) if is_unit(letter) => (None, Some(letter)),
            parts => parts,
        };
        let addition = addition_with_unit_word.map(without_unit_word);
        Self {
            letter: letter.map(without_unit_word),
            addition,
            addition_with_unit_word: addition_with_unit_word
                .filter(|_| addition_with_unit_word != addition),
        }
    }

    /// The suffix without placeholders such as `n.v.t.`. `None` if it has no placeholder.
    pub(super) fn without_placeholders(self) -> Option<Self> {
        let is_given = |part| move |text: &&str| !may_be_placeholder(text, part);
        let letter = self.letter.filter(is_given(SuffixPart::Letter));
        let addition = self.addition.filter(is_given(SuffixPart::Addition));
        ((letter, addition) != (self.letter, self.addition)).then_some(Self {
            letter,
            addition,
            addition_with_unit_word: addition.and(self.addition_with_unit_word),
        })
    }

    /// The suffix with the addition as it was before its unit word was removed. It is compared too, because the register also has additions
    /// such as `nr5`. `None` if no word was removed.
    pub(super) fn with_unit_word(self) -> Option<Self> {
        Some(Self {
            letter: self.letter,
            addition: Some(self.addition_with_unit_word?),
            addition_with_unit_word: None,
        })
    }

    /// Keeps the addresses with the entered letter and addition. A part that was not entered is not compared: letter `A` keeps `12A` and
    /// `12A-1`, and an empty suffix keeps all. If no address has them, joins letter and addition, and keeps the addresses with an equal
    /// joined text. If an address has an entered addition such as `nr5`, keeps only addresses with `nr5`, and not those with 5.
    pub fn retain_matching<Text>(self, addresses: &mut Vec<Address<Text>>) {
        if let Some(addition_with_unit_word) = self.with_unit_word()
            && addresses
                .iter()
                .any(|address| addition_with_unit_word.matches_joined(address))
        {
            addresses.retain(|address| addition_with_unit_word.matches_joined(address));
        } else if addresses.iter().any(|address| self.matches(address)) {
            addresses.retain(|address| self.matches(address));
        } else {
            addresses.retain(|address| self.matches_joined(address));
        }
    }

    /// How the entered suffix agrees with the suffix of an address.
    pub(crate) fn agreement(self, address: &Address) -> NumberAgreement {
        let entered: String = self.joined_chars().take(MAX_PART_BYTES).collect();
        let known: String = joined_suffix(address).collect();
        let is_exact = entered == known && !self.repeats_number(address.number)
            || self
                .with_unit_word()
                .is_some_and(|suffix| suffix.matches_joined(address));
        let has_known_after_number = || {
            let rest = self.without_number(address.number);
            rest.is_some_and(|rest| rest.joined_chars().eq(known.chars()))
        };
        if is_exact {
            NumberAgreement::Same(SuffixMatch::Exact)
        } else if are_equivalent_suffixes(entered.as_bytes(), known.as_bytes())
            || has_known_after_number()
        {
            NumberAgreement::Same(SuffixMatch::Equivalent)
        } else if entered.is_empty() || self.matches(address) {
            // The entered part is the same, and the other part was not entered.
            NumberAgreement::Same(SuffixMatch::Prefix)
        } else {
            NumberAgreement::OtherSuffix
        }
    }

    /// The joined text with the addition before the letter; `None` unless both were entered.
    pub(super) fn with_parts_swapped(self) -> Option<String> {
        let (letter, addition) = self.letter.zip(self.addition)?;
        let swapped = Self {
            letter: Some(addition),
            addition: Some(letter),
            addition_with_unit_word: None,
        };
        Some(swapped.joined_chars().collect())
    }

    /// Whether neither letter nor addition was entered.
    pub(super) fn is_empty(self) -> bool {
        self.letter.is_none() && self.addition.is_none()
    }

    /// The letter in lower case, if nothing but a letter was entered, also as the addition; empty if nothing was entered. `None` if more was
    /// entered.
    pub(super) fn only_letter(self) -> Option<String> {
        let entered: String = self.joined_entered_chars().take(2).collect();
        let is_letter = matches!(entered.as_bytes(), [] | [b'A'..=b'Z' | b'a'..=b'z']);
        is_letter.then(|| entered.to_ascii_lowercase())
    }

    /// Whether `text` begins with the entered letter and addition, joined. Ignores case and separators.
    pub(super) fn is_beginning_of(self, text: &str) -> bool {
        let mut rest = text
            .chars()
            .filter(|&c| !is_separator(c))
            .map(|c| c.to_ascii_uppercase());
        self.joined_chars().all(|c| rest.next() == Some(c))
    }

    /// Whether an address has the entered suffix. Leading zeros may differ, and an entered number may lack a unit letter: 22 is `K22`.
    pub(super) fn is_same(self, address: &Address) -> bool {
        let same = [SuffixMatch::Exact, SuffixMatch::Equivalent].map(NumberAgreement::Same);
        same.contains(&self.agreement(address))
    }

    /// The suffix without the house number, if the addition repeats it: `12-1` or `12A` after number 12.
    pub(super) fn without_number(self, number: HouseNumber) -> Option<Self> {
        let suffix = self
            .text_after_number(number)?
            .trim_start_matches(is_separator);
        (!suffix.is_empty()).then_some(Self {
            letter: self.letter.filter(|_| self.addition.is_some()),
            addition: Some(suffix),
            addition_with_unit_word: None,
        })
    }

    /// Whether the addition repeats the house number, with a separator after it: `1-2` after number 1 means 1-2 and not 1-12.
    pub(crate) fn repeats_number(self, number: HouseNumber) -> bool {
        let after = self.text_after_number(number);
        after.is_some_and(|text| text.starts_with(is_separator))
            && self.without_number(number).is_some()
    }

    /// The text after the house number at the start of the addition or, without one, of the letter; `None` if the number is not there.
    fn text_after_number(self, number: HouseNumber) -> Option<&'a str> {
        let text = self.addition.or(self.letter)?;
        strip_number(text, number)
    }

    /// This suffix or, if it is empty, the one after the house number at the end of the street: the `a` of `Dijk 12a`.
    #[must_use]
    pub fn or_from_street(self, number: HouseNumber, street: Option<&'a str>) -> Self {
        if !self.is_empty() {
            return self;
        }
        let end = street.and_then(|street| split_number_at_end(street, number));
        let suffix = end.map(|(_, end)| end.trim_start_matches(is_separator).trim_end());
        let is_suffix = |suffix: &&str| {
            suffix.len() <= MAX_SUFFIX_IN_STREET
                && suffix.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        Self::new(None, suffix.filter(is_suffix))
    }

    /// Chooses the first of the matching addresses in the order of `cmp_by_preference`. `addresses` are all at the same number.
    ///
    /// Assumption: a person who enters no letter and no addition means the address without them, if it is in use.
    pub fn choose_preferred<Text>(
        self,
        mut addresses: Vec<Address<Text>>,
    ) -> Option<Address<Text>> {
        self.retain_matching(&mut addresses);
        addresses
            .into_iter()
            .min_by(|one, other| self.cmp_by_preference(one, other))
    }

    /// Compares two addresses that fit the entered suffix equally well. An address in use comes before a planned one, then the address with
    /// fewer parts that were not entered, then one in the entered case (some house numbers have both `bis` and `BIS`), and then the order of
    /// preference of v3 decides.
    pub(super) fn cmp_by_preference<Text>(
        self,
        one: &Address<Text>,
        other: &Address<Text>,
    ) -> Ordering {
        let key = |address: &Address<Text>| {
            let is_letter_added = self.letter.is_none() && address.letter.is_some();
            let is_addition_added = self.addition.is_none() && address.addition.is_some();
            let added_parts = u8::from(is_letter_added) + u8::from(is_addition_added);
            let is_same_case = self
                .joined_entered_chars()
                .eq(joined_register_suffix(address));
            (address.planned, added_parts, !is_same_case)
        };
        let by_suffix = key(one).cmp(&key(other));
        by_suffix.then_with(|| one.cmp_by_preference(other))
    }

    pub(super) fn matches<Text>(self, address: &Address<Text>) -> bool {
        let letter = address.letter.map(|letter| [letter.ascii()]);
        let addition = address.addition.as_ref().map(HouseNumberAddition::as_str);
        part_matches(self.letter, letter) && part_matches(self.addition, addition)
    }

    pub(super) fn matches_joined<Text>(self, address: &Address<Text>) -> bool {
        !self.is_too_long() && self.joined_chars().eq(joined_suffix(address))
    }

    pub(super) fn is_too_long(self) -> bool {
        let mut parts = [self.letter, self.addition].into_iter().flatten();
        parts.any(|part| part.len() > MAX_PART_BYTES)
    }

    pub(super) fn joined_chars(self) -> impl Iterator<Item = char> {
        self.joined_entered_chars().map(|c| c.to_ascii_uppercase())
    }

    fn joined_entered_chars(self) -> impl Iterator<Item = char> {
        let parts = [self.letter, self.addition].into_iter().flatten();
        parts.flat_map(str::chars).filter(|&c| !is_separator(c))
    }
}

/// The letter and the addition of an address as one text, in upper case.
pub(super) fn joined_suffix<Text>(address: &Address<Text>) -> impl Iterator<Item = char> {
    joined_register_suffix(address).map(|c| c.to_ascii_uppercase())
}

/// The letter and the addition of an address as one text, as the register has them.
fn joined_register_suffix<Text>(address: &Address<Text>) -> impl Iterator<Item = char> {
    let letter = address.letter.map(|letter| char::from(letter.ascii()));
    let addition = address.addition.as_ref().map(HouseNumberAddition::as_str);
    let addition = addition.into_iter().flat_map(str::chars);
    letter.into_iter().chain(addition)
}

/// Whether a character is white space or punctuation, which people put around a letter or an addition. A combining mark, such as an accent,
/// is not one of them, because it is part of its letter.
fn is_mark(c: char) -> bool {
    is_separator(c) || c.is_ascii_punctuation() || matches!(c, '‘' | '’' | '“' | '”' | '´')
}

/// Whether a character is white space, a slash or a dash. Word processors replace a hyphen by a longer dash.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether the entered part equals the part of an address. Always true if the part was not entered.
fn part_matches(entered: Option<&str>, known: Option<impl AsRef<[u8]>>) -> bool {
    entered.is_none_or(|entered| {
        known.is_some_and(|known| entered.as_bytes().eq_ignore_ascii_case(known.as_ref()))
    })
}

#[cfg(test)]
pub(super) mod tests;
