//! What becomes of what is put into the inbox, by a worker that stands for the indexer.

use std::fs;

mod deferred;

use crate::cli::index::delivery_indexer::fake::{Failures, Fake, of_day};
use crate::cli::index::watch::inbox::SettleTimes;
use crate::cli::index::watch::processor::*;

struct Office {
    folder: tempfile::TempDir,
    fake: Fake,
    desk: InboxProcessor<Fake>,
    now: Instant,
}

impl Office {
    /// What is put into this inbox has settled at once and is not waited for.
    fn new(fake: Fake) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::in_folder(folder, fake)
    }

    fn in_folder(folder: tempfile::TempDir, fake: Fake) -> Self {
        Self::patient(folder, fake, Duration::ZERO)
    }

    fn patient(folder: tempfile::TempDir, fake: Fake, give_up: Duration) -> Self {
        let patience = SettleTimes {
            settle: Duration::ZERO,
            reject_after: give_up,
            use_file_times: false,
        };
        let inbox = Inbox::open(folder.path(), patience).expect("a folder");
        let desk = InboxProcessor::new(fake.clone(), inbox, folder.path(), 7).expect("writable");
        Self {
            folder,
            fake,
            desk,
            now: Instant::now(),
        }
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("writes");
    }

    /// Looks until there is nothing more to do; how long it rests then.
    fn work(&mut self) -> Option<Duration> {
        for _ in 0..100 {
            if let WatchOutcome::Idle(rest) = self.desk.process_once(self.now) {
                return rest;
            }
        }
        panic!("it does not come to rest");
    }

    fn pass(&mut self, time: Duration) {
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
fn deliveries_are_applied_in_order_whatever_the_order_of_arrival() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    for day in [11, 9, 10] {
        of_day(office.folder.path(), day);
        assert_eq!(office.work(), None);
    }
    assert_eq!(office.fake.made(), [""; 0]);
    assert_eq!(office.names(""), ["day-09.zip", "day-10.zip", "day-11.zip"]);
    let waiting = office.desk.summary().waiting.join("\n");
    assert!(
        waiting.contains("begins at 2026-01-09, but the register stands at 2026-01-08"),
        "{waiting}"
    );
    of_day(office.folder.path(), 8);
    office.work();
    let made: Vec<String> = (8..12).map(|day| format!("day-{day:02}.zip")).collect();
    assert_eq!(office.fake.made(), made);
    assert_eq!(office.names(""), [""; 0]);
    assert_eq!(office.names("applied").len(), 8);
    let report = office.read("applied/day-09.zip.report.json");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(
        (&report["outcome"], &report["report"]["stand"]),
        (&"applied".into(), &"2026-01-10".into())
    );
    assert_eq!(office.fake.state().pruned_to, Some(7));
    assert!(office.desk.summary().waiting.is_empty());
}

#[test]
fn a_repeat_is_told_and_moved() {
    let mut office = Office::new(Fake::at("2026-01-09"));
    of_day(office.folder.path(), 8);
    office.work();
    of_day(office.folder.path(), 8);
    office.work();
    assert_eq!(office.fake.made(), [""; 0]);
    assert_eq!(office.names("rejected"), [""; 0]);
    let there =
        ["day-08.2.zip", "day-08.zip"].map(|name| [name.into(), format!("{name}.report.json")]);
    assert_eq!(office.names("applied"), there.concat());
    assert!(
        office
            .read("applied/day-08.2.zip.report.json")
            .contains("repeat")
    );
}

#[test]
fn a_delivery_that_cannot_be_accepted_is_rejected_and_those_after_it_wait() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    office.put("day-08.zip", "mutations 2026-01-08 2026-01-09 damaged");
    of_day(office.folder.path(), 9);
    office.put("letter.zip", "dear sir");
    office.work();
    assert_eq!(office.names(""), ["day-09.zip"]);
    let reason = office.read("rejected/day-08.zip.reason.txt");
    for part in [
        "What happened: an element is missing",
        "What it means: ",
        "What to do: ",
    ] {
        assert!(reason.contains(part), "{part:?} in {reason}");
    }
    let reason = office.read("rejected/letter.zip.reason.txt");
    assert!(reason.contains("no whole zip archive"), "{reason}");
    assert_eq!(office.desk.summary().rejected.len(), 2);
    of_day(office.folder.path(), 8);
    office.work();
    assert_eq!(office.fake.made(), ["day-08.zip", "day-09.zip"]);
}

