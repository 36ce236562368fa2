//! Summarizes a checked file: counts rows by status and reason, and collects frequent corrections and samples.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::fields::RegisterField;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::check::rows::{CheckStatus, RowAnswer};

/// Maximum number of distinct corrections that are counted. If there are more, the rarest are dropped, so that memory does not
/// grow with the file.
const MAX_CORRECTIONS: usize = 20_000;

/// Maximum number of corrections that are shown.
const TOP_CORRECTIONS: usize = 10;

/// Maximum number of samples that are kept for each reason.
const SAMPLES: usize = 3;

/// Maximum number of characters of a row in a sample. The rest of the row is cut.
const SAMPLE_CHARS: usize = 120;

/// The summary of a file or of a part of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckSummary {
    /// The number of rows with each status.
    pub statuses: BTreeMap<CheckStatus, u64>,
    /// The number of rows with each reason.
    pub reasons: BTreeMap<String, u64>,
    /// Blank lines, which stay as they are.
    pub blank_lines: u64,
    /// Number of rows with corrections that were written into the columns of the input.
    pub applied: u64,
    /// A few rows for each reason.
    pub samples: BTreeMap<String, Vec<Sample>>,
    corrections: HashMap<String, u64>,
}

/// A row that is shown in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The cells of the address as entered.
    pub entered: String,
    /// The register's address as one line; empty if no address was found.
    pub found: String,
}

impl CheckSummary {
    /// The number of rows, without blank lines.
    pub fn rows(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// The number of rows with a status.
    pub fn count(&self, status: CheckStatus) -> u64 {
        self.statuses.get(&status).copied().unwrap_or_default()
    }

    /// The percentage of the rows, without blank lines, that `count` rows are.
    pub fn percent(&self, count: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
        let share = count as f64 / self.rows().max(1) as f64;
        100.0 * share
    }

    /// The most frequent corrections with their counts, at most ten. Corrections that occur only once are left out.
    pub fn top_corrections(&self) -> Vec<(&str, u64)> {
        let often = self.corrections.iter().filter(|(_, count)| **count > 1);
        let mut found: Vec<(&str, u64)> = often.map(|(text, count)| (&**text, *count)).collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        found.truncate(TOP_CORRECTIONS);
        found
    }

    pub(in crate::check) fn record(&mut self, entered: &str, answer: &RowAnswer) {
        *self.statuses.entry(answer.status).or_default() += 1;
        for reason in &answer.reasons {
            let name = reason.to_string();
            let samples = self.samples.entry(name.clone()).or_default();
            if samples.len() < SAMPLES {
                samples.push(Sample::new(entered, answer));
            }
            *self.reasons.entry(name).or_default() += 1;
            if let Some(text) = correction(answer, *reason) {
                *self.corrections.entry(text).or_default() += 1;
            }
        }
    }

    /// Adds the summary of the next part of the file to this one.
    pub fn merge(&mut self, next: Self) {
        for (status, count) in next.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (reason, count) in next.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        for (reason, samples) in next.samples {
            let known = self.samples.entry(reason).or_default();
            known.extend(samples);
            known.truncate(SAMPLES);
        }
        for (text, count) in next.corrections {
            *self.corrections.entry(text).or_default() += count;
        }
        self.blank_lines += next.blank_lines;
        self.applied += next.applied;
        let mut least = 1;
        while self.corrections.len() > MAX_CORRECTIONS {
            self.corrections.retain(|_, count| *count > least);
            least *= 2;
        }
    }
}

impl Sample {
    fn new(entered: &str, answer: &RowAnswer) -> Self {
        Self {
            entered: entered.chars().take(SAMPLE_CHARS).collect(),
            found: answer
                .address
                .as_ref()
                .map(super::fields::address_line)
                .unwrap_or_default(),
        }
    }
}

/// Describes the correction of a field as `city: Wesp → Weesp`. `None` if the field was empty or the row was not corrected.
fn correction(answer: &RowAnswer, reason: FieldReason) -> Option<String> {
    let (entry, address) = (answer.entry.as_ref()?, answer.address.as_ref()?);
    if answer.status != CheckStatus::Corrected || reason.mistake == Mistake::Missing {
        return None;
    }
    let (entered, field) = match reason.field {
        FieldName::Postcode => (&entry.postcode, RegisterField::Postcode),
        FieldName::Street => (&entry.street, RegisterField::Street),
        FieldName::City => (&entry.city, RegisterField::City),
        FieldName::Row | FieldName::Number | FieldName::Addition | FieldName::Country => {
            return None;
        }
    };
    let entered: String = entered.as_deref()?.chars().take(SAMPLE_CHARS).collect();
    let register = field.text(address);
    Some(format!("{}: {entered} → {register}", reason.field))
}
