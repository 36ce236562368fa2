//! The index of places, opened once per generation.

use std::path::Path;
use std::sync::Arc;

use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader};

use super::builder::PlacesBuilder;
use super::fuzzy::{FuzzyMatcher, LetterSet};
use super::layout::{PlaceFields, place_layout, split_forms};
use super::table::PlaceTable;
use super::towns::{Town, TownIndex, TownRank};
use super::writer::PlaceWriter;
use crate::columns::NameColumn;
use crate::index::open_searcher;
use crate::read_only_directory::ReadOnlyDirectory;
use crate::{Address, IndexError, StreetKey};

/// All places of one generation.
pub struct PlaceIndex {
    towns: TownIndex,
    pub(super) prefix_terms: Arc<InvertedIndexReader>,
    pub(super) full_name_terms: Arc<InvertedIndexReader>,
    pub(super) town_terms: Arc<InvertedIndexReader>,
    pub(super) postcode_terms: Arc<InvertedIndexReader>,
    table: PlaceTable,
    /// The letters of each place's forms.
    letters: Vec<LetterSet>,
}

/// A street by its rank in the order of weight: 0 is the heaviest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetRank(pub(super) DocId);

/// The part of a street that is in one town.
#[derive(Debug, Clone, Copy)]
pub struct Street<'a> {
    /// Its rank.
    pub rank: StreetRank,
    /// The key of its addresses.
    pub key: StreetKey,
    /// Its name as the register spells it; `Postbus` for the boxes of a town.
    pub name: &'a str,
    /// Its town.
    pub town: TownRank,
    /// Number of its addresses in that town.
    pub address_count: u64,
    /// Whether it is in no other town.
    pub in_one_town: bool,
    pub(super) forms: &'a str,
}

impl<'a> Street<'a> {
    /// The folded forms of its name, the register's first.
    pub fn forms(&self) -> impl Iterator<Item = &'a str> {
        split_forms(self.forms)
    }
}

impl PlaceIndex {
    /// Opens the index in a folder that no process writes to.
    ///
    /// # Errors
    /// If a file is missing or damaged, or the fields differ from those of this version.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        Self::from_index(&Index::open(ReadOnlyDirectory::open(folder)?)?)
    }

    /// Builds an index of the places of some addresses, in memory.
    ///
    /// # Errors
    /// If tantivy cannot write, which does not happen with small sets.
    pub fn in_memory<'a>(
        addresses: impl IntoIterator<Item = &'a Address>,
    ) -> Result<Self, IndexError> {
        let mut places = PlacesBuilder::default();
        for address in addresses {
            places.add_address(address);
        }
        let writer = PlaceWriter {
            short_names: &|_| None,
        };
        Self::from_index(&writer.write_in_memory(places)?)
    }

    fn from_index(index: &Index) -> Result<Self, IndexError> {
        let (schema, fields) = place_layout();
        let searcher = open_searcher(index, &schema)?;
        let [segment] = searcher.segment_readers() else {
            return Err(IndexError::PlacesNotOneSegment);
        };
        Ok(Self::from_segment(segment, &fields)?)
    }

    fn from_segment(segment: &SegmentReader, fields: &PlaceFields) -> tantivy::Result<Self> {
        let terms = |field| segment.inverted_index(field);
        let names = |name| NameColumn::open(segment, name);
        let table = PlaceTable::read(segment)?;
        let letters = |place| LetterSet::from_texts(table.forms(place));
        let letters = (0..segment.max_doc()).map(letters).collect();
        let (names_of, forms) = (names("name")?, names("forms")?);
        let addresses = segment.fast_fields().u64("addresses")?;
        let (municipalities, provinces) = (names("municipality")?, names("province")?);
        let town = |number| {
            Some(Town {
                name: names_of.get_cloned(number)?,
                municipality: municipalities.get_cloned(number)?,
                province: provinces.get_cloned(number)?,
                address_count: addresses.first(number)?,
                shares_name: false,
                forms: forms.get_cloned(number)?,
            })
        };
        // Towns come first; streets have no municipality.
        let towns = (0..segment.max_doc()).map_while(town).collect();
        Ok(Self {
            towns: TownIndex::new(towns),
            prefix_terms: terms(fields.beginning)?,
            full_name_terms: terms(fields.whole)?,
            town_terms: terms(fields.town)?,
            postcode_terms: terms(fields.postcode)?,
            table,
            letters,
        })
    }

    /// The towns.
    #[must_use]
    pub fn towns(&self) -> &TownIndex {
        &self.towns
    }

    /// The town of a street; `None` if the index is damaged.
    #[must_use]
    pub fn town_of_street(&self, street: &Street<'_>) -> Option<&Town> {
        self.towns.get(street.town)
    }

    /// The folded forms of a street's name; `None` if the index is damaged.
    pub fn street_forms(&self, StreetRank(document): StreetRank) -> impl Iterator<Item = &str> {
        self.table.forms(document)
    }

    /// The town of a street; `None` if `street` is a town.
    pub(super) fn street_town(&self, street: DocId) -> Option<TownRank> {
        self.table.town(street)
    }

    /// Every street, heaviest first; they follow the towns.
    pub(super) fn street_ranks(&self) -> impl Iterator<Item = StreetRank> {
        let first = self.towns.iter().count();
        let documents = (0..).take(self.table.len()).skip(first);
        documents.map(StreetRank)
    }

    /// Whether the letters of a street's name allow a match with a mistyped prefix.
    pub(super) fn may_match_prefix(&self, street: DocId, typo: &FuzzyMatcher) -> bool {
        let known = usize::try_from(street).ok();
        let known = known.and_then(|street| self.letters.get(street));
        known.is_some_and(|known| typo.may_match_prefix(*known))
    }

    /// The folded forms of the name of a street's town.
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
    pub fn street(&self, rank: StreetRank) -> Result<Street<'_>, IndexError> {
        let StreetRank(document) = rank;
        let street = self.table.street(document);
        let street = street.ok_or(IndexError::NotAStreet(document))?;
        Ok(Street {
            rank,
            key: street.key,
            name: street.name,
            town: street.town,
            address_count: street.address_count,
            in_one_town: street.in_one_town,
            forms: street.forms,
        })
    }
}
