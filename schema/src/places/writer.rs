//! Writes the index of places: one segment, in descending order of weight.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::indexer::DocIdMapping;
use tantivy::schema::Field;
use tantivy::{
    DocId, Index, IndexBuilder, IndexSettings, SingleSegmentIndexWriter, TantivyDocument,
};

use super::builder::{
    PlacesBuilder, ShortNameLookup, StreetRecord, TownRecord, street_forms, town_forms,
};
use super::layout::{FORM_SEPARATOR, MAX_PREFIX_CHARS, PlaceFields, join_forms, place_layout};
use crate::{squash, word_suffixes};

/// Initial capacity of tantivy's writer; it grows if needed.
const HEAP_BYTES: usize = 16 << 20;

/// Writes places to a folder or to memory.
pub struct PlaceWriter<'a> {
    /// The short names of streets.
    pub short_names: &'a ShortNameLookup<'a>,
}

impl PlaceWriter<'_> {
    /// Writes the index into an existing, empty folder.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, places: PlacesBuilder, folder: &Path) -> tantivy::Result<()> {
        let folder = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
        let writer = index_builder().single_segment_index_writer(folder, HEAP_BYTES)?;
        self.write_documents(places, writer).map(drop)
    }

    pub(super) fn write_in_memory(&self, places: PlacesBuilder) -> tantivy::Result<Index> {
        let memory = RamDirectory::create();
        let writer = index_builder().single_segment_index_writer(memory, HEAP_BYTES)?;
        self.write_documents(places, writer)
    }

    /// Adds streets of one name, and names with a common prefix, one after another: the writer then finds their terms faster,
    /// which halves its work. The final order is that of weight.
    fn write_documents(
        &self,
        places: PlacesBuilder,
        mut writer: SingleSegmentIndexWriter,
    ) -> tantivy::Result<Index> {
        let (_, fields) = place_layout();
        let (towns, streets) = places.into_sorted();
        for town in &towns {
            writer.add_document(town_document(town, &fields))?;
        }
        let mut by_name: Vec<(String, usize)> =
            (streets.iter().map(|street| self.joined_forms(street)))
                .zip(towns.len()..)
                .collect();
        by_name.sort_unstable();
        let mut name = StreetNameTerms::default();
        let mut written: Vec<DocId> = (0..).take(towns.len() + streets.len()).collect();
        for ((forms, place), document) in by_name.into_iter().zip(towns.len()..) {
            if name.forms != forms {
                name = StreetNameTerms::from_forms(forms);
            }
            let street = &streets[place - towns.len()];
            writer.add_document(name.to_document(street, &fields))?;
            written[place] = DocId::try_from(document).expect("fewer places than addresses");
        }
        writer.finalize_with_doc_id_mapping(&DocIdMapping::new_permutation(written)?)
    }

    fn joined_forms(&self, street: &StreetRecord) -> String {
        if let Some(forms) = &street.forms {
            return forms.to_string();
        }
        let short: Option<Arc<str>> = street.id.and_then(self.short_names);
        join_forms(&street_forms(&street.name, short.as_deref()))
    }
}

/// The searchable texts of a street; all streets of one name share them.
#[derive(Default)]
struct StreetNameTerms {
    /// Joined with the separator.
    forms: String,
    prefixes: BTreeSet<String>,
    full_names: BTreeSet<String>,
}

impl StreetNameTerms {
    fn from_forms(forms: String) -> Self {
        let each: Vec<&str> = forms.split(FORM_SEPARATOR).collect();
        Self {
            prefixes: name_prefixes(&each),
            full_names: each.iter().map(|form| squash([*form])).collect(),
            forms,
        }
    }

    fn to_document(&self, street: &StreetRecord, fields: &PlaceFields) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        add_texts(&mut document, fields.beginning, &self.prefixes);
        add_texts(&mut document, fields.whole, &self.full_names);
        document.add_u64(fields.town, street.town as u64);
        for postcode in &street.postcodes {
            document.add_u64(fields.postcode, postcode.code().into());
        }
        document.add_text(fields.forms, &self.forms);
        document.add_text(fields.name, &street.name);
        document.add_u64(fields.street, street.key.get());
        document.add_u64(fields.addresses, street.address_count);
        document
    }
}

fn town_document(town: &TownRecord, fields: &PlaceFields) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_text(fields.forms, join_forms(&town_forms(&town.name)));
    document.add_text(fields.name, &town.name);
    document.add_text(fields.municipality, &town.municipality);
    document.add_text(fields.province, &town.province);
    document.add_u64(fields.addresses, town.address_count);
    document
}

fn add_texts(document: &mut TantivyDocument, field: Field, terms: &BTreeSet<String>) {
    for term in terms {
        document.add_text(field, term);
    }
}

/// Every prefix of every form from every word on.
fn name_prefixes(forms: &[&str]) -> BTreeSet<String> {
    let mut beginnings = BTreeSet::new();
    for rest in forms.iter().flat_map(|form| word_suffixes(form)) {
        let squashed = squash([rest]);
        let ends = squashed.char_indices().map(|(at, c)| at + c.len_utf8());
        beginnings.extend(
            ends.take(MAX_PREFIX_CHARS)
                .map(|end| squashed[..end].to_owned()),
        );
    }
    beginnings
}

fn index_builder() -> IndexBuilder {
    // Reported during the write, and not stored.
    let settings = IndexSettings {
        manual_doc_id_mapping: true,
        ..IndexSettings::default()
    };
    Index::builder().schema(place_layout().0).settings(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_from_each_word_on() {
        let forms = ["de wit"];
        let expected = ["d", "de", "dew", "dewi", "dewit", "w", "wi", "wit"];
        assert_eq!(name_prefixes(&forms), expected.map(String::from).into());
        let long = "x".repeat(100);
        assert_eq!(name_prefixes(&[&long]).len(), MAX_PREFIX_CHARS);
    }
}
