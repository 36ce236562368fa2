//! Finds streets by prefixes of their names, heaviest first, within a budget.

use std::cell::Cell;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED, postings::SegmentPostings};

use super::fuzzy::{FuzzyAutomaton, FuzzyMatcher};
use super::index::{PlaceIndex, StreetRank};
use super::layout::MAX_PREFIX_CHARS;
use super::towns::TownSet;
use crate::{IndexError, Postcode, squash};

/// The remaining cost of a search, in steps of some ten nanoseconds. It bounds the rare expensive query; the streets found
/// before it runs out are the heaviest.
#[derive(Debug)]
pub struct SearchBudget(u32);

/// With up to this many towns, walks the streets of each; with more, checks the town of every street.
const MAX_TOWNS_TO_WALK: usize = 4;

/// The cost of walking to an approximately matching term.
const FUZZY_TERM_COST: u32 = 100;

/// The cost of finding a street in another list.
const SEEK_COST: u32 = 3;

/// The cost of a term look-up.
const TERM_COST: u32 = 40;

/// A search for streets.
#[derive(Clone, Copy)]
pub struct StreetQuery<'a> {
    /// Squashed prefixes of the name, from any of its words on. All of them must match.
    pub prefixes: &'a [&'a str],
    /// The allowed towns; `None` allows all.
    pub towns: Option<&'a TownSet>,
    /// Maximum number of results.
    pub limit: usize,
}

impl SearchBudget {
    /// Allows this many steps.
    #[must_use]
    pub const fn new(steps: u32) -> Self {
        Self(steps)
    }

    fn remaining(&self) -> u32 {
        self.0
    }

    /// Spends some steps; `false` if none are left.
    pub fn spend(&mut self, steps: u32) -> bool {
        self.0 = self.0.saturating_sub(steps);
        self.0 > 0
    }
}

type StreetSearchResult = Result<Vec<StreetRank>, IndexError>;

