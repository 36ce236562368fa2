//! Deletes the request logs and the counts of refusals for days that ended at least 90 days ago.
//!
//! Files with other names stay. If a run is interrupted, the next run deletes the remaining files. The clock of a machine may be far ahead
//! until it is synchronized, so the first run deletes nothing if no request log is recent. The next run, an hour later, trusts the clock.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use tokio::time::interval;

use super::request_log::file_name;
use crate::accounts::AccountStore;
use crate::accounts::delete_refusals;
use crate::clock::Clock;

/// The number of days that request logs are kept. Source: contract.md, section "What the service does".
const RETENTION_DAYS: i64 = 90;

const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// Deletes old files and old counts of refusals, now (unless the clock may be wrong) and every hour.
pub(super) async fn prune_hourly(folder: PathBuf, store: AccountStore, clock: Clock) {
    let mut ticks = interval(PRUNE_INTERVAL);
    let (checked, now) = (folder.clone(), clock.now());
    let is_clock_likely = tokio::task::spawn_blocking(move || has_recent_log(&checked, now)).await;
    if !is_clock_likely.unwrap_or_default() {
        ticks.tick().await;
    }
    loop {
        ticks.tick().await;
        let (folder, now) = (folder.clone(), clock.now());
        let pruned = tokio::task::spawn_blocking(move || prune_expired(&folder, now)).await;
        match pruned.map_err(io::Error::other).flatten() {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "deleted old request logs"),
            Err(error) => tracing::error!(%error, "cannot delete old request logs"),
        }
        prune_refusals(&store, now).await;
    }
}

async fn prune_refusals(store: &AccountStore, now: Timestamp) {
    match delete_refusals(store, first_kept_day(now)).await {
        Ok(0) => {}
        Ok(rows) => tracing::info!(rows, "deleted old counts of refusals"),
        Err(error) => {
            let error = format!("{:#}", anyhow::Error::from(error));
            tracing::error!(error, "cannot delete old counts of refusals");
        }
    }
}

/// The first day to keep. The file of a day is deleted once that day ended at least 90 days ago.
fn first_kept_day(now: Timestamp) -> Date {
    let today = Offset::UTC.to_datetime(now).date();
    today.saturating_sub(Span::new().days(RETENTION_DAYS))
}

/// Deletes old files and returns how many were deleted. If one file cannot be deleted, the others are still deleted.
pub(super) fn prune_expired(folder: &Path, now: Timestamp) -> io::Result<usize> {
    let (mut removed, mut failure) = (0, None);
    for path in expired_files(folder, first_kept_day(now))? {
        match std::fs::remove_file(&path) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => failure = Some(error),
        }
    }
    failure.map_or(Ok(removed), Err)
}

/// Whether there is a request log of one of the kept days before the day of `now`. A log of the day of `now` is no evidence that the clock is
/// right, because it may have been written since the clock went wrong. False if the folder cannot be read.
pub(super) fn has_recent_log(folder: &Path, now: Timestamp) -> bool {
    let first_kept_day = first_kept_day(now);
    let logs = list_logs(folder).unwrap_or_default();
    let today = Offset::UTC.to_datetime(now).date();
    logs.iter()
        .any(|(day, _)| (first_kept_day..today).contains(day))
}

fn expired_files(folder: &Path, first_kept_day: Date) -> io::Result<Vec<PathBuf>> {
    let logs = list_logs(folder)?.into_iter();
    let old = logs.filter(|(day, _)| *day < first_kept_day);
    Ok(old.map(|(_, path)| path).collect())
}

/// Every request log in the folder, with its day.
fn list_logs(folder: &Path) -> io::Result<Vec<(Date, PathBuf)>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut logs = Vec::new();
    for entry in entries {
        let entry = entry?;
        let day = entry.file_name().to_str().and_then(parse_file_name);
        if let Some(day) = day
            && !entry.file_type()?.is_dir()
        {
            logs.push((day, entry.path()));
        }
    }
    Ok(logs)
}

/// The day in the name of a request log; `None` for every other file name.
fn parse_file_name(name: &str) -> Option<Date> {
    let day = name.strip_suffix(".jsonl")?.parse().ok()?;
    (file_name(day) == name).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_request_logs_parse_as_days() {
        #[track_caller]
        fn case(name: &str, expected: Option<&str>) {
            let day = parse_file_name(name).map(|day| day.to_string());
            assert_eq!(day.as_deref(), expected, "{name}");
        }
        case("2026-11-21.jsonl", Some("2026-11-21"));
        case("2024-02-29.jsonl", Some("2024-02-29"));
        case("2026-02-29.jsonl", None);
        case("20261121.jsonl", None);
        case("2026-11-21", None);
        case("2026-11-21.jsonl.gz", None);
        case("2026-11-21T00:00.jsonl", None);
        case("copy of 2026-11-21.jsonl", None);
        case(".jsonl", None);
    }
}
