//! Ranks hits if the typed postcode and the other words disagree.

use postduif_schema::Postcode;

use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::postcodes::MAX_PAIRS;
use super::search::{Search, StepResult};
use crate::search::parse::{Intent, PostcodeKind, PostcodeRange, Reading};
use crate::search::{SuggestionFilter, count_as_f32};

/// Maximum number of words beside an unfinished postcode. In a longer text, four digits may be a year in the name of a street.
const MAX_WORDS_BESIDE: usize = 4;

/// Maximum number of other hits that stay in the list beside the streets of an unfinished postcode.
const MAX_OTHER_HITS: usize = 3;

/// Four digits after other words may be a postcode or a house number. If a hit at this postcode explains the whole text, streets that lack
/// the digits as a house number rank below it. `first` is the position of the first hit that was found by the digits as a postcode.
pub(super) fn lower_streets_in_other_postcodes(search: &mut Search<'_, '_>, first: usize) {
    let (others, at_digits) = search.hits.split_at_mut(first);
    if !at_digits.iter().any(Hit::is_certain) {
        return;
    }
    for other in others.iter_mut().filter(|hit| hit.missing_number.is_some()) {
        other.coverage = TextCoverage::Partly;
    }
}

/// Ranks a street that lacks the typed number below an address that has the number at the typed postcode, in the same town. Then the name of
/// the street is the mistake.
pub(super) fn lower_streets_without_number(
    search: &mut Search<'_, '_>,
    intent: &Intent,
) -> StepResult {
    let Some(postcode) = existing_whole_postcode(search, intent) else {
        return Ok(());
    };
    let mut found = Vec::new();
    for hit in search.hits.iter().filter(|hit| hit.edits == 0) {
        if let FoundPlace::Address(address) = &hit.place
            && address.listing_key.postcode == postcode
        {
            let (_, city) = address.street_and_city()?;
            found.push((city, address.listing_key.number));
        }
    }
    let towns = search.index.places.towns();
    for hit in &mut search.hits {
        if let (FoundPlace::Street(street, _), Some(missing)) = (&hit.place, hit.missing_number)
            && let Some(town) = towns.get(street.town)
            && found.contains(&(&*town.name, missing))
        {
            hit.coverage = TextCoverage::Partly;
        }
    }
    Ok(())
}

/// Ranks a street at the typed postcode below an address of the same street that has the typed number in another postcode.
pub(super) fn lower_postcode_streets_without_number(search: &mut Search<'_, '_>) -> StepResult {
    let mut found = Vec::new();
    for hit in search.hits.iter().filter(|hit| hit.explains_words()) {
        if let FoundPlace::Address(address) = &hit.place {
            found.push((address.street_key()?, address.listing_key.number));
        }
    }
    for hit in &mut search.hits {
        if let (FoundPlace::Street(street, Some(_)), Some(missing)) =
            (&hit.place, hit.missing_number)
            && found.contains(&(Some(street.key), missing))
        {
            hit.coverage = TextCoverage::Partly;
        }
    }
    Ok(())
}

