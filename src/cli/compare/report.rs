//! Collects counts and examples of a comparison, and formats them as text or JSON. The size of the report does not depend on the
//! number of pairs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::fields::{FieldDifference, differing_fields};
use super::pairs::{AddressPair, PairCounts};
use super::service::{CallError, LookupAnswer};

/// Maximum number of examples for each field and for each kind of difference. Further ones are only counted.
const MAX_EXAMPLES: usize = 3;

/// Maximum number of fields that are counted separately. v3 has seven fields, but a service may send any number of other fields.
const MAX_FIELDS: usize = 32;

/// The name under which the fields beyond `MAX_FIELDS` are counted together.
const OTHER_FIELDS: &str = "(other fields)";

/// Maximum number of characters of a value in the text form of the report. The rest of the value is cut.
const MAX_SHOWN_CHARS: usize = 100;

/// A pair with the answers of both services.
pub(super) struct ComparedPair {
    pub(super) pair: AddressPair,
    pub(super) old: Result<LookupAnswer, CallError>,
    pub(super) new: Result<LookupAnswer, CallError>,
}

impl ComparedPair {
    /// Why the comparison must stop; `None` if it can continue.
    pub(super) fn stop_reason(&self) -> Option<&str> {
        [&self.old, &self.new]
            .into_iter()
            .find_map(|answer| match answer {
                Err(CallError::Stop(reason)) => Some(reason.as_str()),
                _ => None,
            })
    }

    /// Whether one of the services gave no answer.
    pub(super) fn has_failed(&self) -> bool {
        self.old.is_err() || self.new.is_err()
    }
}

/// The counts and examples of a comparison.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ComparisonReport {
    pairs: u64,
    /// Rows of the file that v3 cannot look up.
    skipped_rows: u64,
    equal: u64,
    /// Pairs that neither service finds. They are also counted as equal.
    found_by_neither: u64,
    differ: u64,
    only_old: ExampleList<AddressPair>,
    only_new: ExampleList<AddressPair>,
    errors: ExampleList<ErrorExample>,
    fields: BTreeMap<String, ExampleList<FieldExample>>,
    /// Why the comparison stopped before the last pair; `None` if it did not.
    stopped: Option<String>,
    #[serde(skip)]
    location_tolerance_m: f64,
}

/// A count and the first examples.
#[derive(Debug, Serialize)]
struct ExampleList<T> {
    count: u64,
    examples: Vec<T>,
}

impl<T> Default for ExampleList<T> {
    fn default() -> Self {
        Self {
            count: 0,
            examples: Vec::new(),
        }
    }
}

impl<T> ExampleList<T> {
    fn push(&mut self, example: T) {
        self.count += 1;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(example);
        }
    }
}

#[derive(Debug, Serialize)]
struct ErrorExample {
    #[serde(flatten)]
    pair: AddressPair,
    /// `old` or `new`.
    service: &'static str,
    error: String,
}

#[derive(Debug, Serialize)]
struct FieldExample {
    #[serde(flatten)]
    pair: AddressPair,
    #[serde(flatten)]
    difference: FieldDifference,
}

