//! Reads a stand into tables, on all cores.
//!
//! The tables have the voorkomens that hold on the stand day or later. Reading stops at the first damage. An invalid record is left
//! out and reported, and too many invalid records also stop the reading.

mod stand_document;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use jiff::civil::Date;
use postduif_schema::{Area, BagId, IndexProgress, IndexStep, WoonplaatsCode};

use crate::archive::{
    Archive, ArchiveError, BagObjectType, DeliveryArchive, XmlFile, saturating_sum,
};
use crate::day::Day;
use crate::delivery_header::DeliveryHeader;
use crate::example_count::ExampleCount;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, FromXml, GemeenteWoonplaats, Nummeraanduiding,
    OpenbareRuimte, Pand, RELATION_ELEMENT, RelationTable, Woonplaats, read_relations,
};
use crate::parallel::map_in_parallel;
use crate::record_issues::RecordIssues;
use crate::rejection_limit::{RejectionLimit, TooManyRejected};
use crate::voorkomen_table::VoorkomenTable;
use crate::xml::XmlError;
use stand_document::StandDocument;

/// The tables of a stand from which addresses are made.
pub(crate) struct StandTables {
    pub(crate) date: Date,
    pub(crate) area: Area,
    pub(crate) woonplaatsen: VoorkomenTable<WoonplaatsCode, Woonplaats>,
    pub(crate) openbare_ruimten:
        VoorkomenTable<BagId<postduif_schema::OpenbareRuimteKind>, OpenbareRuimte>,
    pub(crate) nummeraanduidingen:
        VoorkomenTable<BagId<postduif_schema::NummeraanduidingKind>, Nummeraanduiding>,
    pub(crate) objects: VoorkomenTable<AdresseerbaarObjectId, AdresseerbaarObject>,
    pub(crate) panden: VoorkomenTable<BagId<postduif_schema::PandKind>, Pand>,
    pub(crate) relations: Vec<GemeenteWoonplaats>,
    pub(crate) read_counts: StandReadCounts,
    /// The ids, as numbers, of objects with a record that holds on the stand day or later, but was left out because it is invalid.
    pub(crate) rejected: HashSet<u64>,
    /// Whether the delivery has no file of ligplaatsen or none of standplaatsen.
    pub(crate) lacks_object_type: bool,
}

/// Counts of the content of a stand.
#[derive(Debug, Default, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandReadCounts {
    /// Voorkomens by object type.
    pub objects: BTreeMap<&'static str, VoorkomenCounts>,
    /// Rows of the gemeente-woonplaats table.
    pub gemeente_woonplaats: u64,
    /// Invalid records and invalid values. Only records that hold on the stand day or later are counted.
    pub issues: RecordIssues,
    /// The last document of each type, if it is full. Another document may then be missing.
    pub full_last_documents: Vec<String>,
    /// Versions that are in force on the stand day together with a later version of the same object. The later version is used.
    pub overlapping_versions: ExampleCount,
    /// Versions that the delivery has twice with different content. The first of the two records is used.
    pub conflicting_versions: ExampleCount,
    /// Size of all documents in bytes.
    pub xml_bytes: u64,
    /// Entries of an unknown type in the delivery. They were skipped.
    pub unknown_entries: Vec<String>,
}

/// Voorkomens of one object type.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VoorkomenCounts {
    /// Voorkomens in the delivery.
    pub read: u64,
    /// Voorkomens that hold on the stand day or later.
    pub kept: u64,
    /// Voorkomens that hold on the stand day or later, but were left out because they are invalid.
    pub rejected: u64,
}

/// The number of objects, or of groups of mutations, in a full document. The last document of a type is usually not full. If it is
/// full, another document may be missing. Source: real deliveries of 2021.
pub(crate) const FULL_DOCUMENT: u64 = 10_000;

