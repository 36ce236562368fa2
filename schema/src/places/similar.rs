//! Names that are similar to texts, compared by what they sound like.
//!
//! Every name has a sketch: the letters, the pairs of letters and the lengths of its spelling keys. A sketch rules out nearly all names in some
//! nanoseconds; the rest are compared letter by letter.

use super::edit_distance::EditPattern;
use super::fuzzy::LetterSet;
use super::street::StreetRank;
use super::towns::TownRank;
use crate::{spelling_key, squash};

/// The longest key that is compared.
const MAX_KEY_LENGTH: usize = 63;

/// The least letters of a text with one mistake.
const ONE_EDIT_MIN_LENGTH: usize = 4;

/// The least letters of a text with two mistakes.
const TWO_EDITS_MIN_LENGTH: usize = 8;

/// The least letters of a text that is compared by sound: `de` is not `De Ee`.
const MIN_SOUND_LENGTH: usize = 3;

/// The letters and lengths of the spelling keys of a name's forms.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameSketch {
    /// Letters that all forms have.
    common: LetterSet,
    /// Letters that some form has.
    any: LetterSet,
    /// Pairs of letters that all forms have.
    common_pairs: PairSet,
    /// Pairs of letters that some form has.
    any_pairs: PairSet,
    shortest: u8,
    longest: u8,
}

/// The pairs of neighbouring letters of a text, each hashed to one of 64 bits.
#[derive(Debug, Clone, Copy, Default)]
struct PairSet(u64);

impl PairSet {
    fn from_text(text: &str) -> Self {
        let bit = |pair: &[u8]| {
            let hash = (u32::from(pair[0]) << 8 | u32::from(pair[1])).wrapping_mul(PAIR_HASH);
            1 << (hash >> (u32::BITS - 6))
        };
        Self(
            text.as_bytes()
                .windows(2)
                .fold(0, |pairs, pair| pairs | bit(pair)),
        )
    }

    /// How many pairs another set lacks.
    fn without(self, other: Self) -> u32 {
        (self.0 & !other.0).count_ones()
    }
}

/// Source: Knuth, The Art of Computer Programming 3, section 6.4, multiplicative hashing: 2³² divided by the golden ratio.
const PAIR_HASH: u32 = 2_654_435_769;

/// A text to compare with names.
#[derive(Debug)]
pub struct SimilarText {
    key: String,
    filter: TextFilter,
    by_sound: NameMatcher,
    by_letters: NameMatcher,
    may_sound_alike: bool,
    has_digits: bool,
}

/// A pattern and its maximum number of edits, which may be 0.
#[derive(Debug)]
struct NameMatcher {
    pattern: EditPattern,
    max_edits: u8,
}

/// The properties of a text that rule out names.
#[derive(Debug, Clone, Copy)]
struct TextFilter {
    letters: LetterSet,
    pairs: PairSet,
    length: u8,
    max_edits: u8,
}

/// Texts to compare with names, by the lengths of their keys.
#[derive(Debug, Default)]
pub struct SimilarTexts {
    /// In ascending order of their lengths, each with the caller's number for it.
    texts: Vec<(usize, SimilarText)>,
    /// The filters of the texts, close together: they are read for every name.
    filters: Vec<TextFilter>,
    /// For each length the first text that is not shorter.
    first_of_length: Vec<usize>,
}

/// A street whose name is similar to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimilarStreet {
    /// The street.
    pub street: StreetRank,
    /// The caller's number of the text.
    pub text: usize,
    /// Letters that differ, by sound or as written, whichever is less.
    pub edits: u8,
}

/// A town whose name is similar to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimilarTown {
    /// The town.
    pub town: TownRank,
    /// The caller's number of the text.
    pub text: usize,
    /// Letters that differ, by sound or as written, whichever is less.
    pub edits: u8,
}

impl NameSketch {
    pub(super) fn from_forms<'f>(forms: impl Iterator<Item = &'f str>) -> Self {
        let mut sketch: Option<Self> = None;
        for key in forms.map(spelling_key) {
            let letters = LetterSet::from_text(&key);
            let pairs = PairSet::from_text(&key);
            let length = u8::try_from(key.len().min(MAX_KEY_LENGTH)).expect("at most 63");
            let known = sketch.unwrap_or(Self {
                common: letters,
                any: letters,
                common_pairs: pairs,
                any_pairs: pairs,
                shortest: length,
                longest: length,
            });
            sketch = Some(Self {
                common: known.common.intersection(letters),
                any: known.any.union(letters),
                common_pairs: PairSet(known.common_pairs.0 & pairs.0),
                any_pairs: PairSet(known.any_pairs.0 | pairs.0),
                shortest: known.shortest.min(length),
                longest: known.longest.max(length),
            });
        }
        sketch.unwrap_or(Self {
            common: LetterSet::default(),
            any: LetterSet::default(),
            common_pairs: PairSet::default(),
            any_pairs: PairSet::default(),
            shortest: u8::MAX,
            longest: 0,
        })
    }
}

