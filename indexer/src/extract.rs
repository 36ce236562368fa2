//! Reading a whole delivery into tables, on all cores.
//!
//! Of each document what matters on the stand day or later is kept. The first error stops all; nothing is ever passed over
//! in silence.

use std::collections::BTreeMap;

use jiff::civil::Date;
use postduif_schema::{Area, BagId, WoonplaatsCode};

use crate::archive::{Archive, ArchiveError, Delivery, PartKind, XmlFile, total};
use crate::day::Day;
use crate::delivery_header::{Described, read_stand};
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand,
    ReadObject, Record, Woonplaats, read_relations,
};
use crate::parallel::in_parallel;
use crate::voorkomen_table::Table;
use crate::xml::{Xml, XmlError};
use postduif_schema::{Progress, Step};

/// All that a delivery of a stand holds and addresses need.
pub(crate) struct Stand {
    pub(crate) date: Date,
    pub(crate) area: Area,
    pub(crate) woonplaatsen: Table<WoonplaatsCode, Woonplaats>,
    pub(crate) openbare_ruimten: Table<BagId<postduif_schema::OpenbareRuimte>, OpenbareRuimte>,
    pub(crate) nummeraanduidingen:
        Table<BagId<postduif_schema::Nummeraanduiding>, Nummeraanduiding>,
    pub(crate) objects: Table<ObjectId, AdresseerbaarObject>,
    pub(crate) panden: Table<BagId<postduif_schema::Pand>, Pand>,
    pub(crate) relations: Vec<GemeenteWoonplaats>,
    pub(crate) read: ReadCounts,
}

/// What was read of a delivery.
#[derive(Debug, Default, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadCounts {
    /// Voorkomens by object type.
    pub objects: BTreeMap<&'static str, TypeCounts>,
    /// Rows of the gemeente-woonplaats table.
    pub gemeente_woonplaats: u64,
    /// Bytes of XML.
    pub xml_bytes: u64,
    /// Entries of the delivery that none is known to have; they were passed over.
    pub unknown_entries: Vec<String>,
}

/// Voorkomens of one object type.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeCounts {
    /// In the delivery.
    pub read: u64,
    /// Of these, those that hold on the stand day or later.
    pub kept: u64,
}

/// A delivery that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A document in it.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// A sound archive that lacks a part.
    #[error("{path}: no {missing} in it; a delivery of a stand has one")]
    Incomplete {
        /// The delivery.
        path: String,
        /// The object type or table.
        missing: String,
    },
    /// Mutations where a stand is wanted.
    #[error(
        "{0}: a mutation delivery; `index build` reads a stand, such as lvbag-extract-nl.zip. `index apply` applies mutations"
    )]
    Mutations(String),
    /// A stand where mutations are wanted.
    #[error(
        "{0}: a delivery of a stand; `index apply` reads mutations, such as BAGNLDM-15092021-16092021.zip. `index build` makes a \
         new register of a stand"
    )]
    Stand(String),
    /// A mutation delivery without its mutations; one of a day without any has documents that say so.
    #[error(
        "{0}: no archive of mutations in it, such as 9999MUT13112021-14112021.zip; a mutation delivery has one even when \
         nothing changed"
    )]
    NoMutations(String),
    /// A gemeente-woonplaats table that says nothing.
    #[error(
        "{0}: its GEM-WPL-RELATIE table has no row; it holds every town of the country, or is left out"
    )]
    NoRelations(String),
}

impl ExtractError {
    /// Whether the delivery is at fault, not the machine.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Archive(error) => error.is_refusal(),
            Self::Xml(_)
            | Self::Incomplete { .. }
            | Self::Mutations(_)
            | Self::Stand(_)
            | Self::NoMutations(_)
            | Self::NoRelations(_) => true,
        }
    }
}

impl Stand {
    /// Reads a delivery.
    ///
    /// # Errors
    /// When an archive or document is damaged or is not what a delivery holds. Names the file and the place.
    pub(crate) fn read(
        path: &std::path::Path,
        progress: &dyn Progress,
    ) -> Result<Self, ExtractError> {
        let mut delivery = Delivery::open(Archive::open(path)?)?;
        let (date, area) = match describe(&delivery)? {
            Described::Stand { stand, area } if !delivery.has_mutations() => (stand, area),
            _ => return Err(ExtractError::Mutations(path.display().to_string())),
        };
        check_complete(path, &delivery, &area)?;
        let relations = read_all_relations(&delivery.relations)?;
        progress.begin(Step::Read, delivery.packed());
        let mut reading = Reading::new(&mut delivery, date, progress);
        let woonplaatsen = Table::from_files(reading.files(&[PartKind::Woonplaats])?);
        let openbare_ruimten = Table::from_files(reading.files(&[PartKind::OpenbareRuimte])?);
        let nummeraanduidingen = Table::from_files(reading.files(&[PartKind::Nummeraanduiding])?);
        let places = [
            PartKind::Verblijfsobject,
            PartKind::Ligplaats,
            PartKind::Standplaats,
        ];
        let objects = Table::from_files(reading.files(&places)?);
        let panden = Table::from_files(reading.files(&[PartKind::Pand])?);
        progress.end(Step::Read);
        let mut read = reading.counts;
        read.gemeente_woonplaats = relations.len() as u64;
        read.unknown_entries = std::mem::take(&mut delivery.unknown);
        Ok(Self {
            date,
            area,
            woonplaatsen,
            openbare_ruimten,
            nummeraanduidingen,
            objects,
            panden,
            relations,
            read,
        })
    }
}

