//! Checks that a service is not ready if its accounts database has no live key. If it were ready, a missing mount would give every
//! customer a 401.

use std::fs;
use std::path::Path;

use postduif::accounts::{PUBLIC_LIVE_KEY, TRIAL_KEY};
use postduif_schema::DataFolder;

use super::KillOnDrop;
use crate::addresses::village;
use crate::data_dir::village_folder;
use crate::generation::publish;
use crate::ports::ReservedPort;
use crate::postgres::Server;
use crate::process::{
    Service, open_account, open_account_with, postduif, run, run_json, send, wait_until,
};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";
const NO_KEYS: (u16, &str) = (503, r#"{"status":"no keys"}"#);
const WARNING: &str = "accounts database has no live key";

#[test]
fn commands_that_need_accounts_create_no_database() {
    let folder = village_folder();
    let data = folder.path().to_str().expect("UTF-8");
    for command in [
        &["accounts", "list"][..],
        &["accounts", "show", "a@example.org"],
        &["keys", "list"],
        &["keys", "create", "--account", "a@example.org"],
        &["usage", "show"],
    ] {
        let output = run(&[command, &["--data", data]].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
        assert!(
            message.contains("there is no accounts database at"),
            "{message}"
        );
    }
    assert!(!folder.path().join("accounts.db").exists());
}

fn is_not_ready(service: &Service) {
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!((ready.status, &*ready.body), NO_KEYS);
    assert_eq!(service.metric("postduif_ready"), Some(0.0));
    let address = service.address("admin").to_string();
    let check = run(&["healthcheck", "--admin-listen", &address]);
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&check.stderr).contains("no keys"));
}

