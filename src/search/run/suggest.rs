//! Runs the steps of a search in order.
//!
//! 1. For every reading, find streets and towns with words that begin with the typed words. If a house number was typed, find its addresses
//!    in these streets.
//! 2. If neither a hit nor the name of a town explains the whole text, do the same for rewritten words, such as `weeshuisstraat 29a` for
//!    `weeshuisstraat a29` (module `rewritten_words`).
//! 3. If still no hit explains the whole text, weigh all words as evidence (module `evidence`).
//! 4. If words are still unexplained, search for names of which only the beginning was typed, with typos.
//! 5. If words are still unexplained, add the streets of an unfinished postcode, or the named towns.
//! 6. If no hit explains the whole text, read the house number in other ways:
//!    - as dictated: `dijk een tachtig`;
//!    - with the floor in digits: `dijk 6 tweehoog`;
//!    - with a unit after a floor: `dijk 60 3 hoog kamer 20`;
//!    - with a letter as it sounds: `dijk 6 bee`;
//!    - as a date: `dijk 12 feb`;
//!    - with numerals as digits: `wold achttien vierentwintig`;
//!    - with the hundreds apart: `kade 100 28`;
//!    - with a unit before it: `apt 3 13 dijk`;
//!    - with a unit after its label: `dijk 60 nr20`;
//!    - without a number that was typed twice: `dijk 9 9-238`;
//!    - split after the number of the street: `kempenaar 1337`.
//! 7. If there is still no hit, leave out the first words, which may be a person or a firm.
//! 8. Look for the unit of the best address among the words that nothing explains (module `leftover_unit`).
//! 9. Fill the free places in the list.
//!
//! Each search has a budget of steps. Step 1, step 2 and each reading of steps 6 and 7 begin with `EXACT_STEPS`, and step 2 also spends
//! `LOOKUP_STEPS` on looking names up. Step 3 begins with `EVIDENCE_STEPS`, and again if the named towns have no such street. Step 4 gets
//! what step 3 left, and at least `MIN_TYPO_STEPS`. The largest places are searched first, so only the smallest are missed if a budget runs
//! out.

use std::cell::OnceCell;

use postduif_schema::SearchBudget;

use super::evidence::{push_named_towns, weigh_evidence};
use super::fill::fill_up;
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::house_numbers::expand_candidates;
use super::leftover_unit::prefer_leftover_unit;
use super::postcode_evidence::{
    is_mistyped_town, lower_postcode_streets_without_number, lower_streets_in_other_postcodes,
    lower_streets_without_number, push_streets_of_unfinished_postcode, rank_postcode_before_typos,
};
use super::postcodes::search_by_postcode;
use super::rewritten_words::{
    move_inner_unit_after_number, rewrite_words, separate_number_of_street,
};
use super::search::{EXACT_STEPS, Search, SearchIndex, StepResult, SuggestedPlace};
use super::streets::search_by_name;
use super::typos::search_with_typos;
use crate::search::parse::{
    Intent, InterpretedNumber, PostcodeKind, Reading, drop_repeated_number, join_hundreds,
    move_unit_after_number, read_date_as_number, read_dictated_number,
    read_number_with_letter_sound, read_unit_after_floor, separate_unit_label, typed_words,
    write_floor_in_digits, write_numerals_in_digits,
};
use crate::search::{LookupError, SearchSuggestion, SuggestionFilter};

/// The steps that the search for beginnings with typos always gets. They suffice to compare the streets of a large town.
const MIN_TYPO_STEPS: u32 = 12_000;

/// Maximum number of other readings of the house number that are searched.
const MAX_NUMBER_READINGS: usize = 10;

/// Maximum number of words at the beginning of a text that are left out.
const MAX_WORDS_LEFT_OUT: usize = 4;

/// Minimum number of letters of the first word after the words that are left out.
const MIN_BEGUN_LETTERS: usize = 4;

/// Suggests the places that the typed text may mean, the likeliest first.
///
/// # Errors
/// When the index cannot be read.
pub fn suggest<'s>(
    index: SearchIndex<'s>,
    typed: &str,
    filter: SuggestionFilter,
    limit: usize,
) -> Result<Vec<SearchSuggestion<'s>>, LookupError> {
    let suggested = suggest_places(index, &typed_words(typed), filter, limit)?;
    let suggestions = suggested.into_iter().map(|(_, suggestion)| suggestion);
    Ok(suggestions.take(limit).collect())
}

