//! `docker/nginx.conf` as it stands, with other ports: Debian's nginx in front of a service.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postduif_schema::DataFolder;
use tempfile::TempDir;

use super::programs::program;
use crate::addresses::village;
use crate::generation::publish;
use crate::process::{Answer, PATIENCE, Service, open_account, open_on, until};

const EXAMPLE: &str = include_str!("../../../docker/nginx.conf");
const PATH: &str = "/v3/lookup/1234AB/29";
const API: &str = "api.example.org";

/// A service behind nginx; both end with the test.
struct Site {
    nginx: Child,
    address: SocketAddr,
    service: Service,
    keys: [String; 2],
    _folder: TempDir,
}

impl Site {
    /// With an account that has these options; none where there is no nginx.
    fn start(account: &[&str], change: fn(String) -> String, more: &[&str]) -> Option<Self> {
        let nginx = program("nginx")?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
        let keys = match account {
            [] => open_account(folder.path()),
            options => open_on(folder.path(), options),
        };
        let trusting = ["--trusted-proxy", "127.0.0.1"];
        let service = Service::start(folder.path(), &[&trusting, more].concat());
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = free.expect("a port");
        let example = [
            ("listen 80;", format!("listen {address};")),
            ("127.0.0.1:8080", service.address("live").to_string()),
            ("127.0.0.1:8081", service.address("sandbox").to_string()),
        ]
        .iter()
        .fold(change(EXAMPLE.to_owned()), |text, (from, to)| {
            assert!(text.contains(from), "{from} is in the example");
            text.replace(from, to)
        });
        fs::write(folder.path().join("postduif.conf"), example).expect("writes");
        fs::write(folder.path().join("nginx.conf"), around(folder.path())).expect("writes");
        let child = Command::new(nginx).args(arguments(folder.path())).spawn();
        let site = Self {
            nginx: child.expect("nginx starts"),
            address,
            service,
            keys,
            _folder: folder,
        };
        until("nginx answers", || {
            std::net::TcpStream::connect(address).is_ok()
        });
        Some(site)
    }

    /// One request from this address of the machine, on a connection of its own.
    fn ask_from(&self, from: &str, head: &str, body: &[u8]) -> Answer {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let stream = runtime.expect("a runtime").block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
            let from = format!("{from}:0").parse().expect("an address");
            socket.bind(from).expect("an address of this machine");
            let stream = socket.connect(self.address).await.expect("nginx");
            stream.into_std().expect("a socket")
        });
        stream.set_nonblocking(false).expect("a plain socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let mut stream = stream;
        let text = format!("{head}\r\nConnection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).expect("a head");
        stream.write_all(body).expect("a body");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        Answer::parse(&text)
    }

    fn get(&self, host: &str, path: &str, key: &str, more: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}{more}");
        self.ask_from("127.0.0.1", &head, b"")
    }

    /// Connections that the live listener has accepted; none before its door is open.
    fn accepted(&self) -> u64 {
        let page = self.service.get("admin", "/metrics", None).body;
        let series = "postduif_connections_accepted_total{listener=\"live\"} ";
        let line = page.lines().find_map(|line| line.strip_prefix(series));
        line.and_then(|count| count.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // The master ends its workers, which a kill would leave behind.
        let master = self.nginx.id().to_string();
        Command::new("kill").args(["-TERM", &master]).status().ok();
        self.nginx.wait().ok();
    }
}

fn arguments(folder: &Path) -> [&Path; 4] {
    [
        Path::new("-p"),
        folder,
        Path::new("-c"),
        Path::new("nginx.conf"),
    ]
}

/// The rest of nginx's configuration, with all that it writes in the folder.
fn around(folder: &Path) -> String {
    let own = |name: &str| folder.join(name).display().to_string();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|of| format!("{of}_temp_path {};\n", own(of)));
    let user = if is_root() { "user root;\n" } else { "" };
    format!(
        "{user}daemon off;\nworker_processes 1;\npid {};\nerror_log {};\nevents {{}}\n\
         http {{\naccess_log off;\n{}include {};\n}}\n",
        own("nginx.pid"),
        own("nginx.log"),
        temporary.concat(),
        own("postduif.conf")
    )
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn as_it_stands(text: String) -> String {
    text
}

