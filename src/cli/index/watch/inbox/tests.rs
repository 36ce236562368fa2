//! Tests when a file in the inbox is opened and when it is rejected.

use std::time::SystemTime;

use jiff::civil::date;

use crate::cli::index::delivery_indexer::DeliveryIndexer as _;
use crate::cli::index::delivery_indexer::fake::{FakeIndexer, write_mutations};
use crate::cli::index::watch::inbox::*;

const SETTLE: Duration = Duration::from_secs(2);
const REJECT_AFTER: Duration = Duration::from_secs(300);

struct WatchedInbox {
    folder: tempfile::TempDir,
    inbox: Inbox,
    started: Instant,
}

impl WatchedInbox {
    fn new(use_file_times: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settle_times = SettleTimes {
            settle: SETTLE,
            reject_after: REJECT_AFTER,
            use_file_times,
        };
        let inbox = Inbox::open(folder.path(), settle_times).expect("a folder");
        Self {
            folder,
            inbox,
            started: Instant::now(),
        }
    }

    /// Scans the inbox at `seconds` after the start.
    fn scan(&mut self, seconds: u64) {
        let now = self.now(seconds);
        let scanned = self
            .inbox
            .scan(now, &|path| FakeIndexer::default().describe(path));
        scanned.expect("readable");
    }

    fn now(&self, seconds: u64) -> Instant {
        self.started + Duration::from_secs(seconds)
    }

    /// The numbers of files that are ready, settling, deferred with a reason, and rejected.
    fn counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for (_, state) in self.inbox.states() {
            let index = match state {
                FileState::Ready => 0,
                FileState::Deferred { reason: None, .. } => 1,
                FileState::Deferred { .. } => 2,
                FileState::Rejected(_) => 3,
                FileState::Early { .. } | FileState::Failing(_) => panic!("not set by a scan"),
            };
            counts[index] += 1;
        }
        counts
    }

    fn ready(&self) -> Vec<&str> {
        let names = self.inbox.candidates().map(|(name, _, _)| name);
        names.map(|name| name.to_str().expect("UTF-8")).collect()
    }

    fn stamp(&self, name: &str) -> InboxFileStamp {
        self.inbox.files[OsStr::new(name)].stamp
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("writes");
        self.set_modified(name, SystemTime::now() + Duration::from_secs(3_600));
    }

    /// Writes the delivery of a day. Sets a modification time in the future. Otherwise the file could be old enough to be opened if
    /// the test is slow.
    fn put_day(&self, day: u32) {
        let path = write_mutations(self.folder.path(), day);
        let name = path.file_name().and_then(OsStr::to_str);
        let ahead = SystemTime::now() + Duration::from_secs(3_600);
        self.set_modified(name.expect("UTF-8"), ahead);
    }

    fn set_modified(&self, name: &str, time: SystemTime) {
        let path = self.folder.path().join(name);
        let file = fs::File::options().append(true).open(path);
        let set = file.expect("the file exists").set_modified(time);
        set.expect("the modification time can be set");
    }
}

#[test]
fn a_file_is_opened_after_it_has_settled() {
    let mut watched = WatchedInbox::new(false);
    watched.put_day(8);
    watched.scan(0);
    assert_eq!(watched.counts(), [0, 1, 0, 0]);
    let next = watched.inbox.time_to_next(watched.now(0));
    assert!(next.is_some_and(|next| next <= SETTLE));
    watched.write("day-08.zip", "mutations 2026-01-08 2026-01-09 longer");
    watched.scan(2);
    assert_eq!(watched.counts(), [0, 1, 0, 0], "the file has changed");
    watched.scan(3);
    assert_eq!(watched.counts(), [0, 1, 0, 0]);
    watched.scan(4);
    assert_eq!(watched.ready(), ["day-08.zip"]);
}

#[test]
fn a_file_written_before_it_was_moved_to_the_inbox_need_not_settle() {
    let mut watched = WatchedInbox::new(false);
    watched.put_day(8);
    watched.set_modified("day-08.zip", SystemTime::now() - 2 * SETTLE);
    watched.scan(0);
    assert_eq!(watched.ready(), ["day-08.zip"]);
}

