//! Backs up accounts while they are in use, and checks that a restore brings back the same content.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Instant;

use serde_json::Value;

use crate::chance::tries;
use crate::data_dir::village_folder;
use crate::process::{
    Service, StopOnDrop, open_account, open_enterprise, postduif, run, run_json, wait_until, words,
};
use crate::scratch;

pub(super) const PATH: &str = "/v3/lookup/1234AB/29";
const MONTH: i64 = 1_000_000;

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary path is UTF-8")
}

pub(super) fn back_up(data: &Path, to: &Path) -> Value {
    run_json(data, &["accounts", "backup", "--json", "--to", text(to)])
}

fn restore(data: &Path, from: &Path) -> Value {
    run_json(
        data,
        &["accounts", "restore", "--json", "--from", text(from)],
    )
}

/// Restores a backup, which must be refused; returns the error.
#[track_caller]
fn restore_error(data: &Path, from: &Path) -> String {
    let (data, from) = (text(data), text(from));
    let output = run(&words(&format!(
        "accounts restore --data {data} --from {from}"
    )));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    message
}

/// The number of calls that the accounts database has counted.
fn counted(data: &Path) -> u64 {
    let message = run_json(data, &["usage", "show", "--json"]);
    message["calls"].as_u64().expect("a number")
}

/// The names of the files and folders in the data folder, except the generations.
pub(super) fn files(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.retain(|name| name.contains("accounts") || name.contains("back-up"));
    names.sort();
    names
}

#[test]
fn a_backup_under_load_is_complete() {
    let folder = village_folder();
    let month = u32::try_from(MONTH).expect("it fits");
    let [live, test] = open_enterprise(folder.path(), month);
    let [revoked, _] = open_account(folder.path());
    let list = run_json(folder.path(), &["keys", "list", "--json"]);
    let keys = list.as_array().expect("a list").len();
    let service = Service::start(folder.path(), &[]);
    let calls = || service.get("live", PATH, Some(&live)).status == 200;
    for _ in 0..50 {
        assert!(calls());
    }
    wait_until("fifty calls are counted", || counted(folder.path()) >= 50);

    let copy = folder.path().join("back-up.db");
    let (stop, after) = (AtomicBool::new(false), AtomicI64::new(0));
    let made = std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let _ending = StopOnDrop(&stop);
                while !stop.load(Ordering::Relaxed) {
                    assert!(calls(), "the service still answers");
                    after.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let _ending = StopOnDrop(&stop);
        wait_until("there is load", || {
            after.load(Ordering::Relaxed) > 10 || stop.load(Ordering::Relaxed)
        });
        back_up(folder.path(), &copy)
    });
    assert_eq!(
        (made["accounts"].as_u64(), made["keys"].as_u64()),
        (Some(2), Some(keys as u64))
    );

    // This revocation comes after the backup, so the key is valid again after the restore.
    let revoked_id = list[2]["id"].as_str().expect("an id");
    let output = run(&["keys", "revoke", "--data", text(folder.path()), revoked_id]);
    assert!(output.status.success());

    let fresh = village_folder();
    let restored = restore(fresh.path(), &copy);
    assert_eq!(restored["madeAt"], made["madeAt"]);
    assert_eq!(files(fresh.path()), ["accounts.db"]);
    let again = Service::start(fresh.path(), &[]);
    let answer = again.get("live", PATH, Some(&live));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.quota_remaining() < MONTH - 50, "{}", answer.head);
    assert_eq!(
        again
            .get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    assert_eq!(again.get("live", PATH, Some(&revoked)).status, 200);
    assert!(counted(fresh.path()) >= 50);
}

