//! The steps of a search, in order.
//!
//! Every reading searches for streets and towns by the beginnings of their words; a street with a house number is then
//! expanded into addresses. If no hit explains the whole text, all its words are weighed as evidence; beginnings with typos are
//! searched only if words are still unexplained. A budget bounds the whole search: the largest places come first, so the budget
//! cuts off the lowest-ranked ones.

use super::evidence::weigh_evidence;
use super::fill::fill_up;
use super::hit::Hit;
use super::house_numbers::expand_candidates;
use super::postcodes::search_by_postcode;
use super::search::{Search, SearchIndex, StepResult, SuggestedPlace};
use super::streets::search_by_name;
use super::typos::search_with_typos;
use crate::search::{
    Intent, LookupError, PostcodeKind, Reading, SearchSuggestion, SuggestionFilter, typed_words,
};

/// Suggests what the typed text may mean, the likeliest first.
///
/// # Errors
/// When the index cannot be read.
pub fn suggest<'s>(
    index: SearchIndex<'s>,
    typed: &str,
    filter: SuggestionFilter,
    limit: usize,
) -> Result<Vec<SearchSuggestion<'s>>, LookupError> {
    let suggested = search_words(index, &typed_words(typed), filter, limit)?;
    let suggestions = suggested.into_iter().map(|(_, suggestion)| suggestion);
    Ok(suggestions.take(limit).collect())
}

/// Suggestions for the words of a text, with their places: `limit` of them, or [`MIN_SUGGESTIONS`] if that is more.
///
/// [`MIN_SUGGESTIONS`]: super::search::MIN_SUGGESTIONS
pub(super) fn search_words<'s>(
    index: SearchIndex<'s>,
    words: &[String],
    filter: SuggestionFilter,
    limit: usize,
) -> Result<Vec<SuggestedPlace<'s>>, LookupError> {
    let intent = Intent::from_words(words);
    let mut search = Search::new(index, filter, limit);
    run_all_readings(&mut search, &intent)?;
    if !search.hits.iter().any(Hit::is_certain) {
        weigh_evidence(&mut search, words)?;
        search_begun_with_typos(&mut search, &intent.readings)?;
    }
    fill_up(&mut search)?;
    search.into_suggestions()
}

fn run_all_readings<'a>(search: &mut Search<'_, 'a>, intent: &'a Intent) -> StepResult {
    let readings = &intent.readings;
    // First, only readings with a whole postcode that exists are searched. Words that they leave unexplained are weighed later.
    run_readings(search, readings, |kind| kind == Some(PostcodeKind::Whole))?;
    let is_doubtful = intent.may_begin_with_article && !search.hits.iter().any(Hit::is_certain);
    if search.hits.is_empty() || is_doubtful {
        run_readings(search, readings, |kind| {
            kind == Some(PostcodeKind::LeadingPrefix)
        })?;
        run_readings(search, readings, |kind| kind.is_none())?;
        expand_candidates(search)?;
        // A whole postcode that does not exist may be a typo: search for the other words without the postcode.
        if search.has_only_loose_hits() {
            let has_whole_postcode =
                |reading: &&Reading| reading.postcode.is_some_and(|range| range.is_whole());
            for reading in readings.iter().filter(has_whole_postcode) {
                search_by_name(search, reading)?;
            }
            expand_candidates(search)?;
        }
        // Four digits behind other words are a postcode only if they are nothing else.
        if search.has_only_loose_hits() {
            run_readings(search, readings, |kind| {
                kind == Some(PostcodeKind::LaterPrefix)
            })?;
        }
        if search.has_only_loose_hits() {
            run_readings(search, readings, |kind| {
                kind == Some(PostcodeKind::PrefixAfterNumber)
            })?;
            expand_candidates(search)?;
        }
    }
    Ok(())
}

/// Searches for names that are begun and mistyped, if no whole names explain the words.
fn search_begun_with_typos<'a>(search: &mut Search<'_, 'a>, readings: &'a [Reading]) -> StepResult {
    let is_explained = search.has_named_address || search.hits.iter().any(Hit::explains_words);
    if is_explained || !search.has_only_loose_hits() || search.hits.len() >= search.limit {
        return Ok(());
    }
    search_with_typos(search, readings)?;
    expand_candidates(search)
}

/// Searches for the readings with the chosen kind of postcode.
fn run_readings<'a>(
    search: &mut Search<'_, 'a>,
    readings: &'a [Reading],
    is_chosen: fn(Option<PostcodeKind>) -> bool,
) -> StepResult {
    for reading in readings {
        if !is_chosen(reading.postcode.map(|range| range.kind)) {
            continue;
        }
        match reading.postcode {
            Some(range) if range.kind != PostcodeKind::PrefixAfterNumber => {
                search_by_postcode(search, reading, range)?;
            }
            _ => search_by_name(search, reading)?,
        }
    }
    Ok(())
}
