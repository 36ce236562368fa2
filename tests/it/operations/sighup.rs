//! Checks that SIGHUP applies the changed settings that need no restart, and that systemd is notified of start, reload and stop.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::Command;

use postduif::accounts::{PUBLIC_LIVE_KEY, TRIAL_KEY};
use postduif_schema::DataFolder;
use tempfile::TempDir;

use crate::addresses::village;
use crate::generation::publish_damaged;
use crate::process::{
    Answer, Service, WAIT_TIMEOUT, open_account, open_account_with, postduif, send, wait_until,
};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";
const SANDBOX_PATH: &str = "/v3/lookup/6545CA/29";

/// A service with a settings file.
struct ConfiguredService {
    folder: TempDir,
    file: PathBuf,
    service: Service,
}

impl ConfiguredService {
    fn start(settings: &str) -> Self {
        let folder = crate::data_dir::village_folder();
        let file = folder.path().join("postduif.toml");
        fs::write(&file, settings).expect("writes");
        let config = ["--config", file.to_str().expect("UTF-8")];
        let service = Service::start(folder.path(), &config);
        Self {
            folder,
            file,
            service,
        }
    }

    /// Writes other settings, sends SIGHUP, and waits until the service has read the settings; returns the log line.
    fn apply_settings(&self, settings: &str) -> String {
        let before = self.service.log().len();
        fs::write(&self.file, settings).expect("writes");
        self.service.hang_up();
        let message = || self.service.log()[before..].to_owned();
        wait_until("they are read", || {
            message().contains("settings reloaded") || message().contains("keeping the old ones")
        });
        message()
    }
}

#[test]
fn sighup_applies_reloadable_settings() {
    let service_under_test = ConfiguredService::start("log = \"info\"");
    let service = &service_under_test.service;
    let data = service_under_test.folder.path();
    let [bound, _] = open_account_with(data, &["--plan", "free", "--ip", "192.0.2.7"]);
    let [free, _] = open_account_with(data, &["--plan", "free"]);
    let forwarded = |from: &str| {
        let head = format!("X-Api-Key: {bound}\r\nX-Forwarded-For: {from}\r\n");
        send(service.address("live"), "GET", PATH, &head, "").status
    };
    let rate = || {
        let answer = service.get("live", PATH, Some(&free));
        answer.header("x-ratelimit-limit").map(str::to_owned)
    };
    let trial = || service.get("sandbox", SANDBOX_PATH, Some(TRIAL_KEY)).status;
    wait_until("the keys are known", || rate().is_some());
    assert_eq!(
        (forwarded("192.0.2.7"), rate(), trial()),
        (401, Some("3".into()), 200)
    );

    let message = service_under_test.apply_settings(
        "log = \"debug\"\ntrusted_proxy = \"127.0.0.1\"\ntrial_key = \"off\"\n[plans.free]\ncalls_per_second = 7\n",
    );
    assert!(
        message.contains("plans trusted_proxy trial_key log"),
        "{message}"
    );
    assert_eq!((forwarded("192.0.2.7"), trial()), (200, 401));
    assert_eq!(forwarded("192.0.2.8"), 401);
    wait_until("the new plan is used", || rate().as_deref() == Some("7"));
    wait_until("debug lines are logged", || {
        service.log().contains("answered")
    });

    service_under_test.apply_settings("log = \"info\"");
    assert_eq!((forwarded("192.0.2.7"), trial()), (401, 200));
    wait_until("the plan has its old rate", || {
        rate().as_deref() == Some("3")
    });
    // The log is in order. So once the SIGHUP is logged, every line from before it is in the log.
    let answered = || {
        service_under_test.apply_settings("log = \"info\"");
        service.log().matches("\"answered\"").count()
    };
    let before = answered();
    rate();
    assert_eq!(answered(), before);
}

#[test]
fn sighup_enables_and_disables_the_public_live_key_and_its_page() {
    let service_under_test = ConfiguredService::start("");
    let service = &service_under_test.service;
    let head = format!("X-Api-Key: {PUBLIC_LIVE_KEY}\r\nSec-Fetch-Site: same-origin\r\n");
    let outcome = || {
        let answer = send(service.address("live"), "GET", PATH, &head, "");
        let page = service.get("live", "/", None).body;
        (answer.status, page.contains(PUBLIC_LIVE_KEY))
    };
    assert_eq!(outcome(), (401, false));
    let message = service_under_test.apply_settings("public_live_key = \"on\"");
    assert!(message.contains("\"public_live_key\""), "{message}");
    assert_eq!(outcome(), (200, true));
    service_under_test.apply_settings("public_live_key = \"off\"");
    assert_eq!(outcome(), (401, false));
}

#[test]
fn settings_that_need_a_restart_are_named_until_reverted() {
    let service_under_test = ConfiguredService::start("header_timeout_s = 20");
    let message = service_under_test
        .apply_settings("header_timeout_s = 30\nmax_connections = 5\ntrial_key = \"off\"");
    assert!(message.contains("need a restart"), "{message}");
    assert!(
        message.contains("header_timeout_s max_connections"),
        "{message}"
    );
    let message = service_under_test.apply_settings("max_connections = 5\ntrial_key = \"off\"");
    assert!(
        message.contains("\"max_connections\"") && !message.contains("header"),
        "{message}"
    );
    let message = service_under_test.apply_settings("trial_key = \"off\"");
    assert!(!message.contains("restart"), "{message}");
}