/// Adds the streets of a postcode of which four digits or five characters were typed, or its towns if only towns are wanted. Called if no
/// hit explains the words beside the postcode. Does nothing if the text can also be read with a whole postcode, or if an address in such a
/// postcode was found.
pub(super) fn push_streets_of_unfinished_postcode(
    search: &mut Search<'_, '_>,
    intent: &Intent,
) -> StepResult {
    let is_alone = |reading: &&Reading| {
        let words = reading.words.len();
        reading.number.is_none() && (1..=MAX_WORDS_BESIDE).contains(&words)
    };
    let without_number = intent.readings.iter().filter(is_alone);
    let mut ranges = without_number.filter_map(|reading| reading.postcode);
    let Some(range) = ranges.find(is_long_prefix) else {
        return Ok(());
    };
    let is_found = search.hits.iter().any(|hit| hit.is_in_range(&range));
    if is_found || whole_postcodes(intent).next().is_some() {
        return Ok(());
    }
    let places = search.index.places;
    // The best of the other hits stay in the list.
    let room = search.limit - search.hits.len().min(MAX_OTHER_HITS);
    let only_towns = search.filter == SuggestionFilter::City;
    let limit = if only_towns { MAX_PAIRS } else { room };
    let bounds = [range.first, range.last];
    let pairs = places.streets_by_postcode(bounds, limit, &mut search.budget);
    let points = search.weights.postcode_digits_beside_words;
    if !pairs.is_empty() {
        lower_mistyped_towns(search, points);
    }
    let mut found = Vec::with_capacity(room);
    for &(postcode, street) in pairs {
        let street = search.street(street)?;
        let is_known = only_towns && found.iter().any(|(town, _)| *town == street.town);
        if !is_known && found.len() < room {
            let place = match only_towns {
                true => FoundPlace::City(street.town),
                false => FoundPlace::Street(street, Some(postcode)),
            };
            found.push((street.town, place));
        }
    }
    for (rank, (_, place)) in (0..).zip(found) {
        let score = points + search.weights.per_later_number * count_as_f32(rank);
        let hit = Hit::new(place, score, MatchQuality::Loose, TextCoverage::Partly);
        search.hits.push(hit);
    }
    Ok(())
}

/// Moves towns that match only with a typo behind places with this score.
fn lower_mistyped_towns(search: &mut Search<'_, '_>, score: f32) {
    for hit in search.hits.iter_mut().filter(|hit| is_mistyped_town(hit)) {
        hit.score = hit.score.min(score - 1.0);
    }
}

/// Whether a hit is a town of which the name was mistyped.
pub(super) fn is_mistyped_town(hit: &Hit<'_>) -> bool {
    hit.edits > 0 && matches!(hit.place, FoundPlace::City(_))
}

fn is_long_prefix(range: &PostcodeRange) -> bool {
    matches!(
        range.kind,
        PostcodeKind::LeadingPrefix | PostcodeKind::LaterPrefix
    )
}

/// If the text has a whole postcode that exists, ranks hits that assume a typo below the hits at that postcode. Does not lower an address
/// that explains all other words, because then the postcode may be the mistake.
pub(super) fn rank_postcode_before_typos(search: &mut Search<'_, '_>, intent: &Intent) {
    let Some(postcode) = existing_whole_postcode(search, intent) else {
        return;
    };
    let at_postcode = search.hits.iter().filter(|hit| hit.edits == 0);
    let at_postcode = at_postcode.filter(|hit| is_at_postcode(&hit.place, postcode));
    let Some(best) = at_postcode.map(|hit| hit.score).max_by(f32::total_cmp) else {
        return;
    };
    for hit in &mut search.hits {
        let is_address = matches!(hit.place, FoundPlace::Address(_));
        let explains_address = is_address && hit.explains_words();
        if hit.edits > 0 && !explains_address && !is_at_postcode(&hit.place, postcode) {
            hit.coverage = TextCoverage::Partly;
            hit.score = hit.score.min(best - 1.0);
        }
    }
}

/// The first whole postcode in the readings of the text that exists.
fn existing_whole_postcode(search: &Search<'_, '_>, intent: &Intent) -> Option<Postcode> {
    whole_postcodes(intent).find(|postcode| search.index.places.postcodes().contains(*postcode))
}

/// The whole postcodes in the readings of the text.
fn whole_postcodes(intent: &Intent) -> impl Iterator<Item = Postcode> {
    let ranges = intent
        .readings
        .iter()
        .filter_map(|reading| reading.postcode);
    ranges
        .filter(PostcodeRange::is_whole)
        .map(|range| range.first)
}

fn is_at_postcode(place: &FoundPlace<'_>, postcode: Postcode) -> bool {
    match place {
        FoundPlace::Address(address) => address.listing_key.postcode == postcode,
        FoundPlace::Street(_, at) => *at == Some(postcode),
        FoundPlace::City(_) => false,
    }
}
