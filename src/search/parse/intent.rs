//! Every way to read the typed text as a name, a house number and a postcode.
//!
//! This module does not choose between them. `Plein 1944 12` may be number 12 of Plein 1944 or number 1944-12 of Plein: only
//! the dictionary of streets decides, so the search tries each reading and the best hits win. Source for the ways in which
//! people write numbers and postcodes: the project's list of Dutch address facts.

use super::postcode_readings;
use super::reading::Reading;
use super::typed_words::typed_words;
use super::unit_words::is_number_label;

/// Words that are read.
pub(super) const MAX_WORDS: usize = 12;

/// Readings that are tried.
pub(super) const MAX_READINGS: usize = 16;

/// Every way to read a text, the likeliest first.
#[derive(Debug, PartialEq, Eq)]
pub struct Intent {
    /// At least one, unless the text has no words.
    pub readings: Vec<Reading>,
}

impl Intent {
    /// Lists the readings of the typed text.
    #[must_use]
    pub fn parse(typed: &str) -> Self {
        Self::from_words(&typed_words(typed))
    }

    /// Lists the readings of the words of the typed text.
    #[must_use]
    pub fn from_words(words: &[String]) -> Self {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = drop_filler_words(&words);
        let words = &words[..words.len().min(MAX_WORDS)];
        let mut readings = postcode_readings::readings(words);
        readings.truncate(MAX_READINGS);
        Self { readings }
    }
}

/// Drops words that say nothing about the place: `nr` before a number, the country at the end.
fn drop_filler_words<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_number_label = |at: usize| {
        let next = words.get(at + 1);
        is_number_label(words[at])
            && at > 0
            && next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
    };
    let country = |at: usize| {
        let name = matches!(words[at], "nederland" | "netherlands" | "holland");
        name && at > 0 && at + 1 == words.len()
    };
    let kept = (0..words.len()).filter(|&at| !is_number_label(at) && !country(at));
    kept.map(|at| words[at]).collect()
}
