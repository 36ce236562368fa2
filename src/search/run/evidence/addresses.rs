//! Reads the addresses of the best streets, and scores each address by how well the whole text agrees with it.

use std::ops::Range;

use postduif_schema::{AddressRef, HouseNumber, StreetKey, StreetRank};

use super::clues::Clues;
use super::street_clue::StreetClue;
use super::town_place::likelier_towns;
use super::word_set::WordSet;
use crate::search::parse::NumberToken;
use crate::search::run::address_scope::{AddressScope, list_addresses};
use crate::search::run::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use crate::search::run::house_numbers::matched_beginning;
use crate::search::run::search::{Search, StepResult};
use crate::search::{
    Agreement, LookupError, NameAgreement, NumberAgreement, PostcodeAgreement, SuggestionKind,
    count_as_f32,
};

/// Maximum number of house numbers that are tried in a street, if the text contains several.
const MAX_NUMBERS: usize = 3;

/// Maximum number of addresses that are kept for one house number of a street.
const MAX_PER_NUMBER: usize = 20;

/// Adds the addresses with the typed house numbers as hits. A street without such an address is itself added as a hit.
pub(super) fn push_hits<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    streets: Vec<StreetClue<'s>>,
) -> StepResult {
    let streets = keep_meant_streets(clues, streets);
    let mut with_addresses: Vec<StreetRank> = Vec::new();
    let mut found_in_towns: Vec<FoundInTown> = Vec::new();
    for street in &streets {
        let numbers = if search.wants_kind(SuggestionKind::Address) {
            numbers_outside_name(clues, street)
        } else {
            Vec::new()
        };
        let rivals = rival_names(&streets, street);
        let (mut is_found, mut is_after_name) = (false, false);
        for &(number, position) in numbers.iter().take(MAX_NUMBERS) {
            // If the street has an address at the number directly after its name, the other numbers in the text are rather a date or a
            // reference.
            if is_after_name && position != street.words.end() {
                break;
            }
            let first_hit = search.hits.len();
            let found = push_addresses(search, clues, street, (number, &rivals))?;
            is_found |= found.is_some();
            is_after_name |= found.is_some() && position == street.words.end();
            found_in_towns.extend(found.map(|suffix| FoundInTown {
                hits: first_hit..search.hits.len(),
                town: street.town_words,
                number,
                suffix,
                likelier_towns: likelier_towns(clues, &streets, street, number),
            }));
        }
        if is_found {
            with_addresses.push(street.street.rank);
        }
    }
    lower_unlikely_towns(search, &found_in_towns);
    let listed = streets_with_listed_addresses(search)?;
    let is_in_town = |street: &StreetClue<'_>| street.town <= NameAgreement::SoundsAlike;
    let has_address = |street: &StreetClue<'_>| with_addresses.contains(&street.street.rank);
    // If a street of the typed town has the number, streets of other towns without the number are not meant.
    let is_found_in_town = streets
        .iter()
        .any(|street| is_in_town(street) && has_address(street));
    for street in streets.iter().filter(|street| {
        !has_address(street)
            && !listed.contains(&street.street.key)
            && (is_in_town(street) || !is_found_in_town)
    }) {
        push_street(
            search,
            clues,
            street,
            numbers_outside_name(clues, street)
                .first()
                .map(|(number, _)| *number),
        );
    }
    Ok(())
}

/// If the text names a street, its town and a number after the street, removes the streets that the text probably does not mean. Keeps the
/// named street, and streets with a name that explains more words. Also keeps a street that other words name, if these words are its exact
/// name or a number follows them.
fn keep_meant_streets<'s>(clues: &Clues, streets: Vec<StreetClue<'s>>) -> Vec<StreetClue<'s>> {
    let has_certain_town = |clue: &StreetClue<'_>| clue.town <= NameAgreement::SoundsAlike;
    let max_town = match streets.iter().any(has_certain_town) {
        true => NameAgreement::SoundsAlike,
        false => NameAgreement::Mistyped(2),
    };
    let is_named = |clue: &&StreetClue<'_>| {
        clue.name == NameAgreement::Same
            && clue.town <= max_town
            && clues.has_number_at(clue.words.end())
    };
    let Some(words) = streets.iter().find(is_named).map(|clue| clue.words) else {
        return streets;
    };
    let is_kept = |clue: &StreetClue<'_>| {
        let has_all_words = words.without(clue.words) == WordSet::default();
        if clue.words != words && has_all_words {
            return true;
        }
        let max_name = match clues.has_number_at(clue.words.end()) {
            true if !clue.words.overlaps(words) => NameAgreement::Mistyped(2),
            _ => NameAgreement::SoundsAlike,
        };
        clue.name <= max_name
            && clue.town <= max_town
            && (clue.words == words || !clue.words.overlaps(words))
    };
    streets.into_iter().filter(is_kept).collect()
}