impl PlaceIndex {
    /// Streets whose name has these prefixes, heaviest first.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search_streets(
        &self,
        query: &StreetQuery<'_>,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let beginnings = query.prefixes.iter().map(|text| truncate_prefix(text));
        self.intersect_terms(&self.prefix_terms, beginnings, query, budget)
    }

    /// Streets with exactly this name, squashed; heaviest first.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search_exact_name(
        &self,
        query: &StreetQuery<'_>,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let whole = squash(query.prefixes.iter().copied());
        self.intersect_terms(&self.full_name_terms, [&*whole].into_iter(), query, budget)
    }

    /// Streets whose name approximately has this prefix, heaviest first. With two edits allowed, the first two letters must
    /// match exactly: otherwise the search would read a third of the dictionary.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search_fuzzy(
        &self,
        typo: &FuzzyMatcher,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let typo = typo.with_max_len(MAX_PREFIX_CHARS);
        let sure = typo.exact_prefix();
        let beyond = [sure, &[u8::MAX]].concat();
        let walked = budget.remaining();
        let walk = FuzzyAutomaton {
            matcher: &typo,
            remaining_budget: Cell::new(walked),
        };
        let terms = self.prefix_terms.terms().search(&walk);
        let terms = terms.ge(sure).lt(&beyond);
        let (mut terms, mut found) = (terms.into_stream()?, Vec::new());
        while terms.advance() && budget.spend(FUZZY_TERM_COST) {
            let list = self
                .prefix_terms
                .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
            intersect(&mut [list], &|_| true, limit, budget, &mut found);
        }
        budget.spend(walked - walk.remaining_budget.get());
        found.sort_unstable();
        found.dedup();
        found.truncate(limit);
        Ok(to_ranks(found))
    }

    /// Streets of some towns, grouped in the order of the towns, heaviest first in each.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn streets_in_towns(
        &self,
        towns: &TownSet,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        self.filter_in_towns(towns, &|_| true, limit, budget)
    }

    /// The same, only streets whose letters allow an approximate match.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search_fuzzy_in_towns(
        &self,
        towns: &TownSet,
        typo: &FuzzyMatcher,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        self.filter_in_towns(
            towns,
            &|street| self.may_match_prefix(street, typo),
            limit,
            budget,
        )
    }

    fn filter_in_towns(
        &self,
        towns: &TownSet,
        keep: &dyn Fn(DocId) -> bool,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let mut found = Vec::new();
        for town in &towns.ranks {
            let Some(list) =
                self.posting_list(&self.town_terms, &u64::from(town.0).to_be_bytes())?
            else {
                continue;
            };
            if !budget.spend(TERM_COST) || found.len() >= limit {
                break;
            }
            let left = limit - found.len();
            intersect(&mut [list], keep, left, budget, &mut found);
        }
        Ok(to_ranks(found))
    }

    /// The postcodes in a range with the streets of each, in the order of the postcodes.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn streets_by_postcode(
        &self,
        [first, last]: [Postcode; 2],
        limit: usize,
        budget: &mut SearchBudget,
    ) -> Result<Vec<(Postcode, StreetRank)>, IndexError> {
        let ends = [first, last].map(|postcode| u64::from(postcode.code()).to_be_bytes());
        let range = self.postcode_terms.terms().range().ge(ends[0]).le(ends[1]);
        let (mut terms, mut found) = (range.into_stream()?, Vec::new());
        while found.len() < limit && terms.advance() && budget.spend(TERM_COST) {
            let postcode = terms.key().try_into().ok().map(u64::from_be_bytes);
            let postcode = postcode.and_then(|code| Postcode::from_code(code.try_into().ok()?));
            let list = self
                .postcode_terms
                .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
            let mut streets = Vec::new();
            intersect(&mut [list], &|_| true, limit, budget, &mut streets);
            let along = postcode.into_iter().flat_map(|postcode| {
                let streets = streets.iter();
                streets.map(move |&street| (postcode, StreetRank(street)))
            });
            found.extend(along);
        }
        Ok(found)
    }

    fn intersect_terms<'a>(
        &self,
        terms: &InvertedIndexReader,
        texts: impl Iterator<Item = &'a str>,
        query: &StreetQuery<'_>,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let mut lists = Vec::new();
        for text in texts {
            budget.spend(TERM_COST);
            match self.posting_list(terms, text.as_bytes())? {
                Some(list) => lists.push(list),
                None => return Ok(Vec::new()),
            }
        }
        let Some(towns) = query.towns else {
            let mut found = Vec::new();
            intersect(&mut lists, &|_| true, query.limit, budget, &mut found);
            return Ok(to_ranks(found));
        };
        if towns.len() > MAX_TOWNS_TO_WALK {
            let mut found = Vec::new();
            let among = |street| {
                self.street_town(street)
                    .is_some_and(|town| towns.contains(town))
            };
            intersect(&mut lists, &among, query.limit, budget, &mut found);
            return Ok(to_ranks(found));
        }
        self.intersect_with_towns(&lists, towns, query.limit, budget)
    }

    fn intersect_with_towns(
        &self,
        lists: &[SegmentPostings],
        towns: &TownSet,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let mut found = Vec::new();
        for town in &towns.ranks {
            budget.spend(TERM_COST);
            let list = self.posting_list(&self.town_terms, &u64::from(town.0).to_be_bytes())?;
            let mut with_town: Vec<SegmentPostings> = lists.iter().cloned().chain(list).collect();
            if with_town.len() > lists.len() {
                intersect(&mut with_town, &|_| true, limit, budget, &mut found);
            }
        }
        found.sort_unstable();
        found.truncate(limit);
        Ok(to_ranks(found))
    }

    fn posting_list(
        &self,
        terms: &InvertedIndexReader,
        term: &[u8],
    ) -> Result<Option<SegmentPostings>, IndexError> {
        let Some(entry) = terms.terms().get(term)? else {
            return Ok(None);
        };
        let list = terms.read_postings_from_terminfo(&entry, IndexRecordOption::Basic)?;
        Ok(Some(list))
    }
}

fn to_ranks(found: Vec<DocId>) -> Vec<StreetRank> {
    found.into_iter().map(StreetRank).collect()
}

/// The part of a text that is indexed as a prefix.
pub(super) fn truncate_prefix(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_PREFIX_CHARS);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The first documents that all lists contain.
fn intersect(
    lists: &mut [SegmentPostings],
    keep: &dyn Fn(DocId) -> bool,
    limit: usize,
    budget: &mut SearchBudget,
    found: &mut Vec<DocId>,
) {
    lists.sort_unstable_by_key(|list| list.doc_freq());
    let Some((shortest, others)) = lists.split_first_mut() else {
        return;
    };
    let full = found.len() + limit;
    let step = others.iter().fold(1, |cost, _| cost + SEEK_COST);
    let mut document = shortest.doc();
    while document != TERMINATED && found.len() < full && budget.spend(step) {
        let beyond = others
            .iter_mut()
            .map(|list| seek_to(list, document))
            .find(|&next| next != document);
        document = match beyond {
            Some(next) => seek_to(shortest, next),
            None => {
                if keep(document) {
                    found.push(document);
                }
                shortest.advance()
            }
        };
    }
}

fn seek_to(list: &mut SegmentPostings, target: DocId) -> DocId {
    if list.doc() < target {
        list.seek(target)
    } else {
        list.doc()
    }
}
