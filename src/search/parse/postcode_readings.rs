//! Lists every way to read words with a postcode, with the beginning of a postcode, or without a postcode.

use super::number_readings;
use super::postcode::{PostcodeKind, PostcodeRange};
use super::reading::Reading;

/// All readings of the words, in this order: with a whole postcode, with the beginning of a postcode before the other words,
/// without a postcode, with the beginning of a postcode elsewhere.
pub(super) fn readings(words: &[&str]) -> Vec<Reading> {
    let found = find_ranges(words);
    let with_kind = |kind: PostcodeKind| -> Vec<Reading> {
        let chosen = found.iter().filter(|(_, _, range)| range.kind == kind);
        chosen
            .flat_map(|&(at, word_count, range)| readings_around(words, at, word_count, range))
            .collect()
    };
    let mut readings = with_kind(PostcodeKind::Whole);
    readings.extend(with_kind(PostcodeKind::LeadingPrefix));
    if !words.is_empty() {
        readings.extend(number_readings::readings(words, None));
    }
    readings.extend(with_kind(PostcodeKind::LaterPrefix));
    readings.extend(readings_with_postcode_prefix(words));
    readings
}

/// The readings with a house number and, at the end, the first digits of a postcode: `Dijk 12, 13`.
fn readings_with_postcode_prefix(words: &[&str]) -> Vec<Reading> {
    let at = words.len().saturating_sub(1);
    let range = words
        .last()
        .and_then(|last| PostcodeRange::from_leading_digits(last));
    let mut readings = range.map_or_else(Vec::new, |range| readings_around(words, at, 1, range));
    readings.retain(|reading| reading.number.is_some());
    readings
}

/// The postcodes among the words: position, number of words, and range.
fn find_ranges(words: &[&str]) -> Vec<(usize, usize, PostcodeRange)> {
    let at = |at: usize| {
        let word = words[at];
        let (digits, letters) = word.split_at_checked(4).unwrap_or((word, ""));
        let alone = PostcodeRange::parse(digits, letters, at == 0).map(|range| (at, 1, range));
        let next = words.get(at + 1).filter(|_| letters.is_empty());
        let with_next = next.and_then(|next| PostcodeRange::parse(digits, next, at == 0));
        [with_next.map(|range| (at, 2, range)), alone]
    };
    (0..words.len()).flat_map(at).flatten().collect()
}

/// The readings of the words around a postcode.
fn readings_around(
    words: &[&str],
    at: usize,
    word_count: usize,
    range: PostcodeRange,
) -> Vec<Reading> {
    let rest: Vec<&str> = [&words[..at], &words[at + word_count..]].concat();
    let mut readings = number_readings::readings(&rest, Some(at));
    // If a postcode was typed, a number is more likely the house number than a part of the name. So the reading without a house
    // number moves to the end.
    readings.rotate_left(1);
    for reading in &mut readings {
        reading.postcode = Some(range);
    }
    readings
}
