//! Reads the street, city, municipality and province of the addresses of one segment.
//!
//! Addresses of one street nearly always have the same names, so a country has few distinct combinations. A [`NameTable`] keeps them in
//! memory: some 45 megabytes for the whole country. With the table, a look-up reads two values instead of five columns.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::corrupt_document::CorruptDocument;
use crate::name_column::NameColumn;
use crate::{AddressKind, BagId, OpenbareRuimteKind, StreetKey};

/// The columns of the street id and of the names.
pub(crate) struct AddressNames {
    street_id: Column<u64>,
    street: NameColumn,
    city: NameColumn,
    municipality: NameColumn,
    province: NameColumn,
    /// The values of these columns for each document. If `None`, as in an index with few look-ups, the columns are read.
    table: Option<Arc<NameTable>>,
}

/// The street id and the names of an address. The names are ordinals in the dictionaries of its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NameOrdinals {
    pub(crate) street_id: Option<BagId<OpenbareRuimteKind>>,
    pub(crate) street_and_city: StreetCityOrdinals,
    municipality: u32,
    province: u32,
}

/// Street and city of an address, as ordinals in the dictionaries of its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StreetCityOrdinals {
    street: u32,
    city: u32,
}

/// The names of every document of a segment, including deleted documents.
pub(crate) struct NameTable {
    /// For each document, the index of its names in `distinct`.
    distinct_indexes: Vec<u32>,
    distinct: Vec<NameOrdinals>,
}

impl AddressNames {
    pub(crate) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let names = |name| NameColumn::open(segment, name);
        Ok(Self {
            street_id: segment.fast_fields().u64("street_id")?,
            street: names("street")?,
            city: names("city")?,
            municipality: names("municipality")?,
            province: names("province")?,
            table: None,
        })
    }

    /// Makes look-ups use this table, which must have been read from these columns.
    pub(crate) fn use_table(&mut self, table: Arc<NameTable>) {
        self.table = Some(table);
    }

    /// Reads the street id and the names of a document.
    pub(crate) fn ordinals(&self, document: DocId) -> Result<NameOrdinals, CorruptDocument> {
        match &self.table {
            Some(table) => table.get(document),
            None => self.read_columns(document),
        }
    }

    fn read_columns(&self, document: DocId) -> Result<NameOrdinals, CorruptDocument> {
        let ordinal = |names: &NameColumn, column| {
            let ordinal = names.ordinal(document);
            ordinal.ok_or(CorruptDocument { document, column })
        };
        let street_id = self.street_id.first(document);
        Ok(NameOrdinals {
            street_id: street_id.and_then(BagId::from_number),
            street_and_city: StreetCityOrdinals {
                street: ordinal(&self.street, "street")?,
                city: ordinal(&self.city, "city")?,
            },
            municipality: ordinal(&self.municipality, "municipality")?,
            province: ordinal(&self.province, "province")?,
        })
    }

    /// The names of the street, the city, the municipality and the province.
    pub(crate) fn texts(&self, ordinals: NameOrdinals) -> [&Arc<str>; 4] {
        let StreetCityOrdinals { street, city } = ordinals.street_and_city;
        [
            self.street.text(street),
            self.city.text(city),
            self.municipality.text(ordinals.municipality),
            self.province.text(ordinals.province),
        ]
    }

    /// The names of the street and the city.
    pub(crate) fn street_and_city(&self, ordinals: StreetCityOrdinals) -> (&str, &str) {
        (
            self.street.text(ordinals.street),
            self.city.text(ordinals.city),
        )
    }

    /// The key of the street; `None` for an address without a street.
    pub(crate) fn street_key(
        &self,
        kind: AddressKind,
        ordinals: NameOrdinals,
    ) -> Option<StreetKey> {
        match kind {
            AddressKind::Postbus => {
                let (_, city) = self.street_and_city(ordinals.street_and_city);
                Some(StreetKey::from_po_box_city(city))
            }
            _ => ordinals.street_id.map(StreetKey::from_street_id),
        }
    }
}

impl NameTable {
    /// Reads the names of the first `count` documents.
    pub(crate) fn read(names: &AddressNames, count: DocId) -> Result<Self, CorruptDocument> {
        let mut distinct_indexes = Vec::with_capacity(count as usize);
        let (mut known, mut distinct) = (FxHashMap::default(), Vec::new());
        for document in 0..count {
            let ordinals = names.read_columns(document)?;
            let index = *known.entry(ordinals).or_insert_with(|| {
                distinct.push(ordinals);
                distinct.len() - 1
            });
            distinct_indexes.push(u32::try_from(index).expect("at most one for each document"));
        }
        distinct.shrink_to_fit();
        Ok(Self {
            distinct_indexes,
            distinct,
        })
    }

    /// The names of a document.
    pub(crate) fn get(&self, document: DocId) -> Result<NameOrdinals, CorruptDocument> {
        let index = self.distinct_indexes.get(document as usize);
        let ordinals = index.and_then(|&index| self.distinct.get(index as usize));
        ordinals.copied().ok_or(CorruptDocument {
            document,
            column: "street",
        })
    }
}
