//! Finds the postcode that people enter together with the city, or in the field of the city.

use postduif_schema::Postcode;

/// Maximum words of a field in which a postcode is looked for. The longest names of towns have six words.
const MAX_WORDS: usize = 12;

/// A postcode and a city, each read from the field in which it was found.
pub(super) struct MovedPostcode {
    pub(super) postcode: String,
    pub(super) city: String,
}

impl MovedPostcode {
    /// Finds a postcode among other words of its own field, or else in the field of the city.
    pub(super) fn find(postcode: &str, city: &str) -> Option<Self> {
        if let Some((found, rest)) = split_postcode(postcode) {
            let city = if city.is_empty() { &rest } else { city };
            return Some(Self {
                postcode: found,
                city: city.to_owned(),
            });
        }
        let (found, rest) = split_postcode(city)?;
        let city = if rest.is_empty() { postcode } else { &rest };
        Some(Self {
            postcode: found,
            city: city.to_owned(),
        })
    }
}

/// The first postcode among the words of a text, and the other words.
fn split_postcode(text: &str) -> Option<(String, String)> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '/');
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(MAX_WORDS).collect();
    for at in 0..words.len() {
        for end in at + 1..=words.len().min(at + 2) {
            let postcode = words[at..end].concat();
            if Postcode::from_input(&postcode).is_ok() {
                let rest = [&words[..at], &words[end..]].concat();
                return Some((postcode, rest.join(" ")));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postcode_is_found_beside_or_in_place_of_the_city() {
        #[track_caller]
        fn case(postcode: &str, city: &str, expected: Option<[&str; 2]>) {
            let found = MovedPostcode::find(postcode, city);
            let found = found.map(|found| [found.postcode, found.city]);
            assert_eq!(found, expected.map(|texts| texts.map(str::to_owned)));
        }
        case("1234AB Ede", "", Some(["1234AB", "Ede"]));
        case("1234 ab, Den Haag", "", Some(["1234ab", "Den Haag"]));
        case("NL-1234 AB", "Ede", Some(["1234AB", "Ede"]));
        case("Ede", "1234 AB", Some(["1234AB", "Ede"]));
        case("", "1234AB Ede", Some(["1234AB", "Ede"]));
        case("1234", "Ede", None);
        case("12345 AB", "Ede", None);
        case("", "", None);
    }
}
