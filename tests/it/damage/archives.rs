//! Tests archives that are malformed, incomplete or hostile.

use postduif_schema::NoProgress;
use zip::CompressionMethod;

use super::{assert_accepted, assert_refused};
use crate::data_dir::{ServedFolder, build};
use crate::delivery::{self, Archive, Content, municipal, national};
use crate::real_data;

#[test]
fn a_file_that_is_no_delivery_is_refused() {
    let served = ServedFolder::small_municipality();
    let case = |bytes: &[u8], reason: &str| {
        let reason = format!("delivery.zip: it is not a complete zip archive: {reason}");
        assert_refused(&served, bytes, &[&reason, "fetch the delivery again"]);
    };
    case(b"", "the file is empty");
    case(
        b"<html>",
        "it begins with \"<html>\"; a zip archive begins with \"PK\"",
    );
    let whole = municipal().pack();
    case(
        &whole[..whole.len() - 30],
        "its list of entries is missing or damaged",
    );
    // Cut off behind an inner archive, which is stored without compression. An end record has 22 bytes.
    let country = national().pack();
    let inner = country.windows(4).position(|bytes| bytes == b"PK\x05\x06");
    assert_refused(
        &served,
        &country[..inner.expect("an inner archive") + 22],
        &[
            "does not match its content, probably because the file is cut off",
            "fetch the delivery again",
        ],
    );
    assert_refused(
        &served,
        &Archive(Vec::new()).pack(),
        &[
            "not a BAG delivery",
            "Leveringsdocument",
            "lvbag-extract-nl.zip",
        ],
    );
    let photos = Archive(Vec::new()).with_entry("holiday.jpg", "jpeg");
    assert_refused(&served, &photos.pack(), &["not a BAG delivery"]);
    let other_xml = municipal().with_entry_content("Leveringsdocument", "<html></html>");
    assert_refused(
        &served,
        &other_xml.pack(),
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "root <html>",
            "<BAG-Extract-Levering>",
        ],
    );
}

#[test]
fn a_path_without_a_file_is_refused() {
    let served = ServedFolder::small_municipality();
    let content = served.content();
    for (path, reason) in [
        ("data", "expected a regular file"),
        ("nowhere.zip", "No such file"),
    ] {
        let path = served.data.path().with_file_name(path);
        let error = build(path.clone())
            .run(&served.data, &NoProgress)
            .expect_err("no file");
        let text = error.to_string();
        assert!(
            text.contains(path.to_str().expect("UTF-8")) && text.contains(reason),
            "{text}"
        );
    }
    served.assert_sound();
    assert_eq!(served.content(), content);
}

#[test]
fn a_mutation_delivery_is_refused_by_name() {
    let served = ServedFolder::small_municipality();
    let reason = ["a mutation delivery", "`index build` reads an extract"];
    let by_entry = municipal().with_entry("9999MUT15092021-16092021.zip", "");
    assert_refused(&served, &by_entry.pack(), &reason);
    let by_header = municipal().edit("Leveringsdocument", |xml| {
        let period = "<s:Mutatieperiode><s:MutatiedatumVanaf>2021-09-15</s:MutatiedatumVanaf><s:MutatiedatumTot>2021-09-16\
                      </s:MutatiedatumTot></s:Mutatieperiode></s:MUT-Extract>";
        xml.replace("</s:LVC-Extract>", period)
            .replace("LVC-Extract", "MUT-Extract")
    });
    assert_refused(&served, &by_header.pack(), &reason);
    if let Some(path) = real_data::path("bag/BAGNLDM-13112021-14112021.zip") {
        assert_refused(&served, &std::fs::read(path).expect("readable"), &reason);
    }
}

