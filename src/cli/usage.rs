//! `postduif usage`: shows calls per day and per endpoint for all accounts, one account or one key, or exports a month's calls.
//!
//! Services write usage to the accounts database every second, so the calls of the last second may be missing. Days are in UTC.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write};

use clap::{Args, Subcommand};
use jiff::civil::Date;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use serde::Serialize;

use crate::accounts::{
    AccountRef, AccountStore, AccountUsageRecord, KeyId, UsageFilter, UsageRecord, UsageTotals,
    get_account, list_usage, list_usage_by_account,
};
use crate::cli::numbers::number_in;
use crate::cli::output::print_json;

/// Length in terminal columns of the bar of the day with the most calls.
const BAR_COLUMNS: usize = 40;

/// Characters for the last column of a bar. The character at index n fills n eighths of the column.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// `postduif usage …`
#[derive(Debug, Args)]
pub(super) struct UsageArgs {
    #[command(subcommand)]
    action: UsageAction,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum UsageAction {
    /// Show requests (calls), the calls charged to the quota (lines) and errors, per day and per endpoint
    Show {
        /// Only this account: its id or e-mail address
        #[arg(long)]
        account: Option<AccountRef>,
        /// Only this key: its id from `keys list` (not the key itself)
        #[arg(long, conflicts_with = "account")]
        key: Option<KeyId>,
        /// Number of days, including today
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = number_in::<u16>(1..=3660))]
        days: u16,
    },
    /// Write a month's requests (calls), the calls charged to the quota (lines) and errors as CSV: a row for each account, day
    /// and endpoint
    Export {
        /// The month, such as 2026-11; its days are in UTC
        #[arg(long, value_name = "YYYY-MM", value_parser = parse_month)]
        month: Date,
    },
}

/// The form of the text output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UsageStyle {
    /// A table with bars, for a terminal.
    Chart,
    /// A table without bars.
    Plain,
}

impl UsageStyle {
    /// [`Chart`](Self::Chart) if standard output is a terminal, otherwise [`Plain`](Self::Plain).
    pub(super) fn from_stdout() -> Self {
        if std::io::stdout().is_terminal() {
            Self::Chart
        } else {
            Self::Plain
        }
    }
}

/// Runs one `usage` command as of `now`, and prints the result to `out`.
pub(super) async fn run(
    args: UsageArgs,
    store: &AccountStore,
    now: Timestamp,
    style: UsageStyle,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (account, key, days) = match args.action {
        UsageAction::Show { account, key, days } => (account, key, days),
        UsageAction::Export { month } => return export(month, store, args.json, out).await,
    };
    let scope = match (account, key) {
        (Some(account), _) => UsageFilter::Account(get_account(store, &account).await?.id),
        (None, Some(key)) => UsageFilter::Key(key),
        (None, None) => UsageFilter::All,
    };
    let to = Offset::UTC.to_datetime(now).date();
    let from = to.saturating_sub(Span::new().days(i64::from(days) - 1));
    let records = list_usage(store, scope, from).await?;
    let report = UsageReport::from_records(records, from, to);
    match args.json {
        true => print_json(&report, out),
        false => report.write(style, out),
    }
}

async fn export(
    first: Date,
    store: &AccountStore,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let rows = list_usage_by_account(store, first, first.last_of_month()).await?;
    match json {
        true => print_json(&rows, out),
        false => write_csv(&rows, out),
    }
}

/// The first day of a month such as `2026-11`.
fn parse_month(text: &str) -> Result<Date, String> {
    let first = format!("{text}-01").parse().ok();
    first
        .filter(|_| text.len() == "2026-11".len())
        .ok_or_else(|| "expected a month such as 2026-11".to_owned())
}

