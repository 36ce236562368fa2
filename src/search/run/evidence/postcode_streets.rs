//! Finds streets at the typed postcode, near it, or in its town.

use postduif_schema::{Postcode, StreetRank, TownSet};

use super::street_collector::StreetCollector;
use super::word_set::WordSet;
use crate::search::run::search::{MAX_STREETS, Search};
use crate::search::{LookupError, NameAgreement, PostcodeAgreement};

/// Maximum number of streets to compare that have the four digits of the typed postcode.
const MAX_NEAR_STREETS: usize = 400;

/// Maximum number of existing postcodes that are tried if the typed postcode does not exist.
const MAX_NEAR_POSTCODES: usize = 40;

/// Adds the streets at the typed postcode, and the streets of its town with exactly a typed name. If the postcode does not exist, adds the
/// streets at postcodes near it instead. Also adds streets with a similar name that have postcodes with the same four digits.
pub(super) fn add_streets_near_postcode<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let Some(postcode) = &collector.clues.postcode else {
        return Ok(());
    };
    let exact = postcode
        .parsed
        .filter(|&parsed| search.index.places.postcodes().contains(parsed));
    if let Some(exact) = exact {
        add_postcode(collector, search, exact, PostcodeAgreement::Same)?;
        add_named_streets_in_town_of_postcode(collector, search, exact)?;
    } else {
        let near = postcode
            .entered
            .likely_candidates(search.index.places.postcodes());
        for candidate in near.into_iter().take(MAX_NEAR_POSTCODES) {
            let agreement = PostcodeAgreement::compare(Some(&postcode.entered), candidate.postcode);
            add_postcode(collector, search, candidate.postcode, agreement)?;
        }
    }
    let Some(ends) = postcode.entered.same_digits() else {
        return Ok(());
    };
    let places = search.index.places;
    let pairs = places.streets_by_postcode(ends, MAX_NEAR_STREETS, &mut search.budget);
    let mut streets: Vec<StreetRank> = pairs.iter().map(|&(_, street)| street).collect();
    streets.sort_unstable();
    streets.dedup();
    for street in streets {
        for similar in places
            .similar_places()
            .texts_of_street(street, collector.clues.similar())
        {
            collector.add_similar(search, similar, PostcodeAgreement::SameDigits)?;
        }
    }
    Ok(())
}

/// Adds the streets with exactly a typed name in the towns of an existing postcode. Does nothing if the text names a town.
fn add_named_streets_in_town_of_postcode<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    postcode: Postcode,
) -> Result<(), LookupError> {
    if collector.certain_town_words != WordSet::default() {
        return Ok(());
    }
    let places = search.index.places;
    let pairs = places.streets_by_postcode([postcode; 2], MAX_STREETS, &mut search.budget);
    let streets = pairs.iter().map(|&(_, street)| search.street(street));
    let towns = streets.map(|street| Ok(street?.town));
    let towns: TownSet = towns.collect::<Result<_, LookupError>>()?;
    collector.add_streets_with_exact_name(search, Some(&towns), PostcodeAgreement::SameTown)
}

/// Adds every street of a postcode, including streets that no word names.
pub(super) fn add_postcode<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    postcode: Postcode,
    agreement: PostcodeAgreement,
) -> Result<(), LookupError> {
    let places = search.index.places;
    let pairs = places.streets_by_postcode([postcode; 2], MAX_STREETS, &mut search.budget);
    for &(_, street) in pairs {
        let similar = places
            .similar_places()
            .texts_of_street(street, collector.clues.similar());
        if similar.is_empty() {
            let street = search.street(street)?;
            collector.add_clues(
                search,
                street,
                (WordSet::default(), NameAgreement::NotGiven),
                agreement,
            );
        }
        for similar in similar {
            collector.add_similar(search, similar, agreement)?;
        }
    }
    Ok(())
}