#[test]
fn names_of_unfinished_files_and_folders_are_ignored() {
    let mut watched = WatchedInbox::new(false);
    for name in [
        ".day.zip", "day.zip.part", "day.zip.tmp", "day.zip~", "~day.zip", "day.txt", "zip",
    ] {
        watched.write(name, "mutations 2026-01-08 2026-01-09");
    }
    fs::create_dir(watched.folder.path().join("folder.zip")).expect("a folder");
    watched.write("DAY.ZIP", "mutations 2026-01-08 2026-01-09");
    watched.scan(0);
    watched.scan(2);
    assert_eq!(watched.ready(), ["DAY.ZIP"]);
    assert_eq!(watched.counts(), [1, 0, 0, 0]);
}

#[test]
fn a_file_that_keeps_changing_is_never_rejected() {
    let mut watched = WatchedInbox::new(false);
    let mut copied = String::new();
    watched.scan(0);
    for minute in 0..20 {
        copied.push('x');
        watched.write("day.zip", &copied);
        for second in [0, 59] {
            watched.scan(minute * 60 + second);
            assert_eq!(watched.counts()[3], 0, "in minute {minute}");
        }
    }
    watched.write("day.zip", "stand 2026-01-08");
    watched.scan(20 * 60);
    watched.scan(20 * 60 + 2);
    assert_eq!(watched.ready(), ["day.zip"]);
}

#[test]
fn a_file_that_does_not_open_is_rejected_if_it_stays_unchanged() {
    let mut watched = WatchedInbox::new(false);
    watched.write("day.zip", "half a deliv");
    watched.scan(0);
    watched.scan(100);
    assert_eq!(watched.counts(), [0, 0, 1, 0]);
    let next = watched.inbox.time_to_next(watched.now(100));
    assert_eq!(next, Some(Duration::from_secs(200)));
    watched.scan(300);
    assert_eq!(watched.counts(), [0, 0, 0, 1]);
}

#[test]
fn a_short_process_uses_the_times_of_the_file_system() {
    let mut watched = WatchedInbox::new(true);
    watched.write("day.zip", "half a deliv");
    watched.scan(0);
    watched.scan(2);
    assert_eq!(
        watched.counts(),
        [0, 0, 1, 0],
        "the file was written just now"
    );
    let stamp = watched.stamp("day.zip");
    let aged_stamp = |age: u64| {
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = since_epoch.expect("a clock").as_secs().saturating_sub(age);
        let at = (i64::try_from(seconds).expect("a time"), 0);
        let mut aged = stamp;
        (aged.modified, aged.changed) = (at, at);
        aged
    };
    let by_file_times = watched.inbox.settle_times;
    assert!(by_file_times.file_age(aged_stamp(1_000)) >= Duration::from_secs(900));
    let by_scans = SettleTimes {
        use_file_times: false,
        ..by_file_times
    };
    assert_eq!(by_scans.file_age(aged_stamp(1_000)), Duration::ZERO);
}

#[test]
fn a_reason_is_logged_once_across_changes_of_the_file() {
    let mut watched = WatchedInbox::new(false);
    let unlogged = |watched: &mut WatchedInbox| watched.inbox.take_unlogged_reasons().count();
    watched.write("day.zip", "half a deliv");
    watched.scan(0);
    assert_eq!(unlogged(&mut watched), 0, "the file is settling");
    watched.scan(2);
    assert_eq!(unlogged(&mut watched), 1);
    watched.write("day.zip", "half a delivery");
    watched.scan(3);
    watched.scan(5);
    assert_eq!(watched.counts(), [0, 0, 1, 0]);
    assert_eq!(unlogged(&mut watched), 0);
}

