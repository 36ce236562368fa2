//! Reading one document of mutations.

use super::mutation::{MutationCounts, MutationsByType};
use crate::delivery_header::MutationPeriod;
use crate::objects::AnyVoorkomenRecord;
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
                // A mark on an object; addresses do not need it.
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

    /// Appends the mutations of the next document.
    pub(super) fn append(&mut self, next: Self) {
        let (mutations, counts) = (next.mutations, next.counts);
        self.mutations.append(mutations);
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

/// Every document has the days that it covers; a document of other days is in the delivery by mistake.
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
