//! Finding streets by the beginnings of their names: the heaviest first, and never longer than a budget allows.

use std::cell::Cell;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED, postings::SegmentPostings};

use super::fuzzy::{Typo, Walk};
use super::index::{PlaceIndex, StreetNumber};
use super::layout::LONGEST_BEGINNING;
use super::towns::TownSet;
use crate::{IndexError, Postcode, squash};

/// What a search may still cost, in steps of some ten nanoseconds. It bounds the odd question; the streets that are found
/// before it ends are the heaviest.
#[derive(Debug)]
pub struct Budget(u32);

/// Up to this many towns, each one's streets are walked; of more, every street is asked for its town.
const FEW_TOWNS: usize = 4;

/// The cost of walking to a term that is nearly right.
const NEAR_TERM_COST: u32 = 100;

/// The cost of finding a street in another list.
const SEEK_COST: u32 = 3;

/// The cost of looking for a term.
const TERM_COST: u32 = 40;

/// Which streets.
#[derive(Clone, Copy)]
pub struct StreetQuery<'a> {
    /// Squashed texts that the name begins with, from one of its words on. All of them must.
    pub beginnings: &'a [&'a str],
    /// The towns that it may lie in; any when not given.
    pub towns: Option<&'a TownSet>,
    /// How many at most.
    pub limit: usize,
}

impl Budget {
    /// Allows this many steps.
    #[must_use]
    pub const fn of(steps: u32) -> Self {
        Self(steps)
    }

    fn left(&self) -> u32 {
        self.0
    }

    /// Takes some; false once there are none left.
    pub fn spend(&mut self, steps: u32) -> bool {
        self.0 = self.0.saturating_sub(steps);
        self.0 > 0
    }
}

type Found = Result<Vec<StreetNumber>, IndexError>;

impl PlaceIndex {
    /// Streets whose name begins so, the heaviest first.
    ///
    /// # Errors
    /// When the index cannot be read; likewise below.
    pub fn streets(&self, query: &StreetQuery<'_>, budget: &mut Budget) -> Found {
        let beginnings = query.beginnings.iter().map(|text| cut(text));
        self.in_all(&self.beginnings, beginnings, query, budget)
    }

