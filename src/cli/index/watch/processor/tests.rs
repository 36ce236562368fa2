//! Tests what happens to deliveries in the inbox, with a fake indexer.

use std::fs;

mod deferred;

use crate::cli::index::delivery_indexer::fake::{Failures, FakeIndexer, write_mutations};
use crate::cli::index::watch::file_state::SettleTimes;
use crate::cli::index::watch::processor::*;

struct TestSetup {
    folder: tempfile::TempDir,
    fake: FakeIndexer,
    processor: InboxProcessor<FakeIndexer>,
    now: Instant,
}

impl TestSetup {
    /// Creates an inbox in which files settle at once and are rejected at once.
    fn new(fake: FakeIndexer) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::in_folder(folder, fake)
    }

    fn in_folder(folder: tempfile::TempDir, fake: FakeIndexer) -> Self {
        Self::with_reject_after(folder, fake, Duration::ZERO)
    }

    fn with_reject_after(
        folder: tempfile::TempDir,
        fake: FakeIndexer,
        reject_after: Duration,
    ) -> Self {
        let settle_times = SettleTimes {
            settle: Duration::ZERO,
            reject_after,
            use_file_times: false,
        };
        let inbox = Inbox::open(folder.path(), settle_times).expect("a folder");
        let processor =
            InboxProcessor::new(fake.clone(), inbox, folder.path(), 7).expect("writable");
        Self {
            folder,
            fake,
            processor,
            now: Instant::now(),
        }
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("writes");
    }

    /// Processes deliveries until there is nothing more to do. Returns the time until the next pass.
    fn work(&mut self) -> Option<Duration> {
        for _ in 0..100 {
            if let WatchOutcome::Idle(next) = self.processor.process_once(self.now) {
                return next;
            }
        }
        panic!("the processor never becomes idle");
    }

    fn advance(&mut self, time: Duration) {
        self.now += time;
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry"))
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().into_string().expect("UTF-8"))
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).expect("a file")
    }
}

#[test]
fn deliveries_are_applied_in_order_for_any_order_of_arrival() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    for day in [11, 9, 10] {
        write_mutations(setup.folder.path(), day);
        assert_eq!(setup.work(), None);
    }
    assert_eq!(setup.fake.applied(), [""; 0]);
    assert_eq!(setup.names(""), ["day-09.zip", "day-10.zip", "day-11.zip"]);
    let waiting = setup.processor.summary().waiting.join("\n");
    assert!(
        waiting.contains("begins at 2026-01-09, but the register is of 2026-01-08"),
        "{waiting}"
    );
    write_mutations(setup.folder.path(), 8);
    setup.work();
    let applied: Vec<String> = (8..12).map(|day| format!("day-{day:02}.zip")).collect();
    assert_eq!(setup.fake.applied(), applied);
    assert_eq!(setup.names(""), [""; 0]);
    assert_eq!(setup.names("applied").len(), 8);
    let report = setup.read("applied/day-09.zip.report.json");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(
        (&report["outcome"], &report["report"]["stand"]),
        (&"applied".into(), &"2026-01-10".into())
    );
    assert_eq!(setup.fake.state().pruned_to, Some(7));
    assert!(setup.processor.summary().waiting.is_empty());
}

#[test]
fn a_delivery_that_the_register_has_is_reported_and_moved() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-09"));
    write_mutations(setup.folder.path(), 8);
    setup.work();
    write_mutations(setup.folder.path(), 8);
    setup.work();
    assert_eq!(setup.fake.applied(), [""; 0]);
    assert_eq!(setup.names("rejected"), [""; 0]);
    let expected =
        ["day-08.2.zip", "day-08.zip"].map(|name| [name.into(), format!("{name}.report.json")]);
    assert_eq!(setup.names("applied"), expected.concat());
    assert!(
        setup
            .read("applied/day-08.2.zip.report.json")
            .contains("repeat")
    );
}