#[test]
fn a_delivery_with_a_missing_part_is_refused() {
    let served = ServedFolder::small_municipality();
    let country = ServedFolder::small_country();
    let case =
        |delivery: Archive, needles: &[&str]| assert_refused(&served, &delivery.pack(), needles);
    for (letters, element) in [
        ("WPL", "Woonplaats"),
        ("OPR", "OpenbareRuimte"),
        ("NUM", "Nummeraanduiding"),
        ("VBO", "Verblijfsobject"),
        ("PND", "Pand"),
    ] {
        let missing = format!("it has no file of type {letters} ({element})");
        case(
            municipal().without(&format!("0457{letters}")),
            &["delivery.zip", &missing],
        );
    }
    for letters in ["LIG", "STA"] {
        let missing = format!("no file of type {letters}");
        let delivery = national().without(&format!("9999{letters}"));
        assert_refused(&country, &delivery.pack(), &[&missing]);
    }
    case(
        municipal().without("GEM-WPL"),
        &["it has no GEM-WPL-RELATIE table"],
    );
    case(
        municipal().without("GEM-WPL-RELATIE-15092021-"),
        &["it has no GEM-WPL-RELATIE table"],
    );
    case(
        municipal().without("NUM15092021-000001"),
        &["0457NUM15092021.zip", "it has no XML document"],
    );
    case(
        renamed("NUM15092021-000001", "0457NUM15092021-000002.xml"),
        &["000001 is missing"],
    );
    case(
        renamed("NUM15092021-000001", "0457NUM15092021.xml"),
        &["is not a NUM document such as"],
    );
    case(
        renamed("NUM15092021-000001", "0457VBO15092021-000001.xml"),
        &["is not a NUM document such as"],
    );
}

#[test]
fn a_duplicate_part_is_refused() {
    let served = ServedFolder::small_municipality();
    let header = municipal().with_entry("old/Leveringsdocument-BAG-Extract.xml", "<a/>");
    assert_refused(
        &served,
        &header.pack(),
        &["delivery.zip: it has a second Leveringsdocument-BAG-Extract.xml"],
    );
    let mut within = municipal();
    let (name, content) = within.entry("0457GEM").clone();
    within.archive_containing("0457NUM").0.push((name, content));
    assert_refused(
        &served,
        &within.pack(),
        &[
            "0457GEM15092021.zip: it has \"0457GEM15092021.zip\" inside another archive of a municipality",
        ],
    );
    let mut twice = municipal();
    let (name, content) = twice.entry("0457NUM").clone();
    twice.0.insert(0, (format!("old/{name}"), content));
    assert_refused(
        &served,
        &twice.pack(),
        &["\"old/0457NUM15092021.zip\" and in \"0457NUM15092021.zip\"; a delivery has them once"],
    );
}

/// A municipal delivery in which one entry has another name.
fn renamed(part: &str, name: &str) -> Archive {
    let mut delivery = municipal();
    name.clone_into(&mut delivery.entry(part).0);
    delivery
}

#[test]
fn a_gap_in_the_document_numbers_is_refused() {
    let served = ServedFolder::small_municipality();
    let mut delivery = municipal();
    let empty = Content::File(delivery::stand(&[]).into());
    let around = delivery.archive_containing("NUM15092021-000001");
    around
        .0
        .push(("0457NUM15092021-000002.xml".into(), empty.clone()));
    assert_accepted(&served, &delivery.pack());
    delivery.entry("NUM15092021-000002").0 = "0457NUM15092021-000003.xml".into();
    assert_refused(
        &served,
        &delivery.pack(),
        &["0457NUM15092021.zip", "000002 is missing"],
    );
}

#[test]
fn overlong_entry_names_are_refused() {
    let served = ServedFolder::small_municipality();
    for inside in [false, true] {
        let mut delivery = municipal();
        let long = ("x".repeat(60_000), Content::File(b"x".to_vec()));
        match inside {
            true => delivery.archive_containing("0457NUM").0.push(long),
            false => delivery.0.push(long),
        }
        assert_refused(&served, &delivery.pack(), &["a name of 60000 bytes"]);
    }
}