    /// Streets with this whole name, squashed; the heaviest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn streets_called(&self, query: &StreetQuery<'_>, budget: &mut Budget) -> Found {
        let whole = squash(query.beginnings.iter().copied());
        self.in_all(&self.wholes, [&*whole].into_iter(), query, budget)
    }

    /// Streets whose name begins nearly so, the heaviest first. Of a text that may hold two mistakes the first two letters
    /// count as right: without that, a third of the dictionary would have to be read.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn streets_nearly(&self, typo: &Typo, limit: usize, budget: &mut Budget) -> Found {
        let typo = typo.cut(LONGEST_BEGINNING);
        let sure = typo.surely();
        let beyond = [sure, &[u8::MAX]].concat();
        let walked = budget.left();
        let walk = Walk {
            typo: &typo,
            left: Cell::new(walked),
        };
        let terms = self.beginnings.terms().search(&walk);
        let terms = terms.ge(sure).lt(&beyond);
        let (mut terms, mut found) = (terms.into_stream()?, Vec::new());
        while terms.advance() && budget.spend(NEAR_TERM_COST) {
            let list = self
                .beginnings
                .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
            intersect(&mut [list], &|_| true, limit, budget, &mut found);
        }
        budget.spend(walked - walk.left.get());
        found.sort_unstable();
        found.dedup();
        found.truncate(limit);
        Ok(numbers(found))
    }

    /// Streets of some towns, those of the first town first, each town's heaviest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn streets_in(&self, towns: &TownSet, limit: usize, budget: &mut Budget) -> Found {
        self.kept_in(towns, &|_| true, limit, budget)
    }

    /// The same, of those whose name may begin nearly so, as far as its letters tell.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn streets_nearly_in(
        &self,
        towns: &TownSet,
        typo: &Typo,
        limit: usize,
        budget: &mut Budget,
    ) -> Found {
        self.kept_in(towns, &|street| self.may_begin(street, typo), limit, budget)
    }

    fn kept_in(
        &self,
        towns: &TownSet,
        keep: &dyn Fn(DocId) -> bool,
        limit: usize,
        budget: &mut Budget,
    ) -> Found {
        let mut found = Vec::new();
        for town in &towns.few {
            let Some(list) = self.list(&self.of_town, &u64::from(town.0).to_be_bytes())? else {
                continue;
            };
            if !budget.spend(TERM_COST) || found.len() >= limit {
                break;
            }
            let left = limit - found.len();
            intersect(&mut [list], keep, left, budget, &mut found);
        }
        Ok(numbers(found))
    }

    /// The postcodes from the first to the last with the streets along each, in the order of the postcodes.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn streets_along(
        &self,
        [first, last]: [Postcode; 2],
        limit: usize,
        budget: &mut Budget,
    ) -> Result<Vec<(Postcode, StreetNumber)>, IndexError> {
        let ends = [first, last].map(|postcode| u64::from(postcode.code()).to_be_bytes());
        let range = self.postcodes.terms().range().ge(ends[0]).le(ends[1]);
        let (mut terms, mut found) = (range.into_stream()?, Vec::new());
        while found.len() < limit && terms.advance() && budget.spend(TERM_COST) {
            let postcode = terms.key().try_into().ok().map(u64::from_be_bytes);
            let postcode = postcode.and_then(|code| Postcode::from_code(code.try_into().ok()?));
            let list = self
                .postcodes
                .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
            let mut streets = Vec::new();
            intersect(&mut [list], &|_| true, limit, budget, &mut streets);
            let along = postcode.into_iter().flat_map(|postcode| {
                let streets = streets.iter();
                streets.map(move |&street| (postcode, StreetNumber(street)))
            });
            found.extend(along);
        }
        Ok(found)
    }

    fn in_all<'a>(
        &self,
        terms: &InvertedIndexReader,
        texts: impl Iterator<Item = &'a str>,
        query: &StreetQuery<'_>,
        budget: &mut Budget,
    ) -> Found {
        let mut lists = Vec::new();
        for text in texts {
            budget.spend(TERM_COST);
            match self.list(terms, text.as_bytes())? {
                Some(list) => lists.push(list),
                None => return Ok(Vec::new()),
            }
        }
        let Some(towns) = query.towns else {
            let mut found = Vec::new();
            intersect(&mut lists, &|_| true, query.limit, budget, &mut found);
            return Ok(numbers(found));
        };
        if towns.len() > FEW_TOWNS {
            let mut found = Vec::new();
            let among = |street| {
                self.town_of(street)
                    .is_some_and(|town| towns.contains(town))
            };
            intersect(&mut lists, &among, query.limit, budget, &mut found);
            return Ok(numbers(found));
        }
        self.in_few_towns(&lists, towns, query.limit, budget)
    }

    fn in_few_towns(
        &self,
        lists: &[SegmentPostings],
        towns: &TownSet,
        limit: usize,
        budget: &mut Budget,
    ) -> Found {
        let mut found = Vec::new();
        for town in &towns.few {
            budget.spend(TERM_COST);
            let list = self.list(&self.of_town, &u64::from(town.0).to_be_bytes())?;
            let mut with_town: Vec<SegmentPostings> = lists.iter().cloned().chain(list).collect();
            if with_town.len() > lists.len() {
                intersect(&mut with_town, &|_| true, limit, budget, &mut found);
            }
        }
        found.sort_unstable();
        found.truncate(limit);
        Ok(numbers(found))
    }

    fn list(
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

fn numbers(found: Vec<DocId>) -> Vec<StreetNumber> {
    found.into_iter().map(StreetNumber).collect()
}

/// As much of a text as the index holds beginnings of.
pub(super) fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST_BEGINNING);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The first documents that stand in all lists.
fn intersect(
    lists: &mut [SegmentPostings],
    keep: &dyn Fn(DocId) -> bool,
    limit: usize,
    budget: &mut Budget,
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
            .map(|list| seek(list, document))
            .find(|&next| next != document);
        document = match beyond {
            Some(next) => seek(shortest, next),
            None => {
                if keep(document) {
                    found.push(document);
                }
                shortest.advance()
            }
        };
    }
}

fn seek(list: &mut SegmentPostings, target: DocId) -> DocId {
    if list.doc() < target {
        list.seek(target)
    } else {
        list.doc()
    }
}
