//! `postduif index apply`: applies mutation deliveries in the order of their periods.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use postduif_indexer::{DeliveryHeader, MutationPeriod};
use postduif_schema::DataFolder;
use serde::Serialize;

use super::delivery_indexer::{
    DataFolderIndexer, DeliveryError, DeliveryErrorKind, DeliveryIndexer, DeliveryOutcome,
    UnusableRegister,
};
use super::later_day;
use super::rejection_flags::RejectionFlags;
use crate::cli::CommandError;
use crate::cli::outcome::full_message;
use crate::cli::output::{print_json, print_line, print_notice};
use crate::cli::progress::TerminalProgress;

/// `postduif index apply …`
#[derive(Debug, Args)]
#[command(after_help = "\
All deliveries are opened before the first is applied. After each delivery, its generation is served: if a delivery
fails, the deliveries before it stay applied. A delivery that the register already has changes nothing, so an
interrupted command can be run again unchanged.

Exit codes: 0 done, or nothing to do
            1 failed: the disk is full, or the folder is in use; the addresses from before the failed delivery are served; try again
            2 refused: a file has no mutations, is damaged or is of another area, or an earlier delivery is missing;
                          or the register or its generation is damaged, so it must be built again from the newest extract")]
pub(super) struct ApplyArgs {
    /// Mutation deliveries, such as BAGNLDM-….zip, in any order
    #[arg(required = true, value_name = "DELIVERY")]
    deliveries: Vec<PathBuf>,
    /// Municipalities that replace those of the register, a CSV file: code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    municipalities: Option<PathBuf>,
    /// Serve the result even if it has far fewer addresses than the served generation (less than half, or more than 5 percent
    /// fewer if the served one has 100,000 or more), or if many references lead to objects that the register lacks
    #[arg(long)]
    accept_fewer: bool,
    #[command(flatten)]
    rejection: RejectionFlags,
}

/// A delivery and its period. Deliveries are sorted by period.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct QueuedDelivery {
    period: MutationPeriod,
    path: PathBuf,
}

/// The JSON line that is printed for a delivery.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ApplyRow<'a> {
    delivery: String,
    #[serde(flatten)]
    period: MutationPeriod,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(super) fn run(
    args: ApplyArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let indexer = DataFolderIndexer {
        data: data.clone(),
        municipalities: args.municipalities,
        po_boxes: None,
        accept_fewer: args.accept_fewer,
        accept_unknown_municipalities: true,
        rejection_limit: args.rejection.limit(),
        progress: Box::new(TerminalProgress::default()),
        unusable_register: UnusableRegister::default(),
    };
    apply_all(&indexer, &args.deliveries, json, out)
}

fn apply_all(
    indexer: &impl DeliveryIndexer,
    deliveries: &[PathBuf],
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let queue = sort_deliveries(indexer, deliveries)?;
    let mut published = Vec::new();
    for (index, delivery) in queue.iter().enumerate() {
        match indexer.apply(&delivery.path) {
            Ok(outcome) => {
                print_outcome(delivery, &outcome, json, out)?;
                if let DeliveryOutcome::Published { generation, .. } = outcome {
                    if let Some(warning) = later_day::warn_of_day(delivery.period.to) {
                        print_notice(&format!("postduif: warning: {warning}"));
                    }
                    published.push(format!("{} ({generation})", delivery.path.display()));
                }
            }
            Err(error) => {
                if json {
                    print_row(&delivery.error_row(&error), out)?;
                }
                return Err(stopped_error(
                    delivery,
                    error,
                    &published,
                    &queue[index + 1..],
                ));
            }
        }
    }
    Ok(())
}

/// Opens every delivery and sorts them by period.
fn sort_deliveries(
    indexer: &impl DeliveryIndexer,
    deliveries: &[PathBuf],
) -> Result<Vec<QueuedDelivery>, CommandError> {
    let mut queue: Vec<QueuedDelivery> = deliveries
        .iter()
        .map(|path| match indexer.describe(path) {
            Ok(DeliveryHeader::Mutations { period, .. }) => Ok(QueuedDelivery {
                period,
                path: path.clone(),
            }),
            Ok(DeliveryHeader::Stand { stand, .. }) => Err(not_mutations_error(path, stand)),
            Err(error) => Err(error.into()),
        })
        .collect::<Result<_, CommandError>>()?;
    queue.sort_unstable();
    Ok(queue)
}

