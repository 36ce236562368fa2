//! Translates the English and German types of streets that visitors and map programs write: `molen road` and `molenstrasse`.
//!
//! Assumption: these are the usual translations. Abbreviations that are also Dutch, such as `st`, are left out.

/// Types of street in other languages, with the Dutch type. A type with at least `MIN_JOINED_LETTERS` letters is also found at the end of a
/// word.
const FOREIGN_TYPES: [(&str, &str); 13] = [
    ("alley", "steeg"),
    ("ave", "laan"),
    ("avenue", "laan"),
    ("canal", "gracht"),
    ("lane", "laan"),
    ("quay", "kade"),
    ("rd", "weg"),
    ("road", "weg"),
    ("sq", "plein"),
    ("square", "plein"),
    ("strasse", "straat"),
    ("street", "straat"),
    ("way", "weg"),
];

/// Minimum number of letters of a foreign type at the end of a word, and of the rest of that word.
const MIN_JOINED_LETTERS: usize = 4;

/// The words, with the last foreign type of street translated into Dutch: `molen weg` for `molen road`. `None` if the words have no foreign
/// type. The first word is not a type by itself, because a name may begin with it: Avenue Concordia.
pub(super) fn with_dutch_type(words: &[String]) -> Option<Vec<String>> {
    let translate_at = |at: usize| {
        let translated = translate(&words[at], at == 0)?;
        let mut words = words.to_vec();
        words[at] = translated;
        Some(words)
    };
    (0..words.len()).rev().find_map(translate_at)
}

/// A word with its foreign type in Dutch. If `is_first`, the type must be the end of a longer word.
fn translate(word: &str, is_first: bool) -> Option<String> {
    FOREIGN_TYPES.iter().find_map(|(foreign, dutch)| {
        let rest = word.strip_suffix(foreign)?;
        let is_type = match rest.len() {
            0 => !is_first,
            letters => letters.min(foreign.len()) >= MIN_JOINED_LETTERS,
        };
        is_type.then(|| format!("{rest}{dutch}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_type_is_translated() {
        #[track_caller]
        fn case(typed: &str, expected: Option<&str>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let translated = with_dutch_type(&words).map(|words| words.join(" "));
            assert_eq!(translated.as_deref(), expected, "{typed:?}");
        }
        case("molen road", Some("molen weg"));
        case("oude molenroad", Some("oude molenweg"));
        case("molenstrasse", Some("molenstraat"));
        case("van dam ave", Some("van dam laan"));
        case("avenue concordia", None);
        case("street", None);
        case("molenrd", None);
        case("molenweg", None);
    }
}
