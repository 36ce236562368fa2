//! Checks that every file is valid by the schemas of the register. The tests are skipped if the schemas or xmllint are absent.

use super::contents::Contents;
use super::support::{extract_contents, file_contents, spec, temporary_folder, write_days};
use crate::skips::{is_bare, missing, skip};
use crate::{Layout, StreetNameList};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the schemas, in `POSTDUIF_REAL_DATA` or else beside the repository.
fn schemas() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("POSTDUIF_REAL_DATA")
        .map_or(beside, PathBuf::from)
        .join("xsd/lvbag")
}

fn schema_of(name: &str) -> &'static str {
    if name.contains("GEM-WPL") {
        "gem-wpl-rel/gwr-deelbestand-lvc/v20200601/BagvsGwrDeelbestandLvc-2.1.0.xsd"
    } else if name.contains("MUT") {
        "extract-deelbestand-mutaties-lvc/v20200601/BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd"
    } else if name.contains("Leveringsdocument") {
        "extract-levering/v20200601/BagvsExtractLeveringsdocument-2.1.0.xsd"
    } else {
        "extract-deelbestand-lvc/v20200601/BagvsExtractDeelbestandExtractLvc-2.1.0.xsd"
    }
}

fn can_run() -> bool {
    let program = Command::new("xmllint").arg("--version").output().is_ok();
    if !program || is_bare() {
        missing("xmllint", "Debian package libxml2-utils");
        return false;
    }
    if !schemas().is_dir() {
        let reason = format!("the folder of schemas {} is absent", schemas().display());
        skip(
            &reason,
            "name the folder of real data in POSTDUIF_REAL_DATA",
        );
        return false;
    }
    true
}

#[test]
fn every_file_of_extracts_is_valid() {
    if !can_run() {
        return;
    }
    let list = StreetNameList::read("1\tL’Aveugle – laan".replace('–', "-").as_bytes())
        .expect("a good line");
    let deliveries = [
        spec(4_000, Layout::National),
        spec(900, Layout::Municipal).with_names(list),
        spec(1, Layout::Municipal),
    ];
    for spec in deliveries {
        assert_valid(&[extract_contents(&spec)], 3);
    }
}

#[test]
fn every_file_of_daily_deliveries_is_valid() {
    if !can_run() {
        return;
    }
    let folder = temporary_folder();
    let summary = write_days(&spec(1_500, Layout::Municipal), 10, folder.path());
    let files: Vec<Contents> = summary
        .deliveries
        .iter()
        .chain([&summary.end])
        .map(|path| file_contents(path))
        .collect();
    assert_valid(&files, 4);
}

#[track_caller]
fn assert_valid(deliveries: &[Contents], schemas_used: usize) {
    let folder = temporary_folder();
    let mut by_schema: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for (index, contents) in deliveries.iter().enumerate() {
        let files = contents.files();
        for (name, bytes) in files.filter(|(name, _)| !name.contains("__MACOSX")) {
            let path = folder
                .path()
                .join(format!("{index}_{}", name.replace('/', "_")));
            std::fs::write(&path, bytes).expect("the folder is writable");
            by_schema.entry(schema_of(name)).or_default().push(path);
        }
    }
    assert_eq!(by_schema.len(), schemas_used);
    for (schema, files) in by_schema {
        let run = Command::new("xmllint")
            .args(["--noout", "--schema"])
            .arg(schemas().join(schema))
            .args(files)
            .output();
        let output = run.expect("xmllint has run before");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .filter(|line| !line.ends_with(" validates"))
                .collect::<String>()
                .chars()
                .take(2_000)
                .collect::<String>()
        );
    }
}