/// Waits until the service is ready, then checks that the service accepts this key.
#[track_caller]
fn becomes_ready_for(service: &Service, live: &str) {
    wait_until("the service is ready", || {
        service.get("admin", "/health/ready", None).status == 200
    });
    assert_eq!(service.metric("postduif_ready"), Some(1.0));
    let answer = service.get("live", PATH, Some(live));
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// The levels of the log lines with these words.
fn logged(service: &Service, words: &str) -> Vec<String> {
    let log = service.log();
    let lines = log.lines().filter(|line| line.contains(words));
    let line = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    lines
        .map(|text| line(text)["level"].as_str().expect("a level").to_owned())
        .collect()
}

fn stop(mut service: Service) -> Service {
    service.terminate();
    service.wait();
    wait_until("the log has ended", || {
        service.log().contains("\"stopped\"")
    });
    service
}

fn revoke_all(data: &Path) {
    let list = run_json(data, &["keys", "list", "--json"]);
    for key in list.as_array().expect("a list") {
        let id = key["id"].as_str().expect("an id");
        run_json(data, &["keys", "revoke", "--json", id]);
    }
}

/// Starts a service whose accounts database has no live key, and checks that it is not ready. Then creates a key, and checks that
/// the service becomes ready.
#[track_caller]
fn assert_ready_once_a_key_exists(prepare: impl Fn(&Path)) {
    let folder = village_folder();
    prepare(folder.path());
    let service = Service::start(folder.path(), &[]);
    wait_until("the service has read the keys", || {
        let ready = service.get("admin", "/health/ready", None);
        assert_eq!(ready.status, 503, "{}", ready.body);
        ready.body == NO_KEYS.1
    });
    // The log must contain the warning once, however often the test asks whether the service is ready.
    for _ in 0..3 {
        is_not_ready(&service);
    }
    let sandbox = service.get("sandbox", "/v3/lookup/6545CA/29", Some(TRIAL_KEY));
    assert_eq!(sandbox.status, 200, "the sandbox needs no keys");
    let [live, _] = open_account(folder.path());
    becomes_ready_for(&service, &live);
    let service = stop(service);
    assert_eq!(logged(&service, WARNING), ["WARN"], "{}", service.log());
    let database = folder.path().join("accounts.db");
    let named = service.log();
    let named = named.lines().find(|line| line.contains(WARNING));
    let database = database.canonicalize().expect("it exists");
    let database = database.to_str().expect("UTF-8");
    assert!(
        named.is_some_and(|line| line.contains(database)),
        "{named:?}"
    );
    assert_eq!(
        logged(&service, "accounts database now has a live key"),
        ["INFO"]
    );
}

/// If only the public live key works, customers still get a 401.
#[test]
fn the_public_live_key_does_not_make_a_service_ready() {
    let folder = village_folder();
    let service = Service::start(folder.path(), &["--public-live-key", "on"]);
    wait_until("the service has read the keys", || {
        service.get("admin", "/health/ready", None).body == NO_KEYS.1
    });
    let head = format!("X-Api-Key: {PUBLIC_LIVE_KEY}\r\nSec-Fetch-Site: same-origin\r\n");
    let page = send(service.address("live"), "GET", PATH, &head, "");
    assert_eq!(page.status, 200, "{}", page.body);
    is_not_ready(&service);
    let service = stop(service);
    assert_eq!(logged(&service, WARNING), ["WARN"], "{}", service.log());
}

#[test]
fn a_service_without_a_live_key_is_not_ready_until_one_is_created() {
    // The database is missing.
    assert_ready_once_a_key_exists(|_| {});
    // The database is an empty file. In the next case it is a database without accounts.
    assert_ready_once_a_key_exists(|data| fs::write(data.join("accounts.db"), "").expect("writes"));
    let make = ["accounts", "list", "--json", "--create-data"];
    assert_ready_once_a_key_exists(|data| drop(run_json(data, &make)));
    // The database has a revoked live key and a test key.
    assert_ready_once_a_key_exists(|data| {
        open_account(data);
        revoke_all(data);
        let keys = ["keys", "create", "--json", "--environment", "test"];
        let list = run_json(data, &["accounts", "list", "--json"]);
        let account = list[0]["id"].as_str().expect("an id");
        run_json(data, &[&keys[..], &["--account", account]].concat());
    });
    // The database has only keys of a closed account.
    assert_ready_once_a_key_exists(|data| {
        open_account(data);
        let list = run_json(data, &["accounts", "list", "--json"]);
        let account = list[0]["id"].as_str().expect("an id");
        run_json(data, &["accounts", "close", "--json", account]);
    });
}

#[test]
fn a_service_whose_last_live_key_is_revoked_is_not_ready() {
    let folder = village_folder();
    let [mut live, _] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    becomes_ready_for(&service, &live);
    for lost in 1..=2 {
        revoke_all(folder.path());
        wait_until("the key is refused", || {
            service.get("live", PATH, Some(&live)).status == 401
        });
        // Do not wait here, because a service must not be ready at any moment while every key gets a 401.
        is_not_ready(&service);
        wait_until("the log has the warning again", || {
            logged(&service, WARNING).len() == lost
        });
        [live, _] = open_account(folder.path());
        becomes_ready_for(&service, &live);
    }
    let service = stop(service);
    assert_eq!(logged(&service, WARNING), ["WARN", "WARN"]);
}

#[test]
fn a_service_with_a_live_key_logs_no_warning_about_keys() {
    let folder = village_folder();
    let [live, _] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    becomes_ready_for(&service, &live);
    let service = stop(service);
    assert_eq!(logged(&service, "live key"), [""; 0]);
}

#[test]
fn missing_keys_are_reported_before_a_missing_generation() {
    let folder = scratch::folder();
    let service = Service::start(folder.path(), &[]);
    wait_until("the service has read the keys", || {
        let ready = service.get("admin", "/health/ready", None);
        (ready.status, &*ready.body) == NO_KEYS
    });
    let [live, _] = open_account(folder.path());
    wait_until("the service has read the key", || {
        let ready = service.get("admin", "/health/ready", None);
        ready.body == r#"{"status":"no generation"}"#
    });
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    becomes_ready_for(&service, &live);
}

/// The `database_url` of this node names the wrong database, which is empty.
#[test]
fn a_node_on_an_empty_server_is_not_ready() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = village_folder();
    let url = server.url("postgres");
    let service = Service::start(folder.path(), &["--database-url", &url]);
    wait_until("the service has read the keys", || {
        let ready = service.get("admin", "/health/ready", None);
        assert_eq!(ready.status, 503, "{}", ready.body);
        ready.body == NO_KEYS.1
    });
    let [live, _] = open_account_with(folder.path(), &["--plan", "pro", "--database-url", &url]);
    becomes_ready_for(&service, &live);
    let service = stop(service);
    assert_eq!(logged(&service, WARNING), ["WARN"]);
    let log = service.log();
    assert!(
        log.contains("\"database\":\"PostgreSQL at 127.0.0.1:") && !log.contains(&url),
        "{log}"
    );
}

#[test]
fn the_demonstration_creates_its_folder_and_its_keys() {
    let folder = scratch::folder();
    let data = folder.path().join("a/b/data");
    let admin = ReservedPort::new();
    let address = admin.address().to_string();
    let demo = postduif()
        .args([
            "demo", "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0",
        ])
        .args(["--admin-listen", &address, "--data"])
        .arg(&data)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    let _demo = KillOnDrop(demo.expect("the binary starts"));
    wait_until("it is ready", || {
        run(&["healthcheck", "--admin-listen", &address])
            .status
            .success()
    });
    assert!(data.join("accounts.db").exists());
}
