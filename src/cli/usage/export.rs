//! `postduif usage export`: prints the calls of a month as CSV or JSON, for invoices and spreadsheets.

use std::io::Write;
use std::str::FromStr;

use jiff::civil::Date;
use serde::Serialize;

use crate::accounts::{AccountId, AccountUsageRecord};

/// A calendar month, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Month {
    first: Date,
}

impl Month {
    /// The first and the last day of the month.
    pub(super) fn days(self) -> (Date, Date) {
        (self.first, self.first.last_of_month())
    }
}

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parse = || {
            let (year, month) = text.split_once('-')?;
            let is_exact = year.len() == 4 && month.len() == 2 && digits(year) && digits(month);
            let first =
                is_exact.then(|| Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok());
            Some(Self { first: first?? })
        };
        parse().ok_or_else(|| "expected a month such as 2026-11".to_owned())
    }
}

/// The counts of an account on one day for one endpoint.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct AccountDayUsage {
    account: AccountId,
    day: Date,
    endpoint: String,
    calls: u64,
    lines: u64,
    errors: u64,
}

impl AccountDayUsage {
    /// Sums up the counts of all status classes. The records must be sorted by account, day and endpoint.
    pub(super) fn from_records(records: Vec<AccountUsageRecord>) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        for AccountUsageRecord { account_id, usage } in records {
            let is_same = |row: &&mut Self| {
                (row.account, row.day, row.endpoint.as_str())
                    == (account_id, usage.day, usage.endpoint.as_str())
            };
            let errors = if usage.status_class >= 4 {
                usage.counts.calls
            } else {
                0
            };
            if let Some(row) = rows.last_mut().filter(is_same) {
                row.calls += usage.counts.calls;
                row.lines += usage.counts.lines;
                row.errors += errors;
                continue;
            }
            rows.push(Self {
                account: account_id,
                day: usage.day,
                endpoint: usage.endpoint,
                calls: usage.counts.calls,
                lines: usage.counts.lines,
                errors,
            });
        }
        rows
    }
}

/// Prints rows as CSV. No value needs quotes, because endpoints are route patterns without commas.
pub(super) fn write_csv(rows: &[AccountDayUsage], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "account,day,endpoint,calls,lines,errors")?;
    for row in rows {
        let AccountDayUsage {
            account,
            day,
            endpoint,
            calls,
            lines,
            errors,
        } = row;
        writeln!(out, "{account},{day},{endpoint},{calls},{lines},{errors}")?;
    }
    Ok(())
}
