//! `postduif index apply`: mutation deliveries, in the order of their periods whatever the order they are given in.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use postduif_indexer::{Described, MutationPeriod};
use postduif_schema::DataFolder;
use serde::Serialize;

use super::Failure;
use super::delivery_indexer::{Cause, Done, Indexer, Trouble, Worker};
use crate::cli::outcome::in_full;
use crate::cli::progress::BuildProgress;

/// `postduif index apply …`
#[derive(Debug, Args)]
#[command(after_help = "\
All deliveries are looked at before the first is applied. Each is applied and published by itself: when
one fails, those before it stay. One that the register has already changes nothing, so a command that
was cut short may be given again as it was.

Exit codes: 0 done, or nothing to do
            1 failed: a disk, a folder that is in use; what was served goes on, try again
            2 refused: not mutations, damaged, of another area, or an earlier delivery is missing")]
pub(super) struct ApplyArgs {
    /// Mutation deliveries, such as BAGNLDM-….zip, in any order
    #[arg(required = true, value_name = "DELIVERY")]
    deliveries: Vec<PathBuf>,
    /// Municipalities, in place of those that the register was built with, or that come with this postduif:
    /// code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    municipalities: Option<PathBuf>,
    /// Publish even if it leaves far fewer addresses than are served (less than half, or from 100,000 on more than 5
    /// percent fewer), or if it refers to much that the register does not hold
    #[arg(long)]
    accept_fewer: bool,
}

/// One delivery and what it covers. Ordered as they are applied.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    period: MutationPeriod,
    path: PathBuf,
}

/// One line of JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
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
) -> Result<(), Failure> {
    let indexer = Indexer {
        data: data.clone(),
        municipalities: args.municipalities,
        po_boxes: None,
        accept_fewer: args.accept_fewer,
        progress: Box::new(BuildProgress::default()),
    };
    apply(&indexer, &args.deliveries, json, out)
}

fn apply(
    worker: &impl Worker,
    deliveries: &[PathBuf],
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let due = in_order(worker, deliveries)?;
    let mut published = Vec::new();
    for (at, due_now) in due.iter().enumerate() {
        match worker.apply(&due_now.path) {
            Ok(done) => {
                tell(due_now, &done, json, out)?;
                if let Done::Published { generation, .. } = done {
                    published.push(format!("{} ({generation})", due_now.path.display()));
                }
            }
            Err(trouble) => {
                if json {
                    print_line(&due_now.failed(&trouble), out)?;
                }
                return Err(stopped(due_now, trouble, &published, &due[at + 1..]));
            }
        }
    }
    Ok(())
}

/// Looks at every delivery and puts them in the order of their periods.
fn in_order(worker: &impl Worker, deliveries: &[PathBuf]) -> Result<Vec<Due>, Failure> {
    let mut due: Vec<Due> = deliveries
        .iter()
        .map(|path| match worker.describe(path) {
            Ok(Described::Mutations { period, .. }) => Ok(Due {
                period,
                path: path.clone(),
            }),
            Ok(Described::Stand { stand, .. }) => Err(no_mutations(path, stand)),
            Err(trouble) => Err(trouble.into()),
        })
        .collect::<Result<_, Failure>>()?;
    due.sort_unstable();
    Ok(due)
}

fn no_mutations(path: &Path, stand: jiff::civil::Date) -> Failure {
    let path = path.display();
    Failure::Refused(anyhow!(
        "{path}: the stand of {stand}, not mutations; make a generation of it with `postduif index build --extract {path}`. \
         Nothing was applied"
    ))
}

fn tell(due: &Due, done: &Done, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        return print_line(&due.done(done), out);
    }
    let path = due.path.display();
    let told = match done {
        Done::Published { told, .. } => writeln!(out, "{path}: {told}"),
        Done::Repeat { stand, finished } => {
            let what = match finished {
                Some(generation) => format!(
                    "what a run that was cut short began is finished: {generation} is served now"
                ),
                None => "nothing to do".into(),
            };
            writeln!(
                out,
                "{path}: {} to {}: the register has it already, it stands at {stand}; {what}",
                due.period.from, due.period.to
            )
        }
    };
    Ok(told.context("writing the report")?)
}

fn print_line(line: &Line<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(line).context("writing the report")?;
    Ok(writeln!(out, "{text}").context("writing the report")?)
}

/// What is told of a delivery that stops the rest.
fn stopped(due: &Due, trouble: Trouble, published: &[String], rest: &[Due]) -> Failure {
    let rest: Vec<String> = rest
        .iter()
        .map(|due| due.path.display().to_string())
        .collect();
    let before = told_of(published, "; applied and published before it: ");
    let after = told_of(&rest, "; not tried after it: ");
    let (path, error) = (due.path.display().to_string(), &trouble.error);
    let named = in_full(error);
    let named = if named.contains(&path) {
        named
    } else {
        format!("{path}: {named}")
    };
    let error = anyhow!("{named}{before}{after}");
    Trouble { error, ..trouble }.into()
}

fn told_of(paths: &[String], begins: &str) -> String {
    if paths.is_empty() {
        String::new()
    } else {
        format!("{begins}{}", paths.join(", "))
    }
}

impl Due {
    fn line(&self, outcome: &'static str) -> Line<'static> {
        Line {
            delivery: self.path.display().to_string(),
            period: self.period,
            outcome,
            report: None,
            error: None,
        }
    }

    fn done<'a>(&self, done: &'a Done) -> Line<'a> {
        match done {
            Done::Published { report, .. } => Line {
                report: Some(report),
                ..self.line("applied")
            },
            Done::Repeat { .. } => self.line("repeat"),
        }
    }

    fn failed(&self, trouble: &Trouble) -> Line<'static> {
        let outcome = match trouble.cause {
            Cause::Machine => "failed",
            Cause::Delivery | Cause::Damage | Cause::Settings => "refused",
            Cause::Gap => "early",
        };
        Line {
            error: Some(in_full(&trouble.error)),
            ..self.line(outcome)
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble.cause {
            Cause::Machine => Self::Failed(trouble.error),
            Cause::Delivery | Cause::Damage | Cause::Settings | Cause::Gap => {
                Self::Refused(trouble.error)
            }
        }
    }
}

#[cfg(test)]
mod tests;
