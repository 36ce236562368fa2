//! What is put off keeps no other from its turn; what was replaced meanwhile stays.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use crate::cli::index::delivery_indexer::DeliveryErrorKind;
use crate::cli::index::watch::processor::tests::*;

impl Office {
    /// A file where a shelf should be: nothing can be moved there.
    fn block(&self, shelf: &str) -> std::path::PathBuf {
        let shelf = self.folder.path().join(shelf);
        fs::remove_dir(&shelf).expect("it is empty");
        fs::write(&shelf, "").expect("writes");
        shelf
    }

    fn failing(&self) -> String {
        self.desk.summary().failing.join("\n")
    }
}

#[test]
fn a_stand_that_cannot_be_built_now_does_not_keep_the_dailies_from_their_turn() {
    #[track_caller]
    fn case(cause: DeliveryErrorKind) {
        let mut office = Office::new(Fake::at("2026-01-08"));
        office.fake.state().unbuildable = Some(cause);
        office.put("stand.zip", "stand 2026-01-20");
        of_day(office.folder.path(), 8);
        assert_eq!(office.work(), Some(DEFER_TIME));
        assert_eq!(office.fake.made(), ["day-08.zip"]);
        assert!(office.failing().contains("stand.zip: "), "{cause:?}");
        assert!(office.failing().contains("--po-boxes"), "{cause:?}");
        of_day(office.folder.path(), 9);
        office.pass(DEFER_TIME / 2);
        assert_eq!(office.work(), Some(DEFER_TIME / 2));
        assert_eq!(office.fake.made(), ["day-08.zip", "day-09.zip"]);
        office.pass(DEFER_TIME / 2);
        assert_eq!(office.work(), Some(DEFER_TIME), "tried again, in vain");
        office.fake.state().unbuildable = None;
        office.pass(DEFER_TIME);
        assert_eq!(office.work(), None);
        assert_eq!(office.fake.made().last().expect("three"), "stand.zip");
        assert_eq!((office.failing(), office.names("")), ("".into(), vec![]));
    }
    case(DeliveryErrorKind::Settings);
    case(DeliveryErrorKind::Transient);
}

#[test]
fn a_stand_is_tried_at_once_when_another_takes_its_name() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    office.fake.state().unbuildable = Some(DeliveryErrorKind::Transient);
    office.put("stand.zip", "stand 2026-01-20");
    office.work();
    office.fake.state().unbuildable = None;
    office.work();
    assert_eq!(office.fake.made(), [""; 0], "it is put off");
    office.put("stand.zip", "stand 2026-01-20 again");
    office.work();
    assert_eq!(office.fake.made(), ["stand.zip"]);
}

#[test]
fn what_cannot_be_moved_keeps_no_other_from_its_turn() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    let rejected = office.block("rejected");
    let applied = office.block("applied");
    office.put("a-letter.zip", "dear sir");
    for day in [8, 9] {
        of_day(office.folder.path(), day);
    }
    assert_eq!(office.work(), Some(DEFER_TIME));
    assert_eq!(office.fake.made(), ["day-08.zip", "day-09.zip"]);
    for name in ["a-letter.zip", "day-08.zip", "day-09.zip"] {
        assert!(office.failing().contains(name), "{}", office.failing());
    }
    assert!(office.failing().contains("could not be moved"));
    assert_eq!(office.names("").len(), 5, "with what is in the way");
    fs::remove_file(rejected).expect("removes");
    fs::remove_file(applied).expect("removes");
    office.pass(DEFER_TIME);
    assert_eq!(office.work(), None);
    assert_eq!(office.names("applied").len(), 4);
    assert_eq!(office.names("rejected").len(), 2);
    assert_eq!(office.fake.made().len(), 2, "none is applied twice");
}

#[test]
fn one_that_takes_the_name_of_another_is_not_moved_in_its_place() {
    #[track_caller]
    fn case(first: &str, gone: &str) {
        let mut office = Office::new(Fake::at("2026-01-08"));
        office.put("today.zip", first);
        office.fake.state().meanwhile = Some(Box::new(|path| {
            let fetched = path.with_extension("part");
            fs::write(&fetched, "mutations 2026-01-09 2026-01-10").expect("writes");
            fs::rename(fetched, path).expect("renames");
        }));
        assert_eq!(
            office.desk.process_once(office.now),
            WatchOutcome::Progressed
        );
        assert_eq!(office.names(""), ["today.zip"], "{gone}");
        assert_eq!(office.names("applied"), [""; 0]);
        assert_eq!(office.names("rejected"), [""; 0]);
        of_day(office.folder.path(), 8);
        office.work();
        assert_eq!(office.fake.made().last().expect("some"), "today.zip");
        assert!(office.names("applied").contains(&"today.zip".into()));
    }
    case("mutations 2026-01-08 2026-01-09", "applied");
    case("mutations 2026-01-08 2026-01-09 damaged", "rejected");
}

#[test]
fn a_link_is_rejected_and_a_folder_is_left_alone() {
    let mut office = Office::new(Fake::at("2026-01-08"));
    let aside = office.folder.path().join("aside");
    fs::create_dir(&aside).expect("a folder");
    let delivery = of_day(&aside, 8);
    symlink(&delivery, office.folder.path().join("link.zip")).expect("links");
    symlink("nowhere", office.folder.path().join("dangling.zip")).expect("links");
    let socket = office.folder.path().join("socket.zip");
    let _listener = UnixListener::bind(socket).expect("binds");
    fs::create_dir(office.folder.path().join("folder.zip")).expect("a folder");
    assert_eq!(office.work(), None);
    assert_eq!(office.fake.made(), [""; 0]);
    for (name, kind) in [
        ("link.zip", "a symbolic link, not a file"),
        ("dangling.zip", "a symbolic link, not a file"),
        ("socket.zip", "a pipe, a socket or a device, not a file"),
    ] {
        let reason = office.read(&format!("rejected/{name}.reason.txt"));
        assert!(reason.contains(kind), "{reason}");
    }
    assert!(delivery.is_file() && office.folder.path().join("folder.zip").is_dir());
    let link = office.folder.path().join("rejected/link.zip");
    assert!(link.is_symlink());
}

#[test]
fn one_that_proves_damaged_is_given_its_time() {
    const GIVE_UP: Duration = Duration::from_mins(5);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut office = Office::patient(folder, Fake::at("2026-01-08"), GIVE_UP);
    office.put("day-08.zip", "mutations 2026-01-08 2026-01-09 torn");
    assert_eq!(office.work(), Some(GIVE_UP));
    assert!(office.failing().contains("checksum"), "it stays");
    office.pass(GIVE_UP / 2);
    office.put("day-08.zip", "mutations 2026-01-08 2026-01-09");
    office.work();
    assert_eq!(office.fake.made(), ["day-08.zip"]);

    office.put("stand.zip", "stand 2026-01-20 torn");
    of_day(office.folder.path(), 9);
    assert_eq!(office.work(), Some(GIVE_UP));
    assert_eq!(office.fake.made(), ["day-08.zip", "day-09.zip"]);
    office.pass(GIVE_UP);
    assert_eq!(office.work(), None);
    let reason = office.read("rejected/stand.zip.reason.txt");
    assert!(reason.contains("checksum"), "{reason}");
}
