//! What people type: folding, the ways of reading it, and every small text that is parsed.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use postduif::search::{Intent, spellings, street_town_splits};
use postduif_schema::{
    AddressId, GemeenteCode, GenerationName, HouseLetter, HouseNumber, HouseNumberAddition,
    Postcode, fold, squash, word_suffixes,
};

/// Text, or what is left of bytes that are none.
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

    reads(&text);
    spelled_as_read::<Postcode>(&text.to_ascii_uppercase());
    spelled_as_read::<HouseNumber>(&text);
    spelled_as_read::<HouseLetter>(&text);
    spelled_as_read::<HouseNumberAddition>(&text);
    spelled_as_read::<AddressId>(&text);
    spelled_as_read::<GemeenteCode>(&text);
    spelled_as_read::<GenerationName>(&text);
    if let Ok(postcode) = Postcode::from_input(&text) {
        assert_eq!(Postcode::from_input(&postcode.to_string()), Ok(postcode));
        assert_eq!(Postcode::from_code(postcode.code()), Some(postcode));
    }
    super::requests::typed(&text);
}

/// Every way of reading a text is bounded and made of folded words.
fn reads(text: &str) {
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
        let parted = reading.split_at.is_none_or(|at| 0 < at && at < words);
        assert!(parted, "{text:?}: {reading:?}");
        let splits = street_town_splits(reading);
        assert!(splits.len() <= 2 * words, "{text:?}: {reading:?}");
        let named = splits.iter().all(|split| !split.street.is_empty());
        assert!(named, "{text:?}: {reading:?}");
        assert!(spellings(&reading.words).len() <= 64, "{reading:?}");
    }
}

/// What is read from a text is written as the same value again, and a refusal is short.
fn spelled_as_read<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().ok(), Some(value), "{text:?}"),
        Err(error) => assert!(error.to_string().len() < 1000, "{text:?}"),
    }
}
