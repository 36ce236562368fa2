//! Fuzzes typed text: its folding, its reading as words, and every parser of a short text.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use postduif::search::{Intent, spellings, street_town_splits};
use postduif_schema::{
    AddressId, GemeenteCode, GenerationName, HouseLetter, HouseNumber, HouseNumberAddition,
    Postcode, fold, squash, word_suffixes,
};

/// Checks the bytes as a text, in which invalid UTF-8 is replaced.
pub(super) fn words(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let folded = fold(&text);
    assert_eq!(fold(&folded), folded, "{text:?}");
    assert!(!folded.starts_with(' ') && !folded.ends_with(' ') && !folded.contains("  "));
    assert_eq!(squash([&*folded]), folded.replace(' ', ""));
    assert_eq!(
        word_suffixes(&folded).count(),
        folded.matches(' ').count() + 1
    );

    check_readings(&text);
    check_round_trip::<Postcode>(&text.to_ascii_uppercase());
    check_round_trip::<HouseNumber>(&text);
    check_round_trip::<HouseLetter>(&text);
    check_round_trip::<HouseNumberAddition>(&text);
    check_round_trip::<AddressId>(&text);
    check_round_trip::<GemeenteCode>(&text);
    check_round_trip::<GenerationName>(&text);
    if let Ok(postcode) = Postcode::from_input(&text) {
        assert_eq!(Postcode::from_input(&postcode.to_string()), Ok(postcode));
        assert_eq!(Postcode::from_code(postcode.code()), Some(postcode));
    }
    super::requests::autocomplete(&text);
}

/// A text must have few readings, and they must consist of folded words.
fn check_readings(text: &str) {
    let intent = Intent::parse(text);
    assert!(intent.readings.len() <= 16, "{text:?}");
    for reading in &intent.readings {
        assert!(reading.words.len() <= 12, "{text:?}: {reading:?}");
        for word in &reading.words {
            assert!(
                !word.is_empty() && fold(word) == *word,
                "{text:?}: {word:?}"
            );
        }
        let words = reading.words.len();
        let splits_between_words = reading.split_at.is_none_or(|at| 0 < at && at < words);
        assert!(splits_between_words, "{text:?}: {reading:?}");
        let splits = street_town_splits(reading);
        assert!(splits.len() <= 2 * words, "{text:?}: {reading:?}");
        let named = splits.iter().all(|split| !split.street.is_empty());
        assert!(named, "{text:?}: {reading:?}");
        assert!(spellings(&reading.words).len() <= 64, "{reading:?}");
    }
}

/// A parsed value must be formatted as a text that parses to the same value. The message of an error must be short.
fn check_round_trip<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().ok(), Some(value), "{text:?}"),
        Err(error) => assert!(error.to_string().len() < 1000, "{text:?}"),
    }
}