/// Prints usage as CSV. No value needs quotes, because endpoints are route patterns without commas.
fn write_csv(rows: &[AccountUsageRecord], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "account,day,endpoint,calls,lines,errors")?;
    for AccountUsageRecord { account, usage } in rows {
        let (day, endpoint, totals) = (usage.day, &usage.endpoint, &usage.totals);
        let (calls, lines, errors) = (totals.calls, totals.lines, totals.errors);
        writeln!(out, "{account},{day},{endpoint},{calls},{lines},{errors}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct UsageReport {
    from: Date,
    to: Date,
    #[serde(flatten)]
    total: UsageTotals,
    days: Vec<UsageDay>,
    endpoints: Vec<UsageEndpoint>,
}

#[derive(Serialize)]
struct UsageDay {
    day: Date,
    #[serde(flatten)]
    totals: UsageTotals,
}

#[derive(Serialize)]
struct UsageEndpoint {
    endpoint: String,
    #[serde(flatten)]
    totals: UsageTotals,
}

impl UsageReport {
    /// Summarizes the days from `from` to `to`. A day without calls has a row too. Leaves out records of later days, which exist
    /// if the clock of a service is ahead.
    fn from_records(records: Vec<UsageRecord>, from: Date, to: Date) -> Self {
        let days = from
            .series(Span::new().days(1))
            .take_while(|day| *day <= to);
        let mut days: BTreeMap<Date, UsageTotals> =
            days.map(|day| (day, UsageTotals::default())).collect();
        let mut endpoints: BTreeMap<String, UsageTotals> = BTreeMap::new();
        let mut total = UsageTotals::default();
        for record in records {
            let Some(day) = days.get_mut(&record.day) else {
                continue;
            };
            *day += record.totals;
            *endpoints.entry(record.endpoint).or_default() += record.totals;
            total += record.totals;
        }
        let day = |(day, totals)| UsageDay { day, totals };
        let endpoint = |(endpoint, totals)| UsageEndpoint { endpoint, totals };
        Self {
            from,
            to,
            total,
            days: days.into_iter().map(day).collect(),
            endpoints: endpoints.into_iter().map(endpoint).collect(),
        }
    }

    fn write(&self, style: UsageStyle, out: &mut dyn Write) -> anyhow::Result<()> {
        let calls = self.days.iter().map(|day| day.totals.calls);
        let max_calls = calls.max().unwrap_or(0);
        writeln!(
            out,
            "{:10}  {:>12}  {:>12}  {:>12}",
            "day", "calls", "lines", "errors"
        )?;
        for UsageDay { day, totals } in &self.days {
            write_totals(&format!("{day:10}"), *totals, out)?;
            match style {
                UsageStyle::Chart if totals.calls > 0 => {
                    writeln!(out, "  {}", bar(totals.calls, max_calls))?
                }
                UsageStyle::Chart | UsageStyle::Plain => writeln!(out)?,
            }
        }
        write_totals(&format!("{:10}", "total"), self.total, out)?;
        writeln!(out)?;
        if !self.endpoints.is_empty() {
            self.write_endpoints(out)?;
        }
        Ok(())
    }

    fn write_endpoints(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let lengths = self.endpoints.iter().map(|row| row.endpoint.len());
        let width = lengths.max().unwrap_or(0).max("endpoint".len());
        writeln!(
            out,
            "\n{:width$}  {:>12}  {:>12}  {:>12}",
            "endpoint", "calls", "lines", "errors"
        )?;
        for UsageEndpoint { endpoint, totals } in &self.endpoints {
            write_totals(&format!("{endpoint:width$}"), *totals, out)?;
            writeln!(out)?;
        }
        Ok(())
    }
}

fn write_totals(name: &str, totals: UsageTotals, out: &mut dyn Write) -> anyhow::Result<()> {
    let (calls, lines, errors) = (totals.calls, totals.lines, totals.errors);
    Ok(write!(
        out,
        "{name}  {calls:>12}  {lines:>12}  {errors:>12}"
    )?)
}

/// A bar for `calls`, scaled so that `max_calls` fills [`BAR_COLUMNS`]. It is at least an eighth of a column long.
fn bar(calls: u64, max_calls: u64) -> String {
    let eighths = u128::from(calls) * BAR_COLUMNS as u128 * 8 / u128::from(max_calls.max(1));
    let eighths = usize::try_from(eighths)
        .unwrap_or(usize::MAX)
        .clamp(1, BAR_COLUMNS * 8);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests;
