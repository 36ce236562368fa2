//! `postduif serve` as its operator meets it: starting, swapping generations, keys, clients that misbehave, stopping.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use postduif_schema::{Address, DataFolder};

use crate::addresses::{house, village};
use crate::generation::{publish, publish_damaged};
use crate::process::{Service, open_account, run, until};

const PATH: &str = "/v3/lookup/1234AB/29";

fn street(name: &str) -> Vec<Address> {
    vec![Address {
        street: name.into(),
        ..house(29, ("", ""), 1)
    }]
}

/// A data folder with the village in it, and its keys.
fn village_folder() -> (tempfile::TempDir, DataFolder, [String; 2]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = DataFolder::new(folder.path());
    publish(&data, "2026-01-01-1", &village());
    let keys = open_account(folder.path());
    (folder, data, keys)
}

#[test]
fn the_three_listeners_answer_and_a_signal_ends_them_in_order() {
    let (folder, _, [live, test]) = village_folder();
    let mut service = Service::start(folder.path(), &[]);
    let found = service.get("live", PATH, Some(&live));
    assert_eq!(found.status, 200, "{}", found.body);
    assert!(
        found.head.contains("x-request-id: ")
            && found.head.contains("cache-control: public, max-age=86400")
    );
    assert_eq!(
        service
            .get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    assert_eq!(
        service
            .get("live", "/api/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    assert_eq!(service.get("live", PATH, Some(&test)).status, 401);
    assert_eq!(service.get("live", PATH, None).status, 401);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn the_admin_listener_tells_what_is_served() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    assert_eq!(
        service.get("live", "/v1/postcodes/x", Some(&live)).status,
        400
    );
    assert_eq!(
        service.get("admin", "/health/live", None).body,
        r#"{"status":"live"}"#
    );
    assert_eq!(
        service.get("admin", "/health/ready", None).body,
        r#"{"status":"ready"}"#
    );
    let version = format!(
        r#"{{"version":"{}","layout":1,"generation":"2026-01-01-1","stand":"2026-01-01","addresses":15,"failed":null}}"#,
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(service.get("admin", "/version", None).body, version);
    let figures = service.get("admin", "/metrics", None);
    assert!(
        figures
            .head
            .contains("content-type: text/plain; version=0.0.4"),
        "{}",
        figures.head
    );
    for line in [
        r#"postduif_requests_total{route="/v3/lookup/{postcode}/{number}",status="2xx"} 1"#,
        r#"postduif_requests_total{route="/v1/postcodes/{postcode}",status="4xx"} 1"#,
        r#"postduif_request_seconds_count{route="/v3/lookup/{postcode}/{number}"} 1"#,
        "postduif_addresses 15",
        "postduif_stand_timestamp_seconds 1767225600",
    ] {
        assert!(
            figures.body.lines().any(|found| found == line),
            "{line} in\n{}",
            figures.body
        );
    }
    for secret in [live.as_str(), "1234AB", "127.0.0.1"] {
        assert!(
            !figures.body.contains(secret),
            "{secret} in\n{}",
            figures.body
        );
    }
    let unknown = service.get("admin", PATH, Some(&live));
    assert_eq!(unknown.status, 404);
    assert!(unknown.head.contains("x-request-id: "), "{}", unknown.head);
}

#[test]
fn nothing_of_a_request_is_logged_unless_asked_for() {
    let (folder, _, [live, _]) = village_folder();
    for (level, path_is_logged) in [("info", false), ("debug", true)] {
        let mut service = Service::start(folder.path(), &["--log", level]);
        for path in [PATH, "/v1/addresses?postcode=1234AB", "/nowhere"] {
            service.get("live", path, Some(&live));
        }
        service.terminate();
        service.wait();
        until("the log has ended", || {
            service.log().contains("\"stopped\"")
        });
        let log = service.log();
        assert!(!log.contains(&live), "{log}");
        assert_eq!(log.contains("1234AB"), path_is_logged, "{level}: {log}");
    }
}

#[test]
fn a_generation_published_while_serving_is_swapped_in_without_a_failed_request() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Eerst"));
    let service = Service::start(folder.path(), &[]);
    for (name, next) in [("2026-01-03-1", "Daarna"), ("2026-01-03-2", "Ten slotte")] {
        publish(&data, name, &street(next));
        until("the next generation is served", || {
            let found = service.get("live", PATH, Some(&live));
            assert_eq!(found.status, 200, "{}", found.body);
            found.body.contains(next)
        });
    }
}

#[test]
fn a_damaged_generation_is_told_and_the_old_one_goes_on() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Heel"));
    let service = Service::start(folder.path(), &[]);
    publish_damaged(&data, "2026-01-03-1", &street("Stuk"));
    until("the failure is told", || {
        service
            .get("admin", "/health/ready", None)
            .body
            .contains("failed")
    });
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 200);
    assert!(
        ready.body.contains(r#""generation":"2026-01-03-1""#) && ready.body.contains("SHA-256"),
        "{}",
        ready.body
    );
    assert!(
        service
            .get("admin", "/version", None)
            .body
            .contains(r#""generation":"2026-01-02-1""#)
    );
    assert!(
        service
            .get("admin", "/metrics", None)
            .body
            .contains("postduif_reload_failures_total 1\n")
    );
    assert!(service.get("live", PATH, Some(&live)).body.contains("Heel"));

    data.set_current("2026-01-02-1".parse().expect("a name"))
        .expect("rolls back");
    until("the failure is over", || {
        !service
            .get("admin", "/health/ready", None)
            .body
            .contains("failed")
    });
    publish(&data, "2026-01-03-2", &street("Hersteld"));
    until("the whole one is served", || {
        service
            .get("live", PATH, Some(&live))
            .body
            .contains("Hersteld")
    });
}

#[test]
fn a_current_that_leads_nowhere_is_told_too() {
    let (folder, data, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    std::fs::write(data.path().join("CURRENT"), "../../etc\n").expect("writes");
    until("the failure is told", || {
        service
            .get("admin", "/version", None)
            .body
            .contains("../../etc")
    });
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

#[test]
fn it_starts_before_the_first_generation_and_serves_it_when_it_comes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [live, test] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    let early = service.get("live", PATH, Some(&live));
    assert_eq!(early.status, 503);
    assert!(early.head.contains("retry-after: 5"), "{}", early.head);
    assert_eq!(service.get("admin", "/health/ready", None).status, 503);
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
    assert_eq!(
        service
            .get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    until("it is ready", || {
        service.get("admin", "/health/ready", None).status == 200
    });
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

#[test]
fn keys_come_and_go_while_serving() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let [live, _] = open_account(folder.path());
    until("the new key admits", || {
        service.get("live", PATH, Some(&live)).status == 200
    });
    let data = folder.path().to_str().expect("UTF-8");
    let list = run(&["keys", "list", "--data", data, "--json"]);
    let keys: serde_json::Value = serde_json::from_slice(&list.stdout).expect("JSON");
    for key in keys.as_array().expect("a list") {
        let revoked = run(&[
            "keys",
            "revoke",
            "--data",
            data,
            key["id"].as_str().expect("an id"),
        ]);
        assert!(
            revoked.status.success(),
            "{}",
            String::from_utf8_lossy(&revoked.stderr)
        );
    }
    let began = Instant::now();
    until("the revoked key is dead", || {
        service.get("live", PATH, Some(&live)).status == 401
    });
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "a revoked key is dead within a second, or two on a busy machine"
    );
}

/// Reads until the other side closes and says when that was.
fn closes(mut stream: std::net::TcpStream, began: Instant) -> (String, Duration) {
    let mut text = Vec::new();
    stream
        .read_to_end(&mut text)
        .expect("closed before patience ends");
    (String::from_utf8_lossy(&text).into_owned(), began.elapsed())
}

#[test]
fn clients_that_keep_a_connection_without_using_it_are_closed_at_the_deadline() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &["--header-timeout-s", "1"]);
    let whole = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {live}\r\n\r\n");
    let began = Instant::now();
    let clients = ["", "GET /v3/lookup", "PRI * HTTP/2.0\r\n", &whole].map(|said| {
        let mut stream = service.connect();
        stream.write_all(said.as_bytes()).expect("writes");
        (said, stream)
    });
    for (said, stream) in clients {
        let (_, took) = closes(stream, began);
        assert!(
            took > Duration::from_millis(800) && took < Duration::from_secs(10),
            "{said:?} after {took:?}"
        );
    }
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

#[test]
fn a_head_that_is_too_large_is_turned_away() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let many = "X-Filler: 1\r\n".repeat(100);
    let long = format!("X-Filler: {}\r\n", "x".repeat(1 << 20));
    for headers in [many, long] {
        let mut stream = service.connect();
        // The service may close before all is written.
        stream
            .write_all(format!("GET {PATH} HTTP/1.1\r\nHost: test\r\n{headers}\r\n").as_bytes())
            .ok();
        let mut text = [0; 12];
        stream.read_exact(&mut text).expect("an answer");
        assert_eq!(&text, b"HTTP/1.1 431");
    }
}

#[test]
fn connections_beyond_the_limit_wait_their_turn() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(
        folder.path(),
        &["--max-connections", "1", "--header-timeout-s", "1"],
    );
    let (silent, began) = (service.connect(), Instant::now());
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    assert!(
        began.elapsed() > Duration::from_millis(800),
        "it had to wait for the silent one"
    );
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
    drop(silent);
}

#[test]
fn a_stuck_client_does_not_keep_the_process_from_stopping() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(folder.path(), &["--drain-deadline-s", "1"]);
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    // Its connection is accepted before a later one is answered.
    assert_eq!(service.get("live", "/", None).status, 404);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(
        folder.path(),
        &["--drain-deadline-s", "3600", "--header-timeout-s", "3600"],
    );
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    assert_eq!(service.get("live", "/", None).status, 404);
    service.terminate();
    until("it is stopping", || {
        service
            .get("admin", "/health/ready", None)
            .body
            .contains("stopping")
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(1));
}

#[test]
fn healthcheck_tells_by_its_exit_code() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut service = Service::start(folder.path(), &[]);
    let admin = service.address("admin").to_string();
    let check = || {
        run(&["healthcheck", "--admin-listen", &admin])
            .status
            .code()
    };
    assert_eq!(check(), Some(1), "before the first generation");
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    until("it is ready", || check() == Some(0));
    service.terminate();
    service.wait();
    assert_eq!(check(), Some(1), "nobody there");
}

