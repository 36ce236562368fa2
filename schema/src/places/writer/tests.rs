//! Compares the written index with an index that tantivy's own writer makes from the same places.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, SingleSegmentIndexWriter, TERMINATED};

use super::*;
use crate::places::layout::{FORM_SEPARATOR, MAX_PREFIX_CHARS};
use crate::{Address, AddressKind, Postcode};
use crate::{BagId, HouseNumber, OpenbareRuimteKind, squash, word_suffixes};

/// The document of a street for tantivy's own writer, which needs the text of each term.
fn reference_document(street: &StreetRecord, forms: &str, fields: &PlaceFields) -> TantivyDocument {
    let mut document = street_document(street, forms, fields);
    let forms: Vec<&str> = forms.split(FORM_SEPARATOR).collect();
    let suffixes = forms.iter().flat_map(|form| word_suffixes(form));
    let prefixes: BTreeSet<String> = suffixes.flat_map(prefixes).collect();
    let names: BTreeSet<String> = forms.iter().map(|form| squash([*form])).collect();
    for prefix in &prefixes {
        document.add_text(fields.prefixes, prefix);
    }
    for name in &names {
        document.add_text(fields.whole_names, name);
    }
    for postcode in &street.postcodes {
        document.add_u64(fields.postcode, postcode.code().into());
    }
    document
}

fn prefixes(suffix: &str) -> Vec<String> {
    let squashed = squash([suffix]);
    let lengths = 1..=squashed.chars().count().min(MAX_PREFIX_CHARS);
    lengths
        .map(|length| squashed.chars().take(length).collect())
        .collect()
}

fn reference(writer: &PlaceWriter<'_>, places: PlacesBuilder) -> tantivy::Result<Index> {
    let (schema, fields) = place_layout();
    let builder = Index::builder().schema(schema);
    let memory = RamDirectory::create();
    let mut documents: SingleSegmentIndexWriter =
        builder.single_segment_index_writer(memory, 15 << 20)?;
    let (towns, streets) = places.into_sorted();
    for town in &towns {
        documents.add_document(town_document(town, &fields))?;
    }
    for street in &streets {
        let forms = writer.joined_forms(street);
        documents.add_document(reference_document(street, &forms, &fields))?;
    }
    documents.finalize()
}

/// Lists every term of an index with its documents, and every value of every column.
fn contents(index: &Index) -> tantivy::Result<Vec<String>> {
    let searcher = index.reader()?.searcher();
    let [segment] = searcher.segment_readers() else {
        panic!("the index does not have one segment");
    };
    let (_, fields) = place_layout();
    let mut found = vec![format!("{} documents", segment.max_doc())];
    for field in [
        fields.prefixes,
        fields.whole_names,
        fields.town,
        fields.postcode,
    ] {
        let terms = segment.inverted_index(field)?;
        let mut stream = terms.terms().stream()?;
        while stream.advance() {
            let mut postings =
                terms.read_postings_from_terminfo(stream.value(), IndexRecordOption::Basic)?;
            let mut documents = Vec::new();
            while postings.doc() != TERMINATED {
                documents.push(postings.doc());
                postings.advance();
            }
            let frequency = stream.value().doc_freq;
            found.push(format!(
                "{field:?} {:?} {frequency} {documents:?}",
                stream.key()
            ));
        }
    }
    for document in 0..segment.max_doc() {
        found.push(columns(segment, document)?);
    }
    Ok(found)
}

fn columns(segment: &SegmentReader, document: DocId) -> tantivy::Result<String> {
    let mut row = String::new();
    for name in ["town", "street", "addresses"] {
        row += &format!("{:?} ", segment.fast_fields().u64(name)?.first(document));
    }
    for name in ["forms", "name", "municipality", "province"] {
        let Some(column) = segment.fast_fields().str(name)? else {
            continue;
        };
        for ordinal in column.term_ords(document) {
            let mut text = String::new();
            column.ord_to_str(ordinal, &mut text)?;
            row += &format!("{text:?} ");
        }
    }
    Ok(row)
}

fn street(
    (serial, name, town, postcode, count): (u64, String, u8, u32, u32),
) -> impl Iterator<Item = Address> {
    let (towns, municipalities) = (
        ["Weesp", "Muiden", "'s-Graveland"],
        ["Weesp", "Weesp", "Wijdemeren"],
    );
    let town = usize::from(town);
    let places = [towns[town], municipalities[town], "Noord-Holland"].map(Into::into);
    let postcode = Postcode::from_code(postcode).expect("in the range");
    let template = Address {
        street: name.into(),
        street_id: format!("0457300{serial:09}").parse().ok(),
        kind: AddressKind::Verblijfsobject,
        ..Address::new_po_box(postcode, HouseNumber::FIRST, places)
    };
    (0..count).map(move |_| template.clone())
}

fn names() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Kerk",
        "Kerkstraat",
        "van",
        "de",
        "Dr.",
        "'t",
        "Hof",
        "Höfken",
        "Ĳ",
        "ΑΒΓ",
        "ΑΒΔ",
        "1e",
        "…",
        "Burgemeester",
        "Nahuyssingelallerlangstestraatnaam",
    ]);
    prop::collection::vec(words, 1..5).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn terms_and_columns_equal_those_of_the_general_writer(
        streets in prop::collection::vec((1..30_u64, names(), 0..3_u8, 0..2_000_u32, 1..4_u32), 0..40),
        has_short_names in any::<bool>(),
    ) {
        let mut places = PlacesBuilder::default();
        for address in streets.into_iter().flat_map(street) {
            places.add_address(&address);
        }
        let short_names = |id: BagId<OpenbareRuimteKind>| {
            has_short_names.then(|| format!("Kort {}", id.get() % 3).into())
        };
        let writer = PlaceWriter { short_names: &short_names };
        let expected = contents(&reference(&writer, places.clone()).expect("writes"));
        let found = contents(&writer.write_in_memory(places).expect("writes"));
        prop_assert_eq!(found.expect("reads"), expected.expect("reads"));
    }
}
