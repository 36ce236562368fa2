//! Reads the columns of the stored places.

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use super::towns::{Town, TownRank};
use crate::StreetKey;
use crate::name_column::NameColumn;

/// The columns of streets and towns.
pub(super) struct PlaceColumns {
    pub(super) names: NameColumn,
    /// The folded spellings of each name, joined with a separator.
    pub(super) forms: NameColumn,
    keys: Column<u64>,
    addresses: Column<u64>,
    towns: Column<u64>,
}

/// A street without its name.
pub(super) struct StreetValues {
    pub(super) key: StreetKey,
    pub(super) town: TownRank,
    pub(super) address_count: u32,
}

impl PlaceColumns {
    pub(super) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let numbers = |name| segment.fast_fields().u64(name);
        Ok(Self {
            names: NameColumn::open(segment, "name")?,
            forms: NameColumn::open(segment, "forms")?,
            keys: numbers("street")?,
            addresses: numbers("addresses")?,
            towns: numbers("town")?,
        })
    }

    /// The street in a document; `None` if the document is a town, or lacks a value that a street must have.
    pub(super) fn street(&self, document: DocId) -> Option<StreetValues> {
        self.names.get(document)?;
        Some(StreetValues {
            key: StreetKey::from_number(self.keys.first(document)?),
            town: TownRank(self.towns.first(document)?.try_into().ok()?),
            address_count: self.addresses.first(document)?.try_into().ok()?,
        })
    }
}

/// The towns of an index. The documents of the towns come first. The first document without a municipality is a street.
pub(super) fn read_towns(segment: &SegmentReader) -> tantivy::Result<Vec<Town>> {
    let names = |name| NameColumn::open(segment, name);
    let (names_of, forms) = (names("name")?, names("forms")?);
    let addresses = segment.fast_fields().u64("addresses")?;
    let (municipalities, provinces) = (names("municipality")?, names("province")?);
    let town = |number| {
        Some(Town {
            name: names_of.get(number)?.clone(),
            municipality: municipalities.get(number)?.clone(),
            province: provinces.get(number)?.clone(),
            address_count: addresses.first(number)?,
            shares_name: false,
            forms: forms.get(number)?.clone(),
        })
    };
    Ok((0..segment.max_doc()).map_while(town).collect())
}

/// Number of addresses in all towns. The documents of the towns come first, and have no street key.
pub(super) fn count_addresses(segment: &SegmentReader) -> tantivy::Result<u64> {
    let numbers = |name| segment.fast_fields().u64(name);
    let (keys, addresses) = (numbers("street")?, numbers("addresses")?);
    let towns = (0..segment.max_doc()).take_while(|&document| keys.first(document).is_none());
    Ok(towns.filter_map(|town| addresses.first(town)).sum())
}
