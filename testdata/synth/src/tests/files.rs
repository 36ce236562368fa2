//! Checks names, nesting, sizes and references of the files of an extract, and the town that is bundled with the project.

use super::contents::{Contents, field, fields};
use super::support::{extract, extract_contents, spec, temporary_folder};
use crate::{Layout, SynthProgress, write_extract};
use std::collections::{HashMap, HashSet};

#[test]
fn names_and_nesting_follow_real_extracts() {
    #[track_caller]
    fn case(layout: Layout, names: &[&str]) {
        let contents = extract_contents(&spec(300, layout));
        let found: HashSet<&str> = contents.names().collect();
        assert_eq!(found.len(), 30);
        names
            .iter()
            .for_each(|name| assert!(found.contains(name), "{name} in {found:?}"));
    }
    case(
        Layout::Municipal,
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "GEM-WPL-RELATIE-08012026.zip/GEM-WPL-RELATIE-08012026-000001.xml",
            "0351GEM08012026.zip/0351PND08012026.zip/0351PND08012026-000001.xml",
            "0351GEM08012026.zip/0351NietBag08012026.zip/0351NBNUM08012026.zip/0351NBNUM08012026-000001.xml",
        ],
    );
    case(
        Layout::National,
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "9999WPL08012026.zip/9999WPL08012026-000001.xml",
            "9999InOnderzoek08012026.zip/9999IOVBO08012026.zip/9999IOVBO08012026-000001.xml",
            "9999Inactief08012026.zip/9999IAOPR08012026.zip/9999IAOPR08012026-000001.xml",
        ],
    );
}

#[test]
fn a_file_has_at_most_ten_thousand_objects_in_ascii() {
    let (bytes, summary) = extract(&spec(20_011, Layout::National));
    let contents = Contents::read(&bytes);
    assert_eq!(contents.records("9999NUM08012026-000001").len(), 10_000);
    let count = |part: &str| contents.records(&format!("/9999{part}08012026-")).len() as u64;
    summary
        .voorkomens
        .iter()
        .for_each(|&(part, voorkomens)| assert_eq!(count(part), voorkomens, "{part}"));
    assert_eq!(
        contents
            .files()
            .map(|(_, bytes)| bytes.len() as u64)
            .sum::<u64>(),
        summary.xml_bytes
    );
    for (name, bytes) in contents.files() {
        assert!(bytes.is_ascii() != name.contains("GEM-WPL"), "{name}");
    }
}

#[test]
fn references_resolve() {
    let contents = extract_contents(&spec(4_000, Layout::Municipal));
    let ids = |part: &str| -> HashSet<String> {
        let records = contents.records(&format!("/0351{part}0"));
        records
            .iter()
            .filter_map(|record| field(record, "identificatie").map(str::to_owned))
            .collect()
    };
    let ids_by_reference = HashMap::from([
        ("NummeraanduidingRef", ids("NUM")),
        ("OpenbareRuimteRef", ids("OPR")),
        ("PandRef", ids("PND")),
        ("WoonplaatsRef", ids("WPL")),
    ]);
    for record in ["OPR", "NUM", "VBO", "LIG", "STA"]
        .iter()
        .flat_map(|part| contents.records(&format!("/0351{part}0")))
    {
        for (reference, ids) in &ids_by_reference {
            assert!(
                fields(&record, reference)
                    .iter()
                    .all(|id| ids.contains(*id)),
                "{record}"
            );
        }
    }
}

#[test]
fn a_voorkomen_ends_when_the_next_begins_and_is_registered_before_the_stand() {
    let contents = extract_contents(&spec(3_000, Layout::National));
    let mut last: HashMap<String, [Option<String>; 3]> = HashMap::new();
    for record in ["WPL", "OPR", "NUM", "VBO", "LIG", "STA", "PND"]
        .iter()
        .flat_map(|part| contents.records(&format!("/9999{part}0")))
    {
        let get = |element: &str| field(&record, element).map(str::to_owned);
        let begins = [
            get("beginGeldigheid"),
            get("tijdstipRegistratie"),
            get("tijdstipRegistratieLV"),
        ];
        let ends = [
            get("eindGeldigheid"),
            get("eindRegistratie"),
            get("tijdstipEindRegistratieLV"),
        ];
        assert!(
            ends.iter().all(Option::is_some) || ends.iter().all(Option::is_none),
            "{record}"
        );
        assert!(
            begins[2].as_deref() < Some("2026-01-08")
                && ends[2].as_deref().is_none_or(|end| end < "2026-01-08"),
            "{record}"
        );
        let id = get("identificatie").expect("every object has an identificatie");
        if let Some(closed) = last.insert(id, ends) {
            assert_eq!(closed, begins, "{record}");
        }
    }
}

#[test]
fn the_file_gets_its_name_when_it_is_complete() {
    let folder = temporary_folder();
    let path = folder.path().join("BAGNLDL-08012026.zip");
    let mut last = None;
    let summary = write_extract(&spec(700, Layout::National), &path, |progress| {
        last = Some(progress)
    })
    .expect("the folder is writable");
    assert_eq!(summary.served, 700);
    assert_eq!(
        last,
        Some(SynthProgress {
            done: 4_200,
            total: 4_200
        })
    );
    assert_eq!(
        std::fs::read_dir(folder.path())
            .expect("it is a folder")
            .count(),
        1
    );

    let missing = folder.path().join("missing").join("out.zip");
    let error = write_extract(&spec(1, Layout::National), &missing, |_| {})
        .expect_err("there is no such folder");
    assert!(
        error.to_string().starts_with("cannot write the delivery"),
        "{error}"
    );
}

#[test]
fn the_bundled_town_follows_from_its_seed() {
    let bundled = include_bytes!("../../../town.zip");
    let made = extract_contents(&spec(4_000, Layout::Municipal));
    // Compare the contents, because another version of the deflate library may compress the same files differently.
    assert!(
        Contents::read(bundled) == made,
        "testdata/README.md describes how to make it again"
    );
}
