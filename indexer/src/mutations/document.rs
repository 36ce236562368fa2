//! One document of mutations, from XML.

use postduif_schema::{BagId, WoonplaatsCode};

use super::{MutationCounts, MutationsByType, VoorkomenMutation};
use crate::delivery_header::MutationPeriod;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, FromXml, Nummeraanduiding, OpenbareRuimte, Pand,
    VoorkomenRecord, Woonplaats,
};
use crate::xml::{XmlError, XmlReader};

/// The mutations of one document.
#[derive(Default)]
pub(super) struct MutationDocument {
    pub(super) mutations: MutationsByType,
    pub(super) counts: MutationCounts,
}

impl MutationDocument {
    pub(super) fn read(file: &str, period: MutationPeriod, bytes: &[u8]) -> Result<Self, XmlError> {
        let mut document = Self::default();
        XmlReader::read_document(file, bytes, |xml, root| {
            if root != "bagMutaties" {
                return Err(xml.error(format!("root <{root}> where <bagMutaties> is expected")));
            }
            let mut bericht = None;
            xml.for_each_child(|xml, name| match name {
                "bagInfo" => check_period(xml, period),
                "mutatieBericht" => {
                    bericht = Some(());
                    xml.for_each_child(|xml, name| match name {
                        "mutatieGroep" => document.read_group(xml),
                        _ => xml.skip(),
                    })
                }
                _ => xml.skip(),
            })?;
            xml.required(bericht, "mutatieBericht")
        })?;
        Ok(document)
    }

    fn read_group(&mut self, xml: &mut XmlReader<'_>) -> Result<(), XmlError> {
        self.counts.groups += 1;
        xml.for_each_child(|xml, name| {
            let kind = match name {
                "toevoeging" => MutationKind::Added,
                "wijziging" => MutationKind::Changed,
                "verwijdering" => MutationKind::Removed,
                _ => {
                    return Err(xml.error(format!(
                        "element <{name}> where <toevoeging>, <wijziging> or <verwijdering> is expected"
                    )));
                }
            };
            self.read_mutation(xml, kind)?;
            xml.set_object(None);
            Ok(())
        })
    }

    fn read_mutation(
        &mut self,
        xml: &mut XmlReader<'_>,
        kind: MutationKind,
    ) -> Result<(), XmlError> {
        let (mut before, mut after) = (None, None);
        let mut in_onderzoek = false;
        xml.for_each_child(|xml, name| {
            let side = match name {
                "was" => &mut before,
                "wordt" => &mut after,
                _ => return xml.skip(),
            };
            xml.for_each_child(|xml, name| match name {
                "bagObject" => xml.for_each_child(|xml, name| {
                    *side = Some(AnyVoorkomenRecord::read(xml, name)?);
                    Ok(())
                }),
                // A mark on an object, not an object; addresses do not need it.
                "kenmerkInOnderzoek" => {
                    in_onderzoek = true;
                    xml.skip()
                }
                _ => xml.skip(),
            })
        })?;
        if in_onderzoek {
            return Ok(());
        }
        let (before, after) = match kind {
            MutationKind::Added => (None, Some(xml.required(after, "wordt")?)),
            MutationKind::Changed => (
                Some(xml.required(before, "was")?),
                Some(xml.required(after, "wordt")?),
            ),
            MutationKind::Removed => (Some(xml.required(before, "was")?), None),
        };
        match kind {
            MutationKind::Added => self.counts.added += 1,
            MutationKind::Changed => self.counts.changed += 1,
            MutationKind::Removed => self.counts.removed += 1,
        }
        self.mutations.push(xml, before, after)
    }

    /// Puts those of the next document behind these.
    pub(super) fn append(&mut self, next: Self) {
        let (mutations, counts) = (next.mutations, next.counts);
        self.mutations.woonplaatsen.extend(mutations.woonplaatsen);
        self.mutations
            .openbare_ruimten
            .extend(mutations.openbare_ruimten);
        self.mutations
            .nummeraanduidingen
            .extend(mutations.nummeraanduidingen);
        self.mutations.objects.extend(mutations.objects);
        self.mutations.panden.extend(mutations.panden);
        self.counts.groups += counts.groups;
        self.counts.added += counts.added;
        self.counts.changed += counts.changed;
        self.counts.removed += counts.removed;
    }
}

/// Which sides a mutation has.
#[derive(Clone, Copy)]
enum MutationKind {
    Added,
    Changed,
    Removed,
}

/// A version of an object of any type.
enum AnyVoorkomenRecord {
    Woonplaats(VoorkomenRecord<WoonplaatsCode, Woonplaats>),
    OpenbareRuimte(VoorkomenRecord<BagId<postduif_schema::OpenbareRuimteKind>, OpenbareRuimte>),
    Nummeraanduiding(
        VoorkomenRecord<BagId<postduif_schema::NummeraanduidingKind>, Nummeraanduiding>,
    ),
    Object(VoorkomenRecord<AdresseerbaarObjectId, AdresseerbaarObject>),
    Pand(VoorkomenRecord<BagId<postduif_schema::PandKind>, Pand>),
}

impl AnyVoorkomenRecord {
    fn read(xml: &mut XmlReader<'_>, element: &str) -> Result<Self, XmlError> {
        Ok(match element {
            "Woonplaats" => Self::Woonplaats(Woonplaats::from_xml(xml)?),
            "OpenbareRuimte" => Self::OpenbareRuimte(OpenbareRuimte::from_xml(xml)?),
            "Nummeraanduiding" => Self::Nummeraanduiding(Nummeraanduiding::from_xml(xml)?),
            "Verblijfsobject" | "Ligplaats" | "Standplaats" => {
                Self::Object(AdresseerbaarObject::from_xml(xml)?)
            }
            "Pand" => Self::Pand(Pand::from_xml(xml)?),
            _ => {
                return Err(xml.error(format!(
                    "element <{element}> where <Woonplaats>, <OpenbareRuimte>, <Nummeraanduiding>, <Verblijfsobject>, \
                     <Ligplaats>, <Standplaats> or <Pand> is expected"
                )));
            }
        })
    }
}

impl MutationsByType {
    /// Takes the sides of one mutation, which must be of one version.
    fn push(
        &mut self,
        xml: &XmlReader<'_>,
        was: Option<AnyVoorkomenRecord>,
        is: Option<AnyVoorkomenRecord>,
    ) -> Result<(), XmlError> {
        macro_rules! of_type {
            ($($kind:ident => $list:ident),+) => {
                match (was, is) {
                    $(
                        (Some(AnyVoorkomenRecord::$kind(was)), None) => self.$list.push(VoorkomenMutation { before: Some(was), after: None }),
                        (None, Some(AnyVoorkomenRecord::$kind(is))) => self.$list.push(VoorkomenMutation { before: None, after: Some(is) }),
                        (Some(AnyVoorkomenRecord::$kind(was)), Some(AnyVoorkomenRecord::$kind(is))) => {
                            check_same_version(xml, &was, &is)?;
                            self.$list.push(VoorkomenMutation { before: Some(was), after: Some(is) });
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

fn check_same_version<Id: Copy + PartialEq + std::fmt::Display, T>(
    xml: &XmlReader<'_>,
    was: &VoorkomenRecord<Id, T>,
    is: &VoorkomenRecord<Id, T>,
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
fn check_period(xml: &mut XmlReader<'_>, expected: MutationPeriod) -> Result<(), XmlError> {
    let mut period = None;
    xml.for_each_child(|xml, name| match name {
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
