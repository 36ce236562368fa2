//! A mutation delivery, read whole: what each version was and is from then on.
//!
//! A group holds additions, changes and removals of one object's versions; the element for each is a complete record of one
//! version. Groups stand in the order of time within an object type, not over all of them. Source: BAG 2.0 XSD v20200601,
//! `BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd`, and real deliveries of 2021.

mod document;
#[cfg(test)]
mod tests;

use std::path::Path;

use postduif_schema::{BagId, WoonplaatsCode};
use serde::{Deserialize, Serialize};

use crate::archive::{Archive, DeliveryArchive, XmlFile, saturating_sum};
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::extract::{ExtractError, read_all_relations, read_header};
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding,
    OpenbareRuimte, Pand, VoorkomenRecord, Woonplaats,
};
use crate::parallel::map_in_parallel;
use crate::xml::XmlError;
use document::MutationDocument;
use postduif_schema::{IndexProgress, IndexStep};

/// All that a mutation delivery holds and addresses need.
pub(crate) struct MutationDelivery {
    pub(crate) period: MutationPeriod,
    /// The whole table anew; none where the delivery has none.
    pub(crate) relations: Option<Vec<GemeenteWoonplaats>>,
    pub(crate) by_type: MutationsByType,
    pub(crate) counts: MutationCounts,
    /// Entries that no delivery is known to have.
    pub(crate) unknown_entries: Vec<String>,
}

/// What changed, by object type, each in the order of the delivery.
#[derive(Default)]
pub(crate) struct MutationsByType {
    pub(crate) woonplaatsen: Vec<VoorkomenMutation<WoonplaatsCode, Woonplaats>>,
    pub(crate) openbare_ruimten:
        Vec<VoorkomenMutation<BagId<postduif_schema::OpenbareRuimteKind>, OpenbareRuimte>>,
    pub(crate) nummeraanduidingen:
        Vec<VoorkomenMutation<BagId<postduif_schema::NummeraanduidingKind>, Nummeraanduiding>>,
    pub(crate) objects: Vec<VoorkomenMutation<AdresseerbaarObjectId, AdresseerbaarObject>>,
    pub(crate) panden: Vec<VoorkomenMutation<BagId<postduif_schema::PandKind>, Pand>>,
}

/// What became of one version. At least one side is there, and both are of the same version.
pub(crate) struct VoorkomenMutation<Id, T> {
    /// As it was; none for one that is new.
    pub(crate) before: Option<VoorkomenRecord<Id, T>>,
    /// As it is from then on; none for one that is taken out.
    pub(crate) after: Option<VoorkomenRecord<Id, T>>,
}

impl<Id: Copy, T> VoorkomenMutation<Id, T> {
    /// The object.
    pub(crate) fn id(&self) -> Id {
        self.after_or_before().id
    }

    /// The voorkomenidentificatie.
    pub(crate) fn number(&self) -> u32 {
        self.after_or_before().voorkomen.number
    }

    /// What it says before and after, of both as many as there are.
    pub(crate) fn states(&self) -> impl Iterator<Item = &T> {
        let sides = self.before.iter().chain(&self.after);
        sides.map(|record| &record.voorkomen.state)
    }

    fn after_or_before(&self) -> &VoorkomenRecord<Id, T> {
        let side = self.after.as_ref().or(self.before.as_ref());
        side.expect("one side is there")
    }
}

/// How much was read of a mutation delivery.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutationCounts {
    /// Groups; the changes of one object on one occasion.
    pub groups: u64,
    /// Versions that are new.
    pub added: u64,
    /// Versions that are other than they were.
    pub changed: u64,
    /// Versions that are taken out.
    pub removed: u64,
}

impl MutationDelivery {
    /// Reads a delivery.
    ///
    /// # Errors
    /// When an archive or document is damaged, or is not what a mutation delivery holds. Names the file and the place.
    pub(crate) fn read(path: &Path, progress: &dyn IndexProgress) -> Result<Self, ExtractError> {
        let mut delivery = DeliveryArchive::open(Archive::open(path)?)?;
        let period = match read_header(&delivery)? {
            DeliveryHeader::Mutations { period, .. } if !delivery.has_object_archives() => period,
            _ => return Err(ExtractError::ExpectedMutations(path.display().to_string())),
        };
        if !delivery.has_mutations() {
            return Err(ExtractError::NoMutations(path.display().to_string()));
        }
        let relations = read_all_relations(&delivery.relation_files)?;
        if relations.is_empty() && !delivery.relation_files.is_empty() {
            return Err(ExtractError::EmptyRelations(path.display().to_string()));
        }
        let files = delivery.mutation_documents()?.files;
        progress.begin(
            IndexStep::Read,
            saturating_sum(files.iter().map(XmlFile::compressed_size)),
        );
        let documents = map_in_parallel(&files, |file: &XmlFile, buffer| {
            file.read(buffer)?;
            let document = MutationDocument::read(&file.path, period, buffer)?;
            progress.advance(IndexStep::Read, file.compressed_size());
            Ok::<_, ExtractError>(document)
        })?;
        progress.end(IndexStep::Read);
        let mut all = MutationDocument::default();
        documents
            .into_iter()
            .for_each(|document| all.append(document));
        let MutationDocument {
            mutations: of,
            counts: read,
        } = all;
        Ok(Self {
            period,
            relations: (!delivery.relation_files.is_empty()).then_some(relations),
            by_type: of,
            counts: read,
            unknown_entries: delivery.unknown_entries,
        })
    }
}

/// Reads one document of mutations and forgets it; how many versions it tells of.
pub(crate) fn count_mutations(
    file: &str,
    period: MutationPeriod,
    document: &[u8],
) -> Result<u64, XmlError> {
    let read = MutationDocument::read(file, period, document)?.counts;
    Ok(read.added + read.changed + read.removed)
}
