//! Accounts are put back while others are at work: a service that runs or starts, another restore, remains of earlier ones.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::copies::{PATH, back_up, files, text, village_folder};
use crate::chance::tries;
use crate::process::{Service, open_account, postduif, until};
use crate::scratch;

fn restoring(data: &Path, from: &Path, more: &[&str]) -> Command {
    let mut command = postduif();
    command
        .args(["accounts", "restore", "--data", text(data)])
        .args(["--from", text(from)])
        .args(more);
    command
}

fn restore(data: &Path, from: &Path, more: &[&str]) -> Output {
    restoring(data, from, more).output().expect("it runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// A folder whose accounts were backed up, and then one more was opened; the key of each.
fn backed_up() -> (TempDir, PathBuf, [String; 2]) {
    let folder = village_folder();
    let [first, _] = open_account(folder.path());
    let copy = folder.path().join("back-up.db");
    back_up(folder.path(), &copy);
    let [second, _] = open_account(folder.path());
    (folder, copy, [first, second])
}

#[test]
fn a_damaged_ledger_that_a_service_works_with_stays_in_its_place() {
    let (folder, copy, [key, _]) = backed_up();
    let file = folder.path().join("accounts.db");
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
    let length = file.metadata().expect("a file").len();
    let rubbish = "dear sir ".repeat(usize::try_from(length).expect("small") / 9 + 1);
    fs::write(&file, &rubbish[..]).expect("writes");
    let which = || file.metadata().expect("a file").ino();
    let before = which();
    let refused = restore(folder.path(), &copy, &["--replace"]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(
        said(&refused).contains("stop the service"),
        "{}",
        said(&refused)
    );
    assert_eq!(which(), before);
    assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
    service.kill();

    let without = restore(folder.path(), &copy, &[]);
    assert_eq!(without.status.code(), Some(2));
    assert!(said(&without).contains("does not read as accounts"));
    let done = restore(folder.path(), &copy, &["--replace"]);
    assert!(done.status.success(), "{}", said(&done));
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
}

#[test]
fn a_service_that_starts_meanwhile_begins_with_what_is_put_back() {
    let (folder, copy, [first, second]) = backed_up();
    let file = folder.path().join("accounts.db");
    // What a restore holds from its look at the ledger to the last rename.
    let alone = File::open(folder.path()).expect("a folder");
    alone.try_lock().expect("nobody is there");
    let service = Service::start(folder.path(), &[]);
    // The lock is on the folder, which it has open to wait for it, five seconds at most.
    until("the service waits", || has_open(&service, folder.path()));
    fs::rename(&file, folder.path().join("aside")).expect("renames");
    fs::copy(&copy, &file).expect("copies");
    drop(alone);
    let status = |key: &str| service.get("live", PATH, Some(key)).status;
    until("the service is open", || status(&first) == 200);
    assert_eq!(status(&second), 401);
}

/// Whether a process has a file or folder open. Source: proc(5), `fd`.
fn has_open(service: &Service, path: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{}/fd", service.id())).expect("Linux tells");
    // One that is being closed has no name any more.
    open.flatten()
        .any(|entry| fs::read_link(entry.path()).is_ok_and(|link| link == path))
}

#[test]
fn of_restores_at_once_one_puts_its_accounts_in_place() {
    let (folder, copy, _) = backed_up();
    for round in 0..tries(4) {
        let fresh = scratch::folder();
        let start = || {
            let mut command = restoring(fresh.path(), &copy, &[]);
            let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            piped.spawn().expect("it runs")
        };
        let children = [start(), start(), start()];
        let outputs = children.map(|child| child.wait_with_output().expect("a child"));
        let codes = outputs.each_ref().map(|output| output.status.code());
        let done = codes.iter().filter(|code| **code == Some(0)).count();
        let told = outputs.each_ref().map(said);
        assert_eq!(done, 1, "round {round}: {told:?}");
        assert!(
            codes.iter().all(|code| matches!(code, Some(0 | 2))),
            "{told:?}"
        );
        assert_eq!(files(fresh.path()), ["accounts.db"], "{told:?}");
    }
    drop(folder);
}

#[test]
fn several_are_put_aside_within_a_second_and_an_empty_file_is_nothing() {
    let (_folder, copy, _) = backed_up();
    let fresh = scratch::folder();
    fs::write(fresh.path().join("accounts.db"), "").expect("writes");
    let first = restore(fresh.path(), &copy, &[]);
    assert!(first.status.success(), "{}", said(&first));
    assert_eq!(files(fresh.path()), ["accounts.db"]);
    for round in 1..=4 {
        let again = restore(fresh.path(), &copy, &["--replace"]);
        assert!(again.status.success(), "{}", said(&again));
        assert_eq!(files(fresh.path()).len(), 1 + round);
    }
}

#[test]
fn nothing_is_left_of_a_refusal_or_of_an_earlier_run() {
    let folder = village_folder();
    for _ in 0..40 {
        open_account(folder.path());
    }
    let (fresh, elsewhere) = (scratch::folder(), scratch::folder());
    // Not a copy that `accounts backup` made: SQLite keeps a log beside this one.
    let mut bytes = fs::read(folder.path().join("accounts.db")).expect("reads");
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 4096].fill(0x55);
    let bad = elsewhere.path().join("bad.db");
    fs::write(&bad, bytes).expect("writes");
    let refused = restore(fresh.path(), &bad, &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert_eq!(files(fresh.path()), [""; 0]);

    let long_ago = SystemTime::now() - Duration::from_secs(7_200);
    for (name, age) in [
        (".accounts-abcdef.part", long_ago),
        (".accounts-abcdef.part-wal", long_ago),
        (".accounts-ghijkl.part", SystemTime::now()),
    ] {
        let file = File::create(fresh.path().join(name)).expect("a file");
        file.set_modified(age).expect("a time");
    }
    back_up(folder.path(), &fresh.path().join("back-up.db"));
    assert_eq!(
        files(fresh.path()),
        [".accounts-ghijkl.part", "back-up.db"],
        "another run may be at work on the last one"
    );
}

#[test]
fn calls_that_bundles_may_lack_are_told_as_a_bound() {
    let (folder, copy, [key, _]) = backed_up();
    let mut service = Service::start(folder.path(), &[]);
    for _ in 0..8 {
        assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
    }
    service.terminate();
    service.wait();
    let done = restore(folder.path(), &copy, &["--replace"]);
    let told = said(&done);
    assert!(
        told.contains("at most 8") && told.contains("leased calls count"),
        "{told}"
    );
}
