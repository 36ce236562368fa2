//! Defines a fake indexer. A delivery is a file with a line of text: `stand 2026-01-08` or `mutations 2026-01-08 2026-01-09`. If
//! the line ends in `damaged`, the delivery can be opened but is refused. If it ends in `torn`, its bytes are damaged.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use anyhow::anyhow;
use jiff::civil::Date;
use postduif_indexer::MutationPeriod;
use serde_json::{Value, json};

use crate::cli::index::delivery_indexer::*;

/// The fake indexer. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct FakeIndexer(Arc<Mutex<State>>);

#[derive(Default)]
pub(crate) struct State {
    pub(crate) stand: Option<Date>,
    /// The applied deliveries, in the order in which they were applied.
    pub(crate) applied: Vec<String>,
    /// Which attempts fail although the delivery is valid.
    pub(crate) failures: Failures,
    /// Why the register cannot be used; `None` if it can. Building from a stand replaces the register.
    pub(crate) unusable_register: Option<&'static str>,
    /// The kind of error with which every build from a stand fails; `None` if builds succeed.
    pub(crate) unbuildable: Option<DeliveryErrorKind>,
    pub(crate) served_report: Option<Value>,
    pub(crate) pruned_to: Option<usize>,
    /// Called with the next delivery while it is applied.
    pub(crate) during_apply: Option<DuringApply>,
}

pub(crate) type DuringApply = Box<dyn FnOnce(&Path) + Send>;

/// The first `after` attempts succeed, and the next `count` attempts fail.
#[derive(Default)]
pub(crate) struct Failures {
    pub(crate) after: u32,
    pub(crate) count: u32,
}

impl Failures {
    fn next(&mut self) -> bool {
        if self.after > 0 {
            self.after -= 1;
            return false;
        }
        let fails = self.count > 0;
        self.count = self.count.saturating_sub(1);
        fails
    }
}

impl FakeIndexer {
    pub(crate) fn with_register_at(stand: &str) -> Self {
        let fake = Self::default();
        fake.state().stand = Some(day(stand));
        fake
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .expect("no test panics while the state is locked")
    }

    pub(crate) fn applied(&self) -> Vec<String> {
        self.state().applied.clone()
    }

    fn publish(&self, delivery: &Path, stand: Date) -> Result<DeliveryOutcome, DeliveryError> {
        let mut state = self.state();
        if let Some(during_apply) = state.during_apply.take() {
            during_apply(delivery);
        }
        if state.failures.next() {
            return Err(DeliveryError::transient(anyhow!("no space left on device")));
        }
        let text = read(delivery)?;
        if text.ends_with("torn") {
            let error = anyhow!("the bytes do not match their checksum");
            return Err(DeliveryError {
                kind: DeliveryErrorKind::Damaged,
                error,
            });
        }
        if text.ends_with("damaged") {
            return Err(refused(anyhow!("an element is missing")));
        }
        state.stand = Some(stand);
        let name = delivery.file_name().unwrap_or_default();
        state.applied.push(name.to_string_lossy().into_owned());
        let mut report = report(&self.describe(delivery)?, stand);
        let number = u32::try_from(state.applied.len()).expect("a few");
        let generation = GenerationName::new(stand, number);
        report["generation"] = generation.to_string().into();
        state.served_report = Some(report.clone());
        Ok(DeliveryOutcome::Published {
            generation,
            report,
            summary: format!("generation {stand}-{number}"),
        })
    }
}

impl DeliveryIndexer for FakeIndexer {
    fn resume_register(&self) -> Result<Option<RegisterCoverage>, DeliveryError> {
        if let Some(reason) = self.state().unusable_register {
            return Err(DeliveryError {
                kind: DeliveryErrorKind::RegisterUnusable,
                error: anyhow!(reason),
            });
        }
        Ok(self.state().stand.map(|stand| RegisterCoverage {
            stand,
            area: Area::Country,
        }))
    }

    fn served_summary(&self) -> Option<ServedSummary> {
        self.state().stand.map(|stand| ServedSummary {
            stand,
            addresses: 1,
        })
    }

    fn served_report(&self) -> Option<Value> {
        self.state().served_report.clone()
    }

    fn describe(&self, delivery: &Path) -> Result<DeliveryHeader, DeliveryError> {
        let text = read(delivery)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["stand", stand, ..] => Ok(DeliveryHeader::Stand {
                stand: day(stand),
                area: Area::Country,
            }),
            ["mutations", from, to, ..] => Ok(DeliveryHeader::Mutations {
                period: MutationPeriod {
                    from: day(from),
                    to: day(to),
                },
                area: Area::Country,
            }),
            _ => Err(refused(anyhow!("not a complete zip archive"))),
        }
    }

    fn apply(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError> {
        let DeliveryHeader::Mutations { period, .. } = self.describe(delivery)? else {
            return Err(refused(anyhow!("a stand")));
        };
        let stand = self.state().stand;
        match stand {
            Some(stand) if period.to <= stand => Ok(DeliveryOutcome::Repeat {
                stand,
                resumed_generation: None,
            }),
            Some(stand) if period.from == stand => self.publish(delivery, period.to),
            _ => Err(DeliveryError {
                kind: DeliveryErrorKind::Gap,
                error: anyhow!("it begins at {}", period.from),
            }),
        }
    }

    fn build(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError> {
        if let Some(kind) = self.state().unbuildable {
            let error = anyhow!("pass the file of ranges with --po-boxes");
            return Err(DeliveryError { kind, error });
        }
        match self.describe(delivery)? {
            DeliveryHeader::Stand { stand, .. } => {
                self.state().unusable_register = None;
                self.publish(delivery, stand)
            }
            DeliveryHeader::Mutations { .. } => Err(refused(anyhow!("mutations"))),
        }
    }

    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, DeliveryError> {
        self.state().pruned_to = Some(keep);
        Ok(Vec::new())
    }
}

/// The report of a delivery of which two records were left out.
fn report(header: &DeliveryHeader, stand: Date) -> Value {
    let issues = json!([{ "effect": "rejected", "count": 2 }]);
    match header {
        DeliveryHeader::Stand { .. } => json!({ "stand": stand, "read": { "issues": issues } }),
        DeliveryHeader::Mutations { period, .. } => {
            json!({ "stand": stand, "from": period.from, "to": period.to, "issues": issues })
        }
    }
}

fn read(delivery: &Path) -> Result<String, DeliveryError> {
    let text = std::fs::read_to_string(delivery);
    text.map_err(|error| refused(anyhow!("{}: {error}", delivery.display())))
}

fn refused(error: anyhow::Error) -> DeliveryError {
    DeliveryError {
        kind: DeliveryErrorKind::Refused,
        error,
    }
}

pub(crate) fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

/// Writes a delivery with the mutations of one day in January 2026.
pub(crate) fn write_mutations(folder: &Path, from: u32) -> PathBuf {
    let path = folder.join(format!("day-{from:02}.zip"));
    let to = from + 1;
    let text = format!("mutations 2026-01-{from:02} 2026-01-{to:02}");
    std::fs::write(&path, text).expect("writes");
    path
}