#[test]
fn a_refused_delivery_is_rejected_and_later_ones_wait() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    setup.put("day-08.zip", "mutations 2026-01-08 2026-01-09 damaged");
    write_mutations(setup.folder.path(), 9);
    setup.put("letter.zip", "dear sir");
    setup.work();
    assert_eq!(setup.names(""), ["day-09.zip"]);
    let reason = setup.read("rejected/day-08.zip.reason.txt");
    for part in [
        "What happened: an element is missing",
        "What it means: ",
        "What to do: ",
    ] {
        assert!(reason.contains(part), "{part:?} in {reason}");
    }
    let reason = setup.read("rejected/letter.zip.reason.txt");
    assert!(reason.contains("not a complete zip archive"), "{reason}");
    assert_eq!(setup.processor.summary().rejected.len(), 2);
    write_mutations(setup.folder.path(), 8);
    setup.work();
    assert_eq!(setup.fake.applied(), ["day-08.zip", "day-09.zip"]);
}

#[test]
fn a_failure_of_the_machine_is_retried_with_growing_delays() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    write_mutations(setup.folder.path(), 8);
    write_mutations(setup.folder.path(), 9);
    setup.fake.state().failures = Failures { after: 0, count: 9 };
    let mut delays = Vec::new();
    while setup.fake.applied().is_empty() {
        let delay = setup.work().expect("a delay");
        assert_eq!(setup.names("").len(), 2, "nothing leaves the inbox");
        assert_eq!(setup.work(), Some(delay), "no attempt before its time");
        assert!(
            setup
                .processor
                .summary()
                .failing
                .join("")
                .contains("no space left")
        );
        delays.push(delay.as_secs());
        setup.advance(delay);
        if delays.len() == 9 {
            setup.work();
        }
    }
    assert_eq!(delays, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
    assert_eq!(setup.fake.applied(), ["day-08.zip", "day-09.zip"]);
    assert!(setup.processor.summary().failing.is_empty());
    assert_eq!(setup.names("rejected"), [""; 0]);
}

#[test]
fn a_newer_stand_rebuilds_the_register_and_an_older_one_is_a_repeat() {
    let mut setup = TestSetup::new(FakeIndexer::default());
    write_mutations(setup.folder.path(), 15);
    setup.work();
    assert!(
        setup
            .processor
            .summary()
            .waiting
            .join("")
            .contains("no register yet")
    );
    setup.put("stand.zip", "stand 2026-01-15");
    setup.work();
    assert_eq!(setup.fake.applied(), ["stand.zip", "day-15.zip"]);
    setup.put("old.zip", "stand 2026-01-16");
    setup.put("older.zip", "stand 2026-01-01");
    write_mutations(setup.folder.path(), 14);
    setup.put("next.zip", "stand 2026-01-20");
    setup.work();
    assert_eq!(setup.fake.applied()[2..], ["next.zip"]);
    assert_eq!(setup.names("rejected"), [""; 0]);
    for name in ["old.zip", "older.zip", "day-14.zip"] {
        let report = setup.read(&format!("applied/{name}.report.json"));
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let (outcome, stand) = (&report["outcome"], &report["stand"]);
        assert_eq!((outcome, stand), (&"repeat".into(), &"2026-01-20".into()));
        let reason = report["reason"].as_str().expect("a reason");
        assert!(reason.contains("the register is of 2026-01-20"), "{reason}");
    }
}

#[test]
fn a_delivery_that_changes_while_it_is_applied_is_not_rejected() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    setup.put("day-08.zip", "mutations 2026-01-08 2026-01-09 damaged");
    setup.fake.state().during_apply = Some(Box::new(|path| {
        fs::write(path, "mutations 2026-01-08 2026-01-09 and damaged").expect("writes");
    }));
    assert_eq!(
        setup.processor.process_once(setup.now),
        WatchOutcome::Progressed
    );
    assert_eq!(setup.names("rejected"), [""; 0]);
    setup.put("day-08.zip", "mutations 2026-01-08 2026-01-09");
    setup.work();
    assert_eq!(setup.fake.applied(), ["day-08.zip"]);
}

