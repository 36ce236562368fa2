//! Tests archives and documents that would use up the memory. Each of them is built in a child process, and the test measures the
//! memory of that process.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::child;
use crate::data_dir::ServedFolder;
use crate::delivery::{Archive, Content, municipal, national};

/// The maximum growth of the memory of a process that refuses an archive.
const MAX_KIB: u64 = 64 << 10;

#[track_caller]
fn assert_refused_cheaply(delivery: &[u8], words: &[&str]) {
    let served = ServedFolder::empty();
    let extract = served.delivery(delivery);
    let output = child::build_command(&extract, &served.data)
        .output()
        .expect("starts");
    let (kib, outcome) = child::parse_answer(&output.stdout);
    assert!(outcome.starts_with("refused"), "{outcome}");
    for word in words {
        assert!(outcome.contains(word), "no {word:?} in: {outcome}");
    }
    assert!(kib < MAX_KIB, "{kib} KiB more for: {outcome}");
    assert_eq!(served.data.current_generation().expect("readable"), None);
}

/// An archive with one entry of `mebibytes` MiB of zeros.
fn zeros(name: &str, mebibytes: usize) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6));
    zip.start_file(name, options).expect("a new name");
    let mebibyte = vec![0; 1 << 20];
    (0..mebibytes).for_each(|_| zip.write_all(&mebibyte).expect("memory takes it"));
    zip.finish().expect("memory takes it").into_inner()
}

#[test]
fn a_document_larger_than_memory_is_refused_unread() {
    let bomb = zeros("9999NUM15092021-000001.xml", 1024);
    let delivery = national().with_entry_content("9999NUM15092021.zip", bomb);
    assert_refused_cheaply(
        &pack_stored(delivery),
        &[
            "0001.xml: ",
            "bytes would inflate to 1073741824; at most 250-fold",
        ],
    );
    let bomb = zeros("Leveringsdocument-BAG-Extract.xml", 300);
    assert_refused_cheaply(
        &bomb,
        &["Leveringsdocument-BAG-Extract.xml: ", "at most 250-fold"],
    );
}

#[test]
fn an_archive_larger_than_memory_is_refused_unread() {
    // The archive is compressed forty-fold. That is allowed for a document but not for an archive.
    let noise: Vec<u8> = (0..40_000_u32).flat_map(u32::to_le_bytes).collect();
    let inner = zeros("0457NUM15092021-000001.xml", 100);
    let delivery = municipal().with_entry_content(
        "0457GEM15092021.zip",
        [noise.repeat(40), vec![b' '; 100 << 20], inner].concat(),
    );
    assert_refused_cheaply(
        &delivery.pack(),
        &["0457GEM15092021.zip: ", "at most 20-fold"],
    );
}

#[test]
fn an_understated_size_is_refused_while_reading() {
    let mut bomb = zeros("9999NUM15092021-000001.xml", 100);
    // The unpacked size is at byte 22 of a local header and at byte 24 of a central header. Source: APPNOTE.TXT 6.3.9, sections
    // 4.3.7 and 4.3.12.
    for (signature, field) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
        let at = (0..bomb.len())
            .rfind(|&at| bomb[at..].starts_with(signature))
            .expect("a header");
        bomb[at + field..at + field + 4].copy_from_slice(&1000_u32.to_le_bytes());
    }
    assert_refused_cheaply(
        &pack_stored(national().with_entry_content("9999NUM15092021.zip", bomb)),
        &["0001.xml: ", "fetch the delivery again"],
    );
}

#[test]
fn overlong_texts_and_attributes_are_refused_unread() {
    let long = "x".repeat(100 << 20);
    for (from, to) in [
        ("<O:naam>", format!("<O:naam>{long}")),
        ("<O:naam>", format!("<O:naam a=\"{long}\">")),
    ] {
        let delivery = municipal().edit("OPR15092021-", |xml| xml.replacen(from, &to, 1));
        assert_refused_cheaply(&delivery.pack(), &["0457OPR15092021", "at most"]);
    }
}

/// Stores the inner archives without compression, so that the content is not compressed twice.
fn pack_stored(mut delivery: Archive) -> Vec<u8> {
    for (name, content) in &mut delivery.0 {
        if let Content::File(bytes) = content
            && name.ends_with(".zip")
        {
            let inner = std::mem::take(bytes);
            *content = Content::Packed(inner);
        }
    }
    delivery.pack()
}