/// Suggestions for the words of a text, with their places. Returns at most `limit` or [`MIN_SUGGESTIONS`], the higher of the two.
///
/// [`MIN_SUGGESTIONS`]: super::search::MIN_SUGGESTIONS
pub(super) fn suggest_places<'s>(
    index: SearchIndex<'s>,
    words: &[String],
    filter: SuggestionFilter,
    limit: usize,
) -> Result<Vec<SuggestedPlace<'s>>, LookupError> {
    let intent = Intent::from_words(words);
    let (rewritten, number_intents) = (OnceCell::new(), OnceCell::<Vec<Intent>>::new());
    let later_intents = OnceCell::<Vec<Intent>>::new();
    let mut search = Search::new(index, filter, limit);
    run_all_readings(&mut search, &intent)?;
    let mut with_moved_unit = None;
    if !search.is_explained() {
        with_moved_unit = move_inner_unit_after_number(index.places, words)?;
        let words = with_moved_unit.as_deref().unwrap_or(words);
        if let Some(words) = rewrite_words(index.places, words)?.or_else(|| with_moved_unit.clone())
        {
            let inexact = std::mem::take(&mut search.hits);
            search.budget = SearchBudget::new(EXACT_STEPS);
            run_all_readings(
                &mut search,
                rewritten.get_or_init(|| Intent::from_words(&words)),
            )?;
            search.hits.extend(inexact);
        }
    }
    let words = with_moved_unit.as_deref().unwrap_or(words);
    if !search.is_explained() {
        search_inexactly(&mut search, &intent, words)?;
        let reread = other_number_readings(&search, words)?;
        let intents = reread.iter().map(|way| Intent::from_words(&way.words));
        let intents = number_intents.get_or_init(|| intents.collect());
        for (intent, way) in intents.iter().zip(reread) {
            let known = std::mem::take(&mut search.hits);
            search.budget = SearchBudget::new(EXACT_STEPS);
            run_all_readings(&mut search, intent)?;
            search.hits.retain(|hit| way.accepted.contains(hit));
            let is_found = search.hits.iter().any(is_certain_address);
            search.hits.extend(known);
            if is_found {
                break;
            }
        }
        if search.hits.is_empty() {
            search_later_words(
                &mut search,
                later_intents.get_or_init(|| later_words(words)),
            )?;
        }
    }
    prefer_leftover_unit(&mut search, words)?;
    fill_up(&mut search, &intent.readings)?;
    search.into_suggestions()
}

/// The words of a text with the house number read in another way.
struct ReinterpretedText {
    words: Vec<String>,
    accepted: AcceptedHits,
}

/// The hits of a reading that count.
enum AcceptedHits {
    All,
    /// Only addresses that explain the whole text.
    CertainAddresses,
    /// Only such addresses with this number and suffix, apart from leading zeros. The whole name of the street must be typed.
    WithNumber(InterpretedNumber),
}

impl AcceptedHits {
    fn contains(&self, hit: &Hit<'_>) -> bool {
        match (self, &hit.place) {
            (Self::All, _) => true,
            (Self::CertainAddresses, _) => is_certain_address(hit),
            (Self::WithNumber(number), FoundPlace::Address(address)) => {
                let is_exact = hit.is_certain() && hit.quality == MatchQuality::Exact;
                is_exact && number.matches(&address.listing_key)
            }
            (Self::WithNumber(_), _) => false,
        }
    }
}

fn is_certain_address(hit: &Hit<'_>) -> bool {
    matches!(hit.place, FoundPlace::Address(_)) && hit.is_certain()
}

/// Other readings of the house number in the words.
fn other_number_readings(
    search: &Search<'_, '_>,
    words: &[String],
) -> Result<Vec<ReinterpretedText>, LookupError> {
    let has_suffix = |hit: &Hit<'_>| match &hit.place {
        FoundPlace::Address(address) => {
            let key = address.listing_key;
            hit.coverage == TextCoverage::All && (key.letter.is_some() || key.addition.is_some())
        }
        _ => false,
    };
    // If an address with a letter or an addition explains the whole text, the words are its number and suffix (`wijk een twintig`).
    if search.hits.iter().any(has_suffix) {
        return Ok(Vec::new());
    }
    let best = search.hits.iter().min_by(|a, b| a.compare(b));
    let is_street = best.is_some_and(|hit| matches!(hit.place, FoundPlace::Street(..)));
    let separated = match is_street {
        true => separate_number_of_street(search.index.places, words)?,
        false => Vec::new(),
    };
    let with_any_hit = [read_dictated_number(words), write_floor_in_digits(words)]
        .into_iter()
        .flatten()
        .map(|words| ReinterpretedText {
            words,
            accepted: AcceptedHits::All,
        });
    let replaced = [
        read_unit_after_floor(words),
        read_number_with_letter_sound(words),
        read_date_as_number(words),
    ];
    let replaced = replaced
        .into_iter()
        .flatten()
        .map(|number| ReinterpretedText {
            words: number.words.clone(),
            accepted: AcceptedHits::WithNumber(number),
        });
    let rewritten = [
        write_numerals_in_digits(words),
        join_hundreds(words),
        move_unit_after_number(words),
        separate_unit_label(words),
        drop_repeated_number(words),
    ];
    let others = rewritten.into_iter().flatten().chain(separated);
    let others = others.map(|words| ReinterpretedText {
        words,
        accepted: AcceptedHits::CertainAddresses,
    });
    let readings = with_any_hit.chain(replaced).chain(others);
    Ok(readings.take(MAX_NUMBER_READINGS).collect())
}

