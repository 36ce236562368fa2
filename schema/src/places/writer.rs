//! Writes the index of places as one segment, with the places in descending order of weight.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::{Directory, DocId, Index, TantivyDocument};

use super::builder::{
    PlacesBuilder, ShortNameLookup, StreetRecord, TownRecord, street_forms, town_forms,
};
use super::layout::{PlaceFields, join_forms, place_layout};
use super::name_terms::StreetNames;
use super::segment_writer::{PlaceSegmentWriter, TermSink, TermsWriter};

/// Writes places to a folder or to memory.
pub struct PlaceWriter<'a> {
    /// Returns the short name of a street, if the street has one.
    pub short_names: &'a ShortNameLookup<'a>,
}

impl PlaceWriter<'_> {
    /// Writes the index into an existing, empty folder.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, places: PlacesBuilder, folder: &Path) -> tantivy::Result<()> {
        let folder = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
        self.write_index(places, folder).map(drop)
    }

    pub(super) fn write_in_memory(&self, places: PlacesBuilder) -> tantivy::Result<Index> {
        self.write_index(places, RamDirectory::create())
    }

    fn write_index(
        &self,
        places: PlacesBuilder,
        directory: impl Into<Box<dyn Directory>>,
    ) -> tantivy::Result<Index> {
        let (towns, streets) = places.into_sorted();
        let forms: Vec<Cow<'_, str>> = streets
            .iter()
            .map(|street| self.joined_forms(street))
            .collect();
        let (schema, fields) = place_layout();
        let writer = PlaceSegmentWriter::create(directory, schema)?;
        let first = DocId::try_from(towns.len()).expect("fewer towns than addresses");
        let write_terms = |terms: &mut TermsWriter| {
            if streets.is_empty() {
                return Ok(());
            }
            let names = StreetNames::from_forms(forms.iter().map(|forms| &**forms), first);
            terms.write_field(fields.prefixes, |sink| names.write_prefixes(sink))?;
            terms.write_field(fields.whole_names, |sink| names.write_whole_names(sink))?;
            let towns = streets.iter().map(|street| [street.town as u64]);
            terms.write_field(fields.town, |sink| write_numbers(towns, first, sink))?;
            let postcodes = streets.iter().map(|street| {
                let postcodes = street.postcodes.iter();
                postcodes.map(|postcode| u64::from(postcode.code()))
            });
            terms.write_field(fields.postcode, |sink| {
                write_numbers(postcodes, first, sink)
            })
        };
        // Terms and columns are different files, so they are written at the same time.
        let documents = thread::scope(|scope| {
            let columns = scope.spawn(|| {
                let towns = towns.iter().map(|town| town_document(town, &fields));
                let streets = streets.iter().zip(&forms);
                let streets =
                    streets.map(|(street, forms)| street_document(street, forms, &fields));
                writer.write_columns(towns.chain(streets))
            });
            writer.write_terms(write_terms)?;
            columns.join().expect("writing columns does not panic")
        })?;
        writer.finish(documents)
    }

    fn joined_forms<'a>(&self, street: &'a StreetRecord) -> Cow<'a, str> {
        if let Some(forms) = &street.forms {
            return Cow::Borrowed(forms);
        }
        let short: Option<Arc<str>> = street.id.and_then(self.short_names);
        Cow::Owned(join_forms(&street_forms(&street.name, short.as_deref())))
    }
}

/// Writes each value as a term with its documents. `documents` yields the values of each document in turn, starting with document `first`.
fn write_numbers(
    documents: impl Iterator<Item: IntoIterator<Item = u64>>,
    first: DocId,
    sink: &mut TermSink<'_>,
) -> io::Result<()> {
    let numbers = documents.zip(first..);
    let mut all: Vec<(u64, DocId)> = numbers
        .flat_map(|(numbers, document)| numbers.into_iter().map(move |number| (number, document)))
        .collect();
    all.sort_unstable();
    let mut documents = Vec::new();
    for same in all.chunk_by(|(a, _), (b, _)| a == b) {
        documents.clear();
        documents.extend(same.iter().map(|&(_, document)| document));
        sink(&same[0].0.to_be_bytes(), &documents)?;
    }
    Ok(())
}

/// The values of a street for the columns of the index.
fn street_document(street: &StreetRecord, forms: &str, fields: &PlaceFields) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(fields.town, street.town as u64);
    document.add_text(fields.forms, forms);
    document.add_text(fields.name, &street.name);
    document.add_u64(fields.street, street.key.get());
    document.add_u64(fields.addresses, street.address_count);
    document
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

#[cfg(test)]
mod tests;
