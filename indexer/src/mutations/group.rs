//! Reads a group, which has the mutations of one object at one time.

use crate::archive::BagObjectType;
use crate::day::Day;
use crate::objects::AnyParsedRecord;
use crate::record_issues::{IssueEffect, ValueIssue};
use crate::xml::{XmlError, XmlReader};

/// One mutation of a group, with the values that could be read.
pub(super) struct ParsedMutation {
    pub(super) before: Option<AnyParsedRecord>,
    pub(super) after: Option<AnyParsedRecord>,
    pub(super) kind: MutationKind,
    /// The record with the issues to report; `None` if the issues of this mutation do not matter. They are reported if the mutation sets a
    /// version that holds on the day of the delivery or later, if the key of the version is invalid, or if a state is missing.
    pub(super) reported: Option<ReportedRecord>,
}

/// A record of a mutation, with the issues that are reported.
pub(super) struct ReportedRecord {
    /// `None` for a mutation without any state.
    pub(super) object_type: Option<BagObjectType>,
    pub(super) object: Option<String>,
    pub(super) issues: Vec<ValueIssue>,
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

    pub(super) fn is_rejected(&self) -> bool {
        let mut issues = self.reported.iter().flat_map(|reported| &reported.issues);
        issues.any(|issue| issue.effect == IssueEffect::Rejected)
    }

    pub(super) fn id_number(&self) -> Option<u64> {
        self.after.as_ref().or(self.before.as_ref())?.id_number()
    }
}