#[test]
fn a_file_that_was_moved_and_put_back_stays_deferred() {
    let mut watched = WatchedInbox::new(false);
    watched.put_day(8);
    let name = OsStr::new("day-08.zip");
    watched.scan(0);
    let deferred = || FileState::Deferred {
        until: Instant::now() + Duration::from_hours(1),
        reason: Some("the file could not be moved".into()),
    };
    watched.inbox.set_state(name, deferred());
    let stamp = watched.stamp("day-08.zip");
    let staged = staging::stage(watched.folder.path(), name, stamp).expect("writable");
    staging::put_back(watched.folder.path(), &staged.expect("the same file")).expect("writable");
    watched.scan(10);
    assert_ne!(watched.stamp("day-08.zip"), stamp);
    assert_eq!(watched.counts(), [0, 0, 1, 0]);
    watched.write("day-08.zip", "stand 2026-01-08");
    watched.scan(20);
    assert_eq!(watched.counts(), [0, 1, 0, 0], "another file");
}

#[test]
fn an_early_file_that_changes_is_read_again() {
    let mut watched = WatchedInbox::new(false);
    watched.put_day(8);
    watched.scan(0);
    watched.scan(2);
    let early = FileState::Early {
        stand: Some(date(2026, 1, 7)),
        reason: "a day is missing".into(),
    };
    watched.inbox.set_state(OsStr::new("day-08.zip"), early);
    watched.write("day-08.zip", "mutations 2026-01-07 2026-01-08 longer");
    watched.scan(3);
    assert_eq!(watched.counts(), [0, 1, 0, 0]);
}

#[test]
fn a_file_that_was_replaced_after_the_scan_is_not_staged() {
    let mut watched = WatchedInbox::new(false);
    for name in ["day.zip", "other.zip"] {
        watched.write(name, "mutations 2026-01-08 2026-01-09");
    }
    watched.scan(0);
    let (inbox, folder) = (&watched.inbox, watched.folder.path());
    let stamp = watched.stamp("day.zip");
    let (day, other) = (OsStr::new("day.zip"), OsStr::new("other.zip"));
    let staged = staging::stage(folder, other, stamp).expect("readable");
    assert_eq!(staged, None, "the name belongs to another file");
    assert!(inbox.file_path(other).is_file());
    let staged = staging::stage(folder, day, stamp).expect("writable");
    let staged = staged.expect("the same file");
    assert!(!inbox.file_path(day).exists() && staged.is_file());
    let again = staging::stage(folder, day, stamp).expect("readable");
    assert_eq!(again, None);
    // If another file has taken the name meanwhile, it keeps the name.
    watched.write("day.zip", "another");
    staging::put_back(folder, &staged).expect("writable");
    let read = |name: &str| fs::read_to_string(watched.inbox.file_path(OsStr::new(name)));
    assert_eq!(read("day.zip").expect("a file"), "another");
    assert!(read("day.2.zip").expect("a file").starts_with("mutations"));
    assert!(!staged.exists());
}

#[test]
fn a_file_of_an_interrupted_move_is_put_back() {
    let mut watched = WatchedInbox::new(false);
    write_mutations(watched.folder.path(), 8);
    watched.scan(0);
    let name = OsStr::new("day-08.zip");
    let stamp = watched.stamp("day-08.zip");
    let staged = staging::stage(watched.folder.path(), name, stamp).expect("writable");
    assert!(staged.is_some_and(|staged| staged.is_file()));
    let WatchedInbox { folder, inbox, .. } = watched;
    let settle_times = inbox.settle_times;
    drop(inbox);
    Inbox::open(folder.path(), settle_times).expect("a folder");
    assert!(folder.path().join(name).is_file());
}

#[test]
fn two_processes_cannot_watch_one_inbox() {
    let watched = WatchedInbox::new(false);
    let settle_times = watched.inbox.settle_times;
    let second = Inbox::open(watched.folder.path(), settle_times);
    let Err(CommandError::Failed(error)) = second else {
        panic!("a retry after the first process has ended succeeds");
    };
    let error = error.to_string();
    assert!(error.contains("another postduif index watch"), "{error}");
    let missing = Inbox::open(&watched.folder.path().join("no"), settle_times);
    assert!(matches!(missing, Err(CommandError::Refused(_))));
}