impl ComparisonReport {
    pub(super) fn new(counts: &PairCounts, location_tolerance_m: f64) -> Self {
        Self {
            pairs: counts.pairs,
            skipped_rows: counts.skipped_rows,
            location_tolerance_m,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, compared: ComparedPair) {
        let pair = compared.pair;
        match (compared.old, compared.new) {
            (Ok(None), Ok(None)) => {
                self.equal += 1;
                self.found_by_neither += 1;
            }
            (Ok(Some(_)), Ok(None)) => self.only_old.push(pair),
            (Ok(None), Ok(Some(_))) => self.only_new.push(pair),
            (Ok(Some(old)), Ok(Some(new))) => {
                let differences = differing_fields(&old, &new, self.location_tolerance_m);
                match differences.is_empty() {
                    true => self.equal += 1,
                    false => self.add_differences(pair, differences),
                }
            }
            (Err(error), _) => self.add_error(pair, "old", error),
            (_, Err(error)) => self.add_error(pair, "new", error),
        }
    }

    fn add_differences(&mut self, pair: AddressPair, differences: Vec<FieldDifference>) {
        self.differ += 1;
        for difference in differences {
            let is_known = self.fields.contains_key(&difference.name);
            let name = match is_known || self.fields.len() < MAX_FIELDS {
                true => difference.name.clone(),
                false => OTHER_FIELDS.to_owned(),
            };
            let field = self.fields.entry(name).or_default();
            field.push(FieldExample { pair, difference });
        }
    }

    fn add_error(&mut self, pair: AddressPair, service: &'static str, error: CallError) {
        let (CallError::Failed(error) | CallError::Stop(error)) = error;
        self.errors.push(ErrorExample {
            pair,
            service,
            error,
        });
    }

    /// Records why the comparison stops before the last pair.
    pub(super) fn stop(&mut self, error: &anyhow::Error) {
        self.stopped = Some(format!("{error:#}"));
    }

    pub(super) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Number of pairs with different answers. Pairs that only one of the services finds are included.
    pub(super) fn differing(&self) -> u64 {
        self.differ + self.only_old.count + self.only_new.count
    }

    /// Number of pairs for which at least one service gave no answer.
    pub(super) fn errors(&self) -> u64 {
        self.errors.count
    }

    /// The report as one line of JSON.
    pub(super) fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("all keys of a report are text");
        json + "\n"
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line =
            |line: String| writeln!(text, "{line}").expect("writing to a String cannot fail");
        let compared = self.equal + self.differing() + self.errors();
        line(format!("compared {compared} of {} pairs", self.pairs));
        if self.skipped_rows > 0 {
            let rows = self.skipped_rows;
            line(format!(
                "{rows:>10}  rows skipped: no postcode, or a house number that is not only digits"
            ));
        }
        let (equal, neither) = (self.equal, self.found_by_neither);
        line(format!(
            "{equal:>10}  equal, of which {neither} were found by neither service"
        ));
        line(format!("{:>10}  differ", self.differ));
        let only = |list: &ExampleList<AddressPair>, label: &str| {
            let examples = list.examples.iter().map(shown_pair).collect::<Vec<_>>();
            let examples = match examples.is_empty() {
                true => String::new(),
                false => format!(", such as {}", examples.join(", ")),
            };
            format!("{:>10}  {label}{examples}", list.count)
        };
        line(only(&self.only_old, "found by the old service only"));
        line(only(&self.only_new, "found by the new service only"));
        line(format!("{:>10}  errors", self.errors.count));
        for error in &self.errors.examples {
            let pair = shown_pair(&error.pair);
            line(format!(
                "            {pair}, {} service: {}",
                error.service, error.error
            ));
        }
        for (name, field) in &self.fields {
            let name = format_value(&name.as_str().into());
            line(format!("field {name}: differs {} times", field.count));
            field
                .examples
                .iter()
                .for_each(|example| line(example.to_text()));
        }
        text
    }
}

impl FieldExample {
    fn to_text(&self) -> String {
        let value = |value: &Option<serde_json::Value>| match value {
            Some(value) => format_value(value),
            None => "absent".to_owned(),
        };
        let pair = shown_pair(&self.pair);
        let (old, new) = (value(&self.difference.old), value(&self.difference.new));
        let distance = self.difference.distance_m;
        let distance = distance.map_or_else(String::new, |metres| format!(" ({metres} m)"));
        format!("            {pair}: old {old}, new {new}{distance}")
    }
}

fn shown_pair(pair: &AddressPair) -> String {
    format!("{} {}", pair.postcode, pair.number)
}

/// Formats a value as JSON and cuts it to [`MAX_SHOWN_CHARS`]. A terminal could act on control characters. JSON escapes most of them,
/// and the others are replaced by spaces.
fn format_value(value: &serde_json::Value) -> String {
    let json = value.to_string();
    let json: String = json
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    match json.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json,
    }
}
