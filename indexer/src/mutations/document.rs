//! One document of mutations, from XML.

use postduif_schema::{BagId, WoonplaatsCode};

use super::{ByType, Mutation, MutationCounts};
use crate::delivery_header::MutationPeriod;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand, ReadObject, Record,
    Woonplaats,
};
use crate::xml::{Xml, XmlError};

/// The mutations of one document.
#[derive(Default)]
pub(super) struct Document {
    pub(super) of: ByType,
    pub(super) read: MutationCounts,
}

impl Document {
    pub(super) fn read(file: &str, period: MutationPeriod, bytes: &[u8]) -> Result<Self, XmlError> {
        let mut document = Self::default();
        Xml::document(file, bytes, |xml, root| {
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
        let mut mark = false;
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
                    mark = true;
                    xml.skip()
                }
                _ => xml.skip(),
            })
        })?;
        if mark {
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

    /// Puts those of the next document behind these.
    pub(super) fn append(&mut self, next: Self) {
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
