//! Reads one document of mutations.

use std::collections::{BTreeMap, HashSet};

use super::group::{GroupSink, MutationKind, ReadMutation, add_group};
use super::mutation::{MutationCounts, MutationsByType};
use crate::archive::BagObjectType;
use crate::day::Day;
use crate::delivery_header::MutationPeriod;
use crate::record_issues::RecordIssues;
use crate::xml::{XmlError, XmlReader};

#[derive(Default)]
pub(super) struct MutationDocument {
    pub(super) mutations: MutationsByType,
    pub(super) counts: MutationCounts,
    /// Invalid records and invalid values, only of records in force.
    pub(super) issues: RecordIssues,
    /// Ids, as numbers, of objects with a group of mutations that was left out.
    pub(super) left_out: HashSet<u64>,
    /// Number of records in force, by type.
    pub(super) current: BTreeMap<BagObjectType, u64>,
}

impl MutationDocument {
    pub(super) fn read(file: &str, period: MutationPeriod, bytes: &[u8]) -> Result<Self, XmlError> {
        let (mut document, day) = (Self::default(), Day::from(period.to));
        XmlReader::read_document(file, bytes, |xml, root| {
            if root != "bagMutaties" {
                return Err(xml.error(format!(
                    "found root <{root}> where <bagMutaties> is expected"
                )));
            }
            let mut bericht = None;
            xml.for_each_child(|xml, name| match name {
                "bagInfo" => check_period(xml, period),
                "mutatieBericht" => {
                    bericht = Some(());
                    xml.for_each_child(|xml, name| match name {
                        "mutatieGroep" => document.read_group(xml, day),
                        _ => xml.skip(),
                    })
                }
                _ => xml.skip(),
            })?;
            xml.required(bericht, "mutatieBericht")
        })?;
        Ok(document)
    }

    fn read_group(&mut self, xml: &mut XmlReader<'_>, day: Day) -> Result<(), XmlError> {
        let mut group = Vec::new();
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
            group.extend(ReadMutation::read(xml, kind, day)?);
            xml.set_object_id(None);
            Ok(())
        })?;
        let current = &mut self.current;
        let sink = GroupSink {
            mutations: &mut self.mutations,
            counts: &mut self.counts,
            issues: &mut self.issues,
            left_out: &mut self.left_out,
            count_reported: &mut |object_type| *current.entry(object_type).or_default() += 1,
        };
        add_group(group, xml.file(), sink);
        Ok(())
    }

    /// Appends the mutations of the next document.
    pub(super) fn append(&mut self, next: Self) {
        self.mutations.append(next.mutations);
        self.counts.add(next.counts);
        self.issues.append(next.issues);
        self.left_out.extend(next.left_out);
        for (object_type, count) in next.current {
            *self.current.entry(object_type).or_default() += count;
        }
    }
}

/// Refuses a document that covers other days than the delivery, because it is in the delivery by mistake.
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
            "the document covers {found}, but the delivery covers {expected}; all documents must cover the same days"
        ))),
        _ => Ok(()),
    }
}