/// The error for a delivery that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// An archive is damaged or refused.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A document in the delivery is malformed.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// A file or table of the delivery is missing.
    #[error("{path}: it has no {missing}; an extract has one")]
    Incomplete {
        /// The delivery.
        path: String,
        /// The object type or table.
        missing: String,
    },
    /// The delivery has mutations, but a stand is expected.
    #[error(
        "{0}: this is a mutation delivery; `index build` reads an extract, such as lvbag-extract-nl.zip. `index apply` applies mutations"
    )]
    ExpectedStand(String),
    /// The delivery is a stand, but mutations are expected.
    #[error(
        "{0}: this is an extract; `index apply` reads mutations, such as BAGNLDM-15092021-16092021.zip. `index build` makes a \
         new register from an extract"
    )]
    ExpectedMutations(String),
    /// This mutation delivery has no archive of mutations. A complete delivery has such an archive even if nothing changed.
    #[error(
        "{0}: it has no archive of mutations, such as 9999MUT13112021-14112021.zip; a mutation delivery has one even when \
         nothing changed"
    )]
    NoMutations(String),
    /// Too many records or values are invalid.
    #[error("{path}: {error}")]
    TooManyRejected {
        /// The delivery.
        path: String,
        /// The error, with the object type, the counts and the first invalid record.
        error: TooManyRejected,
    },
    /// The gemeente-woonplaats table has no valid rows.
    #[error(
        "{0}: its GEM-WPL-RELATIE table has no valid row; if a delivery has this table, the table has every town of the country"
    )]
    EmptyRelations(String),
}

impl ExtractError {
    /// True if the delivery is at fault and not the machine.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Archive(error) => error.is_refusal(),
            Self::Xml(_)
            | Self::Incomplete { .. }
            | Self::ExpectedStand(_)
            | Self::ExpectedMutations(_)
            | Self::NoMutations(_)
            | Self::TooManyRejected { .. }
            | Self::EmptyRelations(_) => true,
        }
    }

    pub(crate) fn too_many_rejected(path: &Path, error: TooManyRejected) -> Self {
        let path = path.display().to_string();
        Self::TooManyRejected { path, error }
    }
}

impl StandTables {
    /// Reads a delivery.
    ///
    /// # Errors
    /// When an archive or document is damaged or does not belong in a stand. The error names the file and the place in it.
    pub(crate) fn read(
        path: &Path,
        limit: RejectionLimit,
        progress: &dyn IndexProgress,
    ) -> Result<Self, ExtractError> {
        let mut delivery = DeliveryArchive::open(Archive::open(path)?)?;
        let (date, area) = match read_header(&delivery)? {
            DeliveryHeader::Stand { stand, area } if !delivery.has_mutations() => (stand, area),
            _ => return Err(ExtractError::ExpectedStand(path.display().to_string())),
        };
        check_complete(path, &delivery, &area)?;
        let day = Day::from(date);
        let mut types = BagObjectType::ALL.into_iter();
        let lacks_object_type = !types.all(|kind| delivery.has_object_type(kind));
        let relations = read_all_relations(&delivery.relation_files, day)?;
        progress.begin(IndexStep::Read, delivery.object_archive_bytes());
        let mut reader = StandReader {
            delivery: &mut delivery,
            stand_date: date,
            progress,
            counts: StandReadCounts::default(),
            rejected: HashSet::new(),
        };
        let woonplaatsen = reader.read_table(&[BagObjectType::Woonplaats])?;
        let openbare_ruimten = reader.read_table(&[BagObjectType::OpenbareRuimte])?;
        let nummeraanduidingen = reader.read_table(&[BagObjectType::Nummeraanduiding])?;
        let object_types = [
            BagObjectType::Verblijfsobject,
            BagObjectType::Ligplaats,
            BagObjectType::Standplaats,
        ];
        let objects = reader.read_table(&object_types)?;
        let panden = reader.read_table(&[BagObjectType::Pand])?;
        progress.end(IndexStep::Read);
        let rejected = std::mem::take(&mut reader.rejected);
        let mut read_counts = reader.counts;
        read_counts.gemeente_woonplaats = relations.rows.len() as u64;
        let current_relations = relations.count_current(day);
        read_counts.issues.append(relations.issues);
        let current = read_counts
            .objects
            .iter()
            .map(|(&object_type, counts)| (object_type, counts.kept + counts.rejected))
            .chain([(RELATION_ELEMENT, current_relations)]);
        limit
            .check(&read_counts.issues, current)
            .map_err(|error| ExtractError::too_many_rejected(path, error))?;
        read_counts.unknown_entries = std::mem::take(&mut delivery.unknown_entries);
        Ok(Self {
            date,
            area,
            woonplaatsen,
            openbare_ruimten,
            nummeraanduidingen,
            objects,
            panden,
            relations: relations.rows,
            read_counts,
            rejected,
            lacks_object_type,
        })
    }
}

/// Reads only the header of the delivery in a file.
pub(crate) fn open_and_read_header(path: &Path) -> Result<DeliveryHeader, ExtractError> {
    read_header(&DeliveryArchive::open(Archive::open(path)?)?)
}

