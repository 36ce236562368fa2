//! Finds a postcode that is not alone in its field: people also enter it with punctuation or a country, together with the city, or in the
//! field of the city or the street.

use postduif_schema::{Postcode, PostcodeSet, squashed};

use crate::search::postcode_without_doubled_character;

/// Maximum number of words of a field in which a postcode is looked for. The rest of the field is ignored. The longest names of towns have
/// six words.
const MAX_WORDS: usize = 12;

/// Maximum number of bytes of a text that may be only a postcode. A longer text is not read as a postcode alone.
const MAX_ONLY_BYTES: usize = 64;

/// Postcode, street and city, each read from the field in which it was found. A name is empty if no field holds it.
pub(super) struct MovedPostcode {
    pub(super) postcode: String,
    pub(super) street: String,
    pub(super) city: String,
}

impl MovedPostcode {
    /// Finds a postcode among other words of its own field, or else in the field of the city or of the street. A postcode in the street
    /// counts only if it is in `existing`, the postcodes of the register, because a street may look like one: `Laan 1945 en`.
    pub(super) fn find(
        postcode: &str,
        street: &str,
        city: &str,
        existing: &PostcodeSet,
    ) -> Option<Self> {
        let new = |postcode, street: &str, city: &str| Self {
            postcode,
            street: street.to_owned(),
            city: city.to_owned(),
        };
        if let Some(found) = only_postcode(postcode) {
            return Some(new(found, street, city));
        }
        if let Some((found, before, after)) = split_postcode(postcode) {
            let (street, rest) = street_and_rest(street, before, after);
            return Some(new(found, &street, first_filled(city, &rest)));
        }
        if let Some((found, before, after)) = split_postcode(city) {
            let (street, rest) = street_and_rest(street, before, after);
            return Some(new(found, &street, first_filled(&rest, postcode)));
        }
        let (found, before, after) = split_postcode(street)?;
        let is_known = Postcode::from_input(&found).is_ok_and(|found| existing.contains(found));
        let (street, city) = (first_filled(&before, postcode), first_filled(city, &after));
        is_known.then(|| new(found, street, city))
    }
}

fn first_filled<'t>(one: &'t str, other: &'t str) -> &'t str {
    if one.is_empty() { other } else { one }
}

/// The postcode in a text without other words, such as `NL 1234.ABB`. Ignores punctuation, the code of the country, and a character that
/// was typed twice.
fn only_postcode(text: &str) -> Option<String> {
    if text.len() > MAX_ONLY_BYTES {
        return None;
    }
    let plain = squashed(text);
    let postcode = plain.strip_prefix("nl").unwrap_or(&plain);
    match Postcode::from_input(postcode) {
        Ok(_) => Some(postcode.to_owned()),
        Err(_) => postcode_without_doubled_character(postcode),
    }
}

/// Returns the street, and the words around a postcode that are not the street. If no street was entered and the postcode has words on both
/// sides, the words before it are the street.
fn street_and_rest(street: &str, before: String, after: String) -> (String, String) {
    match street.is_empty() && !before.is_empty() && !after.is_empty() {
        true => (before, after),
        false => (
            street.to_owned(),
            format!("{before} {after}").trim().to_owned(),
        ),
    }
}

/// The first postcode among the words of a text, and the words before and after it.
fn split_postcode(text: &str) -> Option<(String, String, String)> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '/');
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(MAX_WORDS).collect();
    for at in 0..words.len() {
        for end in at + 1..=words.len().min(at + 2) {
            let postcode = words[at..end].concat();
            if Postcode::from_input(&postcode).is_ok() {
                return Some((postcode, words[..at].join(" "), words[end..].join(" ")));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postcode_is_found_in_another_field() {
        let existing: PostcodeSet = ["1234AB".parse().expect("a postcode")]
            .into_iter()
            .collect();
        let case = |[postcode, street, city]: [&str; 3], expected: Option<[&str; 3]>| {
            let found = MovedPostcode::find(postcode, street, city, &existing);
            let found = found.map(|found| [found.postcode, found.street, found.city]);
            assert_eq!(found, expected.map(|texts| texts.map(str::to_owned)));
        };
        case(["1234AB Ede", "", ""], Some(["1234AB", "", "Ede"]));
        case(
            ["1234 ab, Den Haag", "", ""],
            Some(["1234ab", "", "Den Haag"]),
        );
        case(
            ["NL-1234 AB", "Dijk", "Ede"],
            Some(["1234ab", "Dijk", "Ede"]),
        );
        for entered in [
            "1234.AB", "(1234 AB)", "'1234AB'", "NL1234AB", "1234_ab", "1234ABB", "NL-11234 AB",
            "１２３４ＡＢ",
        ] {
            case([entered, "Dijk", "Ede"], Some(["1234ab", "Dijk", "Ede"]));
        }
        case(["Ede", "", "1234 AB"], Some(["1234AB", "", "Ede"]));
        case(["", "", "1234AB Ede"], Some(["1234AB", "", "Ede"]));
        case(
            ["", "Dijk 3, 1234AB Ede", ""],
            Some(["1234AB", "Dijk 3", "Ede"]),
        );
        case(
            ["", "", "Dijk 3, 1234AB Ede"],
            Some(["1234AB", "Dijk 3", "Ede"]),
        );
        case(
            ["Dijk 3a, 1234AB Ede", "", ""],
            Some(["1234AB", "Dijk 3a", "Ede"]),
        );
        case(["Dijk", "1234AB", "Ede"], Some(["1234AB", "Dijk", "Ede"]));
        case(["", "Laan 1945 en", "Ede"], None);
        case(["1234", "", "Ede"], None);
        case(["12345 AB", "", "Ede"], None);
        case(["", "", ""], None);
    }
}
