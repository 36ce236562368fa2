//! Defines queries for streets and their budget, and intersects posting lists.

use tantivy::postings::{BlockSegmentPostings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::layout::MAX_PREFIX_CHARS;
use super::town_set::TownSet;
use crate::IndexError;

/// The cost that a search may still spend, in steps of about ten nanoseconds. The budget limits the rare expensive query. Streets are
/// searched in descending order of weight, so a query that runs out of budget has found the heaviest ones.
#[derive(Debug)]
pub struct SearchBudget(u32);

/// Maximum number of towns for which a search walks the streets of each town. For more towns, the search checks the town of every
/// street that matches.
pub(super) const MAX_TOWNS_TO_WALK: usize = 4;

/// The cost of opening the posting list of an approximately matching term, in steps of [`SearchBudget`].
pub(super) const FUZZY_TERM_COST: u32 = 60;

/// The cost of seeking a street in another posting list, in steps of [`SearchBudget`].
pub(super) const SEEK_COST: u32 = 3;

/// The cost of comparing a name letter by letter, in steps of [`SearchBudget`].
pub(super) const COMPARE_COST: u32 = 12;

/// The cost of a term look-up, in steps of [`SearchBudget`].
pub(super) const TERM_COST: u32 = 40;

/// A search for streets.
#[derive(Clone, Copy)]
pub struct StreetQuery<'a> {
    /// Prefixes of the street's name that start at any of its words. They are folded and without spaces. All of them must match.
    pub prefixes: &'a [&'a str],
    /// The allowed towns; `None` allows all.
    pub towns: Option<&'a TownSet>,
    /// Maximum number of streets in the result; the rest is left out.
    pub limit: usize,
}

impl SearchBudget {
    /// A budget of this many steps.
    pub const fn new(steps: u32) -> Self {
        Self(steps)
    }

    pub(super) fn remaining(&self) -> u32 {
        self.0
    }

    /// Raises the budget to this many steps if fewer are left.
    pub fn raise_to(&mut self, steps: u32) {
        self.0 = self.0.max(steps);
    }

    /// Spends this many steps. Returns `false` if the budget is used up afterwards.
    pub fn spend(&mut self, steps: u32) -> bool {
        self.0 = self.0.saturating_sub(steps);
        self.0 > 0
    }
}

/// Cuts a text to the maximum length of an indexed prefix.
pub(super) fn truncate_prefix(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_PREFIX_CHARS);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Opens the posting list of a term, to be read by blocks.
pub(super) fn posting_blocks(
    dictionary: &InvertedIndexReader,
    term: &TermInfo,
) -> Result<BlockSegmentPostings, IndexError> {
    Ok(dictionary.read_block_postings_from_terminfo(term, IndexRecordOption::Basic)?)
}

/// The posting list of each term.
pub(super) fn posting_lists(
    dictionary: &InvertedIndexReader,
    terms: &[TermInfo],
) -> Result<Vec<SegmentPostings>, IndexError> {
    let terms = terms.iter();
    let lists =
        terms.map(|term| dictionary.read_postings_from_terminfo(term, IndexRecordOption::Basic));
    Ok(lists.collect::<Result<_, _>>()?)
}

/// Adds the first documents of a list that `keep` accepts, up to the limit or the end of the budget.
pub(super) fn filter_documents(
    mut list: BlockSegmentPostings,
    keep: impl Fn(DocId) -> bool,
    limit: usize,
    budget: &mut SearchBudget,
    found: &mut Vec<DocId>,
) {
    let full = found.len() + limit;
    while !list.docs().is_empty() {
        for &document in list.docs() {
            if found.len() >= full || !budget.spend(1) {
                return;
            }
            if keep(document) {
                found.push(document);
            }
        }
        list.advance();
    }
}

/// Adds the first documents that are in all lists and that `keep` accepts, up to the limit or the end of the budget.
pub(super) fn intersect(
    lists: &mut [SegmentPostings],
    keep: impl Fn(DocId) -> bool,
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
