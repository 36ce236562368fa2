//! Searches the places of a generation.

use std::sync::Arc;
use std::thread;

use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::{DocId, InvertedIndexReader, SegmentReader};

use super::builder::PlacesBuilder;
use super::fuzzy::FuzzyMatcher;
use super::layout::{MAX_PREFIX_CHARS, PlaceFields, split_forms};
use super::letter_set::LetterSet;
use super::lookup::{
    FUZZY_TERM_COST, MAX_TOWNS_TO_WALK, SearchBudget, StreetQuery, TERM_COST, filter_documents,
    intersect, posting_blocks, posting_lists, truncate_prefix,
};
use super::place_columns::read_towns;
use super::postcode_table::PostcodeTable;
use super::prefix_trie::PrefixTrie;
use super::similar_places::SimilarPlaces;
use super::sketch_table::SketchTable;
use super::stored_places::StoredPlaces;
use super::street::{Street, StreetRank};
use super::table::PlaceTable;
use super::town_set::TownSet;
use super::towns::{Town, TownIndex, TownRank};
use super::writer::PlaceWriter;
use crate::{Address, IndexError, Postcode, PostcodeSet, squash};

/// All places of one generation.
pub struct PlaceIndex {
    towns: TownIndex,
    pub(super) prefix_terms: Arc<InvertedIndexReader>,
    /// The same terms as in `prefix_terms`, as a trie for approximate searches.
    prefix_trie: PrefixTrie,
    pub(super) full_name_terms: Arc<InvertedIndexReader>,
    pub(super) town_terms: Arc<InvertedIndexReader>,
    postcodes: PostcodeTable,
    table: PlaceTable,
    /// For each place, the letters that occur in any form of its name.
    letters: Vec<LetterSet>,
    sketches: SketchTable,
}

type StreetSearchResult = Result<Vec<StreetRank>, IndexError>;

impl PlaceIndex {
    /// Prepares stored places for searches.
    ///
    /// # Errors
    /// If a file is damaged.
    pub fn from_stored(stored: &StoredPlaces) -> Result<Self, IndexError> {
        Self::from_segment(&stored.segment, &stored.fields)
    }

