//! Holds the code that the readers of all object types share.

use std::fmt;
use std::str::FromStr;

use super::voorkomen::{VoorkomenRecord, VoorkomenValidity};
use crate::day::Day;
use crate::record_issues::{IssueEffect, ValueIssue};
use crate::xml::{XmlError, XmlReader};

/// An object type that is read from XML.
pub(crate) trait FromXml: Sized + Send {
    /// The id of an object.
    type Id: Copy + Ord + Send + fmt::Display;

    /// Reads the current element as one voorkomen of a delivery of this day.
    fn from_xml(
        xml: &mut XmlReader<'_>,
        day: Day,
    ) -> Result<ParsedRecord<Self::Id, Self>, XmlError>;
}

/// A voorkomen with the values that could be read.
pub(crate) struct ParsedRecord<Id, T> {
    pub(crate) id: Option<Id>,
    pub(crate) validity: VoorkomenValidity,
    /// `None` if a value that the state needs is invalid.
    pub(crate) state: Option<T>,
    pub(crate) issues: Vec<ValueIssue>,
    /// The id as it is written in the delivery, for the report of the record's issues.
    pub(crate) object: Option<String>,
}

impl<Id: Copy, T> ParsedRecord<Id, T> {
    /// Whether the version holds on a day or on a later one; true if its period is invalid.
    pub(crate) fn holds_on_or_after(&self, day: Day) -> bool {
        self.validity.holds_on_or_after(day)
    }

    /// Takes the id for the report, and the issues. `None` if the version does not [hold](Self::holds_on_or_after) on the day or later: the
    /// issues of such a version are not reported.
    pub(crate) fn take_report_on(&mut self, day: Day) -> Option<(Option<String>, Vec<ValueIssue>)> {
        self.take_report_if(self.holds_on_or_after(day))
    }

    /// Like [`take_report_on`](Self::take_report_on), for a version that a mutation sets or removes. A version without a valid
    /// key is always reported, because it may be any version.
    pub(crate) fn take_mutation_report(
        &mut self,
        day: Day,
        is_removed: bool,
    ) -> Option<(Option<String>, Vec<ValueIssue>)> {
        let holds = !is_removed && self.holds_on_or_after(day);
        self.take_report_if(holds || self.key().is_none())
    }

    fn take_report_if(&mut self, is_reported: bool) -> Option<(Option<String>, Vec<ValueIssue>)> {
        is_reported.then(|| (self.object.take(), std::mem::take(&mut self.issues)))
    }

    /// The id and the voorkomenidentificatie, if both are valid.
    pub(crate) fn key(&self) -> Option<(Id, u32)> {
        self.id.zip(self.validity.number)
    }

    /// The voorkomen; `None` if it is rejected.
    pub(crate) fn into_voorkomen(self) -> Option<VoorkomenRecord<Id, T>> {
        Some(VoorkomenRecord {
            id: self.id?,
            voorkomen: self.validity.with_state(self.state?)?,
        })
    }
}

/// Maximum length of an id in a message, in bytes; the rest is cut. Valid ids have at most sixteen bytes.
const MAX_ID_BYTES: usize = 40;

/// The values of the elements that every object type has: `identificatie` and `voorkomen`.
pub(super) struct CommonElements<Id> {
    id: Option<Id>,
    validity: Option<VoorkomenValidity>,
}

impl<Id: Copy + FromStr<Err: fmt::Display>> CommonElements<Id> {
    pub(super) fn new() -> Self {
        Self {
            id: None,
            validity: None,
        }
    }

    /// Reads the current element if it is `identificatie` or `voorkomen`, and skips it otherwise.
    pub(super) fn read_element(
        &mut self,
        xml: &mut XmlReader<'_>,
        name: &str,
    ) -> Result<(), XmlError> {
        match name {
            "identificatie" => {
                let Some(text) = xml.read_text("identificatie", IssueEffect::Rejected)? else {
                    return Ok(());
                };
                let shown = text.trim();
                let end = shown.floor_char_boundary(shown.len().min(MAX_ID_BYTES));
                xml.set_object_id(Some(shown[..end].to_owned()));
                let parsed = text.trim().parse();
                self.id = parsed
                    .map_err(|error: Id::Err| {
                        xml.note("identificatie", IssueEffect::Rejected, &text, &error);
                    })
                    .ok();
            }
            "voorkomen" => self.validity = VoorkomenValidity::read(xml)?,
            _ => xml.skip()?,
        }
        Ok(())
    }

    pub(super) fn id(&self) -> Option<Id> {
        self.id
    }

    /// The record with this state. If an issue rejects the record, the state is dropped.
    pub(super) fn into_record<T>(
        self,
        xml: &mut XmlReader<'_>,
        state: Option<T>,
    ) -> ParsedRecord<Id, T> {
        let id = xml.require(self.id, "identificatie");
        let validity = xml.require(self.validity, "voorkomen").unwrap_or_default();
        let issues = xml.take_issues();
        let is_rejected = issues
            .iter()
            .any(|issue| issue.effect == IssueEffect::Rejected);
        ParsedRecord {
            id,
            validity,
            state: state.filter(|_| !is_rejected),
            object: xml
                .object_id()
                .filter(|_| !issues.is_empty())
                .map(str::to_owned),
            issues,
        }
    }
}

/// Reads a status. A status that the format does not have is noted as an issue, and `unknown` is returned. Returns `None` for an empty
/// status and for one with an element in it, which reject the record.
pub(super) fn read_status<T>(
    xml: &mut XmlReader<'_>,
    known: impl Fn(&str) -> Option<T>,
    unknown: T,
) -> Result<Option<T>, XmlError> {
    let Some(text) = xml.read_text("status", IssueEffect::Rejected)? else {
        return Ok(None);
    };
    let status = text.trim();
    if status.is_empty() {
        return Ok(None);
    }
    Ok(Some(known(status).unwrap_or_else(|| {
        xml.note(
            "status",
            IssueEffect::Kept,
            status,
            &"expected a status of the BAG catalogue",
        );
        unknown
    })))
}
