//! Compares typed words with the words of a street name before its last word. People shorten first names to initials, or leave them out.

use crate::search::parse::{is_abbreviation, is_title};

/// Maximum number of initials in one typed word, as in `jrr tolkienstraat`.
const MAX_JOINED_INITIALS: usize = 4;

/// Maximum number of letters of a first name that the register has shortened, such as Joh., Chr. and Th.
const MAX_SHORTENED_LETTERS: usize = 3;

/// Articles and prepositions, which are not shortened first names: `de` is not short for `Dekker`.
const PARTICLES: [&str; 11] = [
    "aan", "de", "den", "der", "het", "la", "op", "te", "ten", "ter", "van",
];

/// How the typed words before a surname agree with the words before the last word of a street name, as the `a` of `a bergstraat` with Alban
/// Bergstraat.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FirstNames {
    /// The number of typed words that the name explains. They directly precede the last word.
    pub(super) typed_words: usize,
    /// The number of words that are shortened on one side: to an initial, or in the name to at most three letters (Joh. for `Johannes`).
    pub(super) shortened: usize,
    /// The number of words of the name that were not typed. Titles are not counted.
    pub(super) left_out: usize,
}

impl FirstNames {
    /// Compares the words from the last to the first. If a word of the name differs from the typed word, this word and all words of the
    /// name before it count as left out.
    pub(super) fn compare(typed: &[String], known: &str) -> Self {
        let known: Vec<&str> = known.split(' ').collect();
        let mut names = Self::default();
        let mut end = known.len();
        while end > 0 {
            let word = typed.iter().rev().nth(names.typed_words);
            let word = word.map_or("", String::as_str);
            match count_words(word, &known[..end]) {
                Some((words, shortened)) => {
                    names.typed_words += 1;
                    names.shortened += shortened;
                    end -= words;
                }
                None if is_title(known[end - 1]) => end -= 1,
                None => break,
            }
        }
        names.left_out = known[..end].iter().filter(|word| !is_title(word)).count();
        names
    }
}

/// How many of the last words in `known` a typed word means, and how many of them are shortened: 2 and 2 for `lp` and `louis paul`.
/// `None` if the typed word means none of them.
fn count_words(word: &str, known: &[&str]) -> Option<(usize, usize)> {
    let last = known.last().filter(|_| !word.is_empty())?;
    let is_initial = |short: &str, long: &str| short.len() == 1 && long.starts_with(short);
    let is_shortened =
        last.len() <= MAX_SHORTENED_LETTERS && word.starts_with(last) && !PARTICLES.contains(last);
    if word != *last && (is_initial(word, last) || is_shortened) {
        return Some((1, 1));
    }
    if word == *last || is_abbreviation(word, last) || is_abbreviation(last, word) {
        return Some((1, 0));
    }
    let is_joined = (2..=MAX_JOINED_INITIALS).contains(&word.len()) && word.len() <= known.len();
    let names = is_joined.then(|| &known[known.len() - word.len()..])?;
    let mut pairs = word.bytes().zip(names);
    let fits = pairs.all(|(initial, name)| name.as_bytes().first() == Some(&initial));
    fits.then_some((word.len(), word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_names_are_compared_from_the_last_to_the_first() {
        #[track_caller]
        fn case(typed: &str, known: &str, expected: [usize; 3]) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let names = FirstNames::compare(&words, known);
            let counts = [names.typed_words, names.shortened, names.left_out];
            assert_eq!(counts, expected, "{typed:?} {known:?}");
        }
        case("nat king", "nat king", [2, 0, 0]);
        case("n k", "nat king", [2, 2, 0]);
        case("nk", "nat king", [1, 2, 0]);
        case("adres k", "nat king", [1, 1, 1]);
        case("adres", "nat king", [0, 0, 2]);
        case("hotel albert", "dr a", [1, 1, 0]);
        case("j van", "jan van", [2, 1, 0]);
        case("johannes", "joh", [1, 1, 0]);
        case("joh", "johannes", [0, 0, 1]);
        case("dekker", "de", [0, 0, 1]);
    }
}
