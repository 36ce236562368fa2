//! The loop around the desk: how it ends, and with which exit code.

use std::fs;

use clap::Parser;

use crate::cli::index::delivery_indexer::DeliveryErrorKind;
use crate::cli::index::delivery_indexer::fake::{Failures, Fake, of_day};
use crate::cli::index::watch::*;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    watch: WatchArgs,
}

fn args(folder: &Path, more: &[&str]) -> WatchArgs {
    let inbox = folder.to_str().expect("a temporary path is UTF-8");
    let given = [&["watch", "--inbox", inbox][..], more].concat();
    Flags::try_parse_from(given).expect("flags").watch
}

fn desk(folder: &Path, fake: &Fake) -> InboxProcessor<Fake> {
    let patience = SettleTimes {
        settle: Duration::ZERO,
        reject_after: Duration::ZERO,
        use_file_times: true,
    };
    let inbox = Inbox::open(folder, patience).expect("a folder");
    InboxProcessor::new(fake.clone(), inbox, folder, 7).expect("writable")
}

fn never() -> WatchStopTokens {
    WatchStopTokens {
        graceful: CancellationToken::new(),
        immediate: CancellationToken::new(),
    }
}

/// Runs the loop to its end.
fn watched(
    folder: &Path,
    fake: &Fake,
    more: &[&str],
    stop: &WatchStopTokens,
) -> anyhow::Result<RunSummary> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(watch(
        desk(folder, fake),
        &args(folder, more),
        stop,
        &Notify::new(),
    ))
}

#[test]
fn once_ends_with_the_code_of_what_is_left() {
    #[track_caller]
    fn case(prepare: fn(&Path, &Fake), code: u8, told: &[&str]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fake = Fake::at("2026-01-08");
        prepare(folder.path(), &fake);
        let left = watched(folder.path(), &fake, &["--once"], &never()).expect("works");
        let (found, error) = match once_result(&left) {
            Ok(()) => (0, String::new()),
            Err(CommandError::Failed(error)) => (1, error.to_string()),
            Err(CommandError::Refused(error)) => (2, error.to_string()),
            Err(CommandError::Usage(error)) => (64, error.to_string()),
        };
        assert_eq!(found, code, "{error}");
        for part in told {
            assert!(error.contains(part), "{part:?} in {error}");
        }
    }
    let early = |folder: &Path, _: &Fake| {
        of_day(folder, 10);
    };
    let sound = |folder: &Path, _: &Fake| {
        of_day(folder, 8);
        of_day(folder, 7);
    };
    let letter = |folder: &Path, _: &Fake| {
        of_day(folder, 8);
        of_day(folder, 10);
        fs::write(folder.join("letter.zip"), "dear sir").expect("writes");
    };
    let full = |folder: &Path, fake: &Fake| {
        of_day(folder, 8);
        of_day(folder, 12);
        fake.state().failures = Failures { after: 0, count: 1 };
    };
    case(|_, _| {}, 0, &[]);
    case(sound, 0, &[]);
    case(
        early,
        2,
        &["day-10.zip", "begins at 2026-01-10", "stands at 2026-01-08"],
    );
    case(
        letter,
        2,
        &[
            "rejected: letter.zip: it does not open",
            "waits in the inbox: day-10.zip",
        ],
    );
    case(full, 1, &["still in the inbox: day-08.zip: no space left"]);
}

#[test]
fn once_goes_on_with_the_others_when_a_stand_cannot_be_built() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fake = Fake::at("2026-01-08");
    fake.state().unbuildable = Some(DeliveryErrorKind::Settings);
    fs::write(folder.path().join("stand.zip"), "stand 2026-01-20").expect("writes");
    of_day(folder.path(), 8);
    let left = watched(folder.path(), &fake, &["--once"], &never()).expect("works");
    assert_eq!(fake.made(), ["day-08.zip"]);
    let Err(CommandError::Failed(error)) = once_result(&left) else {
        panic!("{left:?} is no failure");
    };
    let told = error.to_string();
    assert!(
        told.contains("stand.zip") && told.contains("--po-boxes"),
        "{told}"
    );
}

#[test]
fn told_to_stop_it_finishes_the_delivery_at_hand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (Fake::at("2026-01-08"), never());
    of_day(folder.path(), 8);
    of_day(folder.path(), 9);
    let told = stop.graceful.clone();
    fake.state().meanwhile = Some(Box::new(move |_| told.cancel()));
    watched(folder.path(), &fake, &[], &stop).expect("ends in order");
    assert_eq!(fake.made(), ["day-08.zip"]);
    assert!(folder.path().join("applied/day-08.zip").is_file());
    assert!(folder.path().join("day-09.zip").is_file());
}

#[test]
fn told_twice_it_does_not_wait() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (Fake::at("2026-01-08"), never());
    of_day(folder.path(), 8);
    let told = stop.immediate.clone();
    let (go_on, held_up) = std::sync::mpsc::channel::<()>();
    fake.state().meanwhile = Some(Box::new(move |_| {
        told.cancel();
        // Ends when the test drops the other end.
        held_up.recv().ok();
    }));
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let flags = args(folder.path(), &[]);
    let ended = runtime.block_on(watch(
        desk(folder.path(), &fake),
        &flags,
        &stop,
        &Notify::new(),
    ));
    let error = ended.expect_err("it is cut short").to_string();
    assert!(error.contains("a second time"), "{error}");
    drop(go_on);
}

#[tokio::test]
async fn who_works_does_not_go_on_alone_when_publishing_panicked() {
    let publishing = tokio::spawn(async { panic!("a fault") });
    let alone = fail_if_publishing_ends(publishing, std::future::pending::<anyhow::Result<()>>());
    let error = alone.await.expect_err("it is told").to_string();
    assert!(error.contains("publishing panicked"), "{error}");
    let publishing = tokio::spawn(std::future::pending());
    let done = fail_if_publishing_ends(publishing, async { Ok(7) }).await;
    assert_eq!(done.expect("in order"), 7);
}

#[test]
fn what_comes_later_is_seen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (fake, stop) = (Fake::at("2026-01-08"), never());
    // The first look finds this one, and the next one comes while it is applied; then there is nothing left to come.
    of_day(folder.path(), 8);
    let inbox = folder.path().to_owned();
    let (later, told) = (fake.clone(), stop.graceful.clone());
    fake.state().meanwhile = Some(Box::new(move |_| {
        std::thread::spawn(move || {
            of_day(&inbox, 9);
            let began = Instant::now();
            while later.made().len() < 2 && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(10));
            }
            told.cancel();
        });
    }));
    watched(folder.path(), &fake, &["--poll", "1"], &stop).expect("ends in order");
    assert_eq!(fake.made(), ["day-08.zip", "day-09.zip"]);
}
