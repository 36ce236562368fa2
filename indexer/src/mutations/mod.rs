//! Reads a mutation delivery, which has each changed version as it was before and as it is after the change.
//!
//! A group has additions, changes and removals of the versions of one object. Each of them has complete records of one version. The
//! groups of one object type are in the order of time; the groups of different types are not. Source: BAG 2.0 XSD v20200601,
//! `BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd`, and real deliveries of 2021.

mod document;
mod group;
mod mutation;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use postduif_schema::{IndexProgress, IndexStep};
use serde::Serialize;

pub(crate) use document::MutationDocument;
pub use mutation::MutationCounts;
pub(crate) use mutation::{MutationsByType, VoorkomenMutation};

use crate::archive::{Archive, DeliveryArchive, XmlFile, saturating_sum};
use crate::day::Day;
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::extract::{ExtractError, FULL_DOCUMENT, read_all_relations, read_header};
use crate::objects::{GemeenteWoonplaats, RELATION_ELEMENT};
use crate::parallel::map_in_parallel;
use crate::record_issues::{IssueEffect, RecordIssues};
use crate::rejection_limit::RejectionLimit;
use document::GROUP_ELEMENT;

/// The contents of a mutation delivery in numbers, for the report.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MutationReadSummary {
    /// The days that the delivery covers.
    #[serde(flatten)]
    pub period: MutationPeriod,
    /// What the delivery contains.
    pub read: MutationCounts,
    /// Invalid records and invalid values. Only records that hold on the new stand day or later are counted.
    pub issues: RecordIssues,
    /// Names of the documents that are the last of their kind and full (10,000 groups). A further document may be missing after such a one.
    pub full_last_documents: Vec<String>,
    /// Whether the delivery has no gemeente-woonplaats table. Kadaster puts the whole table into every delivery. Without it, every town keeps
    /// its municipality.
    pub lacks_relations: bool,
    /// Entries of an unknown type in the delivery. They were skipped.
    pub unknown_entries: Vec<String>,
}

/// The content of a mutation delivery, as far as addresses need it.
pub(crate) struct MutationDelivery {
    pub(crate) summary: MutationReadSummary,
    /// The whole new gemeente-woonplaats table; `None` if the delivery does not have the table.
    pub(crate) relations: Option<Vec<GemeenteWoonplaats>>,
    /// Whether invalid rows of the gemeente-woonplaats table were left out.
    pub(crate) has_invalid_relations: bool,
    pub(crate) by_type: MutationsByType,
    /// Ids, as numbers, of objects with a group of mutations that was left out.
    pub(crate) left_out: HashSet<u64>,
}

impl MutationDelivery {
    /// Reads a delivery.
    ///
    /// # Errors
    /// When an archive or document is damaged or does not belong in a mutation delivery. The error names the file and the place in
    /// it.
    pub(crate) fn read(
        path: &Path,
        limit: RejectionLimit,
        progress: &dyn IndexProgress,
    ) -> Result<Self, ExtractError> {
        let mut delivery = DeliveryArchive::open(Archive::open(path)?)?;
        let (period, area) = match read_header(&delivery)? {
            DeliveryHeader::Mutations { period, area } if !delivery.has_object_archives() => {
                (period, area)
            }
            _ => return Err(ExtractError::ExpectedMutations(path.display().to_string())),
        };
        if !delivery.has_mutations() {
            return Err(ExtractError::NoMutations(path.display().to_string()));
        }
        let relations = read_all_relations(&delivery.relation_files, Day::from(period.to))?;
        if relations.rows.is_empty() && !delivery.relation_files.is_empty() {
            return Err(ExtractError::EmptyRelations(path.display().to_string()));
        }
        let files = delivery.mutation_documents()?;
        progress.begin(
            IndexStep::Read,
            saturating_sum(files.iter().map(XmlFile::compressed_size)),
        );
        let documents = map_in_parallel(&files, |file: &XmlFile, buffer| {
            file.read(buffer)?;
            let document = MutationDocument::read(&file.path, (period, &area), buffer)?;
            progress.advance(IndexStep::Read, file.compressed_size());
            Ok::<_, ExtractError>(document)
        })?;
        progress.end(IndexStep::Read);
        let is_full = |last: &MutationDocument| last.counts.groups == FULL_DOCUMENT;
        let last = files.last().map(|file| file.path.clone());
        let full_last_documents = last.filter(|_| documents.last().is_some_and(is_full));
        let mut all = MutationDocument::default();
        documents
            .into_iter()
            .for_each(|document| all.append(document));
        let MutationDocument {
            mutations,
            counts,
            mut issues,
            left_out,
            current,
        } = all;
        let has_invalid_relations = relations.issues.count(IssueEffect::Rejected) > 0;
        let current_relations = relations.count_current(Day::from(period.to));
        issues.append(relations.issues);
        let current = current
            .into_iter()
            .map(|(object_type, count)| (object_type.element_name(), count))
            .chain([
                (RELATION_ELEMENT, current_relations),
                (GROUP_ELEMENT, counts.groups),
            ]);
        limit
            .check(&issues, current)
            .map_err(|error| ExtractError::too_many_rejected(path, error))?;
        let summary = MutationReadSummary {
            period,
            read: counts,
            issues,
            full_last_documents: full_last_documents.into_iter().collect(),
            lacks_relations: delivery.relation_files.is_empty(),
            unknown_entries: delivery.unknown_entries,
        };
        Ok(Self {
            summary,
            relations: (!delivery.relation_files.is_empty()).then_some(relations.rows),
            has_invalid_relations,
            by_type: mutations,
            left_out,
        })
    }
}