#[test]
fn exit_codes_tell_usage_from_failure() {
    #[track_caller]
    fn case(arguments: &[&str], code: i32, told: &str) {
        let output = run(arguments);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("bound").to_string();
    case(&["--version"], 0, env!("CARGO_PKG_VERSION"));
    case(&["serve", "--help"], 0, "POSTDUIF_HEADER_TIMEOUT_S");
    case(&[], 64, "Usage");
    case(&["fly"], 64, "fly");
    case(&["serve", "--nowhere"], 64, "--nowhere");
    case(
        &["serve", "--listen", "here", "--log-format", "xml"],
        64,
        "log_format (--log-format): \"xml\"",
    );
    case(
        &["config", "check", "--max-connections", "7"],
        0,
        "\"7\"                      --max-connections",
    );
    case(&["config", "check", "--data", ""], 64, "data (--data)");
    case(&["serve", "--listen", &taken], 1, &taken);
    case(
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--sandbox-listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
            "--data",
            "no/such/folder",
        ],
        1,
        "no/such/folder",
    );
    case(
        &["accounts", "list", "--data", "no/such/folder"],
        1,
        "no/such/folder",
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().to_str().expect("UTF-8");
    case(
        &["accounts", "show", "--data", data, "nobody@example.org"],
        2,
        "nobody@example.org",
    );
    case(
        &[
            "accounts",
            "create",
            "--data",
            data,
            "--email",
            "a@example.org",
            "--plan",
            "free",
            "--bulk-max",
            "5",
        ],
        2,
        "free",
    );
    case(
        &[
            "accounts",
            "create",
            "--data",
            data,
            "--email",
            "a@example.org",
        ],
        64,
        "--plan",
    );
}

/// The service runs as a user that may write nowhere; the binary is copied to where that user can run it.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
#[cfg(unix)]
#[test]
fn a_data_folder_that_may_not_be_written_is_served() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;

    let (folder, data, _) = village_folder();
    let own = tempfile::tempdir().expect("a temporary folder");
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours")
    };
    if folder.path().metadata().expect("a folder").uid() != 0 {
        println!("skipped: only root can become a user that may not write");
        return;
    }
    let binary = own.path().join("postduif");
    std::fs::copy(env!("CARGO_BIN_EXE_postduif"), &binary).expect("copies");
    // The search engine writes its lists of files for its owner alone.
    let index = data
        .generation_path("2026-01-01-1".parse().expect("a name"))
        .join(postduif_schema::ADDRESSES);
    std::fs::read_dir(&index)
        .expect("an index")
        .for_each(|file| open(&file.expect("a file").path(), 0o444));
    open(folder.path(), 0o555);
    open(own.path(), 0o777);
    let mut command = std::process::Command::new(&binary);
    let database = format!("sqlite://{}/accounts.db?mode=rwc", own.path().display());
    command
        .arg("serve")
        .arg("--data")
        .arg(folder.path())
        .args(["--database-url", &database])
        .uid(NOBODY)
        .gid(NOBODY);
    let service = Service::start_by(command);
    // The live listener answers when the data folder has been looked at.
    assert_eq!(service.get("live", PATH, None).status, 401);
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 200, "{} {}", ready.body, service.log());
    open(folder.path(), 0o755);
}
