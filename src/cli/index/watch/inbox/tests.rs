//! When a file in the inbox counts as whole.

use std::time::SystemTime;

use crate::cli::index::delivery_indexer::DeliveryIndexer as _;
use crate::cli::index::delivery_indexer::fake::{Fake, of_day};
use crate::cli::index::watch::inbox::*;

const SETTLE: Duration = Duration::from_secs(2);
const GIVE_UP: Duration = Duration::from_secs(300);

struct Watched {
    folder: tempfile::TempDir,
    inbox: Inbox,
    began: Instant,
}

impl Watched {
    fn new(by_clock: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let patience = SettleTimes {
            settle: SETTLE,
            reject_after: GIVE_UP,
            use_file_times: by_clock,
        };
        let inbox = Inbox::open(folder.path(), patience).expect("a folder");
        Self {
            folder,
            inbox,
            began: Instant::now(),
        }
    }

    /// A look so many seconds after the start.
    fn look(&mut self, seconds: u64) -> InboxListing {
        let now = self.began + Duration::from_secs(seconds);
        let listing = self.inbox.scan(now, &|path| Fake::default().describe(path));
        listing.expect("readable")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("writes");
        self.set_modified(name, SystemTime::now() + Duration::from_secs(3_600));
    }

    /// The delivery of a day, with a time of writing that lies ahead: so it does not settle by the machine's clock while a test
    /// is held up.
    fn put_day(&self, day: u32) {
        let path = of_day(self.folder.path(), day);
        let name = path.file_name().and_then(OsStr::to_str);
        let ahead = SystemTime::now() + Duration::from_secs(3_600);
        self.set_modified(name.expect("UTF-8"), ahead);
    }

    fn set_modified(&self, name: &str, time: SystemTime) {
        let path = self.folder.path().join(name);
        let file = fs::File::options().append(true).open(path);
        let set = file.expect("is there").set_modified(time);
        set.expect("the clock may be set");
    }
}

fn names(whole: &[ReadyFile]) -> Vec<&str> {
    whole
        .iter()
        .map(|whole| whole.name.to_str().expect("UTF-8"))
        .collect()
}

#[test]
fn a_file_is_taken_when_it_has_settled() {
    let mut watched = Watched::new(false);
    watched.put_day(8);
    let first = watched.look(0);
    assert_eq!((first.ready.len(), first.settling), (0, 1));
    assert!(first.rescan_in.is_some_and(|again| again <= SETTLE));
    watched.write("day-08.zip", "mutations 2026-01-08 2026-01-09 longer");
    assert_eq!(watched.look(2).settling, 1, "it has changed");
    assert_eq!(watched.look(3).settling, 1);
    assert_eq!(names(&watched.look(4).ready), ["day-08.zip"]);
}

#[test]
fn a_file_that_was_written_long_before_it_came_needs_not_settle() {
    let mut watched = Watched::new(false);
    watched.put_day(8);
    watched.set_modified("day-08.zip", SystemTime::now() - 2 * SETTLE);
    assert_eq!(names(&watched.look(0).ready), ["day-08.zip"]);
}

#[test]
fn what_programs_write_under_another_name_is_left_alone() {
    let mut watched = Watched::new(false);
    for name in [
        ".day.zip",
        "day.zip.part",
        "day.zip.tmp",
        "day.zip~",
        "~day.zip",
        "day.txt",
        "zip",
    ] {
        watched.write(name, "mutations 2026-01-08 2026-01-09");
    }
    fs::create_dir(watched.folder.path().join("folder.zip")).expect("a folder");
    watched.write("DAY.ZIP", "mutations 2026-01-08 2026-01-09");
    watched.look(0);
    let listing = watched.look(2);
    assert_eq!(names(&listing.ready), ["DAY.ZIP"]);
    assert_eq!((listing.incomplete.len(), listing.settling), (0, 0));
}

#[test]
fn a_slow_copy_is_never_given_up() {
    let mut watched = Watched::new(false);
    let mut copied = String::new();
    watched.look(0);
    for minute in 0..20 {
        copied.push('x');
        watched.write("day.zip", &copied);
        for second in [0, 59] {
            let listing = watched.look(minute * 60 + second);
            assert!(listing.rejected.is_empty(), "in minute {minute}");
        }
    }
    watched.write("day.zip", "stand 2026-01-08");
    watched.look(20 * 60);
    assert_eq!(names(&watched.look(20 * 60 + 2).ready), ["day.zip"]);
}

