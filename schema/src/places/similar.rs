//! Decides which texts are similar to a name, by sound and by letters.
//!
//! Sketches rule out nearly all names in some nanoseconds each. The remaining names are compared letter by letter.

use super::edit_distance::EditPattern;
use super::name_sketch::{MAX_KEY_LENGTH, NameSketch, TextFilter};
use super::partial_forms::partial_forms;
use super::street::StreetRank;
use super::table::NameForm;
use super::towns::TownRank;
use crate::{spelling_key, squash};

/// Minimum number of letters of a text in which one mistake is allowed. A shorter text must match exactly, by sound or by letters.
const ONE_EDIT_MIN_LENGTH: usize = 4;

/// Minimum number of letters of a text in which two mistakes are allowed.
const TWO_EDITS_MIN_LENGTH: usize = 8;

/// Minimum length, in bytes, of a text that is compared by sound. If shorter texts were compared by sound, `de` would match `De Ee`.
const MIN_SOUND_LENGTH: usize = 3;

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

/// Texts to compare with names, ordered by the length of their spelling keys.
#[derive(Debug, Default)]
pub struct SimilarTexts {
    /// The texts in ascending order of the length of their spelling keys, each with the number that the caller gave it.
    texts: Vec<(usize, SimilarText)>,
    /// The filters of the texts. They are stored close together in memory, because they are read for every name.
    filters: Vec<TextFilter>,
    /// For each key length, the index of the first text that has a key of at least that length.
    first_of_length: Vec<usize>,
}

/// A street with a name that is similar to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimilarStreet {
    /// The street.
    pub street: StreetRank,
    /// The number that the caller gave to the text.
    pub text: usize,
    /// Number of edits: by sound or by letters, whichever is lower.
    pub edits: u8,
}

/// A town with a name that is similar to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimilarTown {
    /// The town.
    pub town: TownRank,
    /// The number that the caller gave to the text.
    pub text: usize,
    /// Number of edits: by sound or by letters, whichever is lower.
    pub edits: u8,
}

impl NameMatcher {
    fn new(text: &str, max_edits: u8) -> Self {
        Self {
            pattern: EditPattern::new(text),
            max_edits,
        }
    }

    fn distance(&self, name: &str) -> Option<u8> {
        let edits = self.pattern.distance_within(self.max_edits.into(), name)?;
        u8::try_from(edits).ok()
    }
}

/// The number of edits allowed in a text; a longer text allows more. Digits are not counted, because a mistyped digit makes another number.
fn allowed_edits(text: &str) -> u8 {
    match text.bytes().filter(|byte| !byte.is_ascii_digit()).count() {
        TWO_EDITS_MIN_LENGTH.. => 2,
        ONE_EDIT_MIN_LENGTH.. => 1,
        _ => 0,
    }
}

impl SimilarText {
    /// Prepares folded words for comparison; `None` if their spelling key is empty or longer than 63 bytes.
    pub fn new<W: AsRef<str>>(words: &[W]) -> Option<Self> {
        let plain = squash(words.iter().map(W::as_ref));
        let key = spelling_key(&plain);
        let fits = !key.is_empty() && key.len() <= MAX_KEY_LENGTH;
        let [by_letters, by_sound] = [&plain, &key].map(|text| allowed_edits(text));
        fits.then(|| Self {
            filter: TextFilter::new(&key, by_letters.max(by_sound)),
            by_sound: NameMatcher::new(&key, by_sound),
            by_letters: NameMatcher::new(&plain, by_letters),
            may_sound_alike: plain.len() >= MIN_SOUND_LENGTH,
            has_digits: has_digit(&key),
            key,
        })
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn filter(&self) -> &TextFilter {
        &self.filter
    }

    /// The fewest edits between the text and a folded name. The name is also compared without its article or initials. `None` if more edits
    /// than allowed are needed.
    pub fn distance(&self, name: &str) -> Option<u8> {
        let distance = |text: &str, is_partial| {
            self.distance_to_form(NameForm {
                text,
                key: &spelling_key(text),
                is_partial,
            })
        };
        let partial = partial_forms(name).filter_map(|form| distance(&form, true));
        distance(name, false).into_iter().chain(partial).min()
    }

    /// The number of edits between the text and a form of a name; `None` if it needs more edits than allowed. For a form without its
    /// article or initials, 0 or 1 edits count as 1, and 2 count as 3.
    pub(super) fn distance_to_form(&self, form: NameForm<'_>) -> Option<u8> {
        let edits = self.count_edits(form.text, form.key)?;
        Some(match (form.is_partial, edits) {
            (false, edits) => edits,
            (true, 0 | 1) => 1,
            (true, edits) => edits + 1,
        })
    }

    fn count_edits(&self, form: &str, key: &str) -> Option<u8> {
        let by_sound = self.by_sound.distance(key).filter(|_| self.may_sound_alike);
        let by_letters = match by_sound {
            // Comparing letters cannot give fewer edits: only equal letters give 0 edits, and equal letters have equal keys.
            Some(0 | 1) => None,
            _ => self.by_letters.distance(form),
        };
        let edits = by_sound.into_iter().chain(by_letters).min()?;
        // Digits must be equal, because a mistyped digit makes another number.
        let may_differ =
            edits == 0 || !self.has_digits && !has_digit(key) || has_same_digits(&self.key, key);
        may_differ.then_some(edits)
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
    /// Takes each text with a number. Results refer to the text by this number.
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

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All texts, in ascending order of the lengths of their keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(usize, SimilarText)> {
        self.texts.iter()
    }

    pub(super) fn get(&self, at: usize) -> Option<&(usize, SimilarText)> {
        self.texts.get(at)
    }

    /// The texts to which a name with this sketch may be similar.
    pub(super) fn candidates(
        &self,
        name: NameSketch,
    ) -> impl Iterator<Item = &(usize, SimilarText)> {
        let (shortest, longest) = name.lengths();
        let shortest = usize::from(shortest).saturating_sub(2);
        let beyond = (usize::from(longest) + 3).min(self.first_of_length.len() - 1);
        let bounds = [shortest.min(beyond), beyond].map(|length| self.first_of_length[length]);
        let range = bounds[0]..bounds[1];
        let texts = self.filters[range.clone()].iter().zip(&self.texts[range]);
        texts
            .filter(move |(filter, _)| filter.may_match(name))
            .map(|(_, text)| text)
    }
}
