//! SIGHUP: what stands in the settings now holds, where it can; what the service manager is told.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::Command;

use postduif::accounts::TRIAL_KEY;
use postduif_schema::DataFolder;
use tempfile::TempDir;

use crate::addresses::village;
use crate::generation::{publish, publish_damaged};
use crate::process::{Answer, PATIENCE, Service, open_account, open_on, postduif, send, until};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";
const SANDBOX_PATH: &str = "/v3/lookup/6545CA/29";

/// A service with a settings file, and what tests of it need.
struct Settled {
    folder: TempDir,
    file: PathBuf,
    service: Service,
}

impl Settled {
    fn start(settings: &str) -> Self {
        let folder = scratch::folder();
        publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
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

    /// Writes other settings, sends the signal and waits until they were read.
    fn settle(&self, settings: &str) -> String {
        let before = self.service.log().len();
        fs::write(&self.file, settings).expect("writes");
        self.service.hang_up();
        let told = || self.service.log()[before..].to_owned();
        until("they are read", || {
            told().contains("settings reloaded") || told().contains("keeping the old ones")
        });
        told()
    }
}

#[test]
fn what_can_change_takes_effect() {
    let settled = Settled::start("log = \"info\"");
    let service = &settled.service;
    let data = settled.folder.path();
    let [bound, _] = open_on(data, &["--plan", "free", "--ip", "192.0.2.7"]);
    let [free, _] = open_on(data, &["--plan", "free"]);
    let forwarded = |from: &str| {
        let head = format!("X-Api-Key: {bound}\r\nX-Forwarded-For: {from}\r\n");
        send(service.address("live"), "GET", PATH, &head, "").status
    };
    let rate = || {
        let answer = service.get("live", PATH, Some(&free));
        answer.header("x-ratelimit-limit").map(str::to_owned)
    };
    let trial = || service.get("sandbox", SANDBOX_PATH, Some(TRIAL_KEY)).status;
    until("the keys are known", || rate().is_some());
    assert_eq!(
        (forwarded("192.0.2.7"), rate(), trial()),
        (401, Some("3".into()), 200)
    );

    let told = settled.settle(
        "log = \"debug\"\ntrusted_proxy = \"127.0.0.1\"\ntrial_key = \"off\"\n[plans.free]\ncalls_per_second = 7\n",
    );
    assert!(told.contains("plans trusted_proxy trial_key log"), "{told}");
    assert_eq!((forwarded("192.0.2.7"), trial()), (200, 401));
    assert_eq!(forwarded("192.0.2.8"), 401);
    until("the plan is in force", || rate().as_deref() == Some("7"));
    until("debug lines are logged", || {
        service.log().contains("answered")
    });

    settled.settle("log = \"info\"");
    assert_eq!((forwarded("192.0.2.7"), trial()), (401, 200));
    until("the plan is as it was", || rate().as_deref() == Some("3"));
    // Lines come in their order, so what was logged before the signal is here by its end.
    let answered = || {
        settled.settle("log = \"info\"");
        service.log().matches("\"answered\"").count()
    };
    let before = answered();
    rate();
    assert_eq!(answered(), before);
}

#[test]
fn what_needs_a_restart_is_named_until_it_is_put_back() {
    let settled = Settled::start("header_timeout_s = 20");
    let told = settled.settle("header_timeout_s = 30\nmax_connections = 5\ntrial_key = \"off\"");
    assert!(told.contains("need a restart"), "{told}");
    assert!(told.contains("header_timeout_s max_connections"), "{told}");
    let told = settled.settle("max_connections = 5\ntrial_key = \"off\"");
    assert!(
        told.contains("\"max_connections\"") && !told.contains("header"),
        "{told}"
    );
    let told = settled.settle("trial_key = \"off\"");
    assert!(!told.contains("restart"), "{told}");
}

#[test]
fn settings_with_mistakes_change_nothing() {
    let settled = Settled::start("trial_key = \"on\"");
    let told = settled
        .settle("trial_key = \"off\"\nlog = \"a=b=c\"\nheader_timeout_s = 0\ngarden = \"x\"");
    for mistake in ["log (", "header_timeout_s (", "garden ("] {
        assert!(told.contains(mistake), "{mistake} in {told}");
    }
    let trial = || {
        settled
            .service
            .get("sandbox", SANDBOX_PATH, Some(TRIAL_KEY))
    };
    assert_eq!(trial().status, 200);
    fs::remove_file(&settled.file).expect("it is there");
    settled.service.hang_up();
    until("it is told", || {
        settled.service.log().contains("No such file")
    });
    assert_eq!(trial().status, 200);
}

#[test]
fn a_request_that_has_begun_ends_as_ever() {
    let settled = Settled::start("request_timeout_s = 60");
    let [live, _] = open_account(settled.folder.path());
    let service = &settled.service;
    until("the key is known", || {
        service.get("live", PATH, Some(&live)).status == 200
    });
    let body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#;
    let mut slow = service.connect();
    let length = body.len();
    let head = format!(
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Api-Key: {live}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    slow.write_all(head.as_bytes()).expect("a head");
    slow.write_all(&body.as_bytes()[..10]).expect("a part");
    settled.settle(
        "request_timeout_s = 60\ntrusted_proxy = \"192.0.2.0/24\"\n[plans.enterprise]\nwithout = [\"lookup\"]\n",
    );
    until("the plan is in force", || {
        service.get("live", PATH, Some(&live)).status == 403
    });
    slow.write_all(&body.as_bytes()[10..]).expect("the rest");
    let mut text = String::new();
    slow.read_to_string(&mut text).expect("an answer");
    let answer = Answer::parse(&text);
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn a_generation_that_failed_is_tried_at_once() {
    let settled = Settled::start("");
    let data = DataFolder::new(settled.folder.path());
    let failures = |times: usize| {
        let page = settled.service.get("admin", "/metrics", None).body;
        page.contains(&format!("postduif_reload_failures_total {times}\n"))
    };
    publish_damaged(&data, "2026-01-03-1", &village());
    until("it has failed", || failures(1));
    settled.service.hang_up();
    // By itself it would be tried after a minute.
    until("it is tried again", || failures(2));
}

/// What systemd is to a service.
struct ServiceManager {
    folder: TempDir,
    socket: UnixDatagram,
}

impl ServiceManager {
    fn new() -> Self {
        let folder = scratch::folder();
        let socket = UnixDatagram::bind(folder.path().join("notify")).expect("a socket");
        socket.set_read_timeout(Some(PATIENCE)).expect("a limit");
        Self { folder, socket }
    }

    /// A service that is to be started by it.
    fn serve(&self) -> Command {
        let mut command = postduif();
        command.arg("serve").arg("--data").arg(self.folder.path());
        command.env("NOTIFY_SOCKET", self.folder.path().join("notify"));
        command
    }

    /// What it is told next.
    fn told(&self) -> String {
        let mut bytes = [0; 200];
        let length = self.socket.recv(&mut bytes).expect("a message");
        String::from_utf8_lossy(&bytes[..length]).trim().to_owned()
    }
}

#[test]
fn the_service_manager_is_told() {
    let manager = ServiceManager::new();
    let mut service = Service::start_by(manager.serve());
    let told = || manager.told();
    assert_eq!(told(), "READY=1");
    assert_eq!(
        service.get("live", "/nowhere", None).status,
        404,
        "the door is open"
    );
    service.hang_up();
    assert_eq!([told(), told()], ["RELOADING=1", "READY=1"]);
    service.terminate();
    assert_eq!(told(), "STOPPING=1");
    assert!(service.wait().success());
}

#[test]
fn the_service_manager_is_not_told_of_a_reload_before_it_is_ready_or_after_its_end_began() {
    let manager = ServiceManager::new();
    // A database that takes calls and says nothing keeps the live door closed.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("bound").port();
    let mut command = manager.serve();
    command.arg("--database-url");
    command.arg(format!("postgres://postduif@127.0.0.1:{port}/none"));
    let mut service = Service::start_by(command);
    let told = || manager.told();
    let reread = |times| {
        service.hang_up();
        until("settings are read", || {
            service.log().matches("settings reloaded").count() == times
        });
    };
    reread(1);
    drop(silent);
    until("it is told", || {
        service.log().contains("database is not available")
    });
    assert_eq!(told(), "READY=1", "and nothing before");
    reread(2);
    assert_eq!([told(), told()], ["RELOADING=1", "READY=1"]);

    // A request that has begun keeps the process for a while.
    let mut slow = service.connect();
    slow.write_all(b"GET / HTTP/1.1\r\n").expect("half a head");
    service.terminate();
    assert_eq!(told(), "STOPPING=1");
    reread(3);
    drop(slow);
    service.wait();
    manager.socket.set_nonblocking(true).expect("a mode");
    let more = manager.socket.recv(&mut [0; 200]);
    assert!(more.is_err(), "nothing after it");
}