fn not_mutations_error(path: &Path, stand: jiff::civil::Date) -> CommandError {
    let path = path.display();
    CommandError::Refused(anyhow!(
        "{path}: this is the stand of {stand}, not mutations; build a generation from it with `postduif index build --extract {path}`. \
         Nothing was applied"
    ))
}

fn print_outcome(
    delivery: &QueuedDelivery,
    outcome: &DeliveryOutcome,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if json {
        return print_row(&delivery.outcome_row(outcome), out);
    }
    let path = delivery.path.display();
    let text = match outcome {
        DeliveryOutcome::Published { summary, .. } => format!("{path}: {summary}"),
        DeliveryOutcome::Repeat {
            stand,
            resumed_generation,
        } => {
            let consequence = match resumed_generation {
                Some(generation) => {
                    format!("an interrupted run was finished: {generation} is served now")
                }
                None => "nothing to do".into(),
            };
            format!(
                "{path}: {} to {}: the register is of {stand} and already has this delivery; {consequence}",
                delivery.period.from, delivery.period.to
            )
        }
    };
    Ok(print_line(&text, out).context("writing the report")?)
}

fn print_row(row: &ApplyRow<'_>, out: &mut dyn Write) -> Result<(), CommandError> {
    Ok(print_json(row, out).context("writing the report")?)
}

/// Adds two lists to the error of a delivery: the deliveries that were applied before it, and those that were not tried.
fn stopped_error(
    delivery: &QueuedDelivery,
    DeliveryError { kind, error }: DeliveryError,
    published: &[String],
    rest: &[QueuedDelivery],
) -> CommandError {
    let rest: Vec<String> = rest
        .iter()
        .map(|delivery| delivery.path.display().to_string())
        .collect();
    let before = format_list(published, "; applied before it: ");
    let after = format_list(&rest, "; not tried: ");
    let path = delivery.path.display().to_string();
    let mut message = full_message(&error);
    if !message.contains(&path) {
        message = format!("{path}: {message}");
    }
    let error = anyhow!("{message}{before}{after}");
    DeliveryError { kind, error }.into()
}

fn format_list(paths: &[String], prefix: &str) -> String {
    if paths.is_empty() {
        String::new()
    } else {
        format!("{prefix}{}", paths.join(", "))
    }
}

impl QueuedDelivery {
    fn row(&self, outcome: &'static str) -> ApplyRow<'static> {
        ApplyRow {
            delivery: self.path.display().to_string(),
            period: self.period,
            outcome,
            report: None,
            error: None,
        }
    }

    fn outcome_row<'a>(&self, outcome: &'a DeliveryOutcome) -> ApplyRow<'a> {
        match outcome {
            DeliveryOutcome::Published { report, .. } => ApplyRow {
                report: Some(report),
                ..self.row("applied")
            },
            DeliveryOutcome::Repeat { .. } => self.row("repeat"),
        }
    }

    fn error_row(&self, error: &DeliveryError) -> ApplyRow<'static> {
        let outcome = match error.kind {
            DeliveryErrorKind::Transient => "failed",
            DeliveryErrorKind::Refused
            | DeliveryErrorKind::RegisterUnusable
            | DeliveryErrorKind::Damaged
            | DeliveryErrorKind::Settings => "refused",
            DeliveryErrorKind::Gap => "early",
        };
        ApplyRow {
            error: Some(full_message(&error.error)),
            ..self.row(outcome)
        }
    }
}

impl From<DeliveryError> for CommandError {
    fn from(error: DeliveryError) -> Self {
        Self::new(error.kind != DeliveryErrorKind::Transient, error.error)
    }
}

#[cfg(test)]
mod tests;