#[test]
fn invalid_settings_change_nothing_on_sighup() {
    let service_under_test = ConfiguredService::start("trial_key = \"on\"");
    let message = service_under_test.apply_settings(
        "trial_key = \"off\"\nlog = \"a=b=c\"\nheader_timeout_s = 0\ngarden = \"x\"",
    );
    for mistake in ["log (", "header_timeout_s (", "garden ("] {
        assert!(message.contains(mistake), "{mistake} in {message}");
    }
    let trial = || {
        service_under_test
            .service
            .get("sandbox", SANDBOX_PATH, Some(TRIAL_KEY))
    };
    assert_eq!(trial().status, 200);
    fs::remove_file(&service_under_test.file).expect("it is there");
    service_under_test.service.hang_up();
    wait_until("it is reported", || {
        service_under_test.service.log().contains("No such file")
    });
    assert_eq!(trial().status, 200);
}

#[test]
fn a_running_request_is_unaffected_by_sighup() {
    let service_under_test = ConfiguredService::start("request_timeout_s = 60");
    let [live, _] = open_account(service_under_test.folder.path());
    let service = &service_under_test.service;
    service.wait_until_key_works(&live);
    let body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#;
    let mut slow = service.connect();
    let length = body.len();
    let head = format!(
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Api-Key: {live}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    slow.write_all(head.as_bytes()).expect("a head");
    slow.write_all(&body.as_bytes()[..10]).expect("a part");
    service_under_test.apply_settings(
        "request_timeout_s = 60\ntrusted_proxy = \"192.0.2.0/24\"\n[plans.enterprise]\nwithout = [\"lookup\"]\n",
    );
    wait_until("the new plan is used", || {
        service.get("live", PATH, Some(&live)).status == 403
    });
    slow.write_all(&body.as_bytes()[10..]).expect("the rest");
    let mut text = String::new();
    slow.read_to_string(&mut text).expect("an answer");
    let answer = Answer::parse(&text);
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn sighup_retries_a_failed_generation_at_once() {
    let service_under_test = ConfiguredService::start("");
    let data = DataFolder::new(service_under_test.folder.path());
    let failures = |times: usize| {
        let page = service_under_test
            .service
            .get("admin", "/metrics", None)
            .body;
        page.contains(&format!(
            "postduif_generation_reload_failures_total {times}\n"
        ))
    };
    publish_damaged(&data, "2026-01-03-1", &village());
    wait_until("it has failed", || failures(1));
    service_under_test.service.hang_up();
    // Without SIGHUP, the service would retry only after a minute.
    wait_until("the generation is tried again", || failures(2));
}

/// A fake systemd that receives the notifications of a service.
struct ServiceManager {
    folder: TempDir,
    socket: UnixDatagram,
}

impl ServiceManager {
    fn new() -> Self {
        let folder = scratch::folder();
        let socket = UnixDatagram::bind(folder.path().join("notify")).expect("a socket");
        socket
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        Self { folder, socket }
    }

    /// A command that starts the service as systemd would.
    fn serve(&self) -> Command {
        let mut command = postduif();
        command.arg("serve").arg("--data").arg(self.folder.path());
        command.env("NOTIFY_SOCKET", self.folder.path().join("notify"));
        command
    }

    /// Waits for the next notification.
    fn message(&self) -> String {
        let mut bytes = [0; 200];
        let length = self.socket.recv(&mut bytes).expect("a message");
        String::from_utf8_lossy(&bytes[..length]).trim().to_owned()
    }
}

#[test]
fn systemd_is_notified_of_start_reload_and_stop() {
    let manager = ServiceManager::new();
    let mut service = Service::start_by(manager.serve());
    let message = || manager.message();
    assert_eq!(message(), "READY=1");
    assert_eq!(
        service.get("live", "/nowhere", None).status,
        404,
        "the live listener is open"
    );
    service.hang_up();
    assert_eq!([message(), message()], ["RELOADING=1", "READY=1"]);
    service.terminate();
    assert_eq!(message(), "STOPPING=1");
    assert!(service.wait().success());
}

#[test]
fn systemd_is_notified_of_reloads_only_between_ready_and_stopping() {
    let manager = ServiceManager::new();
    // This database accepts connections and never answers, so the live listener stays closed.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("bound").port();
    let mut command = manager.serve();
    command.arg("--database-url");
    command.arg(format!("postgres://postduif@127.0.0.1:{port}/none"));
    let mut service = Service::start_by(command);
    let message = || manager.message();
    let reread = |times| {
        service.hang_up();
        wait_until("settings are read", || {
            service.log().matches("settings reloaded").count() == times
        });
    };
    reread(1);
    drop(silent);
    wait_until("it is reported", || {
        service.log().contains("database is unavailable")
    });
    assert_eq!(message(), "READY=1", "no notification came before");
    reread(2);
    assert_eq!([message(), message()], ["RELOADING=1", "READY=1"]);

    // This unfinished request keeps the process alive after the signal to stop.
    let mut slow = service.connect();
    slow.write_all(b"GET / HTTP/1.1\r\n").expect("half a head");
    service.terminate();
    assert_eq!(message(), "STOPPING=1");
    reread(3);
    drop(slow);
    service.wait();
    manager.socket.set_nonblocking(true).expect("a mode");
    let more = manager.socket.recv(&mut [0; 200]);
    assert!(more.is_err(), "no notification came after STOPPING");
}
