//! Finds the clues in a text: every run of words that may be a name, every house number, and a postcode.

use std::cell::OnceCell;

use postduif_schema::{Postcode, SimilarText, SimilarTexts, fold, is_province_code, squash};

use super::number_clues::find_numbers;
use super::postcode_clue::{PostcodeClue, find_postcode};
use super::word_set::WordSet;
use crate::search::parse::{
    NumberToken, ends_with_po_box, is_filler, is_number_label, is_ordinal, main_spellings,
    with_particles,
};
use crate::search::word_shape::{begins_with_digit, is_digits};
use crate::search::{EnteredPostcode, NameAgreement, PostcodeAgreement, Unexplained, count_as_f32};

/// Maximum number of words that are weighed. Later words are ignored.
const MAX_WORDS: usize = 24;

/// Maximum number of words of a name.
const MAX_NAME_WORDS: usize = 6;

/// Maximum number of spellings of a run of words.
const MAX_SPELLINGS: usize = 3;

/// Maximum number of letters for which one word counts. A longer word counts as this many.
const MAX_COUNTED_LETTERS: usize = 8;

/// A run of words that may be a name, in one spelling.
#[derive(Debug)]
pub(super) struct NameClue {
    pub(super) words: WordSet,
    /// The words as typed, or with abbreviations written out.
    pub(super) spelled: Vec<String>,
    /// The letters of `spelled`, without spaces.
    pub(super) squashed: String,
    /// Whether the text ends with this run of words, so that the name may be incomplete.
    pub(super) is_last: bool,
    /// Whether the word before the run is `gem` or `gemeente`, so that the run names a municipality.
    pub(super) is_labelled_area: bool,
}

impl NameClue {
    /// The agreement with a name that differs by `edits` edits. A mistyped name gets one more edit if no spelling of the name in `forms`
    /// has as many words as were typed. Initials do not count as words.
    pub(super) fn agreement<'f>(
        &self,
        edits: u8,
        mut forms: impl Iterator<Item = &'f str>,
    ) -> NameAgreement {
        let is_word = |word: &&str| word.len() > 1;
        let typed_words = self.spelled.iter().map(String::as_str).filter(is_word);
        let typed_count = typed_words.count();
        let has_same_words = |form: &str| form.split(' ').filter(is_word).count() == typed_count;
        match edits {
            0 => NameAgreement::from_edits(0, forms.any(|form| squash([form]) == self.squashed)),
            edits => NameAgreement::from_edits(edits + u8::from(!forms.any(has_same_words)), false),
        }
    }
}

/// All clues of a text.
pub(super) struct Clues {
    pub(super) words: Vec<String>,
    /// The filler words, which say little about the place.
    pub(super) fillers: WordSet,
    pub(super) names: Vec<NameClue>,
    /// The texts of `names`, prepared at the first use for comparison with the names of places. Each text has its position in `names`.
    similar: OnceCell<SimilarTexts>,
    pub(super) numbers: Vec<(NumberToken, WordSet)>,
    pub(super) postcode: Option<PostcodeClue>,
}

impl Clues {
    pub(super) fn from_words(words: &[String]) -> Self {
        let mut words = without_number_labels(words);
        words.truncate(MAX_WORDS);
        drop_country(&mut words);
        let postcode = find_postcode(&words);
        let is_certain = |found: &PostcodeClue| match found.entered {
            // Five or seven characters after a street are rather a house number: `Buitenvaart 2101b-14`, `Zuiderdiep 288 te 2e Exloërmond`.
            EnteredPostcode::OneCharacterOff(_) => {
                found.words.start() == 0 && has_number_outside(&words, found.words)
            }
            _ => found.entered.has_six_characters() && !found.ends_with_article(&words),
        };
        // Names and numbers may use the words of an uncertain postcode. Four digits alone may be an addition or a part of a name. In
        // `2011 De Vennen 20`, `2011 De` looks like a postcode, but `De` begins the street.
        let postcode_words = postcode
            .as_ref()
            .filter(|found| is_certain(found))
            .map_or(WordSet::default(), |found| found.words);
        let names = find_names(&words, postcode_words);
        let numbers = find_numbers(&words, postcode_words);
        Self {
            fillers: find_fillers(&words),
            similar: OnceCell::new(),
            names,
            numbers,
            postcode,
            words,
        }
    }

