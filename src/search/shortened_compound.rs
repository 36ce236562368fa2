//! Recognizes a name if only the beginning of its last word and its type of street were typed: `wilh straat`, `stat str` and
//! `wilhlaan` for Wilhelminastraat, Stationsstraat and Wilhelminalaan.

use super::NameAgreement;
use super::parse::{is_abbreviation, split_type};
use crate::search::word_shape::is_lowercase;

/// Minimum number of letters before a type of street that is a separate word, as `wilh` in `wilh straat`.
const MIN_LETTERS_APART: usize = 3;

/// Minimum number of letters before a type of street that is joined to them, as `wilh` in `wilhlaan`. With fewer letters, the word is more
/// likely a mistyped name.
const MIN_LETTERS_JOINED: usize = 4;

/// Words that are not the beginning of a longer word, as in `van der weg`.
const PARTICLES: [&str; 8] = ["aan", "den", "der", "het", "ten", "ter", "van", "voor"];

/// A typed name that ends with the beginning of a word and the type of the street.
#[derive(Debug, PartialEq, Eq)]
pub struct ShortenedCompound<'w> {
    /// The words before the shortened word.
    before: &'w [String],
    /// The typed beginning of the shortened word: `wilh`.
    pub beginning: &'w str,
    /// The type of street, written out: `straat`.
    kind: &'static str,
    /// Whether a dot or a space is before the type, so that the word is certainly shortened or split.
    pub is_apart: bool,
}

impl<'w> ShortenedCompound<'w> {
    /// Reads folded words as a name with a shortened last word; `None` if they do not end with a type of street after enough letters, or if
    /// those letters are a whole word such as `van`.
    pub fn from_words(words: &'w [String]) -> Option<Self> {
        let (last, before) = words.split_last()?;
        let (rest, kind) = split_type(last)?;
        let (before, beginning, least) = match rest {
            "" => {
                let (word, before) = before.split_last()?;
                (before, word.as_str(), MIN_LETTERS_APART)
            }
            rest => (before, rest, MIN_LETTERS_JOINED),
        };
        let is_word = is_lowercase(beginning);
        let may_be_shortened =
            is_word && beginning.len() >= least && !PARTICLES.contains(&beginning);
        may_be_shortened.then_some(Self {
            before,
            beginning,
            kind,
            is_apart: rest.is_empty(),
        })
    }

    /// How well the typed name agrees with `form`, a folded name of the register. `None` if the last word of `form` does not have the typed
    /// beginning and type, or if a typed word before the beginning differs.
    pub fn agreement(&self, form: &str) -> Option<NameAgreement> {
        let (before, last) = form.rsplit_once(' ').unwrap_or(("", form));
        let known = last.strip_suffix(self.kind)?;
        if known.len() <= self.beginning.len() || !known.starts_with(self.beginning) {
            return None;
        }
        let mut known = before.split(' ').rev().filter(|word| !word.is_empty());
        for word in self.before.iter().rev() {
            let known = known.next()?;
            if word != known && !is_abbreviation(word, known) {
                return None;
            }
        }
        Some(match (self.is_apart, known.next()) {
            (true, None) => NameAgreement::SoundsAlike,
            _ => NameAgreement::Partial,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_word_agrees_with_words_that_have_its_beginning_and_its_type() {
        #[track_caller]
        fn case(typed: &str, form: &str, expected: Option<NameAgreement>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let shortened = ShortenedCompound::from_words(&words);
            let agreement = shortened.and_then(|shortened| shortened.agreement(form));
            assert_eq!(agreement, expected, "{typed:?} {form:?}");
        }
        let (apart, partial) = (NameAgreement::SoundsAlike, NameAgreement::Partial);
        case("wilh straat", "wilhelminastraat", Some(apart));
        case("wilh str", "wilhelminastraat", Some(apart));
        case("wilhstr", "wilhelminastraat", Some(partial));
        case("pr wilh str", "prinses wilhelminastraat", Some(apart));
        case("wilh str", "prinses wilhelminastraat", Some(partial));
        case("kon wilh str", "prinses wilhelminastraat", None);
        case("wilh str", "wilhelminalaan", None);
        case("kerk straat", "kerkstraat", None);
        case("wistr", "witstraat", None);
        case("van straat", "vaneckstraat", None);
    }
}
