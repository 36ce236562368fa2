//! Tests `postduif serve` as its operator uses it: status, keys and exit codes. Generations, clients and stopping have their own
//! files.

mod admin;
mod bodies;
mod clients;
mod deleted_files;
mod framing;
mod generations;
mod ids;
mod leftovers;
mod refusals;
mod resources;
mod sizes;
mod slow;
mod stop_under_load;
mod stopping;
mod swap_memory;

use postduif_schema::{DataFolder, LAYOUT_VERSION};

use crate::addresses::village;
use crate::generation::publish;
use crate::process::{Service, open_account, run, wait_until};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";

/// A data folder that serves the test village, and the live and the test key of an account.
fn village_folder() -> (tempfile::TempDir, DataFolder, [String; 2]) {
    let folder = scratch::folder();
    let data = DataFolder::new(folder.path());
    publish(&data, "2026-01-01-1", &village());
    let keys = open_account(folder.path());
    (folder, data, keys)
}

#[test]
fn the_admin_listener_reports_the_served_generation() {
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
        r#"{{"version":"{}","interface":"1.0.0","layout":{LAYOUT_VERSION},"generation":"2026-01-01-1","stand":"2026-01-01","addresses":15,"failedReload":null}}"#,
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
fn requests_are_logged_only_if_configured() {
    let (folder, _, [live, _]) = village_folder();
    for (level, path_is_logged) in [("info", false), ("debug", true)] {
        let mut service = Service::start(folder.path(), &["--log", level]);
        for path in [PATH, "/v1/addresses?postcode=1234AB", "/nowhere"] {
            service.get("live", path, Some(&live));
        }
        service.terminate();
        service.wait();
        wait_until("the log has ended", || {
            service.log().contains("\"stopped\"")
        });
        let log = service.log();
        assert!(!log.contains(&live), "{log}");
        assert_eq!(log.contains("1234AB"), path_is_logged, "{level}: {log}");
    }
}

#[test]
fn healthcheck_reports_by_its_exit_code() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut service = Service::start(folder.path(), &[]);
    let admin = service.address("admin").to_string();
    let asked = |more: &[&str]| {
        let words = [&["healthcheck", "--admin-listen", &admin], more].concat();
        run(&words).status.code()
    };
    let (ready, lives) = (|| asked(&[]), || asked(&["--live"]));
    open_account(folder.path());
    assert_eq!(ready(), Some(1), "before the first generation");
    assert_eq!(lives(), Some(0), "the live listener waits for a generation");
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    wait_until("it is ready", || ready() == Some(0));
    assert_eq!(lives(), Some(0));
    service.terminate();
    service.wait();
    assert_eq!([ready(), lives()], [Some(1); 2], "no listener is left");
}

#[test]
#[rustfmt::skip]
fn exit_codes_distinguish_usage_errors_from_failures() {
    #[track_caller]
    fn case(line: &str, code: i32, message: &str) {
        let output = run(&line.split_whitespace().collect::<Vec<_>>());
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(message), "{line}: {text}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("bound").to_string();
    case("--version", 0, env!("CARGO_PKG_VERSION"));
    case("serve --help", 0, "POSTDUIF_HEADER_TIMEOUT_S");
    case("", 64, "Usage");
    case("fly", 64, "fly");
    case("serve --nowhere", 64, "--nowhere");
    case("serve --listen here --log-format xml", 64, "log_format (--log-format): \"xml\"");
    case("config check --settings-only --max-connections 7", 0, "\"7\"                      --max-connections");
    case("config check --data=", 64, "data (--data)");
    case("serve --listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 --data no/such/folder", 64, "no/such/folder");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = format!("--data {}", folder.path().display());
    case(&format!("serve --listen {taken} {data}"), 1, &taken);
    case(&format!("accounts show {data} unknown@example.org"), 2, "there is no accounts database");
    case(&format!("accounts show {data} --create-data unknown@example.org"), 2, "unknown@example.org");
    let create = format!("accounts create {data} --email a@example.org");
    case(&format!("{create} --plan free --bulk-max 5"), 2, "free");
    case(&create, 64, "--plan");
}
