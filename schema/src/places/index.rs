//! The index of places, opened once per generation.

use std::path::Path;
use std::sync::Arc;

use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader};

use super::builder::Places;
use super::fuzzy::{Letters, Typo};
use super::layout::{PlaceFields, place_layout};
use super::table::{self, Table};
use super::towns::{Town, TownNumber, Towns};
use super::writer::PlaceWriter;
use crate::columns::Names;
use crate::index::searcher;
use crate::read_only_directory::ReadOnlyDirectory;
use crate::{Address, IndexError, StreetKey};

/// All places of one generation.
pub struct PlaceIndex {
    towns: Towns,
    pub(super) beginnings: Arc<InvertedIndexReader>,
    pub(super) wholes: Arc<InvertedIndexReader>,
    pub(super) of_town: Arc<InvertedIndexReader>,
    pub(super) postcodes: Arc<InvertedIndexReader>,
    table: Table,
    /// The letters of each place's forms.
    letters: Vec<Letters>,
}

/// A street by its place in the order of weight. Smaller numbers are heavier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetNumber(pub(super) DocId);

/// A street, as far as it lies in one town.
#[derive(Debug, Clone, Copy)]
pub struct Street<'a> {
    /// Which one.
    pub number: StreetNumber,
    /// Where its addresses are found.
    pub key: StreetKey,
    /// Its name as the register spells it; `Postbus` for the boxes of a town.
    pub name: &'a str,
    /// The town.
    pub town: TownNumber,
    /// How many addresses it has there.
    pub addresses: u64,
    /// Whether it lies in no other town too.
    pub alone: bool,
    pub(super) forms: &'a str,
}

impl<'a> Street<'a> {
    /// The folded forms of its name, the register's first.
    pub fn forms(&self) -> impl Iterator<Item = &'a str> {
        table::split(self.forms)
    }
}

impl PlaceIndex {
    /// Opens the index in a folder that nobody writes to.
    ///
    /// # Errors
    /// When a file is missing or damaged, or the fields are not those of this version.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        Self::of(&Index::open(ReadOnlyDirectory::open(folder)?)?)
    }

    /// Makes an index of the places of a fixed set of addresses, in memory.
    ///
    /// # Errors
    /// When tantivy cannot write, which for a small set it can.
    pub fn in_memory<'a>(
        addresses: impl IntoIterator<Item = &'a Address>,
    ) -> Result<Self, IndexError> {
        let mut places = Places::default();
        for address in addresses {
            places.add(address);
        }
        let writer = PlaceWriter {
            short_names: &|_| None,
        };
        Self::of(&writer.in_memory(places)?)
    }

    fn of(index: &Index) -> Result<Self, IndexError> {
        let (schema, fields) = place_layout();
        let searcher = searcher(index, &schema)?;
        let [segment] = searcher.segment_readers() else {
            return Err(IndexError::PlacesInPieces);
        };
        Ok(Self::of_segment(segment, &fields)?)
    }

    fn of_segment(segment: &SegmentReader, fields: &PlaceFields) -> tantivy::Result<Self> {
        let terms = |field| segment.inverted_index(field);
        let names = |name| Names::open(segment, name);
        let table = Table::read(segment)?;
        let letters = |place| Letters::of_all(table.forms(place));
        let letters = (0..segment.max_doc()).map(letters).collect();
        let (names_of, forms) = (names("name")?, names("forms")?);
        let addresses = segment.fast_fields().u64("addresses")?;
        let (municipalities, provinces) = (names("municipality")?, names("province")?);
        let town = |number| {
            Some(Town {
                name: names_of.read(number)?,
                municipality: municipalities.read(number)?,
                province: provinces.read(number)?,
                addresses: addresses.first(number)?,
                shares_name: false,
                forms: forms.read(number)?,
            })
        };
        // Streets, which stand behind the towns, have no municipality.
        let towns = (0..segment.max_doc()).map_while(town).collect();
        Ok(Self {
            towns: Towns::new(towns),
            beginnings: terms(fields.beginning)?,
            wholes: terms(fields.whole)?,
            of_town: terms(fields.town)?,
            postcodes: terms(fields.postcode)?,
            table,
            letters,
        })
    }

    /// The towns.
    #[must_use]
    pub fn towns(&self) -> &Towns {
        &self.towns
    }

    /// The town of a street; none when the index is damaged.
    #[must_use]
    pub fn town(&self, street: &Street<'_>) -> Option<&Town> {
        self.towns.get(street.town)
    }

    /// The folded forms of the name of a street; none when the index is damaged.
    pub fn forms(&self, StreetNumber(document): StreetNumber) -> impl Iterator<Item = &str> {
        self.table.forms(document)
    }

    /// The town of a street; none for a town.
    pub(super) fn town_of(&self, street: DocId) -> Option<TownNumber> {
        self.table.town(street)
    }

    /// Every street, the heaviest first: they stand behind the towns.
    pub(super) fn street_numbers(&self) -> impl Iterator<Item = StreetNumber> {
        let first = self.towns.iter().count();
        let documents = (0..).take(self.table.len()).skip(first);
        documents.map(StreetNumber)
    }

    /// Whether the name of a street may begin with what was mistyped, as far as its letters tell.
    pub(super) fn may_begin(&self, street: DocId, typo: &Typo) -> bool {
        let known = usize::try_from(street).ok();
        let known = known.and_then(|street| self.letters.get(street));
        known.is_some_and(|known| typo.may_begin(*known))
    }

    /// The folded forms of the name of the town that a street lies in.
    pub fn town_forms(&self, StreetNumber(document): StreetNumber) -> impl Iterator<Item = &str> {
        let town = self.town_of(document).and_then(|town| self.towns.get(town));
        table::split(town.map_or("", Town::all_forms))
    }

    /// The street of this number.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn street(&self, number: StreetNumber) -> Result<Street<'_>, IndexError> {
        let StreetNumber(document) = number;
        let street = self.table.street(document);
        let street = street.ok_or(IndexError::NoStreet(document))?;
        Ok(Street {
            number,
            key: street.key,
            name: street.name,
            town: street.town,
            addresses: street.addresses,
            alone: street.alone,
            forms: street.forms,
        })
    }
}
