//! Restores accounts while other processes run: a running or starting service, another restore, and folders that earlier restores
//! left.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::backups::{PATH, back_up, files, text};
use crate::chance::tries;
use crate::data_dir::village_folder;
use crate::process::{Service, open_account, postduif, run, wait_until, words};
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

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// A folder with two accounts, and a backup that contains only the first account; returns the folder, the backup, and a key of each
/// account.
fn backed_up() -> (TempDir, PathBuf, [String; 2]) {
    let folder = village_folder();
    let [first, _] = open_account(folder.path());
    let copy = folder.path().join("back-up.db");
    back_up(folder.path(), &copy);
    let [second, _] = open_account(folder.path());
    (folder, copy, [first, second])
}

#[test]
fn a_restore_refuses_a_damaged_database_in_use() {
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
    assert_eq!(refused.status.code(), Some(2), "{}", stderr_text(&refused));
    assert!(
        stderr_text(&refused).contains("stop the service"),
        "{}",
        stderr_text(&refused)
    );
    assert_eq!(which(), before);
    assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
    service.kill();

    let data = folder.path().to_str().expect("UTF-8");
    let advice = "restore a backup (`postduif accounts restore";
    let listeners = "--listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0";
    let serve = format!("serve --data {data} {listeners}");
    let served = run(&words(&serve));
    assert_eq!(served.status.code(), Some(2), "{}", stderr_text(&served));
    assert!(
        stderr_text(&served).contains(advice),
        "{}",
        stderr_text(&served)
    );
    let listed = run(&["accounts", "list", "--data", data]);
    assert_eq!(listed.status.code(), Some(2), "{}", stderr_text(&listed));
    assert!(
        stderr_text(&listed).contains(advice),
        "{}",
        stderr_text(&listed)
    );

    let without = restore(folder.path(), &copy, &[]);
    assert_eq!(without.status.code(), Some(2));
    assert!(stderr_text(&without).contains("cannot be read as accounts"));
    let done = restore(folder.path(), &copy, &["--replace"]);
    assert!(done.status.success(), "{}", stderr_text(&done));
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
}

#[test]
fn a_service_started_during_a_restore_uses_the_restored_accounts() {
    let (folder, copy, [first, second]) = backed_up();
    let file = folder.path().join("accounts.db");
    // Hold the lock that a restore holds from its check of the database until its last rename.
    let alone = File::open(folder.path()).expect("a folder");
    alone.try_lock().expect("no restore is running");
    let service = Service::start(folder.path(), &[]);
    // The lock is on the data folder. The service opens the folder and waits at most five seconds for the lock.
    wait_until("the service waits", || has_open(&service, folder.path()));
    fs::rename(&file, folder.path().join("aside")).expect("renames");
    fs::copy(&copy, &file).expect("copies");
    drop(alone);
    let status = |key: &str| service.get("live", PATH, Some(key)).status;
    wait_until("the service is open", || status(&first) == 200);
    assert_eq!(status(&second), 401);
}

/// Whether the service's process has a file or folder open. Source: proc(5), `fd`.
fn has_open(service: &Service, path: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{}/fd", service.id())).expect("proc is readable");
    // A descriptor that is being closed no longer links to a path.
    open.flatten()
        .any(|entry| fs::read_link(entry.path()).is_ok_and(|link| link == path))
}

#[test]
fn of_concurrent_restores_one_succeeds() {
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
        let message = outputs.each_ref().map(stderr_text);
        assert_eq!(done, 1, "round {round}: {message:?}");
        assert!(
            codes.iter().all(|code| matches!(code, Some(0 | 2))),
            "{message:?}"
        );
        assert_eq!(files(fresh.path()), ["accounts.db"], "{message:?}");
    }
    drop(folder);
}

#[test]
fn replaced_databases_get_distinct_names_and_an_empty_one_is_deleted() {
    let (_folder, copy, _) = backed_up();
    let fresh = scratch::folder();
    fs::write(fresh.path().join("accounts.db"), "").expect("writes");
    let first = restore(fresh.path(), &copy, &[]);
    assert!(first.status.success(), "{}", stderr_text(&first));
    assert_eq!(files(fresh.path()), ["accounts.db"]);
    for round in 1..=4 {
        let again = restore(fresh.path(), &copy, &["--replace"]);
        assert!(again.status.success(), "{}", stderr_text(&again));
        assert_eq!(files(fresh.path()).len(), 1 + round);
    }
}

#[test]
fn a_refused_or_interrupted_restore_leaves_no_files() {
    let folder = village_folder();
    for _ in 0..40 {
        open_account(folder.path());
    }
    let (fresh, elsewhere) = (scratch::folder(), scratch::folder());
    // A copy of a live database without its write-ahead log, and with a damaged page.
    let mut bytes = fs::read(folder.path().join("accounts.db")).expect("reads");
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 4096].fill(0x55);
    let bad = elsewhere.path().join("bad.db");
    fs::write(&bad, bytes).expect("writes");
    let refused = restore(fresh.path(), &bad, &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr_text(&refused));
    assert_eq!(files(fresh.path()), [""; 0]);

    // Two folders of interrupted restores: `left` by a process that was killed, and `held`, whose process still runs.
    let [left, held] = [".accounts-abcdef.part", ".accounts-ghijkl.part"].map(|name| {
        let part = fresh.path().join(name);
        fs::create_dir(&part).expect("a new folder");
        fs::write(part.join("copy"), "half").expect("writes");
        fs::write(part.join("copy-wal"), "log").expect("writes");
        part
    });
    let lock = File::open(&held).expect("a folder");
    lock.lock_shared().expect("no other lock");
    back_up(folder.path(), &fresh.path().join("back-up.db"));
    assert_eq!(
        files(fresh.path()),
        [".accounts-ghijkl.part", "back-up.db"],
        "a process still holds .accounts-ghijkl.part"
    );
    assert!(!left.exists() && held.join("copy").exists());
    // The service and every command that opens accounts removes such a folder next to the accounts, unless a process holds the
    // folder.
    drop(lock);
    open_account(fresh.path());
    assert_eq!(files(fresh.path()), ["accounts.db", "back-up.db"]);
}

#[test]
fn a_restore_prints_a_bound_on_uncounted_calls() {
    let (folder, copy, [key, _]) = backed_up();
    let mut service = Service::start(folder.path(), &[]);
    for _ in 0..8 {
        assert_eq!(service.get("live", PATH, Some(&key)).status, 200);
    }
    service.terminate();
    service.wait();
    let done = restore(folder.path(), &copy, &["--replace"]);
    let message = stderr_text(&done);
    assert!(
        message.contains("at most 8") && message.contains("leased calls count"),
        "{message}"
    );
}