    /// Whether a house number is at this position.
    pub(super) fn has_number_at(&self, position: usize) -> bool {
        self.numbers
            .iter()
            .any(|(token, _)| token.position == position)
    }

    /// Whether a number is that of a post-office box: the words for a box are directly before it.
    pub(super) fn is_po_box(&self, number: &NumberToken) -> bool {
        ends_with_po_box(&self.words[..number.position])
    }

    /// Whether a house number is directly after these words and, outside the postcode, the text has no other number.
    pub(super) fn has_only_number_after(&self, words: WordSet) -> bool {
        let start = words.end();
        let after = self.numbers.iter();
        let after = after.filter(|(token, _)| token.position == start);
        let Some(end) = after.map(|(token, _)| token.end).max() else {
            return false;
        };
        let postcode = self.postcode.as_ref().map(|postcode| postcode.words);
        self.numbers.iter().all(|(token, words)| {
            (start..end).contains(&token.position) || postcode.is_some_and(|at| at.overlaps(*words))
        })
    }

    /// The texts of `names` for comparison with the names of places. Each text has its position in `names`.
    pub(super) fn similar(&self) -> &SimilarTexts {
        self.similar.get_or_init(|| self.texts_of(|_| true))
    }

    /// The texts of the names for which `is_wanted` is true. Each text has its position in `names`.
    pub(super) fn texts_of(&self, is_wanted: impl Fn(&NameClue) -> bool) -> SimilarTexts {
        let names = self.names.iter().enumerate();
        let wanted = names.filter(|(_, name)| is_wanted(name));
        let texts = wanted.filter_map(|(at, name)| Some((at, SimilarText::new(&name.spelled)?)));
        SimilarTexts::new(texts.collect())
    }

    /// Compares the typed postcode with that of an address. The typed postcode does not count if it shares a word with `explained`, the
    /// words that name the address.
    pub(super) fn compare_postcode(
        &self,
        explained: WordSet,
        postcode: Postcode,
    ) -> PostcodeAgreement {
        let typed = self.postcode_outside(explained);
        PostcodeAgreement::compare(typed.map(|clue| &clue.entered), postcode)
    }

    /// The typed postcode, unless it shares a word with `explained`.
    pub(super) fn postcode_outside(&self, explained: WordSet) -> Option<&PostcodeClue> {
        let typed = self.postcode.as_ref();
        typed.filter(|clue| !clue.words.overlaps(explained))
    }

    /// The number of letters of some words. Each word counts for at most `MAX_COUNTED_LETTERS`.
    pub(super) fn count_letters(&self, words: WordSet) -> f32 {
        let chosen = self
            .words
            .iter()
            .enumerate()
            .filter(|(at, _)| words.contains(*at));
        count_as_f32(
            chosen
                .map(|(_, word)| word.len().min(MAX_COUNTED_LETTERS))
                .sum(),
        )
    }

    /// Counts the words outside `explained`. The words of the postcode are not counted, because the postcode is scored separately.
    pub(super) fn unexplained(&self, explained: WordSet) -> Unexplained {
        let postcode = self
            .postcode
            .as_ref()
            .map_or(WordSet::default(), |found| found.words);
        let explained = explained.union(postcode);
        let mut rest = Unexplained::default();
        for (at, word) in self.words.iter().enumerate() {
            if explained.contains(at) {
                continue;
            }
            if self.fillers.contains(at) {
                rest.fillers += 1;
            } else {
                rest.words += 1;
                rest.letters +=
                    u8::try_from(word.len().min(MAX_COUNTED_LETTERS)).unwrap_or(u8::MAX);
            }
        }
        rest
    }

