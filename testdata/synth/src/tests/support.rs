//! Provides helpers that most tests use.

use super::contents::Contents;
use crate::write::write_extract_to;
use crate::{Deliveries, DeliveriesSummary, ExtractSummary, Layout, Spec, write_deliveries};
use std::path::Path;

pub(super) fn spec(addresses: u64, layout: Layout) -> Spec {
    Spec::new(addresses, 1)
        .expect("the size is allowed")
        .with_layout(layout)
}

pub(super) fn deliveries(days: u32) -> Deliveries {
    Deliveries::new(days).expect("the number of days is allowed")
}

/// The bytes of an extract.
pub(super) fn extract(spec: &Spec) -> (Vec<u8>, ExtractSummary) {
    let mut out = Vec::new();
    let summary = write_extract_to(spec, &mut out, &mut |_| {}).expect("memory can be written to");
    (out, summary)
}

/// The contents of an extract.
pub(super) fn extract_contents(spec: &Spec) -> Contents {
    Contents::read(&extract(spec).0)
}

/// The contents of a file.
pub(super) fn file_contents(path: &Path) -> Contents {
    Contents::read(&std::fs::read(path).expect("the file was written"))
}

pub(super) fn temporary_folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// Writes deliveries of this many days into a folder.
pub(super) fn write_days(spec: &Spec, days: u32, folder: &Path) -> DeliveriesSummary {
    write_deliveries(spec, &deliveries(days), folder, |_| {}).expect("the folder is writable")
}
