//! A mutation delivery, read whole: what each version was and is from then on.
//!
//! A group holds additions, changes and removals of one object's versions; the element for each is a complete record of one
//! version. Groups stand in the order of time within an object type, not over all of them. Source: BAG 2.0 XSD v20200601,
//! `BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd`, and real deliveries of 2021.

use std::path::Path;

use postduif_schema::{BagId, WoonplaatsCode};
use serde::{Deserialize, Serialize};

use crate::archive::{Archive, Delivery, XmlFile};
use crate::extract::{ExtractError, describe, read_all_relations};
use crate::header::{Described, MutationPeriod};
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand,
    ReadObject, Record, Woonplaats,
};
use crate::parallel::in_parallel;
use crate::progress::{Progress, Step};
use crate::xml::{Xml, XmlError};

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
        let files = delivery.mutations()?.files;
        progress.begin(Step::Read, files.iter().map(XmlFile::packed).sum());
        let documents = in_parallel(&files, |file, buffer| {
            file.read(buffer)?;
            let document = Document::read(file, period, buffer)?;
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

/// The mutations of one document.
#[derive(Default)]
struct Document {
    of: ByType,
    read: MutationCounts,
}

impl Document {
    fn read(file: &XmlFile, period: MutationPeriod, bytes: &[u8]) -> Result<Self, XmlError> {
        let mut document = Self::default();
        Xml::document(&file.path, bytes, |xml, root| {
            if root != "bagMutaties" {
                return Err(xml.error(format!("root <{root}> where <bagMutaties> is expected")));
            }
            let mut bericht = None;
            xml.children(|xml, name| match name {
                "bagInfo" => check_period(xml, period),
                "mutatieBericht" => {
                    bericht = Some(());
                    xml.children(|xml, name| match name {
                        "mutatieGroep" => document.group(xml),
                        _ => xml.skip(),
                    })
                }
                _ => xml.skip(),
            })?;
            xml.required(bericht, "mutatieBericht")
        })?;
        Ok(document)
    }

    fn group(&mut self, xml: &mut Xml<'_>) -> Result<(), XmlError> {
        self.read.groups += 1;
        xml.children(|xml, name| {
            let sides = match name {
                "toevoeging" => Sides::Added,
                "wijziging" => Sides::Changed,
                "verwijdering" => Sides::Removed,
                _ => {
                    return Err(xml.error(format!(
                        "element <{name}> where <toevoeging>, <wijziging> or <verwijdering> is expected"
                    )));
                }
            };
            self.mutation(xml, sides)?;
            xml.enter_object(None);
            Ok(())
        })
    }

    fn mutation(&mut self, xml: &mut Xml<'_>, sides: Sides) -> Result<(), XmlError> {
        let (mut was, mut is) = (None, None);
        let mut unknown = false;
        xml.children(|xml, name| {
            let side = match name {
                "was" => &mut was,
                "wordt" => &mut is,
                _ => return xml.skip(),
            };
            xml.children(|xml, name| match name {
                "bagObject" => xml.children(|xml, name| {
                    *side = Some(AnyRecord::read(xml, name)?);
                    Ok(())
                }),
                // A mark on an object, not an object; addresses do not need it.
                "kenmerkInOnderzoek" => {
                    unknown = true;
                    xml.skip()
                }
                _ => xml.skip(),
            })
        })?;
        if unknown {
            return Ok(());
        }
        let (was, is) = match sides {
            Sides::Added => (None, Some(xml.required(is, "wordt")?)),
            Sides::Changed => (
                Some(xml.required(was, "was")?),
                Some(xml.required(is, "wordt")?),
            ),
            Sides::Removed => (Some(xml.required(was, "was")?), None),
        };
        match sides {
            Sides::Added => self.read.added += 1,
            Sides::Changed => self.read.changed += 1,
            Sides::Removed => self.read.removed += 1,
        }
        self.of.push(xml, was, is)
    }

    fn append(&mut self, next: Self) {
        let (of, read) = (next.of, next.read);
        self.of.woonplaatsen.extend(of.woonplaatsen);
        self.of.openbare_ruimten.extend(of.openbare_ruimten);
        self.of.nummeraanduidingen.extend(of.nummeraanduidingen);
        self.of.objects.extend(of.objects);
        self.of.panden.extend(of.panden);
        self.read.groups += read.groups;
        self.read.added += read.added;
        self.read.changed += read.changed;
        self.read.removed += read.removed;
    }
}

/// Which sides a mutation has.
#[derive(Clone, Copy)]
enum Sides {
    Added,
    Changed,
    Removed,
}

/// A version of an object of any type.
enum AnyRecord {
    Woonplaats(Record<WoonplaatsCode, Woonplaats>),
    OpenbareRuimte(Record<BagId<postduif_schema::OpenbareRuimte>, OpenbareRuimte>),
    Nummeraanduiding(Record<BagId<postduif_schema::Nummeraanduiding>, Nummeraanduiding>),
    Object(Record<ObjectId, AdresseerbaarObject>),
    Pand(Record<BagId<postduif_schema::Pand>, Pand>),
}

impl AnyRecord {
    fn read(xml: &mut Xml<'_>, element: &str) -> Result<Self, XmlError> {
        Ok(match element {
            "Woonplaats" => Self::Woonplaats(Woonplaats::read(xml)?),
            "OpenbareRuimte" => Self::OpenbareRuimte(OpenbareRuimte::read(xml)?),
            "Nummeraanduiding" => Self::Nummeraanduiding(Nummeraanduiding::read(xml)?),
            "Verblijfsobject" | "Ligplaats" | "Standplaats" => {
                Self::Object(AdresseerbaarObject::read(xml)?)
            }
            "Pand" => Self::Pand(Pand::read(xml)?),
            _ => {
                return Err(xml.error(format!(
                    "element <{element}> where <Woonplaats>, <OpenbareRuimte>, <Nummeraanduiding>, <Verblijfsobject>, \
                     <Ligplaats>, <Standplaats> or <Pand> is expected"
                )));
            }
        })
    }
}

impl ByType {
    /// Takes the sides of one mutation, which must be of one version.
    fn push(
        &mut self,
        xml: &Xml<'_>,
        was: Option<AnyRecord>,
        is: Option<AnyRecord>,
    ) -> Result<(), XmlError> {
        macro_rules! of_type {
            ($($kind:ident => $list:ident),+) => {
                match (was, is) {
                    $(
                        (Some(AnyRecord::$kind(was)), None) => self.$list.push(Mutation { was: Some(was), is: None }),
                        (None, Some(AnyRecord::$kind(is))) => self.$list.push(Mutation { was: None, is: Some(is) }),
                        (Some(AnyRecord::$kind(was)), Some(AnyRecord::$kind(is))) => {
                            check_same(xml, &was, &is)?;
                            self.$list.push(Mutation { was: Some(was), is: Some(is) });
                        }
                    )+
                    _ => return Err(xml.error("<was> and <wordt> are of two object types; a change is of one version")),
                }
            };
        }
        of_type!(
            Woonplaats => woonplaatsen,
            OpenbareRuimte => openbare_ruimten,
            Nummeraanduiding => nummeraanduidingen,
            Object => objects,
            Pand => panden
        );
        Ok(())
    }
}

fn check_same<Id: Copy + PartialEq + std::fmt::Display, T>(
    xml: &Xml<'_>,
    was: &Record<Id, T>,
    is: &Record<Id, T>,
) -> Result<(), XmlError> {
    let [was, is] = [was, is].map(|record| (record.id, record.voorkomen.number));
    if was == is {
        return Ok(());
    }
    Err(xml.error(format!(
        "<was> is version {} of {} and <wordt> version {} of {}; a change is of one version",
        was.1, was.0, is.1, is.0
    )))
}

/// Every document says itself which days it covers; one of other days came into the delivery by mistake.
fn check_period(xml: &mut Xml<'_>, expected: MutationPeriod) -> Result<(), XmlError> {
    let mut period = None;
    xml.children(|xml, name| match name {
        "MUT-Extract" => {
            period = Some(MutationPeriod::read(xml)?);
            Ok(())
        }
        _ => xml.skip(),
    })?;
    match period {
        Some(found) if found != expected => Err(xml.error(format!(
            "a document of {found} in a delivery of {expected}; all must be of the same days"
        ))),
        _ => Ok(()),
    }
}
