//! Finds streets with an initial or a shortened first name (Joh.) where a first name was typed, or the reverse: Dr. A. Kuyperlaan for
//! `Albert Kuyperlaan`, Louis Paul Boonstraat for `LP Boonstraat`.

use postduif_schema::{StreetQuery, TownSet};

use super::first_names::FirstNames;
use super::street_collector::StreetCollector;
use super::word_set::WordSet;
use crate::search::parse::main_spellings;
use crate::search::run::search::Search;
use crate::search::{LookupError, NameAgreement, PostcodeAgreement};

/// Minimum number of letters of a typed word that may be the last word of a name with initials.
const MIN_LAST_LETTERS: usize = 5;

/// Maximum number of streets that are compared for each spelling of a last word.
const MAX_STREETS_COMPARED: usize = 20;

/// Adds streets of these towns, or of all towns, that have initials of the typed first names, or first names with the typed initials. All
/// other words of the name must be typed too, except for a title.
pub(super) fn add_streets_with_initials<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    towns: Option<&TownSet>,
) -> Result<(), LookupError> {
    let words = &collector.clues.words;
    let may_be_last = |&at: &usize| {
        words[at].len() >= MIN_LAST_LETTERS
            && words[at].bytes().all(|byte| !byte.is_ascii_digit())
            && !collector.certain_town_words.contains(at)
            && !collector.certain_town_words.contains(at - 1)
    };
    let ends: Vec<usize> = (1..words.len()).filter(may_be_last).collect();
    for at in ends {
        for spelling in main_spellings(&words[at..=at]) {
            let query = StreetQuery {
                prefixes: &[&spelling.words[0]],
                towns,
                limit: MAX_STREETS_COMPARED,
            };
            let places = search.index.places;
            for rank in places.search_streets(&query, &mut search.budget)? {
                let street = search.street(rank)?;
                let last = LastWord {
                    text: &spelling.words[0],
                    may_continue: at + 1 == words.len(),
                };
                let matches = street
                    .forms()
                    .filter_map(|form| match_initials(&words[..at], last, form));
                if let Some(count) = matches.max() {
                    let named = WordSet::from_range(at - count..at + 1);
                    // Without a named town, a first name with a wrong letter is likelier than an initial.
                    let agreement = match towns {
                        Some(_) => NameAgreement::SoundsAlike,
                        None => NameAgreement::Partial,
                    };
                    let name = (named, agreement);
                    collector.add_clues(search, street, name, PostcodeAgreement::NotGiven);
                }
            }
        }
    }
    Ok(())
}

/// A typed word that may be the last word of a name.
#[derive(Clone, Copy)]
struct LastWord<'w> {
    text: &'w str,
    /// Whether the text ends with this word, so that it may be only the beginning of the word.
    may_continue: bool,
}

/// Compares the words of a name from the last to the first. Returns how many typed words before `last` the name explains. `None` if a word
/// of the name differs or was not typed, or if no word is only an initial in the text or in the name.
fn match_initials(before: &[String], last: LastWord<'_>, form: &str) -> Option<usize> {
    let (known, known_last) = form.rsplit_once(' ')?;
    let is_last = match last.may_continue {
        true => known_last.starts_with(last.text),
        false => known_last == last.text,
    };
    let names = FirstNames::compare(before, known);
    let fits = is_last && names.shortened > 0 && names.left_out == 0;
    fits.then_some(names.typed_words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_names_agree_with_initials() {
        #[track_caller]
        fn case(typed: &str, form: &str, expected: Option<usize>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let (last, before) = words.split_last().expect("a word");
            let last = LastWord {
                text: last.trim_end_matches('…'),
                may_continue: last.ends_with('…'),
            };
            assert_eq!(match_initials(before, last, form), expected, "{typed:?}");
        }
        case("dr albert kuyperlaan", "dr a kuyperlaan", Some(2));
        case("albert kuyperlaan", "dr a kuyperlaan", Some(1));
        case("hotel albert kuyperlaan", "dr a kuyperlaan", Some(1));
        case("generaal jan snijdersweg", "gen j snijdersweg", Some(2));
        case("klaas pieter de bazelstraat", "k p de bazelstraat", Some(3));
        case("anna johannes cooperstraat", "anna j cooperstraat", Some(2));
        case("l p boonstraat", "louis paul boonstraat", Some(2));
        case("lp boonstraat", "louis paul boonstraat", Some(1));
        case("p boonstraat", "louis paul boonstraat", None);
        case("albert kuype…", "dr a kuyperlaan", Some(1));
        case("albert kuype", "dr a kuyperlaan", None);
        case("bert kuyperlaan", "dr a kuyperlaan", None);
        case("albert kuyperlaan", "kuyperlaan", None);
        case("albert kuyperlaan", "albert kuyperlaan", None);
        case("albert kuyperweg", "a kuyperlaan", None);
    }
}
