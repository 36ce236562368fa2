//! Counts invalid records and values by reason. For each reason, the first few are kept as examples, with their place in the delivery.
//!
//! An invalid record does not stop a run, but a damaged file does. An invalid value is left out. A record with an invalid identity is
//! left out as a whole. Only records that hold on the day of the delivery or later are reported.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum number of examples of each reason in a report. Further ones are only counted.
const MAX_EXAMPLES: usize = 100;
/// Maximum number of examples of each reason in the text form of a report. The JSON form has all examples.
const MAX_SHOWN_EXAMPLES: usize = 3;
/// Maximum length of a value in a report, in characters; the rest is cut.
const MAX_VALUE_CHARS: usize = 80;

/// The effect of an invalid value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IssueEffect {
    /// The record is left out.
    Rejected,
    /// The value is left out, so the object has no value in this field.
    Nulled,
    /// The value is used, although the format does not allow it.
    Kept,
}

/// A reason by which invalid values are counted: the field of the value and the effect of the invalid value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssueReason {
    /// The name of the object's element.
    pub(crate) object_type: String,
    /// The name of the value's element.
    pub(crate) field: String,
    /// The effect of the invalid value.
    pub(crate) effect: IssueEffect,
}

/// One invalid value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssueExample {
    /// The id of the object as it is written in the delivery; `None` if the record has no id.
    pub(crate) object: Option<String>,
    /// The value, shortened.
    pub(crate) value: String,
    /// The accepted values.
    pub(crate) expected: String,
    /// The path of the document and of the archives around it.
    pub(crate) file: String,
    /// The place in the document, in bytes from its start.
    pub(crate) offset: u64,
}

/// The number of invalid values with one reason, and the first few of these values.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct CountedIssue {
    count: u64,
    examples: Vec<IssueExample>,
}

/// The invalid values of a delivery, by reason. The JSON form is a list of reasons, each with its count and first examples.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RecordIssues {
    by_reason: BTreeMap<IssueReason, CountedIssue>,
}

/// An invalid value of the record that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueIssue {
    pub(crate) field: &'static str,
    pub(crate) effect: IssueEffect,
    pub(crate) value: String,
    pub(crate) expected: String,
    pub(crate) offset: u64,
}

impl ValueIssue {
    pub(crate) fn new(
        field: &'static str,
        effect: IssueEffect,
        value: &str,
        expected: &dyn fmt::Display,
        offset: u64,
    ) -> Self {
        let shorten = |text: &str| text.chars().take(MAX_VALUE_CHARS).collect();
        Self {
            field,
            effect,
            value: shorten(value),
            expected: expected
                .to_string()
                .chars()
                .take(2 * MAX_VALUE_CHARS)
                .collect(),
            offset,
        }
    }
}

impl RecordIssues {
    /// Adds the invalid values of one record.
    pub(crate) fn add_record(
        &mut self,
        object_type: &str,
        object: Option<&str>,
        file: &str,
        mut issues: Vec<ValueIssue>,
    ) {
        // A rejected record counts once. Its other invalid values are not reported.
        let is_rejected = |issue: &ValueIssue| issue.effect == IssueEffect::Rejected;
        if let Some(first) = issues.iter().position(is_rejected) {
            issues = vec![issues.swap_remove(first)];
        }
        for issue in issues {
            let reason = IssueReason {
                object_type: object_type.to_owned(),
                field: issue.field.to_owned(),
                effect: issue.effect,
            };
            let counted = self.by_reason.entry(reason).or_default();
            counted.count += 1;
            if counted.examples.len() < MAX_EXAMPLES {
                counted.examples.push(IssueExample {
                    object: object.map(str::to_owned),
                    value: issue.value,
                    expected: issue.expected,
                    file: file.to_owned(),
                    offset: issue.offset,
                });
            }
        }
    }

    /// Appends the invalid values of the next document.
    pub(crate) fn append(&mut self, next: Self) {
        for (reason, CountedIssue { count, examples }) in next.by_reason {
            let counted = self.by_reason.entry(reason).or_default();
            counted.count += count;
            counted.examples.extend(examples);
            counted.examples.truncate(MAX_EXAMPLES);
        }
    }

    /// The number of invalid values of an object type with this effect, and the first such value as text.
    pub(crate) fn of_type(&self, object_type: &str, effect: IssueEffect) -> (u64, String) {
        let mut found = (0, String::new());
        for (reason, counted) in &self.by_reason {
            if reason.object_type == object_type && reason.effect == effect {
                found.0 += counted.count;
                if found.1.is_empty() {
                    found.1 = counted.examples.first().map_or(String::new(), |example| {
                        IssueLine(reason, example).to_string()
                    });
                }
            }
        }
        found
    }

    /// The number of invalid values with this effect.
    pub fn count(&self, effect: IssueEffect) -> u64 {
        let of_effect = self
            .by_reason
            .iter()
            .filter(|(reason, _)| reason.effect == effect);
        of_effect.map(|(_, counted)| counted.count).sum()
    }
}

/// Displays an example in one line, with its place in the delivery.
struct IssueLine<'a>(&'a IssueReason, &'a IssueExample);

impl fmt::Display for IssueLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(reason, example) = self;
        let object = example.object.as_deref().unwrap_or("without an id");
        write!(
            f,
            "{} {object}, {} {:?}: {} ({}, byte {})",
            reason.object_type,
            reason.field,
            example.value,
            example.expected,
            example.file,
            example.offset
        )
    }
}

impl fmt::Display for RecordIssues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (reason, counted) in &self.by_reason {
            let effect = match reason.effect {
                IssueEffect::Rejected => "records left out",
                IssueEffect::Nulled => "values left out",
                IssueEffect::Kept => "unusual values accepted",
            };
            let (object_type, field, count) = (&reason.object_type, &reason.field, counted.count);
            writeln!(f, "  {effect}, {object_type} {field}: {count}")?;
            for example in counted.examples.iter().take(MAX_SHOWN_EXAMPLES) {
                writeln!(f, "    {}", IssueLine(reason, example))?;
            }
        }
        Ok(())
    }
}

impl Serialize for RecordIssues {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            #[serde(flatten)]
            reason: &'a IssueReason,
            count: u64,
            examples: &'a [IssueExample],
        }
        serializer.collect_seq(self.by_reason.iter().map(|(reason, counted)| Row {
            reason,
            count: counted.count,
            examples: &counted.examples,
        }))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn issues(count: u64, effect: IssueEffect) -> RecordIssues {
        let mut issues = RecordIssues::default();
        for number in 0..count {
            let issue = ValueIssue::new("huisnummer", effect, "0", &"a number is expected", number);
            issues.add_record(
                "Nummeraanduiding",
                Some("0457200000000001"),
                "a.xml",
                vec![issue],
            );
        }
        issues
    }

    #[test]
    fn a_report_has_the_first_hundred_examples_of_each_reason() {
        let mut all = issues(90, IssueEffect::Rejected);
        all.append(issues(20, IssueEffect::Rejected));
        all.append(issues(1, IssueEffect::Nulled));
        let json = serde_json::to_value(&all).expect("a list");
        assert_eq!(json[0]["count"], 110);
        assert_eq!(json[0]["effect"], "rejected");
        assert_eq!(json[0]["examples"].as_array().expect("a list").len(), 100);
        assert_eq!(
            [
                all.count(IssueEffect::Rejected),
                all.count(IssueEffect::Nulled)
            ],
            [110, 1]
        );
        assert_eq!(all.to_string().lines().count(), 1 + 3 + 1 + 1);
    }
}