/// Reads what a delivery says of itself.
pub(crate) fn describe(delivery: &Delivery) -> Result<Described, ExtractError> {
    let mut buffer = Vec::new();
    delivery.header.read(&mut buffer)?;
    Ok(Described::read(&delivery.header.path, &buffer)?)
}

/// A small municipality may have no berths or pitches; all else is always there.
fn check_complete(
    path: &std::path::Path,
    delivery: &Delivery,
    area: &Area,
) -> Result<(), ExtractError> {
    let optional = |kind| {
        *area != Area::Country && matches!(kind, PartKind::Ligplaats | PartKind::Standplaats)
    };
    let missing = PartKind::ALL
        .into_iter()
        .find(|&kind| !delivery.has(kind) && !optional(kind));
    let missing =
        missing.map(|kind| format!("file of type {} ({})", kind.letters(), kind.element()));
    let missing = missing.or_else(|| {
        delivery
            .relations
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

pub(crate) fn read_all_relations(
    files: &[XmlFile],
) -> Result<Vec<GemeenteWoonplaats>, ExtractError> {
    let (mut relations, mut buffer) = (Vec::new(), Vec::new());
    for file in files {
        file.read(&mut buffer)?;
        relations.extend(read_relations(&file.path, &buffer)?);
    }
    Ok(relations)
}

struct Reading<'a> {
    delivery: &'a mut Delivery,
    stand: Date,
    progress: &'a dyn Progress,
    counts: ReadCounts,
}

type Files<T> = Vec<Vec<Record<<T as ReadObject>::Id, T>>>;

impl<'a> Reading<'a> {
    fn new(delivery: &'a mut Delivery, stand: Date, progress: &'a dyn Progress) -> Self {
        Self {
            delivery,
            stand,
            progress,
            counts: ReadCounts::default(),
        }
    }

    /// Reads all documents of these types, which are of one kind of record.
    fn files<T: ReadObject>(&mut self, kinds: &[PartKind]) -> Result<Files<T>, ExtractError> {
        let mut all = Vec::new();
        for &kind in kinds {
            let part = self.delivery.part(kind)?;
            let bytes = [self.counts.xml_bytes].into_iter();
            self.counts.xml_bytes = total(bytes.chain(part.files.iter().map(XmlFile::bytes)));
            let files = in_parallel(&part.files, |file, buffer| {
                file.read(buffer)?;
                let records = read_document(file, kind, self.stand, buffer)?;
                self.progress.advance(Step::Read, file.packed());
                Ok::<_, ExtractError>(records)
            })?;
            let mut counts = TypeCounts::default();
            for (records, of_file) in files {
                counts.read += of_file.read;
                counts.kept += of_file.kept;
                all.push(records);
            }
            self.counts.objects.insert(kind.element(), counts);
        }
        Ok(all)
    }
}

type Outcome<T> = Result<(Vec<Record<<T as ReadObject>::Id, T>>, TypeCounts), ExtractError>;

/// Reads one document of a stand and keeps the voorkomens that matter on its day or later.
fn read_document<T: ReadObject>(
    file: &XmlFile,
    kind: PartKind,
    stand: Date,
    bytes: &[u8],
) -> Outcome<T> {
    let (mut records, mut counts, day) = (Vec::new(), TypeCounts::default(), Day::from(stand));
    Xml::document(&file.path, bytes, |xml, root| {
        if root != "bagStand" {
            return Err(xml.error(format!("root <{root}> where <bagStand> is expected")));
        }
        let mut stand_bestand = None;
        xml.children(|xml, name| match name {
            "bagInfo" => check_stand(xml, stand),
            "standBestand" => {
                stand_bestand = Some(());
                each_object(xml, kind, &mut |xml| {
                    let record = T::read(xml)?;
                    xml.enter_object(None);
                    counts.read += 1;
                    if record.voorkomen.matters_from(day) {
                        counts.kept += 1;
                        records.push(record);
                    }
                    Ok(())
                })
            }
            _ => xml.skip(),
        })?;
        xml.required(stand_bestand, "standBestand")
    })?;
    Ok((records, counts))
}

/// Every document says itself of which day it is; one of another day came into the delivery by mistake.
fn check_stand(xml: &mut Xml<'_>, expected: Date) -> Result<(), XmlError> {
    let mut stand = None;
    xml.children(|xml, name| match name {
        "LVC-Extract" => read_stand(xml, &mut stand),
        _ => xml.skip(),
    })?;
    match stand {
        Some(stand) if stand != expected => Err(xml.error(format!(
            "a document of {stand} in a delivery of {expected}; all must be of one day"
        ))),
        _ => Ok(()),
    }
}

fn each_object(
    xml: &mut Xml<'_>,
    kind: PartKind,
    read: &mut dyn FnMut(&mut Xml<'_>) -> Result<(), XmlError>,
) -> Result<(), XmlError> {
    xml.children(|xml, name| match name {
        "stand" => xml.children(|xml, name| match name {
            "bagObject" => xml.children(|xml, name| {
                if name == kind.element() {
                    return read(xml);
                }
                Err(xml.error(format!(
                    "element <{name}> where <{}> is expected",
                    kind.element()
                )))
            }),
            _ => xml.skip(),
        }),
        _ => xml.skip(),
    })
}
