//! What a person may mean by what was typed: every way of reading it as a name, a house number and a postcode.
//!
//! Nothing is decided here. `Plein 1944 12` may be number 12 of Plein 1944 or number 1944-12 of Plein; only the dictionary of
//! streets can tell, so each reading is tried and the best finds win. Source for the ways in which people write numbers and
//! postcodes: the project's list of Dutch address facts.

use postduif_schema::fold;

use super::number::TypedNumber;
use super::postcode::PostcodeRange;

/// Characters that are read; nobody types more before looking up.
const MAX_CHARS: usize = 160;

/// Words that are read.
pub(super) const MAX_WORDS: usize = 12;

/// Ways of reading that are tried.
pub(super) const MAX_READINGS: usize = 16;

/// Every way of reading a text, the likeliest first.
#[derive(Debug, PartialEq, Eq)]
pub struct Intent {
    /// At least one, unless nothing was typed.
    pub readings: Vec<Reading>,
}

/// One way of reading a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Folded words of a street, a town or both.
    pub words: Vec<String>,
    /// How many of the words stand before the number, where one stands between words: it parts street and town.
    pub split_at: Option<usize>,
    /// The house number.
    pub number: Option<TypedNumber>,
    /// The postcode, or the beginning of one.
    pub postcode: Option<PostcodeRange>,
}

impl Intent {
    /// Reads what was typed.
    #[must_use]
    pub fn parse(typed: &str) -> Self {
        let head: String = typed.chars().take(MAX_CHARS).collect();
        let folded = fold(&head);
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let words = super::postcode::split_glued_number(words);
        let words = drop_filler_words(&words);
        let words = &words[..words.len().min(MAX_WORDS)];
        let mut readings = super::postcode::readings(words);
        readings.truncate(MAX_READINGS);
        Self { readings }
    }
}

/// The words without those that say nothing about the place.
fn drop_filler_words<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_number_label = |at: usize| {
        let word = matches!(words[at], "nr" | "no" | "nummer" | "huisnr" | "huisnummer");
        let next = words.get(at + 1);
        word && at > 0 && next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
    };
    let country = |at: usize| {
        let name = matches!(words[at], "nederland" | "netherlands" | "holland");
        name && at > 0 && at + 1 == words.len()
    };
    let kept = (0..words.len()).filter(|&at| !is_number_label(at) && !country(at));
    kept.map(|at| words[at]).collect()
}
