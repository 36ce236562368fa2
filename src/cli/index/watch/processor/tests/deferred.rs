//! Tests that a deferred file does not delay others, and that a file stays in the inbox if it replaces a delivery that is being
//! processed.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use crate::cli::index::delivery_indexer::DeliveryErrorKind;
use crate::cli::index::watch::processor::tests::*;

impl TestSetup {
    /// Puts a file in place of an archive folder, so that no file can be moved there.
    fn block(&self, folder: &str) -> std::path::PathBuf {
        let path = self.folder.path().join(folder);
        fs::remove_dir(&path).expect("the folder is empty");
        fs::write(&path, "").expect("writes");
        path
    }

    fn failing(&self) -> String {
        self.processor.summary().failing.join("\n")
    }
}

#[test]
fn a_stand_that_cannot_be_built_now_does_not_delay_mutations() {
    #[track_caller]
    fn case(kind: DeliveryErrorKind) {
        let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
        setup.fake.state().unbuildable = Some(kind);
        setup.put("stand.zip", "stand 2026-01-20");
        write_mutations(setup.folder.path(), 8);
        assert_eq!(setup.work(), Some(DEFER_TIME));
        assert_eq!(setup.fake.applied(), ["day-08.zip"]);
        assert!(setup.failing().contains("stand.zip: "), "{kind:?}");
        assert!(setup.failing().contains("--po-boxes"), "{kind:?}");
        write_mutations(setup.folder.path(), 9);
        setup.advance(DEFER_TIME / 2);
        assert_eq!(setup.work(), Some(DEFER_TIME / 2));
        assert_eq!(setup.fake.applied(), ["day-08.zip", "day-09.zip"]);
        setup.advance(DEFER_TIME / 2);
        assert_eq!(setup.work(), Some(DEFER_TIME), "retried, and fails again");
        setup.fake.state().unbuildable = None;
        setup.advance(DEFER_TIME);
        assert_eq!(setup.work(), None);
        assert_eq!(setup.fake.applied().last().expect("three"), "stand.zip");
        assert_eq!((setup.failing(), setup.names("")), ("".into(), vec![]));
    }
    case(DeliveryErrorKind::Settings);
    case(DeliveryErrorKind::Transient);
}

#[test]
fn a_stand_is_retried_at_once_if_the_file_is_replaced() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    setup.fake.state().unbuildable = Some(DeliveryErrorKind::Transient);
    setup.put("stand.zip", "stand 2026-01-20");
    setup.work();
    setup.fake.state().unbuildable = None;
    setup.work();
    assert_eq!(setup.fake.applied(), [""; 0], "the stand is deferred");
    setup.put("stand.zip", "stand 2026-01-20 again");
    setup.work();
    assert_eq!(setup.fake.applied(), ["stand.zip"]);
}

#[test]
fn a_file_that_cannot_be_moved_does_not_delay_others() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    let rejected = setup.block("rejected");
    let applied = setup.block("applied");
    setup.put("a-letter.zip", "dear sir");
    for day in [8, 9] {
        write_mutations(setup.folder.path(), day);
    }
    assert_eq!(setup.work(), Some(DEFER_TIME));
    assert_eq!(setup.fake.applied(), ["day-08.zip", "day-09.zip"]);
    for name in ["a-letter.zip", "day-08.zip", "day-09.zip"] {
        assert!(setup.failing().contains(name), "{}", setup.failing());
    }
    assert!(setup.failing().contains("cannot move the delivery"));
    assert_eq!(
        setup.names("").len(),
        5,
        "three deliveries and two blocking files"
    );
    fs::remove_file(rejected).expect("removes");
    fs::remove_file(applied).expect("removes");
    setup.advance(DEFER_TIME);
    assert_eq!(setup.work(), None);
    assert_eq!(setup.names("applied").len(), 4);
    assert_eq!(setup.names("rejected").len(), 2);
    assert_eq!(
        setup.fake.applied().len(),
        2,
        "no delivery is applied twice"
    );
}

