//! Tests that opening an archive never panics, and that documents stay within their limits.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::reader::ArchiveReader;
use super::zip_archive::MAX_ENTRIES;
use super::*;

/// An archive with these entries. The first entry is stored, and the others are deflated.
fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let methods = [CompressionMethod::Stored, CompressionMethod::Deflated];
    for (index, (name, bytes)) in entries.iter().enumerate() {
        let options = SimpleFileOptions::default().compression_method(methods[index.min(1)]);
        zip.start_file(*name, options).expect("a new name");
        zip.write_all(bytes).expect("memory takes it");
    }
    zip.finish().expect("memory takes it").into_inner()
}

/// A national delivery of one document with arbitrary content.
fn delivery() -> Vec<u8> {
    let inner = packed(&[("9999NUM15092021-000001.xml", b"<a/>")]);
    packed(&[
        ("9999NUM15092021.zip", &inner),
        ("Leveringsdocument-BAG-Extract.xml", b"<a/>"),
    ])
}

/// Opens, lists and reads everything in an archive. Returns the bytes of the documents.
fn read_all(bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let archive = Archive::from_reader(ArchiveReader::from_memory(bytes), "test.zip".into())?;
    let mut delivery = DeliveryArchive::open(archive)?;
    let mut documents = vec![Vec::new()];
    delivery.header_file.read(&mut documents[0])?;
    for kind in BagObjectType::ALL {
        for file in delivery.object_documents(kind)? {
            let mut buffer = Vec::new();
            file.read(&mut buffer)?;
            documents.push(buffer);
        }
    }
    Ok(documents)
}

#[test]
fn stored_and_deflated_entries_give_the_same_documents() {
    let documents = read_all(delivery()).expect("sound");
    assert_eq!(documents, [b"<a/>".to_vec(), b"<a/>".to_vec()]);
}

#[test]
fn only_a_document_of_woonplaatsen_may_be_large() {
    let large = vec![b' '; (128 << 20) + 1];
    for (letters, fits) in [("WPL", true), ("NUM", false)] {
        let name = format!("9999{letters}15092021");
        let inner = packed(&[(&format!("{name}-000001.xml"), &large)]);
        let delivery = packed(&[
            (&format!("{name}.zip"), &inner),
            ("Leveringsdocument-BAG-Extract.xml", b"<a/>"),
        ]);
        match read_all(delivery) {
            Ok(documents) => assert!(fits && documents[1].len() == large.len()),
            Err(error) => {
                let text = error.to_string();
                assert!(!fits && text.contains("at most"), "{text}");
                assert!(
                    text.contains("build from a newer extract with `postduif index build`"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn more_entries_than_a_delivery_has_are_refused() {
    let names: Vec<String> = (0..=MAX_ENTRIES).map(|number| number.to_string()).collect();
    let entries: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"".as_slice()))
        .collect();
    let error = Archive::from_reader(
        ArchiveReader::from_memory(packed(&entries)),
        "test.zip".into(),
    );
    let error = error.err().expect("too many").to_string();
    assert_eq!(
        error,
        "test.zip: it has 100001 entries; a delivery has at most 100000"
    );
}

proptest! {
    #[test]
    fn opening_arbitrary_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(bytes).is_err());
    }

    #[test]
    fn opening_a_damaged_archive_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..8),
    ) {
        let mut bytes = delivery();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        match read_all(bytes) {
            Ok(documents) => prop_assert!(documents.iter().all(|document| document == b"<a/>")),
            Err(error) => prop_assert!(error.to_string().starts_with("test.zip"), "{}", error),
        }
    }
}