impl TextFilter {
    fn may_match(&self, name: NameSketch) -> bool {
        let edits = u32::from(self.max_edits);
        // A changed letter changes two pairs, a swap of neighbours three.
        // A sound that is written with two letters can change one more.
        let slack = edits.min(1);
        let (most_letters, most) = (edits + slack, 3 * edits + slack);
        let reach = self.max_edits + self.max_edits.min(1);
        let lengths = self.length.saturating_sub(reach)..=self.length + reach;
        if *lengths.start() > name.longest || *lengths.end() < name.shortest {
            return false;
        }
        // Letters rule out most names, so pairs are counted last.
        let missing = name.common.without(self.letters);
        if missing > most_letters {
            return false;
        }
        let foreign = self.letters.without(name.any);
        foreign <= most_letters
            && missing + name.common_pairs.without(self.pairs) <= most
            && foreign + self.pairs.without(name.any_pairs) <= most
    }
}

impl NameMatcher {
    fn new(text: &str, max_edits: u8) -> Self {
        Self {
            pattern: EditPattern::new(text),
            max_edits,
        }
    }

    fn distance(&self, name: &str) -> Option<u8> {
        let edits = u8::try_from(self.pattern.distance(name)).ok();
        edits.filter(|&edits| edits <= self.max_edits)
    }
}

/// The mistakes that are allowed in a text. Digits do not count: a mistyped digit is another number.
fn allowed_edits(text: &str) -> u8 {
    match text.bytes().filter(|byte| !byte.is_ascii_digit()).count() {
        TWO_EDITS_MIN_LENGTH.. => 2,
        ONE_EDIT_MIN_LENGTH.. => 1,
        _ => 0,
    }
}

impl SimilarText {
    /// Prepares folded words for comparison; `None` if their key is empty or longer than 63 bytes.
    #[must_use]
    pub fn new<W: AsRef<str>>(words: &[W]) -> Option<Self> {
        let plain = squash(words.iter().map(W::as_ref));
        let key = spelling_key(&plain);
        let fits = !key.is_empty() && key.len() <= MAX_KEY_LENGTH;
        let [by_letters, by_sound] = [&plain, &key].map(|text| allowed_edits(text));
        fits.then(|| Self {
            filter: TextFilter {
                letters: LetterSet::from_text(&key),
                pairs: PairSet::from_text(&key),
                length: u8::try_from(key.len()).unwrap_or(u8::MAX),
                max_edits: by_letters.max(by_sound),
            },
            by_sound: NameMatcher::new(&key, by_sound),
            by_letters: NameMatcher::new(&plain, by_letters),
            may_sound_alike: plain.len() >= MIN_SOUND_LENGTH,
            has_digits: has_digit(&key),
            key,
        })
    }

    /// The fewest edits between the text and a form of a name, if they are few enough.
    #[must_use]
    pub fn distance<'f>(&self, forms: impl Iterator<Item = &'f str>) -> Option<u8> {
        let edits = |form: &str| {
            let key = spelling_key(form);
            let by_sound = self
                .by_sound
                .distance(&key)
                .filter(|_| self.may_sound_alike);
            let by_letters = match by_sound {
                Some(0) => None,
                _ => self.by_letters.distance(form),
            };
            let edits = by_sound.into_iter().chain(by_letters).min()?;
            // A mistyped digit is another number.
            let may_differ = edits == 0
                || !self.has_digits && !has_digit(&key)
                || has_same_digits(&self.key, &key);
            may_differ.then_some(edits)
        };
        forms.filter_map(edits).min()
    }
}

fn has_digit(key: &str) -> bool {
    key.bytes().any(|byte| byte.is_ascii_digit())
}

fn has_same_digits(one: &str, other: &str) -> bool {
    let digits = |text: &str| -> Vec<u8> { text.bytes().filter(u8::is_ascii_digit).collect() };
    digits(one) == digits(other)
}

impl SimilarTexts {
    /// Texts with the caller's number of each.
    #[must_use]
    pub fn new(mut texts: Vec<(usize, SimilarText)>) -> Self {
        texts.sort_by_key(|(_, text)| text.key.len());
        let first = |length| texts.partition_point(|(_, text)| text.key.len() < length);
        let first_of_length = (0..=MAX_KEY_LENGTH + 1).map(first).collect();
        Self {
            filters: texts.iter().map(|(_, text)| text.filter).collect(),
            texts,
            first_of_length,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The texts that a name with this sketch may be similar to.
    pub(super) fn candidates(
        &self,
        name: NameSketch,
    ) -> impl Iterator<Item = &(usize, SimilarText)> {
        let shortest = usize::from(name.shortest).saturating_sub(2);
        let beyond = (usize::from(name.longest) + 3).min(self.first_of_length.len() - 1);
        let bounds = [shortest.min(beyond), beyond].map(|length| self.first_of_length[length]);
        let range = bounds[0]..bounds[1];
        let texts = self.filters[range.clone()].iter().zip(&self.texts[range]);
        texts
            .filter(move |(filter, _)| filter.may_match(name))
            .map(|(_, text)| text)
    }
}
