//! Computes and compares sketches of names. A sketch has the letters, the pairs of letters and the length of a spelling key. Comparing
//! sketches rules out nearly all names that are not similar to a text.

use std::ops::RangeInclusive;

use super::letter_set::{DIGIT_BITS, LetterSet};

/// Maximum length, in bytes, of the spelling key of a text. A text with a longer key is not compared with names.
pub(super) const MAX_KEY_LENGTH: usize = 63;

/// The sketch of a name: the letters, pairs of letters and lengths of the spelling keys of all forms of the name.
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

/// The letters, the pairs of letters and the length of the spelling key of one form.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpellingSketch {
    letters: LetterSet,
    pairs: PairSet,
    length: u8,
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

    /// How many pairs of this set are not in `other`.
    fn count_missing_from(self, other: Self) -> u32 {
        (self.0 & !other.0).count_ones()
    }
}

/// The similarity of a text and a name, in percent: the mean of `shared / text` and `2 * shared / (text + name)`. The first is the share of
/// the text that the name contains, the second is Dice's coefficient. All three are numbers of distinct pairs of letters.
pub(super) fn similarity_percent(shared: u32, text: u32, name: u32) -> u32 {
    50 * shared / text.max(1) + 100 * shared / (text + name).max(1)
}

/// Multiplier of the hash of a pair: 2³² divided by the golden ratio.
///
/// Source: Knuth, The Art of Computer Programming 3, section 6.4, multiplicative hashing.
const PAIR_HASH: u32 = 2_654_435_769;

/// The properties of a text that are compared with a sketch to rule out names.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextFilter {
    text: SpellingSketch,
    max_edits: u8,
}

impl SpellingSketch {
    pub(super) fn from_key(key: &str) -> Self {
        Self {
            letters: LetterSet::from_text(key),
            pairs: PairSet::from_text(key),
            length: u8::try_from(key.len().min(MAX_KEY_LENGTH)).expect("at most 63"),
        }
    }

    pub(super) fn length(self) -> u8 {
        self.length
    }

    pub(super) fn letters(self) -> LetterSet {
        self.letters
    }
}

impl NameSketch {
    /// The sketch of a name with these forms.
    pub(super) fn new(forms: impl Iterator<Item = SpellingSketch>) -> Self {
        let mut sketch: Option<Self> = None;
        for form in forms {
            let SpellingSketch {
                letters,
                pairs,
                length,
            } = form;
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

    /// The lengths of the shortest and the longest spelling key of the name's forms, in bytes. A length above [`MAX_KEY_LENGTH`] counts as
    /// that maximum.
    pub(super) fn lengths(self) -> (u8, u8) {
        (self.shortest, self.longest)
    }
}

impl TextFilter {
    /// The filter of a text with this spelling key.
    pub(super) fn new(key: &str, max_edits: u8) -> Self {
        Self {
            text: SpellingSketch::from_key(key),
            max_edits,
        }
    }

    /// The lengths, in bytes, of the spelling keys that may match the text.
    pub(super) fn lengths(&self) -> RangeInclusive<u8> {
        let reach = self.max_edits + self.max_edits.min(1);
        self.text.length.saturating_sub(reach)..=self.text.length + reach
    }

    /// Maximum number of letters that a matching name has and the text lacks. The same maximum holds for letters that the text has and
    /// the name lacks.
    fn max_missing_letters(&self) -> u32 {
        // If any edit is allowed, one more letter may differ, because one sound can be written with two letters.
        u32::from(self.max_edits + self.max_edits.min(1))
    }

    /// Maximum number of letters and pairs, added up, that a matching name has and the text lacks. The same maximum holds for those that
    /// the text has and the name lacks.
    fn max_missing_letters_and_pairs(&self) -> u32 {
        // A wrong letter changes two pairs, and a swap of two neighbouring letters changes three pairs.
        u32::from(3 * self.max_edits + self.max_edits.min(1))
    }

    /// Marks the forms that may match by their letters, with a 1 in the byte of each. The loop has no branch, so the compiler can compare
    /// several forms at once.
    pub(super) fn mark_forms(&self, letters: &[u32], marks: &mut [u8]) {
        match self.max_missing_letters() {
            0 => self.mark_forms_within::<0>(letters, marks),
            1 | 2 => self.mark_forms_within::<2>(letters, marks),
            _ => self.mark_forms_within::<3>(letters, marks),
        }
    }

    fn mark_forms_within<const MOST: u32>(&self, letters: &[u32], marks: &mut [u8]) {
        let text = self.text.letters.bits();
        for (form, mark) in letters.iter().zip(marks) {
            let other_digits = (form ^ text) & DIGIT_BITS;
            let (mut missing, mut foreign) = (form & !text, text & !form);
            // Each step removes one letter from each set. This is faster than counting the letters.
            for _ in 0..MOST {
                missing &= missing.wrapping_sub(1);
                foreign &= foreign.wrapping_sub(1);
            }
            *mark = u8::from(missing | foreign | other_digits == 0);
        }
    }

    /// Whether a form may match, judged by its letters and its pairs of letters. The caller has already checked the length of the form, and
    /// its letters without the pairs.
    pub(super) fn may_match_form(&self, form: SpellingSketch) -> bool {
        let max_missing = self.max_missing_letters_and_pairs();
        // The pairs alone rule out most forms that have nearly the same letters.
        let missing = form.pairs.count_missing_from(self.text.pairs);
        let foreign = self.text.pairs.count_missing_from(form.pairs);
        missing.max(foreign) <= max_missing
            && missing + form.letters.count_missing_from(self.text.letters) <= max_missing
            && foreign + self.text.letters.count_missing_from(form.letters) <= max_missing
    }

    /// Whether a form probably has at least this [similarity](similarity_percent) with the text. Pairs are compared by their hash, so a form
    /// near the limit can be missed.
    pub(super) fn may_resemble(&self, form: SpellingSketch, min_percent: u32) -> bool {
        let [text, name] = [self.text.pairs, form.pairs].map(|pairs| pairs.0.count_ones());
        let shared = text - self.text.pairs.count_missing_from(form.pairs);
        similarity_percent(shared, text, name) >= min_percent
    }

    /// Whether all digits of the text are in the set `letters`. A name that lacks a digit of the text does not match, because a mistyped
    /// digit makes another number.
    pub(super) fn may_have_digits(&self, letters: LetterSet) -> bool {
        self.text.letters.digits().is_subset(letters)
    }

    /// Whether a name with this sketch may match the text.
    pub(super) fn may_match(&self, name: NameSketch) -> bool {
        let lengths = self.lengths();
        if *lengths.start() > name.longest || *lengths.end() < name.shortest {
            return false;
        }
        if !self.may_have_digits(name.any) || !name.common.digits().is_subset(self.text.letters) {
            return false;
        }
        // The pairs are counted last, because the letters alone rule out most names.
        let (max_missing_letters, max_missing) = (
            self.max_missing_letters(),
            self.max_missing_letters_and_pairs(),
        );
        let missing = name.common.count_missing_from(self.text.letters);
        if missing > max_missing_letters {
            return false;
        }
        let foreign = self.text.letters.count_missing_from(name.any);
        foreign <= max_missing_letters
            && missing + name.common_pairs.count_missing_from(self.text.pairs) <= max_missing
            && foreign + self.text.pairs.count_missing_from(name.any_pairs) <= max_missing
    }
}