#[test]
fn a_backup_overwrites_nothing_and_a_restore_keeps_the_old_accounts() {
    let folder = village_folder();
    let [first, _] = open_account(folder.path());
    let copy = folder.path().join("back-up.db");
    back_up(folder.path(), &copy);
    let before = fs::read(&copy).expect("reads");
    let (data, to) = (text(folder.path()), text(&copy));
    let output = run(&words(&format!("accounts backup --data {data} --to {to}")));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(&copy).expect("reads"), before);
    let [second, _] = open_account(folder.path());
    let message = restore_error(folder.path(), &copy);
    assert!(message.contains("2 accounts already"), "{message}");

    let service = Service::start(folder.path(), &[]);
    for _ in 0..7 {
        assert_eq!(service.get("live", PATH, Some(&second)).status, 200);
    }
    let replace = format!("accounts restore --replace --json --from {to}");
    let output = run(&words(&format!("{replace} --data {data}")));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("stop the service"), "{message}");
    let mut service = service;
    service.terminate();
    assert!(service.wait().success());

    let restored = run_json(folder.path(), &words(&replace));
    assert_eq!(restored["callsSince"], 7, "{restored}");
    let aside = PathBuf::from(restored["replacedFile"].as_str().expect("a name"));
    assert!(aside.is_file());
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&first)).status, 200);
    assert_eq!(service.get("live", PATH, Some(&second)).status, 401);
    drop(service);
    // The database that the restore replaced is complete and can itself be restored.
    let fresh = village_folder();
    assert_eq!(restore(fresh.path(), &aside)["accounts"], 2);
    // A new folder has no request log, so the number of calls is unknown.
    let elsewhere = restore(village_folder().path(), &copy);
    assert_eq!(
        elsewhere.get("callsSince"),
        Some(&Value::Null),
        "{elsewhere}"
    );
}

#[test]
fn an_invalid_backup_is_refused_and_changes_nothing() {
    let folder = village_folder();
    for _ in 0..40 {
        open_account(folder.path());
    }
    let copy = folder.path().join("back-up.db");
    back_up(folder.path(), &copy);
    let bytes = fs::read(&copy).expect("reads");
    let fresh = scratch::folder();
    let bad = fresh.path().join("bad.db");
    let mut flipped = bytes.clone();
    // Damage a whole database page in the middle of the backup.
    let middle = bytes.len() / 8192 * 4096;
    flipped[middle..middle + 4096]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x55);
    let half = bytes[..bytes.len() / 2].to_vec();
    for (damage, content) in [
        ("flipped", flipped),
        ("half", half),
        ("text", b"dear sir".to_vec()),
        ("empty", Vec::new()),
    ] {
        fs::write(&bad, content).expect("writes");
        let message = restore_error(fresh.path(), &bad);
        assert!(
            message.contains("bad.db cannot be used: "),
            "{damage}: {message}"
        );
        assert_eq!(files(fresh.path()), [""; 0], "{damage}");
    }
    let data = text(fresh.path());
    let nowhere = run(&words(&format!(
        "accounts restore --data {data} --from /nowhere/at-all"
    )));
    assert_eq!(nowhere.status.code(), Some(1));
    // A live database file without its write-ahead log is incomplete.
    fs::copy(&copy, &bad).expect("copies");
    fs::write(fresh.path().join("bad.db-wal"), "log").expect("writes");
    assert!(restore_error(fresh.path(), &bad).contains("bad.db-wal; make the backup"));
}

#[test]
fn an_interrupted_backup_never_has_the_final_name() {
    let folder = village_folder();
    for _ in 0..20 {
        open_account(folder.path());
    }
    let copy = folder.path().join("back-up.db");
    let began = Instant::now();
    back_up(folder.path(), &folder.path().join("another.db"));
    let takes = began.elapsed();
    let (rounds, mut cut) = (u32::try_from(tries(10)).expect("few"), 0);
    // Kill backups at random moments, until at least one was interrupted.
    for round in 0.. {
        if round >= rounds && cut > 0 {
            break;
        }
        let mut command = postduif();
        command.args(["accounts", "backup", "--to", text(&copy), "--data"]);
        let mut child = command
            .arg(folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it runs");
        std::thread::sleep(takes * (round % rounds) / rounds);
        child.kill().expect("a child");
        child.wait().expect("a child");
        if copy.exists() {
            let fresh = scratch::folder();
            assert_eq!(
                restore(fresh.path(), &copy)["accounts"],
                20,
                "round {round}"
            );
            fs::remove_file(&copy).expect("it is there");
        } else {
            cut += 1;
        }
    }
    back_up(folder.path(), &copy);
    let left = files(folder.path());
    assert!(!left.iter().any(|name| name.contains(".part")), "{left:?}");
}

#[test]
fn backup_and_restore_refuse_postgresql() {
    let folder = scratch::folder();
    let url = ["--database-url", "postgres://127.0.0.1:1/none"];
    for words in [["backup", "--to", "a.db"], ["restore", "--from", "a.db"]] {
        let data = ["--data", text(folder.path())];
        let output = run(&[&["accounts"], &words[..], &data, &url].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains("pg_dump") && message.contains("pg_restore"),
            "{message}"
        );
    }
}