#[test]
fn a_file_that_replaces_a_processed_delivery_stays_in_the_inbox() {
    #[track_caller]
    fn case(first: &str, outcome: &str) {
        let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
        setup.put("today.zip", first);
        setup.fake.state().during_apply = Some(Box::new(|path| {
            let fetched = path.with_extension("part");
            fs::write(&fetched, "mutations 2026-01-09 2026-01-10").expect("writes");
            fs::rename(fetched, path).expect("renames");
        }));
        assert_eq!(
            setup.processor.process_once(setup.now),
            WatchOutcome::Progressed
        );
        assert_eq!(setup.names(""), ["today.zip"], "{outcome}");
        assert_eq!(setup.names("applied"), [""; 0]);
        assert_eq!(setup.names("rejected"), [""; 0]);
        write_mutations(setup.folder.path(), 8);
        setup.work();
        assert_eq!(setup.fake.applied().last().expect("some"), "today.zip");
        assert!(setup.names("applied").contains(&"today.zip".into()));
    }
    case("mutations 2026-01-08 2026-01-09", "applied");
    case("mutations 2026-01-08 2026-01-09 damaged", "rejected");
}

#[test]
fn a_link_is_rejected_and_a_folder_is_ignored() {
    let mut setup = TestSetup::new(FakeIndexer::with_register_at("2026-01-08"));
    let elsewhere = setup.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    let delivery = write_mutations(&elsewhere, 8);
    symlink(&delivery, setup.folder.path().join("link.zip")).expect("links");
    symlink("nowhere", setup.folder.path().join("dangling.zip")).expect("links");
    let socket = setup.folder.path().join("socket.zip");
    let _listener = UnixListener::bind(socket).expect("binds");
    fs::create_dir(setup.folder.path().join("folder.zip")).expect("a folder");
    assert_eq!(setup.work(), None);
    assert_eq!(setup.fake.applied(), [""; 0]);
    for (name, kind) in [
        ("link.zip", "a symbolic link, not a file"),
        ("dangling.zip", "a symbolic link, not a file"),
        ("socket.zip", "a pipe, a socket or a device, not a file"),
    ] {
        let reason = setup.read(&format!("rejected/{name}.reason.txt"));
        assert!(reason.contains(kind), "{reason}");
        assert!(
            reason.contains("put the delivery itself into the inbox"),
            "{reason}"
        );
        assert!(!reason.contains(".part"), "{reason}");
    }
    assert!(delivery.is_file() && setup.folder.path().join("folder.zip").is_dir());
    let link = setup.folder.path().join("rejected/link.zip");
    assert!(link.is_symlink());
}

#[test]
fn a_damaged_delivery_is_deferred_before_it_is_rejected() {
    const REJECT_AFTER: Duration = Duration::from_mins(5);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut setup = TestSetup::with_reject_after(
        folder,
        FakeIndexer::with_register_at("2026-01-08"),
        REJECT_AFTER,
    );
    setup.put("day-08.zip", "mutations 2026-01-08 2026-01-09 torn");
    assert_eq!(setup.work(), Some(REJECT_AFTER));
    assert!(setup.failing().contains("checksum"), "the delivery stays");
    setup.advance(REJECT_AFTER / 2);
    setup.put("day-08.zip", "mutations 2026-01-08 2026-01-09");
    setup.work();
    assert_eq!(setup.fake.applied(), ["day-08.zip"]);

    setup.put("stand.zip", "stand 2026-01-20 torn");
    write_mutations(setup.folder.path(), 9);
    assert_eq!(setup.work(), Some(REJECT_AFTER));
    assert_eq!(setup.fake.applied(), ["day-08.zip", "day-09.zip"]);
    setup.advance(REJECT_AFTER);
    assert_eq!(setup.work(), None);
    let reason = setup.read("rejected/stand.zip.reason.txt");
    assert!(reason.contains("checksum"), "{reason}");
}