#[test]
fn a_crash_between_applying_and_moving_is_harmless() {
    let fake = FakeIndexer::with_register_at("2026-01-08");
    let mut setup = TestSetup::new(fake.clone());
    setup.put("stand.zip", "stand 2026-01-10");
    // Put a file in place of the folder, so that the stand is built but cannot be moved.
    let applied = setup.folder.path().join("applied");
    fs::remove_dir(&applied).expect("the folder is empty");
    fs::write(&applied, "").expect("writes");
    assert_eq!(setup.work(), Some(DEFER_TIME));
    assert_eq!((fake.applied().len(), setup.names("").len()), (1, 2));
    let TestSetup {
        folder, processor, ..
    } = setup;
    drop(processor);
    fs::remove_file(applied).expect("a file");
    let mut restarted = TestSetup::in_folder(folder, fake.clone());
    restarted.work();
    assert_eq!(fake.applied().len(), 1, "the stand is a repeat");
    assert_eq!(restarted.names("applied").len(), 2);
    let report = restarted.read("applied/stand.zip.report.json");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["outcome"], "repeat");
    assert_eq!(report["report"]["read"]["issues"][0]["count"], 2);
    // An older delivery is not the one that the report of the served generation is about.
    write_mutations(restarted.folder.path(), 8);
    restarted.work();
    let report = restarted.read("applied/day-08.zip.report.json");
    assert!(!report.contains("issues"), "{report}");
}

#[test]
fn the_metrics_count_every_outcome() {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    ::metrics::with_local_recorder(&recorder, || {
        metrics::register();
        let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
        for day in [7, 8, 10] {
            write_mutations(setup.folder.path(), day);
        }
        setup.put("letter.zip", "dear sir");
        setup.fake.state().failures = Failures { after: 0, count: 2 };
        for _ in 0..3 {
            if let Some(delay) = setup.work() {
                setup.advance(delay);
            }
        }
        // The report of this repeat has the counts of the served generation, which are in the metrics already.
        write_mutations(setup.folder.path(), 8);
        setup.work();
    });
    let rendered = handle.render();
    for line in [
        r#"postduif_watch_deliveries_total{outcome="applied"} 1"#,
        r#"postduif_watch_deliveries_total{outcome="repeated"} 2"#,
        "postduif_watch_rejected_records_total 2",
        r#"postduif_watch_deliveries_total{outcome="rejected"} 1"#,
        "postduif_watch_failures_total 2",
        "postduif_watch_waiting 1",
        // 2026-01-09.
        "postduif_stand_timestamp_seconds 1767916800",
    ] {
        assert!(
            rendered.contains(&format!("{line}\n")),
            "{line:?} in {rendered}"
        );
    }
    for name in [
        "postduif_watch_last_delivery_seconds",
        "postduif_watch_last_success_timestamp_seconds",
    ] {
        assert!(
            rendered.contains(&format!("\n{name} ")),
            "{name} in {rendered}"
        );
    }
}

#[test]
fn early_deliveries_stay_in_the_metrics_during_backoff() {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    ::metrics::with_local_recorder(&recorder, || {
        metrics::register();
        let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
        write_mutations(setup.folder.path(), 10);
        setup.work();
        setup.fake.state().failures = Failures { after: 0, count: 1 };
        write_mutations(setup.folder.path(), 8);
        assert!(setup.work().is_some());
        assert_eq!(setup.processor.summary().waiting.len(), 1);
    });
    let rendered = handle.render();
    assert!(
        rendered.contains("postduif_watch_waiting 1\n"),
        "{rendered}"
    );
}

#[test]
fn with_an_unusable_register_deliveries_wait_for_an_extract_and_are_then_applied() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-10"));
    setup.fake.state().unusable_register = Some("a page is damaged");
    write_mutations(setup.folder.path(), 10);
    assert_eq!(
        setup.work(),
        None,
        "no retry: the processor waits for a file"
    );
    assert_eq!(
        setup.names("."),
        ["day-10.zip"],
        "the delivery is not rejected"
    );
    let summary = setup.processor.summary();
    assert_eq!(
        summary.unusable_register.as_deref(),
        Some("a page is damaged")
    );
    assert!(
        summary.waiting[0].contains("waits for an extract"),
        "{summary:?}"
    );
    // The extract is older than the served generation, so the mutations after the extract are applied again.
    setup.put("extract.zip", "stand 2026-01-08");
    write_mutations(setup.folder.path(), 8);
    write_mutations(setup.folder.path(), 9);
    setup.work();
    let applied = ["extract.zip", "day-08.zip", "day-09.zip", "day-10.zip"];
    assert_eq!(setup.fake.applied(), applied);
    assert_eq!(setup.processor.summary().unusable_register, None);
}
