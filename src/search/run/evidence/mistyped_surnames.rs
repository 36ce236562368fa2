//! In the named towns, finds streets named after a person if the surname has one wrong letter, and the first names were shortened to
//! initials or left out: Alban Bergstraat for `A. Bregstraat`.

use postduif_schema::{FuzzyMatcher, MaxEdits};

use super::first_names::FirstNames;
use super::street_collector::StreetCollector;
use super::word_set::WordSet;
use crate::search::parse::main_spellings;
use crate::search::run::search::Search;
use crate::search::word_shape::is_lowercase;
use crate::search::{LookupError, NameAgreement, PostcodeAgreement};

/// Minimum number of letters of a surname that may have a wrong letter.
const MIN_LETTERS: usize = 8;

/// Maximum number of streets of which the length of the last word is compared. A filter by letters first drops most streets.
const MAX_STREETS_COMPARED: usize = 2_500;

/// The cost of comparing the length of the last word, in steps of the budget.
const LENGTH_COST: u32 = 3;

/// Adds streets of the named towns if the last word of their name differs from a typed word in one letter. Does nothing if a found street
/// already explains all words. Also does nothing before a house number was typed, because until then the name may not be whole.
pub(super) fn add_streets_with_mistyped_surname<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let is_name_whole = !collector.clues.numbers.is_empty();
    if !is_name_whole
        || collector.certain_towns().is_empty()
        || collector.has_street_for_all_words()
    {
        return Ok(());
    }
    let words = &collector.clues.words;
    let may_be_surname = |&at: &usize| {
        words[at].len() >= MIN_LETTERS
            && is_lowercase(&words[at])
            && !collector.certain_town_words.contains(at)
    };
    let surnames: Vec<usize> = (0..words.len()).filter(may_be_surname).collect();
    for at in surnames {
        let spelled = main_spellings(&words[at..=at]);
        let surname = spelled.last().map_or(&words[at], |last| &last.words[0]);
        add_streets_of_surname(collector, search, at, surname)?;
    }
    Ok(())
}

fn add_streets_of_surname<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    at: usize,
    surname: &str,
) -> Result<(), LookupError> {
    let typo = FuzzyMatcher::new(surname, MaxEdits::One);
    let (towns, before) = (collector.certain_towns(), &collector.clues.words[..at]);
    let (places, budget) = (search.index.places, &mut search.budget);
    let streets = places.search_fuzzy_in_towns(&towns, &typo, MAX_STREETS_COMPARED, budget)?;
    for rank in streets {
        if !search.budget.spend(LENGTH_COST) {
            break;
        }
        let forms = places.street_forms(rank);
        let names = forms.filter_map(|form| match_surname((surname, &typo), before, form));
        if let Some(names) = names.min_by_key(|names| names.left_out) {
            let words = WordSet::from_range(at - names.typed_words..at + 1);
            let agreement = match (names.left_out, names.shortened) {
                // Initials that agree outweigh a similar name without them.
                (0, 1..) => NameAgreement::SoundsAlike,
                (0, 0) => NameAgreement::Mistyped(1),
                _ => NameAgreement::Partial,
            };
            let street = search.street(rank)?;
            collector.add_clues(
                search,
                street,
                (words, agreement),
                PostcodeAgreement::NotGiven,
            );
        }
    }
    Ok(())
}

/// How the words before a surname agree with a name of which the last word is the surname with one wrong letter. `None` if the last word is
/// another word, or if the name has only one word.
fn match_surname(
    (surname, typo): (&str, &FuzzyMatcher),
    before: &[String],
    form: &str,
) -> Option<FirstNames> {
    let (first, last) = form.rsplit_once(' ')?;
    if last.len().abs_diff(surname.len()) > 1 {
        return None;
    }
    typo.distance(last)?;
    Some(FirstNames::compare(before, first))
}
