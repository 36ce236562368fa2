//! Collects the unusual counts of an applied delivery.

use postduif_indexer::{ApplyReport, BuildReport, IssueEffect};

/// Unusual counts of an applied delivery. The report of the delivery has the details.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeliveryFindings {
    /// Invalid records, counted only if they are in force. They were not used.
    pub(crate) rejected_records: u64,
    /// Invalid values, counted only in records that are in force. The values were not used.
    pub(crate) rejected_values: u64,
    /// Versions of objects that have another state in the register than the earlier state that the delivery gives for them.
    pub(crate) version_mismatches: u64,
    /// Documents that are full although they are the last of their kind in the delivery. After each of them, a further document may
    /// be missing.
    pub(crate) full_last_documents: u64,
    /// Municipalities that are missing from the table of municipalities.
    pub(crate) unknown_municipalities: u64,
}

impl DeliveryFindings {
    pub(super) fn from_apply(report: &ApplyReport) -> Self {
        Self {
            rejected_records: report.issues.count(IssueEffect::Rejected),
            rejected_values: report.issues.count(IssueEffect::Nulled),
            version_mismatches: report.version_mismatches.count,
            full_last_documents: report.full_last_documents.len() as u64,
            unknown_municipalities: (report.unknown_municipalities.len()
                + report.unknown_municipalities_without_former.len())
                as u64,
        }
    }

    pub(super) fn from_build(report: &BuildReport) -> Self {
        Self {
            rejected_records: report.read.issues.count(IssueEffect::Rejected),
            rejected_values: report.read.issues.count(IssueEffect::Nulled),
            version_mismatches: 0,
            full_last_documents: report.read.full_last_documents.len() as u64,
            unknown_municipalities: (report.unknown_municipalities.len()
                + report.unknown_municipalities_without_former.len())
                as u64,
        }
    }
}
