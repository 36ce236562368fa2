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

use crate::archive::{Archive, Delivery, XmlFile, total};
use crate::delivery_header::{Described, MutationPeriod};
use crate::extract::{ExtractError, describe, read_all_relations};
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand,
    Record, Woonplaats,
};
use crate::parallel::in_parallel;
use crate::xml::XmlError;
use document::Document;
use postduif_schema::{Progress, Step};

/// All that a mutation delivery holds and addresses need.
pub(crate) struct Mutations {
    pub(crate) period: MutationPeriod,
    /// The whole table anew; none where the delivery has none.
    pub(crate) relations: Option<Vec<GemeenteWoonplaats>>,
    pub(crate) of: ByType,
    pub(crate) read: MutationCounts,
    /// Entries that no delivery is known to have.
    pub(crate) unknown_entries: Vec<String>,
}

/// What changed, by object type, each in the order of the delivery.
#[derive(Default)]
pub(crate) struct ByType {
    pub(crate) woonplaatsen: Vec<Mutation<WoonplaatsCode, Woonplaats>>,
    pub(crate) openbare_ruimten:
        Vec<Mutation<BagId<postduif_schema::OpenbareRuimte>, OpenbareRuimte>>,
    pub(crate) nummeraanduidingen:
        Vec<Mutation<BagId<postduif_schema::Nummeraanduiding>, Nummeraanduiding>>,
    pub(crate) objects: Vec<Mutation<ObjectId, AdresseerbaarObject>>,
    pub(crate) panden: Vec<Mutation<BagId<postduif_schema::Pand>, Pand>>,
}

/// What became of one version. At least one side is there, and both are of the same version.
pub(crate) struct Mutation<Id, T> {
    /// As it was; none for one that is new.
    pub(crate) was: Option<Record<Id, T>>,
    /// As it is from then on; none for one that is taken out.
    pub(crate) is: Option<Record<Id, T>>,
}

impl<Id: Copy, T> Mutation<Id, T> {
    /// The object.
    pub(crate) fn id(&self) -> Id {
        self.either().id
    }

    /// The voorkomenidentificatie.
    pub(crate) fn number(&self) -> u32 {
        self.either().voorkomen.number
    }

    /// What it says before and after, of both as many as there are.
    pub(crate) fn states(&self) -> impl Iterator<Item = &T> {
        let sides = self.was.iter().chain(&self.is);
        sides.map(|record| &record.voorkomen.state)
    }

    fn either(&self) -> &Record<Id, T> {
        let side = self.is.as_ref().or(self.was.as_ref());
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

impl Mutations {
    /// Reads a delivery.
    ///
    /// # Errors
    /// When an archive or document is damaged, or is not what a mutation delivery holds. Names the file and the place.
    pub(crate) fn read(path: &Path, progress: &dyn Progress) -> Result<Self, ExtractError> {
        let mut delivery = Delivery::open(Archive::open(path)?)?;
        let period = match describe(&delivery)? {
            Described::Mutations { period, .. } if !delivery.has_parts() => period,
            _ => return Err(ExtractError::Stand(path.display().to_string())),
        };
        if !delivery.has_mutations() {
            return Err(ExtractError::NoMutations(path.display().to_string()));
        }
        let relations = read_all_relations(&delivery.relations)?;
        if relations.is_empty() && !delivery.relations.is_empty() {
            return Err(ExtractError::NoRelations(path.display().to_string()));
        }
        let files = delivery.mutations()?.files;
        progress.begin(Step::Read, total(files.iter().map(XmlFile::packed)));
        let documents = in_parallel(&files, |file, buffer| {
            file.read(buffer)?;
            let document = Document::read(&file.path, period, buffer)?;
            progress.advance(Step::Read, file.packed());
            Ok::<_, ExtractError>(document)
        })?;
        progress.end(Step::Read);
        let mut all = Document::default();
        documents
            .into_iter()
            .for_each(|document| all.append(document));
        let Document { of, read } = all;
        Ok(Self {
            period,
            relations: (!delivery.relations.is_empty()).then_some(relations),
            of,
            read,
            unknown_entries: delivery.unknown,
        })
    }
}

/// Reads one document of mutations and forgets it; how many versions it tells of.
pub(crate) fn count_mutations(
    file: &str,
    period: MutationPeriod,
    document: &[u8],
) -> Result<u64, XmlError> {
    let read = Document::read(file, period, document)?.read;
    Ok(read.added + read.changed + read.removed)
}