    /// The words of the text that occur in the name of a municipality or province, or are a short form of the province.
    pub(super) fn words_of_area(&self, area: &str) -> WordSet {
        let folded = fold(area);
        let is_part = |word: &String| {
            folded.split(' ').any(|part| part == word) || is_province_code(word, area)
        };
        WordSet::from_flags(self.words.iter().map(is_part))
    }
}

/// The words without labels such as `nr` between a name and a house number, so that the number directly follows the name. Keeps a label
/// after a number: it is the letters of a postcode (`8316 NR 6`), or it comes before a unit.
fn without_number_labels(words: &[String]) -> Vec<String> {
    let is_label = |at: usize| {
        let is_between = at > 0 && !begins_with_digit(&words[at - 1]);
        is_between
            && is_number_label(&words[at])
            && words
                .get(at + 1)
                .is_some_and(|next| begins_with_digit(next))
    };
    let kept = (0..words.len()).filter(|&at| !is_label(at));
    kept.map(|at| words[at].clone()).collect()
}

/// Drops a country at the end of a text with a number. Otherwise it could be the beginning of a name, such as Nederlandstraat. `holland` may
/// be the beginning of a town.
fn drop_country(words: &mut Vec<String>) {
    let is_country = |last: &String| matches!(&**last, "nederland" | "netherlands");
    if has_number_outside(words, WordSet::default()) && words.len() > 2 {
        words.pop_if(|last| is_country(last));
    }
}

/// The filler words. A single letter after a number is not a filler word, because it may be a house letter or an addition.
fn find_fillers(words: &[String]) -> WordSet {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_addition =
        |at: usize| words[at].len() == 1 && at > 0 && words[at - 1].starts_with(is_digit);
    let fillers = (0..words.len()).map(|at| is_filler(&words[at]) && !is_addition(at));
    WordSet::from_flags(fillers)
}

fn find_names(words: &[String], postcode_words: WordSet) -> Vec<NameClue> {
    let mut names = Vec::new();
    for first in 0..words.len() {
        for end in first + 1..=words.len().min(first + MAX_NAME_WORDS) {
            let set = WordSet::from_range(first..end);
            let run = &words[first..end];
            let has_letters = run.iter().any(|word| !is_digits(word));
            if set.overlaps(postcode_words) {
                break;
            }
            // `11e` alone is a house number with its letter, not an ordinal.
            let is_number = matches!(run, [word] if is_ordinal(word) && begins_with_digit(word));
            if has_letters && !is_number {
                let before = first.checked_sub(1).map(|before| &*words[before]);
                let is_labelled_area = matches!(before, Some("gem" | "gemeente"));
                names.extend(spelled_names(run, set).map(|name| NameClue {
                    is_last: end == words.len(),
                    is_labelled_area,
                    ..name
                }));
            }
        }
    }
    names
}

fn spelled_names(run: &[String], words: WordSet) -> impl Iterator<Item = NameClue> {
    let name = move |spelled: Vec<String>| NameClue {
        words,
        squashed: squash(spelled.iter().map(String::as_str)),
        spelled,
        is_last: false,
        is_labelled_area: false,
    };
    let spelled = main_spellings(run).into_iter().take(MAX_SPELLINGS);
    let mut spelled: Vec<Vec<String>> = spelled
        .map(|spelling| spelling.words.into_owned())
        .collect();
    // A mistyped name is compared letter by letter, so its particles must be written out.
    let with_particles = spelled.last().map(|last| with_particles(last));
    spelled.extend(with_particles.unwrap_or_default());
    spelled.into_iter().map(name)
}

/// Whether a word outside `taken` begins with a digit.
fn has_number_outside(words: &[String], taken: WordSet) -> bool {
    let mut words = words.iter().enumerate();
    words.any(|(at, word)| begins_with_digit(word) && !taken.contains(at))
}