#[test]
fn the_client_is_who_nginx_says_and_nobody_else() {
    let Some(site) = Site::start(&["--plan", "pro", "--ip", "127.0.0.2"], as_it_stands, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    let ask = |from: &str, more: &str| {
        let head = format!("GET {PATH} HTTP/1.1\r\nHost: {API}\r\nX-Api-Key: {live}{more}");
        site.ask_from(from, &head, b"").status
    };
    assert_eq!(ask("127.0.0.2", ""), 200);
    assert_eq!(ask("127.0.0.1", ""), 401);
    for lie in [
        "X-Forwarded-For: 127.0.0.2",
        "Forwarded: for=127.0.0.2",
        "X-Real-IP: 127.0.0.2",
    ] {
        assert_eq!(ask("127.0.0.1", &format!("\r\n{lie}")), 401, "{lie}");
        let other = lie.replace("127.0.0.2", "192.0.2.1");
        assert_eq!(ask("127.0.0.2", &format!("\r\n{other}")), 200, "{other}");
    }
}

#[test]
fn live_sandbox_and_the_main_site_each_have_a_name() {
    let Some(site) = Site::start(&[], as_it_stands, &[]) else {
        return;
    };
    let [live, test] = &site.keys;
    let sandbox = "sandbox.example.org";
    let status = |host: &str, path: &str, key: &str| site.get(host, path, key, "").status;
    assert_eq!(status(API, PATH, live), 200);
    assert_eq!(status(API, PATH, test), 401);
    let fixed = "/v3/lookup/6545CA/29";
    assert_eq!(status(sandbox, fixed, test), 200);
    assert_eq!(status(sandbox, fixed, live), 401);
    let main = "www.example.org";
    assert_eq!(status(main, &format!("/api{PATH}"), live), 200);
    assert_eq!(status(main, &format!("/api{fixed}"), test), 200);
    assert_eq!(status(main, PATH, live), 404, "the rest is the site's own");
}

#[test]
fn answers_come_through_as_they_are() {
    let page = "https://shop.example.org";
    let account = ["--plan", "free", "--origin", page];
    let Some(site) = Site::start(&account, as_it_stands, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    let preflight = format!(
        "OPTIONS /v1/autocomplete?q=dijk HTTP/1.1\r\nHost: {API}\r\nOrigin: {page}\r\nAccess-Control-Request-Method: GET"
    );
    let answer = site.ask_from("127.0.0.1", &preflight, b"");
    assert_eq!(answer.status, 204);
    let headers = answer.header("access-control-allow-headers");
    assert!(
        headers.is_some_and(|names| names.contains("x-api-key")),
        "{}",
        answer.head
    );
    let origin = format!("\r\nOrigin: {page}\r\nX-Request-Id: mine");
    let answers: Vec<Answer> = (0..8).map(|_| site.get(API, PATH, live, &origin)).collect();
    let found = &answers[0];
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.header("access-control-allow-origin"), Some(page));
    assert_eq!(found.header("cache-control"), Some("public, max-age=86400"));
    assert!(
        found
            .header("vary")
            .is_some_and(|vary| vary.contains("x-api-key"))
    );
    assert_eq!(found.head.matches("x-request-id: ").count(), 1);
    let id = found.header("x-request-id").map(uuid::Uuid::parse_str);
    assert!(id.is_some_and(|id| id.is_ok()), "{}", found.head);
    let refused = answers.iter().find(|answer| answer.status == 429);
    let refused = refused.expect("eight at once are more than three a second");
    assert_eq!(refused.body, r#"{"title":"Rate limit exceeded"}"#);
    assert_eq!(
        refused.header("content-type"),
        Some("application/problem+json")
    );
    assert!(refused.header("retry-after").is_some(), "{}", refused.head);
}

#[test]
fn a_body_that_is_too_large_is_told_in_the_words_of_the_contract() {
    let Some(site) = Site::start(&[], as_it_stands, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    for length in [(1 << 20) + 1, 3 << 19] {
        let head = format!(
            "POST /v1/bulk/lookup HTTP/1.1\r\nHost: {API}\r\nX-Api-Key: {live}\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        let answer = site.ask_from("127.0.0.1", &head, &vec![b' '; length]);
        assert_eq!(answer.status, 413, "{}", answer.body);
        assert!(answer.body.contains("payload_too_large"), "{}", answer.body);
    }
    // A refusal that comes before the body has been read is not lost either.
    let head = format!(
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: {API}\r\nX-Api-Key: none\r\nContent-Type: application/json\r\nContent-Length: {}",
        1_000_000
    );
    for _ in 0..20 {
        let answer = site.ask_from("127.0.0.1", &head, &[b' '; 1_000_000]);
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
    let allowed = 1 << 20;
    let mut body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#.to_owned();
    body.push_str(&" ".repeat(allowed - body.len()));
    let head = format!(
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: {API}\r\nX-Api-Key: {live}\r\nContent-Type: application/json\r\nContent-Length: {allowed}"
    );
    let answer = site.ask_from("127.0.0.1", &head, body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn connections_are_kept_and_none_is_used_that_is_being_closed() {
    // As in the example, nginx lets go of a connection in half the time that postduif waits.
    let quick = |text: String| {
        assert!(text.contains("keepalive_timeout 10s;"));
        text.replace("keepalive_timeout 10s;", "keepalive_timeout 1s;")
    };
    let Some(site) = Site::start(&[], quick, &["--header-timeout-s", "2"]) else {
        return;
    };
    let [live, _] = &site.keys;
    let ok = || assert_eq!(site.get(API, PATH, live, "").status, 200);
    let before = site.accepted();
    (0..200).for_each(|_| ok());
    let opened = site.accepted() - before;
    assert!(opened <= 5, "{opened} connections for 200 requests");
    for pause_ms in [900, 990, 1_000, 1_010, 1_100, 1_900, 2_000, 2_100] {
        std::thread::sleep(Duration::from_millis(pause_ms));
        ok();
    }
}

#[test]
fn a_reload_of_nginx_loses_no_request() {
    let Some(site) = Site::start(&[], as_it_stands, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut asked = 0;
            while !stop.load(Ordering::Relaxed) {
                assert_eq!(site.get(API, PATH, live, "").status, 200);
                asked += 1;
            }
            asked
        });
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(200));
            let master = site.nginx.id().to_string();
            let told = Command::new("kill").args(["-HUP", &master]).status();
            assert!(told.expect("kill runs").success());
        }
        std::thread::sleep(Duration::from_millis(300));
        stop.store(true, Ordering::Relaxed);
        assert!(asking.join().expect("no request failed") > 20);
    });
}
