//! Writing the index of places: one segment, in the order of weight.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::schema::Field;
use tantivy::{Index, IndexBuilder, SingleSegmentIndexWriter, TantivyDocument};

use super::gather::{GatheredStreet, GatheredTown, Places, StreetNames, street_forms, town_forms};
use super::layout::{FORM_END, LONGEST_BEGINNING, PlaceFields, place_layout};
use crate::{squash, word_starts};

/// What tantivy prepares for; more is taken when it is needed.
const HEAP_BYTES: usize = 16 << 20;

/// Writes places to a folder or to memory.
pub struct PlaceWriter<'a> {
    /// What the streets are called for short.
    pub short_names: &'a StreetNames<'a>,
}

impl PlaceWriter<'_> {
    /// Writes the index into a folder that is there and empty.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, places: Places, folder: &Path) -> tantivy::Result<()> {
        let folder = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
        let writer = builder().single_segment_index_writer(folder, HEAP_BYTES)?;
        self.fill(places, writer).map(drop)
    }

    pub(super) fn in_memory(&self, places: Places) -> tantivy::Result<Index> {
        let memory = RamDirectory::create();
        let writer = builder().single_segment_index_writer(memory, HEAP_BYTES)?;
        self.fill(places, writer)
    }

    fn fill(&self, places: Places, mut writer: SingleSegmentIndexWriter) -> tantivy::Result<Index> {
        let (_, fields) = place_layout();
        let (towns, streets) = places.in_order();
        for town in &towns {
            writer.add_document(town_document(town, &fields))?;
        }
        for street in &streets {
            writer.add_document(self.street_document(street, &fields))?;
        }
        writer.finalize()
    }

    fn street_document(&self, street: &GatheredStreet, fields: &PlaceFields) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        let forms = self.forms_of(street);
        add_all(&mut document, fields.beginning, beginnings(&forms));
        let whole = forms.iter().map(|form| squash([&**form]));
        add_all(&mut document, fields.whole, whole.collect());
        document.add_u64(fields.town, street.town as u64);
        for postcode in &street.postcodes {
            document.add_u64(fields.postcode, postcode.code().into());
        }
        document.add_text(fields.forms, joined(&forms));
        document.add_text(fields.name, &street.name);
        document.add_u64(fields.street, street.key.get());
        document.add_u64(fields.addresses, street.addresses);
        document
    }

    fn forms_of(&self, street: &GatheredStreet) -> Vec<String> {
        if let Some(forms) = &street.forms {
            return forms.split(FORM_END).map(str::to_owned).collect();
        }
        let short: Option<Arc<str>> = street.id.and_then(self.short_names);
        street_forms(&street.name, short.as_deref())
    }
}

fn town_document(town: &GatheredTown, fields: &PlaceFields) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_text(fields.forms, joined(&town_forms(&town.name)));
    document.add_text(fields.name, &town.name);
    document.add_text(fields.municipality, &town.municipality);
    document.add_text(fields.province, &town.province);
    document.add_u64(fields.addresses, town.addresses);
    document
}

pub(super) fn joined(forms: &[String]) -> String {
    forms.join(&FORM_END.to_string())
}

fn add_all(document: &mut TantivyDocument, field: Field, terms: BTreeSet<String>) {
    for term in terms {
        document.add_text(field, term);
    }
}

/// Every beginning of every form from every word on.
fn beginnings(forms: &[String]) -> BTreeSet<String> {
    let mut beginnings = BTreeSet::new();
    for rest in forms.iter().flat_map(|form| word_starts(form)) {
        let squashed = squash([rest]);
        let ends = squashed.char_indices().map(|(at, c)| at + c.len_utf8());
        beginnings.extend(
            ends.take(LONGEST_BEGINNING)
                .map(|end| squashed[..end].to_owned()),
        );
    }
    beginnings
}

fn builder() -> IndexBuilder {
    Index::builder().schema(place_layout().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_from_each_word_on() {
        let forms = ["de wit".to_owned()];
        let expected = ["d", "de", "dew", "dewi", "dewit", "w", "wi", "wit"];
        assert_eq!(beginnings(&forms), expected.map(String::from).into());
        let long = ["x".repeat(100)];
        assert_eq!(beginnings(&long).len(), LONGEST_BEGINNING);
    }
}