#[test]
fn a_failure_of_the_machine_is_tried_again_with_growing_pauses() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    of_day(office.folder.path(), 8);
    of_day(office.folder.path(), 9);
    office.fake.state().failures = Failures { after: 0, count: 9 };
    let mut pauses = Vec::new();
    while office.fake.made().is_empty() {
        let pause = office.work().expect("it rests for a while");
        assert_eq!(office.names("").len(), 2, "nothing leaves the inbox");
        assert_eq!(office.work(), Some(pause), "no attempt before its time");
        assert!(
            office
                .desk
                .summary()
                .failing
                .join("")
                .contains("no space left")
        );
        pauses.push(pause.as_secs());
        office.pass(pause);
        if pauses.len() == 9 {
            office.work();
        }
    }
    assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
    assert_eq!(office.fake.made(), ["day-08.zip", "day-09.zip"]);
    assert!(office.desk.summary().failing.is_empty());
    assert_eq!(office.names("rejected"), [""; 0]);
}

#[test]
fn a_stand_rebuilds_and_never_takes_the_register_back() {
    let mut office = Office::new(Fake::default());
    of_day(office.folder.path(), 15);
    office.work();
    assert!(
        office
            .desk
            .summary()
            .waiting
            .join("")
            .contains("no register yet")
    );
    office.put("stand.zip", "stand 2026-01-15");
    office.work();
    assert_eq!(office.fake.made(), ["stand.zip", "day-15.zip"]);
    office.put("old.zip", "stand 2026-01-16");
    office.put("older.zip", "stand 2026-01-01");
    of_day(office.folder.path(), 14);
    office.put("next.zip", "stand 2026-01-20");
    office.work();
    assert_eq!(office.fake.made()[2..], ["next.zip"]);
    assert_eq!(office.names("rejected"), [""; 0]);
    for name in ["old.zip", "older.zip", "day-14.zip"] {
        let report = office.read(&format!("applied/{name}.report.json"));
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let (outcome, stand) = (&report["outcome"], &report["stand"]);
        assert_eq!((outcome, stand), (&"repeat".into(), &"2026-01-20".into()));
        let reason = report["reason"].as_str().expect("a reason");
        assert!(reason.contains("stands at 2026-01-20"), "{reason}");
    }
}

#[test]
fn one_that_changes_while_it_is_applied_is_not_rejected() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    office.put("day-08.zip", "mutations 2026-01-08 2026-01-09 damaged");
    office.fake.state().meanwhile = Some(Box::new(|path| {
        fs::write(path, "mutations 2026-01-08 2026-01-09 and damaged").expect("writes");
    }));
    assert_eq!(
        office.desk.process_once(office.now),
        WatchOutcome::Progressed
    );
    assert_eq!(office.names("rejected"), [""; 0]);
    office.put("day-08.zip", "mutations 2026-01-08 2026-01-09");
    office.work();
    assert_eq!(office.fake.made(), ["day-08.zip"]);
}

#[test]
fn a_crash_between_applying_and_moving_is_harmless() {
    let fake = Fake::at("2026-01-08");
    let mut office = Office::new(fake.clone());
    office.put("stand.zip", "stand 2026-01-10");
    // A file where the folder should be: it is built, but cannot be moved.
    let applied = office.folder.path().join("applied");
    fs::remove_dir(&applied).expect("it is empty");
    fs::write(&applied, "").expect("writes");
    assert_eq!(office.work(), Some(DEFER_TIME));
    assert_eq!((fake.made().len(), office.names("").len()), (1, 2));
    let Office { folder, desk, .. } = office;
    drop(desk);
    fs::remove_file(applied).expect("a file");
    let mut after = Office::in_folder(folder, fake.clone());
    after.work();
    assert_eq!(fake.made().len(), 1, "it is a repeat");
    assert_eq!(after.names("applied").len(), 2);
}

#[test]
fn the_figures_tell_what_became_of_each() {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    ::metrics::with_local_recorder(&recorder, || {
        metrics::begin();
        let mut office = Office::new(Fake::at("2026-01-08"));
        for day in [7, 8, 10] {
            of_day(office.folder.path(), day);
        }
        office.put("letter.zip", "dear sir");
        office.fake.state().failures = Failures { after: 0, count: 2 };
        for _ in 0..3 {
            if let Some(pause) = office.work() {
                office.pass(pause);
            }
        }
    });
    let told = figures.render();
    for line in [
        r#"postduif_watch_deliveries_total{outcome="applied"} 1"#,
        r#"postduif_watch_deliveries_total{outcome="repeated"} 1"#,
        r#"postduif_watch_deliveries_total{outcome="rejected"} 1"#,
        "postduif_watch_failures_total 2",
        "postduif_watch_waiting 1",
        // 2026-01-09.
        "postduif_stand_timestamp_seconds 1767916800",
    ] {
        assert!(told.contains(&format!("{line}\n")), "{line:?} in {told}");
    }
    for name in [
        "postduif_watch_last_delivery_seconds",
        "postduif_watch_last_success_timestamp_seconds",
    ] {
        assert!(told.contains(&format!("\n{name} ")), "{name} in {told}");
    }
}
