//! Reads one document of mutations.

use std::collections::{BTreeMap, HashSet};

use postduif_schema::Area;

use super::group::{GroupSink, MutationKind, ParsedMutation, add_group};
use super::mutation::{MutationCounts, MutationsByType};
use crate::archive::BagObjectType;
use crate::day::Day;
use crate::delivery_header::{MutationPeriod, read_area};
use crate::record_issues::RecordIssues;
use crate::xml::{XmlError, XmlReader};

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
            group.extend(ParsedMutation::read(xml, kind, day)?);
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
