//! Turns a delivery of the BAG into a published generation of the postduif index.
//!
//! ```text
//! archive    a zip within a zip, read in place          → documents
//! xml        one document, with a place in every error  → elements
//! objects    elements                                   → voorkomens of BAG objects
//! extract    all documents of a stand, on all cores     → tables of one stand
//! mutations  all documents of a mutation delivery       → versions before and after
//! register   tables and reverse links, in one store     → the state that mutations start from
//! assemble   objects                                    → addresses
//! build      a stand                                    → a generation, verified and published
//! apply      mutations, laid over the register          → changed addresses
//! next       changed addresses and the last generation  → the next generation
//! publish    a generation                               → the served generation
//! ```
//!
//! Facts about the register's files come from the BAG 2.0 XSD v20200601 and from real deliveries of 2020 to 2026.

mod address_index;
mod apply;
mod archive;
mod assemble;
mod build;
mod candidates;
mod csv_table;
mod day;
mod delivery_header;
mod documents;
mod example_count;
mod extract;
mod file_names;
#[cfg(test)]
mod fixture;
mod join;
mod municipalities;
mod mutations;
mod next;
mod objects;
mod parallel;
mod po_boxes;
mod provinces;
mod publish;
mod rd;
mod record_issues;
mod register;
mod register_places;
mod rejection_limit;
mod report;
mod resource_usage;
mod reverse_links;
mod stored_value;
mod voorkomen_table;
mod xml;

pub use apply::{
    ApplyError, ApplyOutcome, ApplyReport, ApplySeconds, ChangeCounts, DeliveryApplier,
    read_delivery_header, resume_interrupted,
};
pub use archive::ArchiveError;
pub use assemble::{LeftOutCounts, LeftOutReason};
pub use build::{Build, BuildError, BuildReport, BuildSeconds, check_csv_tables};
pub use csv_table::CsvTableError;
pub use day::{BadDay, Day, ValidityPeriod};
pub use delivery_header::{DeliveryHeader, MutationPeriod};
pub use documents::DocumentKind;
pub use example_count::ExampleCount;
pub use extract::{ExtractError, StandReadCounts, VoorkomenCounts};
pub use file_names::{parse_delivery_day, parse_delivery_period};
pub use municipalities::{Municipality, UnknownMunicipality};
pub use mutations::{MutationCounts, MutationReadSummary};
pub use next::NextGenerationError;
pub use objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding, ObjectStatus,
    OpenbareRuimte, OtherPurposes, Pand, Voorkomen, Woonplaats,
};
pub use po_boxes::PoBoxRange;
pub use publish::{
    DataDirWriter, PublishError, REPORT_FILE, previous_generation, register_path, verify_generation,
};
pub use record_issues::{IssueEffect, RecordIssues};
pub use register::{
    Register, RegisterError, RegisterHead, RegisterReader, RegisterSummary, ReverseLink,
    verify_register,
};
pub use rejection_limit::{RejectionLimit, TooManyRejected};
pub use resource_usage::ResourceUsage;
pub use xml::XmlError;

#[cfg(test)]
#[expect(dead_code, reason = "no test of this crate needs an optional program")]
#[path = "../../tests/suites/skips.rs"]
mod skips;

/// The text of a file of real data, for tests. The file is in the folder `POSTDUIF_REAL_DATA`, or in `../shared/data` next to the
/// repository if that is not set.
#[cfg(test)]
fn real_text(path: &str) -> Option<String> {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("POSTDUIF_REAL_DATA").map_or(beside, Into::into);
    let text = std::fs::read_to_string(folder.join(path)).ok();
    if text.is_none() {
        let remedy = "set POSTDUIF_REAL_DATA to the folder of real data";
        skips::skip(&format!("the real file {path} is absent"), remedy);
    }
    text
}