pub(crate) fn read_header(delivery: &DeliveryArchive) -> Result<DeliveryHeader, ExtractError> {
    let mut buffer = Vec::new();
    delivery.header_file.read(&mut buffer)?;
    Ok(DeliveryHeader::read(&delivery.header_file.path, &buffer)?)
}

/// Checks that all parts of the delivery are there. In a delivery of municipalities, the files of ligplaatsen and standplaatsen may be
/// missing, because a small municipality may have no such objects.
fn check_complete(
    path: &Path,
    delivery: &DeliveryArchive,
    area: &Area,
) -> Result<(), ExtractError> {
    let optional = |kind| {
        *area != Area::Country
            && matches!(kind, BagObjectType::Ligplaats | BagObjectType::Standplaats)
    };
    let missing = BagObjectType::ALL
        .into_iter()
        .find(|&kind| !delivery.has_object_type(kind) && !optional(kind));
    let missing = missing.map(|kind| {
        format!(
            "file of type {} ({})",
            kind.file_code(),
            kind.element_name()
        ) + &unknown_entry_hint(&delivery.unknown_entries)
    });
    let missing = missing.or_else(|| {
        delivery
            .relation_files
            .is_empty()
            .then(|| "GEM-WPL-RELATIE table".to_owned())
    });
    match missing {
        Some(missing) => Err(ExtractError::Incomplete {
            path: path.display().to_string(),
            missing,
        }),
        None => Ok(()),
    }
}

/// The end of the message about a missing file. It names an entry of an unknown type, because that entry may be the missing file under
/// another name.
fn unknown_entry_hint(unknown: &[String]) -> String {
    match unknown {
        [] => String::new(),
        [name, ..] => format!(", but an entry {name} of an unknown type"),
    }
}

/// Reads the gemeente-woonplaats table of a delivery of this day.
pub(crate) fn read_all_relations(
    files: &[XmlFile],
    day: Day,
) -> Result<RelationTable, ExtractError> {
    let (mut table, mut buffer) = (RelationTable::default(), Vec::new());
    for file in files {
        file.read(&mut buffer)?;
        table.append(read_relations(&file.path, day, &buffer)?);
    }
    Ok(table)
}

struct StandReader<'a> {
    delivery: &'a mut DeliveryArchive,
    stand_date: Date,
    progress: &'a dyn IndexProgress,
    counts: StandReadCounts,
    rejected: HashSet<u64>,
}

impl StandReader<'_> {
    /// Reads all documents of these types, which have the same type of record.
    fn read_table<T>(
        &mut self,
        object_types: &[BagObjectType],
    ) -> Result<VoorkomenTable<T::Id, T>, ExtractError>
    where
        T: FromXml<Id: Copy + Ord + std::fmt::Display> + PartialEq,
    {
        let mut all = Vec::new();
        for &kind in object_types {
            let files = self.delivery.object_documents(kind)?;
            let bytes = [self.counts.xml_bytes].into_iter();
            self.counts.xml_bytes = saturating_sum(bytes.chain(files.iter().map(XmlFile::size)));
            let documents = map_in_parallel(&files, |file: &XmlFile, buffer| {
                file.read(buffer)?;
                let document = StandDocument::read(file, kind, self.stand_date, buffer)?;
                self.progress
                    .advance(IndexStep::Read, file.compressed_size());
                Ok::<_, ExtractError>(document)
            })?;
            let last = documents.last();
            if last.is_some_and(|last| last.counts.read == FULL_DOCUMENT) {
                let last = files.last().map(|file| file.path.clone());
                self.counts.full_last_documents.extend(last);
            }
            let mut counts = VoorkomenCounts::default();
            for document in documents {
                counts.add(document.counts);
                self.counts.issues.append(document.issues);
                self.rejected.extend(document.rejected);
                all.push(document.records);
            }
            self.counts.objects.insert(kind.element_name(), counts);
        }
        let table = VoorkomenTable::from_files(all);
        let day = Day::from(self.stand_date);
        table.add_overlaps(day, &mut self.counts.overlapping_versions);
        self.counts.conflicting_versions.append(&table.conflicts);
        Ok(table)
    }
}

impl VoorkomenCounts {
    fn add(&mut self, next: Self) {
        self.read += next.read;
        self.kept += next.kept;
        self.rejected += next.rejected;
    }
}
