//! Tests how the loop of the watcher ends, and with which exit code.

use std::fs;

use clap::Parser;

use crate::cli::index::delivery_indexer::DeliveryErrorKind;
use crate::cli::index::delivery_indexer::fake::{Failures, FakeIndexer, write_mutations};
use crate::cli::index::watch::*;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    watch: WatchArgs,
}

fn args(folder: &Path, more: &[&str]) -> WatchArgs {
    let inbox = folder.to_str().expect("a temporary path is UTF-8");
    let args = [&["watch", "--inbox", inbox][..], more].concat();
    Flags::try_parse_from(args).expect("flags").watch
}

fn processor(folder: &Path, fake: &FakeIndexer) -> InboxProcessor<FakeIndexer> {
    processor_with_settle_time(Duration::ZERO, folder, fake)
}

fn processor_with_settle_time(
    settle: Duration,
    folder: &Path,
    fake: &FakeIndexer,
) -> InboxProcessor<FakeIndexer> {
    let settle_times = SettleTimes {
        settle,
        reject_after: Duration::ZERO,
        use_file_times: true,
    };
    let inbox = Inbox::open(folder, settle_times).expect("a folder");
    InboxProcessor::new(fake.clone(), inbox, folder, 7).expect("writable")
}

fn no_stop() -> WatchStopTokens {
    WatchStopTokens {
        graceful: CancellationToken::new(),
        immediate: CancellationToken::new(),
    }
}

/// Runs the loop until it ends.
fn run_watch(
    folder: &Path,
    fake: &FakeIndexer,
    more: &[&str],
    stop: &WatchStopTokens,
) -> anyhow::Result<RunSummary> {
    new_two_thread_runtime()?.block_on(watch(
        processor(folder, fake),
        &args(folder, more),
        stop,
        &Notify::new(),
    ))
}

#[test]
fn the_exit_code_of_once_shows_whether_something_is_left() {
    #[track_caller]
    fn case(prepare: fn(&Path, &FakeIndexer), code: u8, parts: &[&str]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fake = FakeIndexer::with_register_at("2026-01-08");
        prepare(folder.path(), &fake);
        let summary = run_watch(folder.path(), &fake, &["--once"], &no_stop()).expect("works");
        let (found, error) = match summary.into_result() {
            Ok(()) => (0, String::new()),
            Err(CommandError::Failed(error)) => (1, error.to_string()),
            Err(CommandError::Refused(error)) => (2, error.to_string()),
            Err(CommandError::Usage(error)) => (64, error.to_string()),
        };
        assert_eq!(found, code, "{error}");
        for part in parts {
            assert!(error.contains(part), "{part:?} in {error}");
        }
    }
    let early = |folder: &Path, _: &FakeIndexer| {
        write_mutations(folder, 10);
    };
    let applicable = |folder: &Path, _: &FakeIndexer| {
        write_mutations(folder, 8);
        write_mutations(folder, 7);
    };
    let not_a_delivery = |folder: &Path, _: &FakeIndexer| {
        write_mutations(folder, 8);
        write_mutations(folder, 10);
        fs::write(folder.join("letter.zip"), "dear sir").expect("writes");
    };
    let disk_full = |folder: &Path, fake: &FakeIndexer| {
        write_mutations(folder, 8);
        write_mutations(folder, 12);
        fake.state().failures = Failures { after: 0, count: 1 };
    };
    case(|_, _| {}, 0, &[]);
    case(applicable, 0, &[]);
    case(
        early,
        2,
        &[
            "day-10.zip",
            "begins at 2026-01-10",
            "the register is of 2026-01-08",
        ],
    );
    case(
        not_a_delivery,
        2,
        &[
            "rejected: letter.zip: the file does not open",
            "waits in the inbox: day-10.zip",
        ],
    );
    case(
        disk_full,
        1,
        &["still in the inbox: day-08.zip: no space left"],
    );
}