#[test]
fn what_does_not_open_is_given_up_when_it_was_left_alone_for_long() {
    let mut watched = Watched::new(false);
    watched.write("day.zip", "half a deliv");
    watched.look(0);
    let doubtful = watched.look(100);
    assert_eq!((doubtful.incomplete.len(), doubtful.rejected.len()), (1, 0));
    assert_eq!(doubtful.rescan_in, Some(Duration::from_secs(200)));
    assert_eq!(watched.look(300).rejected.len(), 1);
}

#[test]
fn a_process_that_lives_shortly_goes_by_the_clock() {
    let mut watched = Watched::new(true);
    watched.write("day.zip", "half a deliv");
    watched.look(0);
    // It was written just now by any clock.
    assert_eq!(watched.look(2).incomplete.len(), 1);
    let seen = watched.inbox.stamp(OsStr::new("day.zip"));
    let seen = seen.expect("it was seen");
    let stamp = |age: u64| {
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = since_epoch.expect("a clock").as_secs().saturating_sub(age);
        let at = (i64::try_from(seconds).expect("a time"), 0);
        InboxFileStamp {
            modified: at,
            changed: at,
            ..seen
        }
    };
    let patience = watched.inbox.settle_times;
    assert!(patience.file_age(stamp(1_000)) >= Duration::from_secs(900));
    let by_looks = SettleTimes {
        use_file_times: false,
        ..patience
    };
    assert_eq!(by_looks.file_age(stamp(1_000)), Duration::ZERO);
}

#[test]
fn only_what_was_seen_is_taken() {
    let mut watched = Watched::new(false);
    for name in ["day.zip", "other.zip"] {
        watched.write(name, "mutations 2026-01-08 2026-01-09");
    }
    watched.look(0);
    let inbox = &watched.inbox;
    let stamp = |name: &str| inbox.stamp(OsStr::new(name)).expect("it was seen");
    let (day, other) = (OsStr::new("day.zip"), OsStr::new("other.zip"));
    let nothing = inbox.stage(other, stamp("day.zip")).expect("readable");
    assert_eq!(nothing, None, "it is another file");
    assert!(inbox.file_path(other).is_file());
    let taken = inbox.stage(day, stamp("day.zip")).expect("writable");
    let taken = taken.expect("it is the one");
    assert!(!inbox.file_path(day).exists() && taken.is_file());
    assert_eq!(inbox.stage(day, stamp("day.zip")).expect("readable"), None);
    // One that took its name meanwhile keeps it.
    watched.write("day.zip", "another");
    watched.inbox.put_back(&taken).expect("writable");
    let read = |name: &str| fs::read_to_string(watched.inbox.file_path(OsStr::new(name)));
    assert_eq!(read("day.zip").expect("a file"), "another");
    assert!(read("day.2.zip").expect("a file").starts_with("mutations"));
    assert!(!taken.exists());
}

#[test]
fn what_a_crash_left_in_the_middle_of_a_move_is_put_back() {
    let mut watched = Watched::new(false);
    of_day(watched.folder.path(), 8);
    watched.look(0);
    let name = OsStr::new("day-08.zip");
    let stamp = watched.inbox.stamp(name).expect("it was seen");
    let taken = watched.inbox.stage(name, stamp).expect("writable");
    assert!(taken.is_some_and(|taken| taken.is_file()));
    let Watched { folder, inbox, .. } = watched;
    let patience = inbox.settle_times;
    drop(inbox);
    Inbox::open(folder.path(), patience).expect("a folder");
    assert!(folder.path().join(name).is_file());
}

#[test]
fn one_process_watches_at_a_time() {
    let watched = Watched::new(false);
    let patience = watched.inbox.settle_times;
    let second = Inbox::open(watched.folder.path(), patience);
    let error = second.err().expect("it is watched").to_string();
    assert!(error.contains("another postduif index watch"), "{error}");
    let nowhere = Inbox::open(&watched.folder.path().join("no"), patience);
    assert!(nowhere.is_err());
}
