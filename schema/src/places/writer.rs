//! Writing the index of places: one segment, in the order of weight.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::indexer::DocIdMapping;
use tantivy::schema::Field;
use tantivy::{
    DocId, Index, IndexBuilder, IndexSettings, SingleSegmentIndexWriter, TantivyDocument,
};

use super::builder::{GatheredStreet, GatheredTown, Places, StreetNames, street_forms, town_forms};
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

    /// Streets of one name, and names that begin alike, are taken one behind the other: the writer finds their terms where it
    /// has just been, which halves its work. They come to stand in the order of their weight in the end.
    fn fill(&self, places: Places, mut writer: SingleSegmentIndexWriter) -> tantivy::Result<Index> {
        let (_, fields) = place_layout();
        let (towns, streets) = places.in_order();
        for town in &towns {
            writer.add_document(town_document(town, &fields))?;
        }
        let mut by_name: Vec<(String, usize)> =
            (streets.iter().map(|street| self.forms_of(street)))
                .zip(towns.len()..)
                .collect();
        by_name.sort_unstable();
        let mut name = Name::default();
        let mut written: Vec<DocId> = (0..).take(towns.len() + streets.len()).collect();
        for ((forms, place), document) in by_name.into_iter().zip(towns.len()..) {
            if name.forms != forms {
                name = Name::of(forms);
            }
            let street = &streets[place - towns.len()];
            writer.add_document(name.document(street, &fields))?;
            written[place] = DocId::try_from(document).expect("fewer places than addresses");
        }
        writer.finalize_with_doc_id_mapping(&DocIdMapping::new_permutation(written)?)
    }

    fn forms_of(&self, street: &GatheredStreet) -> String {
        if let Some(forms) = &street.forms {
            return forms.to_string();
        }
        let short: Option<Arc<str>> = street.id.and_then(self.short_names);
        joined(&street_forms(&street.name, short.as_deref()))
    }
}

/// What a street is found by, which it has in common with all streets of its name.
#[derive(Default)]
struct Name {
    /// Joined.
    forms: String,
    beginnings: BTreeSet<String>,
    wholes: BTreeSet<String>,
}

impl Name {
    fn of(forms: String) -> Self {
        let each: Vec<&str> = forms.split(FORM_END).collect();
        Self {
            beginnings: beginnings(&each),
            wholes: each.iter().map(|form| squash([*form])).collect(),
            forms,
        }
    }

    fn document(&self, street: &GatheredStreet, fields: &PlaceFields) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        add_all(&mut document, fields.beginning, &self.beginnings);
        add_all(&mut document, fields.whole, &self.wholes);
        document.add_u64(fields.town, street.town as u64);
        for postcode in &street.postcodes {
            document.add_u64(fields.postcode, postcode.code().into());
        }
        document.add_text(fields.forms, &self.forms);
        document.add_text(fields.name, &street.name);
        document.add_u64(fields.street, street.key.get());
        document.add_u64(fields.addresses, street.addresses);
        document
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

fn add_all(document: &mut TantivyDocument, field: Field, terms: &BTreeSet<String>) {
    for term in terms {
        document.add_text(field, term);
    }
}

/// Every beginning of every form from every word on.
fn beginnings(forms: &[&str]) -> BTreeSet<String> {
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
    // Said while it is written, and not kept.
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
        assert_eq!(beginnings(&forms), expected.map(String::from).into());
        let long = "x".repeat(100);
        assert_eq!(beginnings(&[&long]).len(), LONGEST_BEGINNING);
    }
}