/// The streets of the addresses that the exact searches already found, including addresses with a number that only begins with the typed
/// digits.
fn streets_with_listed_addresses(search: &Search<'_, '_>) -> Result<Vec<StreetKey>, LookupError> {
    let mut keys = Vec::new();
    for hit in search.hits.iter().filter(|hit| hit.explains_words()) {
        if let FoundPlace::Address(address) = &hit.place {
            keys.extend(address.street_key()?);
        }
    }
    Ok(keys)
}

/// The words that name other streets of the same town.
fn rival_names(streets: &[StreetClue<'_>], street: &StreetClue<'_>) -> Vec<WordSet> {
    let is_rival = |other: &&StreetClue<'_>| {
        other.name <= NameAgreement::SoundsAlike
            && other.town <= NameAgreement::SoundsAlike
            && other.street.town == street.street.town
            && !other.words.overlaps(street.named_words())
    };
    let rivals = streets.iter().filter(is_rival);
    rivals.map(|other| other.words).collect()
}

/// The house numbers in words that name neither the street nor its town. If no words name the street, the words of the postcode are
/// excluded too.
fn tokens_beside_name<'c>(
    clues: &'c Clues,
    street: &StreetClue<'_>,
) -> impl Iterator<Item = &'c (NumberToken, WordSet)> {
    let postcode = clues.postcode.as_ref().map(|postcode| postcode.words);
    let postcode = postcode.filter(|_| street.name == NameAgreement::NotGiven);
    let taken = street.named_words().union(postcode.unwrap_or_default());
    clues
        .numbers
        .iter()
        .filter(move |(_, words)| !words.overlaps(taken))
}

/// The house numbers in the words that do not name the street, with their positions: first the numbers after the street's name, then
/// those before it.
fn numbers_outside_name(clues: &Clues, street: &StreetClue<'_>) -> Vec<(HouseNumber, usize)> {
    let beside = tokens_beside_name(clues, street);
    let mut beside: Vec<&NumberToken> = beside.map(|(token, _)| token).collect();
    beside.sort_by_key(|token| (token.position < street.words.end(), token.position));
    let mut numbers: Vec<(HouseNumber, usize)> = Vec::new();
    // A number that may be the suffix of the number before it, such as the 2 in `12-2`, is skipped.
    let mut suffixes = 0..0;
    for token in beside {
        if suffixes.contains(&token.position) && token.position != suffixes.start {
            continue;
        }
        if token.position != suffixes.start || suffixes.is_empty() {
            suffixes = token.position..token.end;
        }
        suffixes.end = suffixes.end.max(token.end);
        let number = token.number.number;
        if !numbers.iter().any(|(known, _)| *known == number) {
            numbers.push((number, token.position));
        }
    }
    numbers
}

/// The addresses that were found at a house number of a street.
struct FoundInTown {
    /// The positions of the addresses in the list of hits.
    hits: Range<usize>,
    /// The words that name the town of the street.
    town: WordSet,
    number: HouseNumber,
    /// The best agreement of an address with the number and the suffix.
    suffix: NumberAgreement,
    /// The words that name other towns in likelier places of the text.
    likelier_towns: Vec<WordSet>,
}

/// Lowers the score of addresses if an address with the same number in a likelier town agrees as well.
fn lower_unlikely_towns(search: &mut Search<'_, '_>, found: &[FoundInTown]) {
    for doubtful in found {
        let is_likelier = |other: &FoundInTown| {
            other.number == doubtful.number
                && other.suffix <= doubtful.suffix
                && doubtful.likelier_towns.contains(&other.town)
        };
        if found.iter().any(is_likelier) {
            for hit in &mut search.hits[doubtful.hits.clone()] {
                hit.score += search.weights.other_town_in_likelier_place;
            }
        }
    }
}

