//! Reads one document of mutations.

use std::collections::{BTreeMap, HashSet};

use postduif_schema::Area;

use super::group::{MutationKind, ParsedMutation};
use super::mutation::{MutationCounts, MutationsByType};
use crate::archive::BagObjectType;
use crate::day::Day;
use crate::delivery_header::{MutationPeriod, read_area};
use crate::record_issues::RecordIssues;
use crate::xml::{XmlError, XmlReader};

/// The name of a group's element. A mutation without any state is counted under this name.
pub(super) const GROUP_ELEMENT: &str = "mutatieGroep";

#[derive(Default)]
pub(crate) struct MutationDocument {
    pub(super) mutations: MutationsByType,
    pub(crate) counts: MutationCounts,
    /// Invalid records and invalid values. Only records that hold on the new stand day or later are counted.
    pub(super) issues: RecordIssues,
    /// Ids, as numbers, of objects with a group of mutations that was left out.
    pub(super) left_out: HashSet<u64>,
    /// For each type, the number of records that were checked for issues. The limit on invalid records depends on this number.
    pub(super) current: BTreeMap<BagObjectType, u64>,
}

impl MutationDocument {
    /// Reads a document of a delivery that has this period and this area.
    pub(crate) fn read(
        file: &str,
        (period, area): (MutationPeriod, &Area),
        bytes: &[u8],
    ) -> Result<Self, XmlError> {
        let (mut document, day) = (Self::default(), Day::from(period.to));
        XmlReader::read_document(file, bytes, |xml, root| {
            if root != "bagMutaties" {
                return Err(xml.error(format!(
                    "found root <{root}> where <bagMutaties> is expected"
                )));
            }
            let mut bericht = None;
            xml.for_each_child(|xml, name| match name {
                "bagInfo" => check_period(xml, period, area),
                "mutatieBericht" => {
                    bericht = Some(());
                    xml.for_each_child(|xml, name| match name {
                        GROUP_ELEMENT => document.read_group(xml, day),
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
            group.extend(ParsedMutation::read(xml, kind, day)?);
            xml.set_object_id(None);
            Ok(())
        })?;
        self.add_group(group, xml.file());
        Ok(())
    }

    /// Adds the mutations of a group. Leaves out the whole group if a reported record is rejected. Without its new version the object
    /// keeps its previous version, so no other mutation of the group may end the previous version. Invalid values in the state before a
    /// mutation, or in a version that has ended, do not matter.
    fn add_group(&mut self, group: Vec<ParsedMutation>, file: &str) {
        let is_left_out = group.iter().any(ParsedMutation::is_rejected);
        self.counts.groups += 1;
        self.counts.groups_left_out += u64::from(is_left_out);
        for mutation in group {
            let id = mutation.id_number();
            if let Some(reported) = mutation.reported {
                if let Some(object_type) = reported.object_type {
                    *self.current.entry(object_type).or_default() += 1;
                }
                let element = reported.object_type;
                let element = element.map_or(GROUP_ELEMENT, BagObjectType::element_name);
                let object = reported.object.as_deref();
                self.issues
                    .add_record(element, object, file, reported.issues);
            }
            if is_left_out {
                self.left_out.extend(id);
                continue;
            }
            match mutation.kind {
                MutationKind::Added => self.counts.added += 1,
                MutationKind::Changed => self.counts.changed += 1,
                MutationKind::Removed => self.counts.removed += 1,
            }
            self.mutations.push(mutation.before, mutation.after);
        }
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

/// Refuses a document that covers other days or another area than the delivery, because such a document is in the delivery by mistake.
fn check_period(
    xml: &mut XmlReader<'_>,
    expected_period: MutationPeriod,
    expected_area: &Area,
) -> Result<(), XmlError> {
    let (mut period, mut area) = (None, None);
    xml.for_each_child(|xml, name| match name {
        "MUT-Extract" => {
            period = Some(MutationPeriod::read(xml)?);
            Ok(())
        }
        "Gebied-Registratief" => read_area(xml, &mut area),
        _ => xml.skip(),
    })?;
    if let Some(found) = period.filter(|found| *found != expected_period) {
        return Err(xml.error(format!(
            "the document covers {found}, but the delivery covers {expected_period}; all documents must cover the same days"
        )));
    }
    if let Some(found) = area.filter(|found| !is_part(found, expected_area)) {
        return Err(xml.error(format!(
            "the document covers {found}, but the delivery covers {expected_area}; all documents must cover the area of the delivery"
        )));
    }
    Ok(())
}

/// Whether a document of this area may be in a delivery of an area. A document of a delivery of several municipalities may name some of
/// them. Assumption: a national delivery has only national documents, as all deliveries of 2021 have.
fn is_part(document: &Area, delivery: &Area) -> bool {
    match (document, delivery) {
        (Area::Municipalities(document), Area::Municipalities(delivery)) => {
            document.iter().all(|code| delivery.contains(code))
        }
        _ => document == delivery,
    }
}