/// Searches for places that agree with only a part of the text, or with typos.
fn search_inexactly<'a>(
    search: &mut Search<'_, 'a>,
    intent: &'a Intent,
    words: &[String],
) -> StepResult {
    weigh_evidence(search, words)?;
    search_prefixes_with_typos(search, &intent.readings)?;
    rank_postcode_before_typos(search, intent);
    lower_postcode_streets_without_number(search)?;
    lower_streets_without_number(search, intent)?;
    let explains_words = |hit: &Hit<'_>| hit.explains_words() && !is_mistyped_town(hit);
    if !search.hits.iter().any(explains_words) {
        push_streets_of_unfinished_postcode(search, intent)?;
    }
    let is_city = |hit: &Hit<'_>| matches!(hit.place, FoundPlace::City(_));
    if search.filter == SuggestionFilter::All && search.hits.iter().all(is_city) {
        push_named_towns(search, words);
    }
    Ok(())
}

/// The intents of the text without its first word, its first two words and so on. Only words of letters are left out, and the next word must
/// be one that may begin a name.
fn later_words(words: &[String]) -> Vec<Intent> {
    let is_name = |word: &String| word.bytes().all(|byte| !byte.is_ascii_digit());
    let left_out = words.iter().take_while(|word| is_name(word)).count();
    let starts = 1..=left_out.min(MAX_WORDS_LEFT_OUT);
    let may_begin = |at: &usize| {
        let next = words.get(*at);
        next.is_some_and(|next| next.len() >= MIN_BEGUN_LETTERS && is_name(next))
    };
    let starts = starts.filter(may_begin);
    starts.map(|at| Intent::from_words(&words[at..])).collect()
}

/// Searches for the first of the intents that has a hit. The hits do not explain the words that were left out.
fn search_later_words<'a>(search: &mut Search<'_, 'a>, intents: &'a [Intent]) -> StepResult {
    for intent in intents {
        search.budget = SearchBudget::new(EXACT_STEPS);
        run_all_readings(search, intent)?;
        // The list is not filled with other streets of the town.
        search.named_town = None;
        if !search.hits.is_empty() {
            break;
        }
    }
    for hit in &mut search.hits {
        hit.coverage = TextCoverage::Partly;
        hit.quality = MatchQuality::Loose;
    }
    Ok(())
}

fn run_all_readings<'a>(search: &mut Search<'_, 'a>, intent: &'a Intent) -> StepResult {
    let readings = &intent.readings;
    // First, only the readings with a whole postcode are searched. If they give hits, the other readings are not needed. They are searched
    // nevertheless if no hit is certain and the letters of the postcode may be an article.
    run_readings(search, readings, |kind| kind == Some(PostcodeKind::Whole))?;
    let is_doubtful = intent.may_begin_with_article && !search.hits.iter().any(Hit::is_certain);
    if search.hits.is_empty() || is_doubtful {
        run_readings(search, readings, |kind| {
            kind == Some(PostcodeKind::LeadingPrefix)
        })?;
        run_readings(search, readings, |kind| kind.is_none())?;
        expand_candidates(search)?;
        // A whole postcode that does not exist may be a typo. So the search tries the other words without the postcode.
        if search.has_only_loose_hits() {
            let has_whole_postcode =
                |reading: &&Reading| reading.postcode.is_some_and(|range| range.is_whole());
            for reading in readings.iter().filter(has_whole_postcode) {
                search_by_name(search, reading)?;
            }
            expand_candidates(search)?;
        }
        // Four digits after other words count as a postcode only if no other reading matches.
        if search.has_only_loose_hits() {
            let first = search.hits.len();
            run_readings(search, readings, |kind| {
                kind == Some(PostcodeKind::LaterPrefix)
            })?;
            lower_streets_in_other_postcodes(search, first);
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

/// Searches for names of which only the beginning was typed, with typos. Does nothing if the hits already explain the words.
fn search_prefixes_with_typos<'a>(
    search: &mut Search<'_, 'a>,
    readings: &'a [Reading],
) -> StepResult {
    let is_explained = search.has_named_address || search.hits.iter().any(Hit::explains_words);
    if is_explained || !search.has_only_loose_hits() || search.hits.len() >= search.limit {
        return Ok(());
    }
    search.budget.raise_to(MIN_TYPO_STEPS);
    search_with_typos(search, readings)?;
    expand_candidates(search)
}

/// Searches for every reading with a kind of postcode that `is_chosen` accepts.
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
