//! Checks that a running server applies changes to accounts. Each test prints how long a change takes. On an idle machine, that is
//! less than a second.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::process::{Command, Stdio};
use std::time::Instant;

use super::PATH;
use crate::data_dir::village_folder;
use crate::process::{
    Service, open_account, open_account_with, postduif, run, run_json, wait_until,
};

/// Waits until `as_wanted` returns true, then prints how long the wait was.
#[track_caller]
fn wait_and_print(as_wanted: impl FnMut() -> bool) {
    let began = Instant::now();
    wait_until("the change is seen", as_wanted);
    println!("seen after {:?}", began.elapsed());
}

fn id(data: &std::path::Path, environment: &str) -> String {
    let keys = run_json(data, &["keys", "list", "--json"]);
    let keys = keys.as_array().expect("a list");
    let found = keys
        .iter()
        .find(|key| key["environment"] == environment && key["revokedAt"].is_null());
    found
        .and_then(|key| key["id"].as_str())
        .expect("a key")
        .to_owned()
}

#[test]
fn a_running_server_applies_changes_of_plans_keys_and_accounts() {
    let folder = village_folder();
    let data = folder.path();
    let [live, test] = open_account_with(data, &["--plan", "free"]);
    let service = Service::start(data, &[]);
    let limit = |key: &str| {
        let answer = service.get("live", "/v3/lookup/x/y", Some(key));
        answer.header("x-ratelimit-limit").map(str::to_owned)
    };
    assert_eq!(limit(&live).as_deref(), Some("3"));

    let account = run_json(data, &["accounts", "list", "--json"])[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    run_json(
        data,
        &["accounts", "set-plan", &account, "--plan", "pro", "--json"],
    );
    wait_and_print(|| limit(&live).as_deref() == Some("50"));

    let made = run_json(data, &["keys", "create", "--account", &account, "--json"]);
    let second = made["key"].as_str().expect("a key").to_owned();
    wait_and_print(|| service.get("live", PATH, Some(&second)).status == 200);

    let rotated = made["id"].as_str().expect("an id");
    let rotated = run_json(
        data,
        &["keys", "rotate", rotated, "--grace", "1s", "--json"],
    );
    let third = rotated["key"].as_str().expect("a key").to_owned();
    wait_and_print(|| service.get("live", PATH, Some(&third)).status == 200);
    // The old key stops working when its grace period ends. That needs no further command and no restart.
    wait_and_print(|| service.get("live", PATH, Some(&second)).status == 401);
    let second = third;

    let first = id(data, "live");
    run_json(data, &["keys", "revoke", &first, "--json"]);
    wait_and_print(|| service.get("live", PATH, Some(&live)).status == 401);
    assert_eq!(
        service.get("live", PATH, Some(&second)).status,
        200,
        "the other key still works"
    );
    let sandbox = |key: &str| {
        service
            .get("sandbox", "/v3/lookup/6545CA/29", Some(key))
            .status
    };
    assert_eq!(sandbox(&test), 200, "the test key works in the sandbox");

    run_json(data, &["accounts", "close", &account, "--json"]);
    wait_and_print(|| service.get("live", PATH, Some(&second)).status == 401);
    wait_and_print(|| sandbox(&test) == 401);
}

/// Source: contract.md, section Limits, rule 4. Calls to the sandbox never count towards the quota.
#[test]
fn sandbox_calls_are_not_counted() {
    let folder = village_folder();
    let data = folder.path();
    let [live, test] = open_account_with(data, &["--plan", "pro"]);
    let mut service = Service::start(data, &[]);
    for _ in 0..2 {
        let (path, key) = ("/v3/lookup/6545CA/29", Some(test.as_str()));
        for (listener, path) in [("sandbox", path), ("live", &format!("/api{path}"))] {
            let answer = service.get(listener, path, key);
            assert_eq!(
                (answer.status, answer.quota_remaining()),
                (200, -1),
                "{path}"
            );
        }
    }
    let answer = service.get("live", PATH, Some(&live));
    assert_eq!((answer.status, answer.quota_remaining()), (200, 99_999));
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert_eq!(run_json(data, &["usage", "show", "--json"])["calls"], 1);
}

/// A retry fails too, so a script must be able to tell this from a failure of the machine.
#[test]
fn rotating_a_rotated_or_revoked_key_is_refused() {
    let folder = village_folder();
    let data = folder.path();
    open_account(data);
    let [live, test] = ["live", "test"].map(|environment| id(data, environment));
    run_json(data, &["keys", "revoke", &test, "--json"]);
    run_json(data, &["keys", "rotate", &live, "--grace", "1h", "--json"]);
    for key in [&live, &test] {
        let folder = data.to_str().expect("UTF-8");
        let output = run(&["keys", "rotate", key, "--grace", "1h", "--data", folder]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn a_new_key_that_cannot_be_shown_is_reported_as_lost() {
    let folder = village_folder();
    let data = folder.path();
    open_account(data);
    let keys = || run_json(data, &["keys", "list", "--json"]);
    let live = id(data, "live");
    #[track_caller]
    fn case(data: &std::path::Path, stdout: Stdio, words: &[&str], parts: &[&str]) {
        let mut command = postduif();
        command.args(words).arg("--data").arg(data).stdout(stdout);
        let output = command.stderr(Stdio::piped()).output();
        let output = output.expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{part:?} in {stderr}");
        }
        assert!(!stderr.contains("try again"), "{stderr}");
    }
    let full = std::fs::File::create("/dev/full").expect("the device opens");
    let rotate = ["keys", "rotate", &live, "--grace", "0s"];
    let rotated = format!("key {live} was replaced by key ");
    case(
        data,
        full.into(),
        &rotate,
        &[&rotated, "are lost", "postduif keys rotate "],
    );

    let account = keys()[0]["account"].as_str().expect("an id").to_owned();
    let email = [
        "accounts", "create", "--plan", "free", "--email", "mia@example.org",
    ];
    for (words, remedy) in [
        (&email[..], "postduif keys list --account "),
        (
            &["keys", "create", "--json", "--account", &account],
            "postduif keys revoke ",
        ),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        case(data, writer.into(), words, &["are lost", remedy]);
    }

    let before = keys();
    let closed = Command::new("sh")
        .args([
            "-c",
            r#"exec "$0" keys create --account "$1" --data "$2" >&-"#,
        ])
        .args([env!("CARGO_BIN_EXE_postduif"), &account])
        .arg(data)
        .output();
    let closed = closed.expect("the binary runs");
    let stderr = String::from_utf8_lossy(&closed.stderr);
    assert_eq!(closed.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("Nothing was changed"), "{stderr}");
    assert_eq!(keys(), before);
}
