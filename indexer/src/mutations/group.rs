//! Reads a group, which has the mutations of one object at one time.

use std::collections::HashSet;

use super::mutation::{MutationCounts, MutationsByType};
use crate::archive::BagObjectType;
use crate::day::Day;
use crate::objects::AnyParsedRecord;
use crate::record_issues::{IssueEffect, RecordIssues, ValueIssue};
use crate::xml::{XmlError, XmlReader};

/// The name of a group's element. A mutation without any state is counted under this name.
pub(super) const GROUP_ELEMENT: &str = "mutatieGroep";

/// One mutation of a group, with the values that could be read.
pub(super) struct ParsedMutation {
    before: Option<AnyParsedRecord>,
    after: Option<AnyParsedRecord>,
    kind: MutationKind,
    /// The record with the issues to report; `None` if the issues of this mutation do not matter. They are reported if the mutation sets a
    /// version that holds on the day of the delivery or later, if the key of the version is invalid, or if a state is missing.
    reported: Option<ReportedRecord>,
}

/// A record of a mutation, with the issues that are reported.
struct ReportedRecord {
    /// `None` for a mutation without any state.
    object_type: Option<BagObjectType>,
    object: Option<String>,
    issues: Vec<ValueIssue>,
}

/// The kind of a mutation. It says whether the mutation has a state before, a state after, or both.
#[derive(Clone, Copy)]
pub(super) enum MutationKind {
    Added,
    Changed,
    Removed,
}

impl MutationKind {
    /// The name of the element with the state that a mutation of this kind must have; `None` if the mutation has it. A change may lack
    /// `was`, because the state before a change is only compared with the register.
    fn missing_state(self, has_before: bool, has_after: bool) -> Option<&'static str> {
        match self {
            Self::Added | Self::Changed => (!has_after).then_some("wordt"),
            Self::Removed => (!has_before).then_some("was"),
        }
    }
}

/// The parts of a document to which a group is added.
pub(super) struct GroupSink<'a> {
    pub(super) mutations: &'a mut MutationsByType,
    pub(super) counts: &'a mut MutationCounts,
    pub(super) issues: &'a mut RecordIssues,
    /// Ids, as numbers, of objects with a group of mutations that was left out.
    pub(super) left_out: &'a mut HashSet<u64>,
    /// Called with the type of each record that was checked for issues.
    pub(super) count_reported: &'a mut dyn FnMut(BagObjectType),
}

impl ParsedMutation {
    /// Reads a mutation. Returns `None` if the mutation only marks an object as under investigation (*in onderzoek*), because
    /// addresses do not need that mark.
    pub(super) fn read(
        xml: &mut XmlReader<'_>,
        kind: MutationKind,
        day: Day,
    ) -> Result<Option<Self>, XmlError> {
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
                    *side = Some(AnyParsedRecord::read(xml, name, day)?);
                    Ok(())
                }),
                "kenmerkInOnderzoek" => {
                    in_onderzoek = true;
                    xml.skip()
                }
                _ => xml.skip(),
            })
        })?;
        if in_onderzoek {
            return Ok(None);
        }
        if let Some(missing) = kind.missing_state(before.is_some(), after.is_some()) {
            let record = after.or(before);
            return Ok(Some(Self::reject_without_state(xml, kind, record, missing)));
        }
        match kind {
            MutationKind::Added => before = None,
            MutationKind::Changed => {}
            MutationKind::Removed => after = None,
        }
        let is_removed = after.is_none();
        let record = after.as_mut().or(before.as_mut());
        let reported = record.and_then(|(object_type, record)| {
            let (object, issues) = record.take_mutation_report(day, is_removed)?;
            Some(ReportedRecord {
                object_type: Some(*object_type),
                object,
                issues,
            })
        });
        Ok(Some(Self {
            before: before.map(|(_, record)| record),
            after: after.map(|(_, record)| record),
            kind,
            reported,
        }))
    }

    /// Makes a rejected mutation, for a mutation that lacks a state that its kind needs. `record` is the other state, if the mutation has
    /// one.
    fn reject_without_state(
        xml: &mut XmlReader<'_>,
        kind: MutationKind,
        record: Option<(BagObjectType, AnyParsedRecord)>,
        missing: &'static str,
    ) -> Self {
        xml.require(None::<()>, missing);
        let (object_type, record) = record.unzip();
        let reported = ReportedRecord {
            object_type,
            object: xml.object_id().map(str::to_owned),
            issues: xml.take_issues(),
        };
        Self {
            before: record,
            after: None,
            kind,
            reported: Some(reported),
        }
    }

    fn is_rejected(&self) -> bool {
        let mut issues = self.reported.iter().flat_map(|reported| &reported.issues);
        issues.any(|issue| issue.effect == IssueEffect::Rejected)
    }

    fn id_number(&self) -> Option<u64> {
        self.after.as_ref().or(self.before.as_ref())?.id_number()
    }
}

/// Adds the mutations of a group to the mutations of its document. Leaves out the whole group if a reported record is rejected.
/// Without its new version the object keeps its previous version, so no other mutation of the group may end the previous version.
/// Invalid values in the state before a mutation, or in a version that has ended, do not matter.
pub(super) fn add_group(group: Vec<ParsedMutation>, file: &str, sink: GroupSink<'_>) {
    let is_left_out = group.iter().any(ParsedMutation::is_rejected);
    sink.counts.groups += 1;
    sink.counts.groups_left_out += u64::from(is_left_out);
    for mutation in group {
        let id = mutation.id_number();
        if let Some(reported) = mutation.reported {
            let object_type = reported.object_type;
            object_type.into_iter().for_each(&mut *sink.count_reported);
            let object_type = object_type.map_or(GROUP_ELEMENT, BagObjectType::element_name);
            sink.issues.add_record(
                object_type,
                reported.object.as_deref(),
                file,
                reported.issues,
            );
        }
        if is_left_out {
            sink.left_out.extend(id);
            continue;
        }
        match mutation.kind {
            MutationKind::Added => sink.counts.added += 1,
            MutationKind::Changed => sink.counts.changed += 1,
            MutationKind::Removed => sink.counts.removed += 1,
        }
        sink.mutations.push(mutation.before, mutation.after);
    }
}
