//! Tests that request logs are kept for 90 days, and that other files stay.

use std::path::Path;

use jiff::civil::Date;
use jiff::{Span, Timestamp};
use tempfile::TempDir;

use super::{RunningRecorder, event, noon};
use crate::accounts::UsageFilter;
use crate::accounts::list_usage;
use crate::accounts::tests::watch::wait_until;
use crate::usage::request_log::file_name;
use crate::usage::retention::{has_recent_log, prune_expired};

const OTHERS: [&str; 5] = [
    "notes.txt",
    "2020-01-01.jsonl.gz",
    "2020-1-1.jsonl",
    "x2020-01-01.jsonl",
    "2020-13-01.jsonl",
];

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries
        .map(|entry| name(entry).into_string().expect("ASCII"))
        .collect();
    names.sort();
    names
}

fn fill(folder: &Path) {
    let first: Date = "2026-08-20".parse().expect("a day");
    let days = (0..5).map(|more| file_name(first.saturating_add(Span::new().days(more))));
    for name in days.chain(OTHERS.map(str::to_owned)) {
        std::fs::write(folder.join(name), "{}\n").expect("writes");
    }
    std::fs::create_dir(folder.join("2020-01-02.jsonl")).expect("a folder with the name of a file");
}

fn kept(folder: &Path) -> Vec<String> {
    let days = names(folder).into_iter();
    days.filter(|name| name.starts_with("2026-")).collect()
}

#[test]
fn a_file_is_deleted_when_the_end_of_its_day_is_ninety_days_ago() {
    let folder = TempDir::new().expect("a folder");
    fill(folder.path());
    #[track_caller]
    fn case(folder: &Path, now: &str, removed: usize, oldest: &str) {
        let now: Timestamp = now.parse().expect("a timestamp");
        assert_eq!(prune_expired(folder, now).ok(), Some(removed), "at {now}");
        assert_eq!(
            prune_expired(folder, now).ok(),
            Some(0),
            "a second run at {now}"
        );
        assert_eq!(kept(folder).first().map(String::as_str), Some(oldest));
    }
    let folder = folder.path();
    // The last second of 20 August is 90 days old in the last second of 18 November.
    case(folder, "2026-11-18T23:59:59Z", 0, "2026-08-20.jsonl");
    case(folder, "2026-11-19T00:00:00Z", 1, "2026-08-21.jsonl");
    case(folder, "2026-11-19T23:59:59.999Z", 0, "2026-08-21.jsonl");
    // If there was no run for some days, the next run deletes all old files.
    case(folder, "2026-11-22T00:00:00Z", 3, "2026-08-24.jsonl");
    for other in OTHERS.into_iter().chain(["2020-01-02.jsonl"]) {
        assert!(folder.join(other).exists(), "{other}");
    }
}

#[test]
fn a_missing_folder_has_no_old_files() {
    assert_eq!(
        prune_expired(Path::new("no/such/folder"), noon()).ok(),
        Some(0)
    );
}

#[tokio::test]
async fn old_files_are_deleted_at_the_start_and_counts_stay() {
    let mut recorder = RunningRecorder::start().await;
    recorder.usage.record(event(recorder.key));
    recorder.stop().await;
    let counted = || list_usage(&recorder.store, UsageFilter::All, Date::MIN);
    let before = counted().await.expect("a list");
    assert_eq!(before.len(), 1);

    let folder = recorder.folder.path().join("requests");
    fill(&folder);
    let (_usage, background) = crate::usage::UsageRecorder::new();
    let stop = tokio_util::sync::CancellationToken::new();
    let task = tokio::spawn(super::run(
        background,
        &recorder.store,
        &recorder.folder,
        stop.clone(),
    ));
    wait_until("the old files are gone", || {
        kept(&folder) == ["2026-08-23.jsonl", "2026-08-24.jsonl", "2026-11-21.jsonl"]
    })
    .await;
    stop.cancel();
    task.await.expect("no task panics");
    assert_eq!(counted().await.expect("a list"), before);
}

/// The first run after a start depends on this: the clock of a machine may be far ahead until it is synchronized.
#[test]
fn no_request_log_is_recent_if_the_clock_is_months_ahead() {
    let folder = TempDir::new().expect("a folder");
    let case = |now: &str, expected: bool| {
        let now: Timestamp = now.parse().expect("a timestamp");
        assert_eq!(has_recent_log(folder.path(), now), expected, "at {now}");
    };
    case("2026-08-24T12:00:00Z", false);
    fill(folder.path());
    case("2026-08-24T12:00:00Z", true);
    case("2026-11-22T23:59:59Z", true);
    case("2026-11-23T00:00:00Z", false);
    case("2027-03-01T12:00:00Z", false);
    // A log that was written since the clock is ahead is no evidence for it.
    std::fs::write(folder.path().join("2027-03-01.jsonl"), "").expect("a log");
    case("2027-03-01T12:00:00Z", false);
}