    /// Builds an index of the places of some addresses, in memory.
    ///
    /// # Errors
    /// If tantivy cannot write.
    pub fn in_memory<'a>(
        addresses: impl IntoIterator<Item = &'a Address>,
    ) -> Result<Self, IndexError> {
        let mut places = PlacesBuilder::default();
        for address in addresses {
            places.add_address(address);
        }
        let short_names = &|_| None;
        let index = PlaceWriter { short_names }.write_in_memory(places)?;
        Self::from_stored(&StoredPlaces::from_index(&index)?)
    }

    fn from_segment(segment: &SegmentReader, fields: &PlaceFields) -> Result<Self, IndexError> {
        let terms = |field| segment.inverted_index(field);
        let prefix_terms = terms(fields.prefixes)?;
        let table = PlaceTable::read(segment)?;
        let letters = |place| LetterSet::from_texts(table.forms(place));
        let postcode_terms = terms(fields.postcode)?;
        let (sketches, prefix_trie, letters, postcodes) = thread::scope(|scope| {
            let sketches = scope.spawn(|| SketchTable::new(&table));
            let prefix_trie = PrefixTrie::read(prefix_terms.terms());
            let letters = (0..segment.max_doc()).map(letters).collect();
            let postcodes = PostcodeTable::read(&postcode_terms);
            let sketches = sketches.join().expect("sketching does not panic");
            (sketches, prefix_trie, letters, postcodes)
        });
        Ok(Self {
            towns: TownIndex::new(read_towns(segment)?),
            prefix_trie: prefix_trie?,
            prefix_terms,
            full_name_terms: terms(fields.whole_names)?,
            town_terms: terms(fields.town)?,
            postcodes: postcodes?,
            letters,
            sketches,
            table,
        })
    }

    /// The towns.
    pub fn towns(&self) -> &TownIndex {
        &self.towns
    }

    /// The town of a street; `None` if the index is damaged.
    pub fn town_of_street(&self, street: &Street<'_>) -> Option<&Town> {
        self.towns.get(street.town)
    }

    /// The folded spellings of a street's name; empty if there is no such street.
    pub fn street_forms(&self, StreetRank(document): StreetRank) -> impl Iterator<Item = &str> {
        self.table.forms(document)
    }

    /// The town of the street with this document number; `None` if the document is a town.
    pub(super) fn street_town(&self, street: DocId) -> Option<TownRank> {
        self.table.town(street)
    }

    /// The letters that occur in any form of a street's name; `None` if there is no such street.
    fn letters(&self, street: DocId) -> Option<LetterSet> {
        self.letters.get(usize::try_from(street).ok()?).copied()
    }

    /// Whether the letters of a street's name allow a match with a mistyped prefix.
    pub(super) fn may_match_prefix(&self, street: DocId, typo: &FuzzyMatcher) -> bool {
        let known = self.letters(street);
        known.is_some_and(|known| typo.may_match_prefix(known))
    }

    /// Whether a street's name has all letters of a folded word. This takes one memory access, and reading the name takes three.
    pub fn has_letters(&self, StreetRank(document): StreetRank, word: &str) -> bool {
        let known = self.letters(document);
        known.is_some_and(|known| LetterSet::from_text(word).is_subset(known))
    }

    /// The folded spellings of the name of a street's town.
    pub fn town_forms_of_street(
        &self,
        StreetRank(document): StreetRank,
    ) -> impl Iterator<Item = &str> {
        let town = self
            .street_town(document)
            .and_then(|town| self.towns.get(town));
        split_forms(town.map_or("", Town::joined_forms))
    }

    /// The street of this rank.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn street(&self, StreetRank(document): StreetRank) -> Result<Street<'_>, IndexError> {
        let street = self.table.street(document);
        street.ok_or(IndexError::NotAStreet(document))
    }

    /// Streets with all prefixes of the query in their name: `burgem` and `tuyl` find Burgemeester van Tuyllaan. The streets are in
    /// descending order of weight.
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

    /// Streets with exactly the joined prefixes of the query as their name: `kerk` and `straat` find Kerkstraat, but not Kerkstraatweg. The
    /// streets are in descending order of weight.
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

    /// Streets with a name that contains the text of the matcher at the start of a word, with at most the allowed edits. The streets are in
    /// descending order of weight. If two edits are allowed, the first two letters must match exactly, because the search would otherwise
    /// visit a third of the trie.
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
        let initial_budget = budget.remaining();
        let mut walk_budget = initial_budget;
        let max_terms = (initial_budget / FUZZY_TERM_COST) as usize;
        let terms = self
            .prefix_trie
            .similar_terms(&typo, max_terms, &mut walk_budget);
        let mut found = Vec::new();
        for term in terms {
            if !budget.spend(FUZZY_TERM_COST) {
                break;
            }
            let list = posting_blocks(&self.prefix_terms, &term)?;
            filter_documents(list, |_| true, limit, budget, &mut found);
        }
        budget.spend(initial_budget - walk_budget);
        found.sort_unstable();
        found.dedup();
        found.truncate(limit);
        Ok(to_ranks(found))
    }

    /// Streets of some towns, in the order of `towns`. The streets of each town are in descending order of weight.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn streets_in_towns(
        &self,
        towns: &TownSet,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        self.filter_in_towns(towns, |_| true, limit, budget)
    }

    /// Like [`streets_in_towns`](Self::streets_in_towns), but only streets with letters in their name that allow an approximate match with
    /// `typo`.
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
            |street| self.may_match_prefix(street, typo),
            limit,
            budget,
        )
    }

    /// The names of all places, for comparison with texts that may be mistyped.
    pub fn similar_places(&self) -> SimilarPlaces<'_> {
        SimilarPlaces {
            table: &self.table,
            sketches: &self.sketches,
        }
    }

    fn filter_in_towns(
        &self,
        towns: &TownSet,
        keep: impl Fn(DocId) -> bool,
        limit: usize,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let mut found = Vec::new();
        for &town in &towns.ranks {
            let Some(term) = self.town_term(town)? else {
                continue;
            };
            if !budget.spend(TERM_COST) || found.len() >= limit {
                break;
            }
            let left = limit - found.len();
            let list = posting_blocks(&self.town_terms, &term)?;
            filter_documents(list, &keep, left, budget, &mut found);
        }
        Ok(to_ranks(found))
    }

    /// Every street of every postcode from the first to the last of `range`, as pairs of a postcode and a street, in the order of the
    /// postcodes. The streets of one postcode are in descending order of weight. Stops at `limit`, or when the budget is used up.
    pub fn streets_by_postcode(
        &self,
        range: [Postcode; 2],
        limit: usize,
        budget: &mut SearchBudget,
    ) -> &[(Postcode, StreetRank)] {
        let pairs = self.postcodes.streets(range);
        let mut last = None;
        // A postcode costs as much as the look-up of a term and its street, although it takes less time. Without this cost, the later
        // readings of a text with four digits would examine every street, and streets that fit by chance would displace better hits.
        let affordable = pairs.iter().take(limit).take_while(|(postcode, _)| {
            let is_known = last.replace(*postcode) == Some(*postcode);
            budget.spend(if is_known { 1 } else { TERM_COST + 1 })
        });
        &pairs[..affordable.count()]
    }

    /// The streets of a postcode, in descending order of weight.
    pub fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = Street<'_>> {
        let pairs = self.postcodes.streets([postcode; 2]).iter();
        pairs.filter_map(|&(_, StreetRank(document))| self.table.street(document))
    }

    /// Every postcode that has an address.
    pub fn postcodes(&self) -> &PostcodeSet {
        self.postcodes.postcodes()
    }

    fn intersect_terms<'a>(
        &self,
        dictionary: &InvertedIndexReader,
        texts: impl Iterator<Item = &'a str>,
        query: &StreetQuery<'_>,
        budget: &mut SearchBudget,
    ) -> StreetSearchResult {
        let mut term_infos = Vec::new();
        for text in texts {
            budget.spend(TERM_COST);
            match dictionary.terms().get(text)? {
                Some(term) => term_infos.push(term),
                None => return Ok(Vec::new()),
            }
        }
        let Some(towns) = query.towns else {
            return streets_with_terms(dictionary, &term_infos, |_| true, query.limit, budget);
        };
        if towns.len() > MAX_TOWNS_TO_WALK {
            let town = |street| self.street_town(street);
            let is_in_towns = |street| town(street).is_some_and(|town| towns.contains(town));
            return streets_with_terms(dictionary, &term_infos, is_in_towns, query.limit, budget);
        }
        let lists = posting_lists(dictionary, &term_infos)?;
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
        for &town in &towns.ranks {
            budget.spend(TERM_COST);
            let Some(term) = self.town_term(town)? else {
                continue;
            };
            let mut with_town = posting_lists(&self.town_terms, &[term])?;
            with_town.extend_from_slice(lists);
            intersect(&mut with_town, |_| true, limit, budget, &mut found);
        }
        found.sort_unstable();
        found.truncate(limit);
        Ok(to_ranks(found))
    }

    fn town_term(&self, TownRank(town): TownRank) -> Result<Option<TermInfo>, IndexError> {
        let term = u64::from(town).to_be_bytes();
        Ok(self.town_terms.terms().get(term)?)
    }
}

/// Returns the first streets that have all terms and that `keep` accepts, up to the limit or the end of the budget.
fn streets_with_terms(
    dictionary: &InvertedIndexReader,
    terms: &[TermInfo],
    keep: impl Fn(DocId) -> bool,
    limit: usize,
    budget: &mut SearchBudget,
) -> StreetSearchResult {
    let mut found = Vec::new();
    match terms {
        [term] => filter_documents(
            posting_blocks(dictionary, term)?,
            keep,
            limit,
            budget,
            &mut found,
        ),
        _ => {
            let mut lists = posting_lists(dictionary, terms)?;
            intersect(&mut lists, keep, limit, budget, &mut found);
        }
    }
    Ok(to_ranks(found))
}

fn to_ranks(found: Vec<DocId>) -> Vec<StreetRank> {
    found.into_iter().map(StreetRank).collect()
}
