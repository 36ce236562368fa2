//! Finds the suffix of an address among the words of an entered suffix: the B of `ingang B`, the A of `A t.o. school`, the first number of
//! `789-790`.

use postduif_schema::MAX_SUFFIX_CHARS;

use super::house_number_suffix::{HouseNumberSuffix, is_separator};
use crate::search::{begins_with_digit, is_digits, is_ordinal};

/// Maximum number of words of a suffix that are compared.
pub(super) const MAX_WORDS: usize = 8;

/// Ranks a run of whole words of the entered suffix that equals `known`, which is in upper case. A lower rank is better: it is lower if the
/// run begins earlier, and between runs that begin at the same word, if it has more words. `None` if no run equals `known`, if the run may
/// be an initial, or if no other word has two or more letters or is a count (`2x`): `A 3` does not match A.
pub(super) fn rank_of_whole_words(suffix: HouseNumberSuffix<'_>, known: &str) -> Option<usize> {
    let words = words(suffix);
    if known.is_empty() {
        return None;
    }
    (0..words.len()).find_map(|start| {
        let end = (start + MAX_SUFFIX_CHARS).min(words.len());
        let mut ends = (start + 1..=end).rev();
        let end = ends.find(|&end| joins_to(&words[start..end], known))?;
        let [before, after] = [&words[..start], &words[end..]];
        let [is_after_name, is_before_name] =
            [before.last(), after.first()].map(|word| word.is_some_and(|word| is_name(word)));
        // A letter between two words is an initial: `tav A Jansen`.
        let is_initial = known.len() == 1 && is_after_name && is_before_name;
        let mut others = before.iter().chain(after);
        let has_remark = others.any(|word| is_name(word) || is_count(word));
        (has_remark && !is_initial).then_some((start + 1) * MAX_WORDS - (end - start))
    })
}

/// Whether a word has two or more letters.
fn is_name(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// Whether a word says how many there are: `2X`.
fn is_count(word: &str) -> bool {
    let count = word.strip_suffix('X');
    count.is_some_and(|count| !count.is_empty() && is_digits(count))
}

/// The letter and the first number of a range of units, joined: `G705` for the letter G and `705-706`. `None` if the addition is not two numbers
/// with a mark between them, or if the first one is not the lower one.
pub(super) fn first_of_range(suffix: HouseNumberSuffix<'_>) -> Option<String> {
    let is_between =
        |c: char| is_separator(c) && !c.is_whitespace() || matches!(c, '+' | '&' | ',');
    let numbers = suffix.addition?.split_once(is_between)?;
    let [first, last] = [numbers.0, numbers.1].map(str::trim);
    let [first_number, last_number] = [first, last].map(|text| text.parse::<u32>().ok());
    let is_range = is_digits(first) && is_digits(last) && first_number? < last_number?;
    let letter = suffix.letter.unwrap_or_default().to_ascii_uppercase();
    is_range.then(|| letter + first)
}

/// The words of letter and addition in upper case, without marks. Leaves out shortened articles (`'t`) and ordinals, which are not
/// units.
fn words(suffix: HouseNumberSuffix<'_>) -> Vec<String> {
    let parts = [suffix.letter, suffix.addition].into_iter().flatten();
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')');
    let words = parts.flat_map(|part| part.split(is_between));
    let words = words.filter(|word| !word.starts_with(['\'', '’']));
    let plain = words.map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect());
    let words = plain.filter(|word: &String| !word.is_empty());
    let units = words.filter(|word| !is_ordinal(&word.to_lowercase()));
    units
        .map(|word| word.to_uppercase())
        .take(MAX_WORDS)
        .collect()
}

/// Whether the words are `known` together. Two numbers do not join to a longer one.
fn joins_to(words: &[String], known: &str) -> bool {
    !has_adjacent_numbers(words) && words.concat() == known
}

/// Whether a number follows another one, so that they would become one number if the words were joined.
pub(super) fn has_adjacent_numbers<W: AsRef<str>>(words: &[W]) -> bool {
    words.windows(2).any(|pair| {
        let ends_with_digit = pair[0].as_ref().ends_with(|c: char| c.is_ascii_digit());
        ends_with_digit && begins_with_digit(pair[1].as_ref())
    })
}