/// Adds the addresses of a street at a house number as hits. Returns the best agreement with the number; `None` if the street has no such
/// address. `rivals` are the words that name other streets: a number directly after a rival more likely belongs to the rival's street, so it
/// lowers the score.
fn push_addresses<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    street: &StreetClue<'s>,
    (number, rivals): (HouseNumber, &[WordSet]),
) -> Result<Option<NumberAgreement>, LookupError> {
    let scope = AddressScope::Street(street.street);
    let addresses = list_addresses(search, scope, number..=number)?;
    let tokens = tokens_beside_name(clues, street);
    let tokens: Vec<&(NumberToken, WordSet)> = tokens
        .filter(|(token, _)| token.number.number == number)
        // The number of a post-office box is no house number in a street that only the postcode names.
        .filter(|(token, _)| street.name != NameAgreement::NotGiven || !clues.is_po_box(token))
        .collect();
    let mut scored: Vec<(NumberAgreement, Hit<'s>)> = Vec::new();
    for address in addresses {
        let postcode = address.listing_key.postcode;
        let postcode = clues.compare_postcode(WordSet::default(), postcode);
        let is_near = matches!(
            postcode,
            PostcodeAgreement::Same | PostcodeAgreement::UsualSlip | PostcodeAgreement::Near(_)
        );
        if street.name == NameAgreement::NotGiven && !is_near {
            continue;
        }
        let best = tokens.iter().filter_map(|token| {
            let (agreement, mut hit) = score_address(search, clues, street, token, &address)?;
            let position = token.0.position;
            let is_of_rival = position != street.words.end()
                && rivals.iter().any(|rival| rival.end() == position);
            hit.score += f32::from(u8::from(is_of_rival)) * search.weights.number_of_other_street;
            Some((agreement, hit))
        });
        scored.extend(best.max_by(|(_, a), (_, b)| a.score.total_cmp(&b.score)));
    }
    let fits = |(number, _): &(NumberAgreement, Hit<'_>)| *number != NumberAgreement::OtherSuffix;
    if scored.iter().any(fits) {
        scored.retain(fits);
    }
    let best = scored.iter().map(|(agreement, _)| *agreement).min();
    let is_named = street.name != NameAgreement::NotGiven && street.town != NameAgreement::NotGiven;
    search.has_named_address |= best.is_some() && is_named;
    // The sort is stable, so addresses with the same score stay in the order in which the index lists them.
    scored.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
    scored.truncate(MAX_PER_NUMBER);
    search.hits.extend(scored.into_iter().map(|(_, hit)| hit));
    Ok(best)
}

fn score_address<'s>(
    search: &Search<'s, '_>,
    clues: &Clues,
    street: &StreetClue<'s>,
    (token, words): &(NumberToken, WordSet),
    address: &AddressRef<'s>,
) -> Option<(NumberAgreement, Hit<'s>)> {
    let (letter, addition) = (address.listing_key.letter, address.listing_key.addition);
    let number = match token.number.match_suffix(letter, addition) {
        Some(suffix) => NumberAgreement::Same(suffix),
        // If the suffix does not match, only the token without further words is used, so that those words count as unexplained.
        None if *words == WordSet::from_range(token.position..token.position + 1) => {
            NumberAgreement::OtherSuffix
        }
        None => return None,
    };
    let beginning = match number {
        NumberAgreement::OtherSuffix if matched_beginning(&token.number, address) > 0 => {
            search.weights.suffix_beginning
        }
        _ => 0.0,
    };
    let explained = street.explained_words().union(*words);
    let postcode = clues.compare_postcode(explained, address.listing_key.postcode);
    let agreement = Agreement {
        street: street.name,
        town: street.town,
        postcode: match (postcode, street.postcode) {
            (PostcodeAgreement::Different, PostcodeAgreement::SameTown) => street.postcode,
            _ => postcode,
        },
        number,
        unexplained: clues.unexplained(explained),
    };
    let apart = count_as_f32(steps_to_street(token, street)) * search.weights.per_step_apart;
    let agreed = search.weights.score_agreement(&agreement) + beginning;
    let score = agreed + street.size_points(search) + apart;
    let coverage = TextCoverage::from_agreement(&agreement);
    let place = FoundPlace::Address(*address);
    let mut hit = Hit::new(place, score, MatchQuality::Loose, coverage);
    hit.edits = street.mistake_count();
    Some((number, hit))
}

/// How far a number is from the street's name: 0 if it directly follows the name, 1 if it directly precedes the name, 2 elsewhere.
fn steps_to_street(token: &NumberToken, street: &StreetClue<'_>) -> usize {
    let name = street.words;
    if name == WordSet::default() || token.position == name.end() {
        0
    } else if token.end == name.start() {
        1
    } else {
        2
    }
}

fn push_street<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    street: &StreetClue<'s>,
    missing: Option<HouseNumber>,
) {
    if !search.wants_kind(SuggestionKind::Street) && !search.wants_kind(SuggestionKind::Address) {
        return;
    }
    // No word names this street: it was found only by its postcode. Other streets may have the same postcode, so this street is not a hit.
    if street.name == NameAgreement::NotGiven {
        return;
    }
    let named = street.named_words();
    let tokens = clues
        .numbers
        .iter()
        .filter(|(token, words)| missing == Some(token.number.number) && !words.overlaps(named));
    // A name after the number may be a mistyped town, so it is not explained as a suffix.
    let tokens = tokens.filter(|(token, _)| !token.number.ends_with_name());
    let explained = tokens.fold(street.explained_words(), |explained, (_, words)| {
        explained.union(*words)
    });
    let agreement = Agreement {
        street: street.name,
        town: street.town,
        postcode: match street.postcode {
            // A street of the postcode's town counts only if it has the typed number.
            PostcodeAgreement::NotGiven | PostcodeAgreement::SameTown
                if clues.postcode_outside(explained).is_some() =>
            {
                PostcodeAgreement::Different
            }
            postcode => postcode,
        },
        number: missing.map_or(NumberAgreement::NotGiven, |_| NumberAgreement::Missing),
        unexplained: clues.unexplained(explained),
    };
    let place = FoundPlace::Street(street.street, None);
    let score = search.weights.score_agreement(&agreement) + street.size_points(search);
    let coverage = TextCoverage::from_agreement(&agreement);
    search.hits.push(Hit {
        edits: street.mistake_count(),
        missing_number: missing,
        ..Hit::new(place, score, MatchQuality::Loose, coverage)
    });
}
