//! `postduif usage`: what was called, day by day and by endpoint, of everybody, one account or one key.
//!
//! Shows what the services have added to the ledger, so the last second may be missing. Days are those of UTC.

use std::io::{IsTerminal as _, Write};

use clap::{Args, Subcommand};
use jiff::civil::Date;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use serde::Serialize;

use crate::accounts::{AccountRef, KeyId, Ledger, UsageOf, UsageRecord};

/// The longest bar, for the busiest day.
const BAR_COLUMNS: usize = 40;

/// A bar ends in a fraction of its last column, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// `postduif usage …`
#[derive(Debug, Args)]
pub struct UsageArgs {
    #[command(subcommand)]
    action: Action,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show requests, the calls that they took from the bundle (lines) and errors, per day and per endpoint
    Show {
        /// That of one account: its id or e-mail address
        #[arg(long)]
        account: Option<AccountRef>,
        /// That of one key: its id, as `keys list` shows it (not the key)
        #[arg(long, conflicts_with = "account")]
        key: Option<KeyId>,
        /// How many days, today included
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3660))]
        days: u16,
    },
}

/// How text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// With a chart, for a person at a terminal.
    Chart,
    /// In columns alone.
    Plain,
}

impl Look {
    /// What fits standard output.
    #[must_use]
    pub fn of_stdout() -> Self {
        if std::io::stdout().is_terminal() {
            Self::Chart
        } else {
            Self::Plain
        }
    }
}

/// Carries out one `usage` command on `ledger`, as of `now`, and prints its outcome to `out`.
///
/// # Errors
/// When the ledger refuses or fails, or `out` cannot be written.
pub async fn run(
    args: UsageArgs,
    ledger: &Ledger,
    now: Timestamp,
    look: Look,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Action::Show { account, key, days } = args.action;
    let of = match (account, key) {
        (Some(account), _) => UsageOf::Account(ledger.account(&account).await?.id),
        (None, Some(key)) => UsageOf::Key(key),
        (None, None) => UsageOf::All,
    };
    let to = Offset::UTC.to_datetime(now).date();
    let from = to.saturating_sub(Span::new().days(i64::from(days) - 1));
    let records = ledger.usage(of, from).await?;
    let report = Report::of(&records, from, to);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    report.print(look, out)
}

#[derive(Serialize)]
struct Report {
    from: Date,
    to: Date,
    #[serde(flatten)]
    total: Sum,
    days: Vec<Day>,
    endpoints: Vec<Endpoint>,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Sum {
    calls: u64,
    lines: u64,
    errors: u64,
}

#[derive(Serialize)]
struct Day {
    day: Date,
    #[serde(flatten)]
    sum: Sum,
}

#[derive(Serialize)]
struct Endpoint {
    endpoint: String,
    #[serde(flatten)]
    sum: Sum,
}

impl Sum {
    fn of<'a>(records: impl IntoIterator<Item = &'a UsageRecord>) -> Self {
        let add = |sum: Self, record: &UsageRecord| {
            let calls = record.counts.calls;
            Self {
                calls: sum.calls + calls,
                lines: sum.lines + record.counts.lines,
                errors: sum.errors + if record.status_class >= 4 { calls } else { 0 },
            }
        };
        records.into_iter().fold(Self::default(), add)
    }
}

impl Report {
    /// Every day from the first to the last has its line, the quiet ones too; a service whose clock is ahead may have counted
    /// for a day that is still to come, which is left out.
    fn of(records: &[UsageRecord], from: Date, to: Date) -> Self {
        let within = |record: &&UsageRecord| (from..=to).contains(&record.day);
        let records: Vec<&UsageRecord> = records.iter().filter(within).collect();
        let on = |day| records.iter().copied().filter(move |one| one.day == day);
        let days = from
            .series(Span::new().days(1))
            .take_while(|day| *day <= to);
        let mut names: Vec<&str> = records.iter().map(|one| one.endpoint.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let by_name = |name: &str| Endpoint {
            endpoint: name.to_owned(),
            sum: Sum::of(records.iter().copied().filter(|one| one.endpoint == name)),
        };
        Self {
            from,
            to,
            total: Sum::of(records.iter().copied()),
            days: days
                .map(|day| Day {
                    day,
                    sum: Sum::of(on(day)),
                })
                .collect(),
            endpoints: names.into_iter().map(by_name).collect(),
        }
    }

    fn print(&self, look: Look, out: &mut dyn Write) -> anyhow::Result<()> {
        let most = self.days.iter().map(|day| day.sum.calls).max().unwrap_or(0);
        writeln!(
            out,
            "{:10}  {:>12}  {:>12}  {:>12}",
            "day", "calls", "lines", "errors"
        )?;
        for Day { day, sum } in &self.days {
            print_sum(&format!("{day:10}"), *sum, out)?;
            match look {
                Look::Chart if sum.calls > 0 => writeln!(out, "  {}", bar(sum.calls, most))?,
                Look::Chart | Look::Plain => writeln!(out)?,
            }
        }
        print_sum(&format!("{:10}", "total"), self.total, out)?;
        writeln!(out)?;
        if !self.endpoints.is_empty() {
            self.print_endpoints(out)?;
        }
        Ok(())
    }

    fn print_endpoints(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let lengths = self.endpoints.iter().map(|one| one.endpoint.len());
        let width = lengths.max().unwrap_or(0).max("endpoint".len());
        writeln!(
            out,
            "\n{:width$}  {:>12}  {:>12}  {:>12}",
            "endpoint", "calls", "lines", "errors"
        )?;
        for Endpoint { endpoint, sum } in &self.endpoints {
            print_sum(&format!("{endpoint:width$}"), *sum, out)?;
            writeln!(out)?;
        }
        Ok(())
    }
}

fn print_sum(name: &str, sum: Sum, out: &mut dyn Write) -> anyhow::Result<()> {
    let Sum {
        calls,
        lines,
        errors,
    } = sum;
    Ok(write!(
        out,
        "{name}  {calls:>12}  {lines:>12}  {errors:>12}"
    )?)
}

/// A bar for `calls` where `most` is the longest; never nothing, where there was anything.
fn bar(calls: u64, most: u64) -> String {
    let eighths = u128::from(calls) * BAR_COLUMNS as u128 * 8 / u128::from(most.max(1));
    let eighths = usize::try_from(eighths)
        .unwrap_or(usize::MAX)
        .clamp(1, BAR_COLUMNS * 8);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests;