#[test]
fn an_encrypted_entry_is_refused() {
    let served = ServedFolder::small_municipality();
    let mut packed = national().pack();
    // Set bit 0 of the flags, which are at byte 6 of a local header and at byte 8 of a central header. Source: APPNOTE.TXT 6.3.9,
    // sections 4.3.7 and 4.3.12.
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let found: Vec<usize> = (0..packed.len())
            .filter(|&at| packed[at..].starts_with(signature))
            .collect();
        found.into_iter().for_each(|at| packed[at + flags] |= 1);
    }
    assert_refused(&served, &packed, &["delivery.zip", "not encrypted"]);
}

#[test]
fn a_false_entry_size_is_refused() {
    let served = ServedFolder::small_municipality();
    let whole = municipal().pack();
    let header = whole
        .windows(4)
        .rposition(|bytes| bytes == b"PK\x01\x02")
        .expect("a central header");
    // In a central header, the packed size is at byte 20 and the unpacked size at byte 24. Source: APPNOTE.TXT 6.3.9, section
    // 4.3.12.
    for (field, size) in [
        (20, 1_u32),
        (20, 0x7fff_ffff),
        (24, 1),
        (24, 0x7fff_ffff),
        (24, 60_000),
    ] {
        let mut packed = whole.clone();
        packed[header + field..header + field + 4].copy_from_slice(&size.to_le_bytes());
        assert_refused(&served, &packed, &["delivery.zip"]);
    }
}

#[test]
fn unrelated_entries_in_a_delivery_are_ignored() {
    let served = ServedFolder::small_country();
    let beside = national()
        .with_entry("__MACOSX/._9999NUM15092021.zip", "finder")
        .with_entry(".DS_Store", "finder")
        .with_entry("readme.txt", "read me")
        .with_entry("9999XYZ15092021.zip", "what is this");
    let report = assert_accepted(&served, &beside.pack());
    let unknown: Vec<&str> = report
        .read
        .unknown_entries
        .iter()
        .map(|path| path.rsplit('!').next().unwrap_or(path))
        .collect();
    assert_eq!(unknown, ["readme.txt", "9999XYZ15092021.zip"]);
    let mut inside = national();
    let num = inside.archive_containing("NUM15092021-000001");
    num.0.push((
        "__MACOSX/._9999NUM15092021-000001.xml".into(),
        Content::File(b"finder".to_vec()),
    ));
    let relations = inside.archive_containing("GEM-WPL-RELATIE-15092021-");
    relations.0.insert(
        0,
        (
            "__MACOSX/._GEM-WPL-RELATIE-15092021-000001.xml".into(),
            Content::File(b"finder".to_vec()),
        ),
    );
    assert_eq!(
        assert_accepted(&served, &inside.pack())
            .read
            .unknown_entries,
        [""; 0]
    );
}

#[test]
fn entry_order_and_compression_do_not_matter() {
    let served = ServedFolder::small_country();
    let mut backwards = national();
    backwards.0.reverse();
    assert_accepted(&served, &backwards.pack());
    let mut bare = national();
    let (_, document) = bare.entry("GEM-WPL-RELATIE-15092021-").clone();
    *bare.entry("GEM-WPL") = ("GEM-WPL-RELATIE-15092021-000001.xml".into(), document);
    assert_accepted(&served, &bare.pack());
    let mut deflated = national();
    for (_, content) in &mut deflated.0 {
        if let Content::Archive(_, method) = content {
            *method = CompressionMethod::Deflated;
        }
    }
    assert_accepted(&served, &deflated.pack());
}

/// Replaces every occurrence of a text by another of the same length.
pub(super) fn replaced(mut bytes: Vec<u8>, text: &str, by: &str) -> Vec<u8> {
    let found: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at..].starts_with(text.as_bytes()))
        .collect();
    assert!(!found.is_empty() && text.len() == by.len());
    for at in found {
        bytes[at..at + by.len()].copy_from_slice(by.as_bytes());
    }
    bytes
}