#[test]
fn a_file_that_is_still_being_copied_is_left() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fake = FakeIndexer::with_register_at("2026-01-08");
    write_mutations(folder.path(), 8);
    let hour = Duration::from_secs(3_600);
    let mut processor = processor_with_settle_time(hour, folder.path(), &fake);
    processor.process_once(Instant::now());
    assert!(processor.is_settling());
    let Err(CommandError::Failed(error)) = processor.summary().into_result() else {
        panic!("the outcome is not a failure");
    };
    let error = error.to_string();
    let expected = "still in the inbox: day-08.zip: it was still being copied";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn once_applies_the_others_if_a_stand_cannot_be_built() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fake = FakeIndexer::with_register_at("2026-01-08");
    fake.state().unbuildable = Some(DeliveryErrorKind::Settings);
    fs::write(folder.path().join("stand.zip"), "stand 2026-01-20").expect("writes");
    write_mutations(folder.path(), 8);
    let summary = run_watch(folder.path(), &fake, &["--once"], &no_stop()).expect("works");
    assert_eq!(fake.applied(), ["day-08.zip"]);
    let Err(CommandError::Failed(error)) = summary.into_result() else {
        panic!("the outcome is not a failure");
    };
    let error = error.to_string();
    assert!(
        error.contains("stand.zip") && error.contains("--po-boxes"),
        "{error}"
    );
}

#[test]
fn a_stop_finishes_the_current_delivery() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (FakeIndexer::with_register_at("2026-01-08"), no_stop());
    write_mutations(folder.path(), 8);
    write_mutations(folder.path(), 9);
    let graceful = stop.graceful.clone();
    fake.state().during_apply = Some(Box::new(move |_| graceful.cancel()));
    run_watch(folder.path(), &fake, &[], &stop).expect("ends without an error");
    assert_eq!(fake.applied(), ["day-08.zip"]);
    assert!(folder.path().join("applied/day-08.zip").is_file());
    assert!(folder.path().join("day-09.zip").is_file());
}

#[test]
fn a_second_stop_does_not_wait_for_the_current_delivery() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (FakeIndexer::with_register_at("2026-01-08"), no_stop());
    write_mutations(folder.path(), 8);
    let immediate = stop.immediate.clone();
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    fake.state().during_apply = Some(Box::new(move |_| {
        immediate.cancel();
        // This returns when the test drops `release`.
        blocked.recv().ok();
    }));
    // The runtime waits for the blocked pass when it is dropped, so it must outlive `release`.
    let runtime = new_two_thread_runtime().expect("a runtime");
    let flags = args(folder.path(), &[]);
    let ended = runtime.block_on(watch(
        processor(folder.path(), &fake),
        &flags,
        &stop,
        &Notify::new(),
    ));
    let error = ended.expect_err("watching is interrupted").to_string();
    assert!(error.contains("a second signal"), "{error}");
    drop(release);
}

#[tokio::test]
async fn watching_ends_if_publishing_panics() {
    let publishing = tokio::spawn(async { panic!("a bug") });
    let result = fail_if_publishing_ends(publishing, std::future::pending::<anyhow::Result<()>>());
    let error = format!("{:#}", result.await.expect_err("publishing ended"));
    assert!(
        error.starts_with("running the publisher: ") && error.contains("a bug"),
        "{error}"
    );
    let publishing = tokio::spawn(std::future::pending());
    let result = fail_if_publishing_ends(publishing, async { Ok(7) }).await;
    assert_eq!(result.expect("watching ended"), 7);
}

#[test]
fn a_delivery_that_arrives_later_is_applied() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (FakeIndexer::with_register_at("2026-01-08"), no_stop());
    // The first pass finds this delivery. A second delivery arrives while the first is applied, and no other follows.
    write_mutations(folder.path(), 8);
    let inbox = folder.path().to_owned();
    let (later, graceful) = (fake.clone(), stop.graceful.clone());
    fake.state().during_apply = Some(Box::new(move |_| {
        std::thread::spawn(move || {
            write_mutations(&inbox, 9);
            let started = Instant::now();
            while later.applied().len() < 2 && started.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(10));
            }
            graceful.cancel();
        });
    }));
    run_watch(folder.path(), &fake, &["--poll", "1"], &stop).expect("ends without an error");
    assert_eq!(fake.applied(), ["day-08.zip", "day-09.zip"]);
}
