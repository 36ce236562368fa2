//! In the named towns, finds streets of which the beginning and the type were typed: `Wilh.straat` for Wilhelminastraat.

use postduif_schema::{StreetQuery, TownSet};

use super::street_collector::StreetCollector;
use crate::search::run::search::Search;
use crate::search::{LookupError, NameAgreement, PostcodeAgreement, ShortenedCompound};

/// Maximum number of streets that are compared with one typed beginning, such as `wilh`. The heaviest streets are compared.
const MAX_STREETS_COMPARED: usize = 100;

/// Adds the streets of the named towns of which the beginning and the type were typed, with a dot or a space between the two. Such a name
/// agrees better than a street with one wrong letter. Skips words that a found street already explains as its name.
pub(super) fn add_shortened_compounds<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let named = collector.towns.iter().filter(|clue| !clue.is_of_area);
    let towns: TownSet = named.map(|clue| clue.town).collect();
    add_compounds(collector, search, &towns, true)
}

/// Like [`add_shortened_compounds`], if the beginning and the type are one word. Such a name agrees better than a street with two wrong
/// letters. Also skips words that are a part of the name of a found street, or its name with another type. Does nothing before a house
/// number was typed, because until then the name may not be whole.
pub(super) fn add_joined_compounds<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    if collector.clues.numbers.is_empty() {
        return Ok(());
    }
    let towns = collector.certain_towns();
    add_compounds(collector, search, &towns, false)
}

fn add_compounds<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    towns: &TownSet,
    is_apart: bool,
) -> Result<(), LookupError> {
    if towns.is_empty() {
        return Ok(());
    }
    let clues = collector.clues;
    for name in &clues.names {
        let is_as_typed = clues.words[name.words.start()..name.words.end()] == name.spelled;
        let is_unexplained = is_as_typed
            && !name.words.overlaps(collector.certain_town_words)
            && !collector.has_street_with_words(search, name.words, NameAgreement::SoundsAlike)?
            && (is_apart || !collector.has_partly_named_street(name.words));
        let shortened = is_unexplained.then(|| ShortenedCompound::from_words(&name.spelled));
        let shortened = shortened.flatten();
        let Some(shortened) = shortened.filter(|shortened| shortened.is_apart == is_apart) else {
            continue;
        };
        let query = StreetQuery {
            prefixes: &[shortened.beginning],
            towns: Some(towns),
            limit: MAX_STREETS_COMPARED,
        };
        for rank in search
            .index
            .places
            .search_streets(&query, &mut search.budget)?
        {
            let street = search.street(rank)?;
            let agreements = street.forms().filter_map(|form| shortened.agreement(form));
            if let Some(agreement) = agreements.min() {
                let named = (name.words, agreement);
                collector.add_clues(search, street, named, PostcodeAgreement::NotGiven);
            }
        }
    }
    Ok(())
}
