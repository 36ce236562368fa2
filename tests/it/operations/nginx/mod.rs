//! Runs nginx in front of a service: Debian's own `nginx.conf` includes `docker/nginx.conf`, in which only the ports are changed.

pub(crate) mod site;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use self::site::NginxSite;
use crate::chance::tries;
use crate::process::{Answer, StopOnDrop, wait_until};

const PATH: &str = "/v3/lookup/1234AB/29";
const API: &str = "api.example.org";

fn unchanged(text: String) -> String {
    text
}

/// nginx adds a Vary line of its own to postduif's Vary line. Source: RFC 9110, section 5.3. The two lines are one list.
fn varies_by(answer: &Answer, header: &str) -> bool {
    let mut lines = answer.head.lines();
    lines.any(|line| line.starts_with("vary: ") && line.contains(header))
}

#[test]
fn nginx_accepts_the_files_without_a_warning() {
    let Some(site) = NginxSite::start(&[], unchanged, &[]) else {
        return;
    };
    let message = site.check_config();
    let bad = |line: &&str| !line.contains("syntax is ok") && !line.contains("is successful");
    let words: Vec<&str> = message.lines().filter(bad).collect();
    assert_eq!(words, [""; 0]);
    assert!(message.contains("is successful"), "{message}");
}

/// The settings of the example affect no other site of the same nginx.
#[test]
fn another_nginx_site_is_unaffected() {
    let Some(site) = NginxSite::start(&["--plan", "pro", "--ip", "127.0.0.2"], unchanged, &[])
    else {
        return;
    };
    let [live, _] = &site.keys;
    let lie = "\r\nX-Forwarded-For: 127.0.0.2\r\nAccept-Encoding: gzip";
    assert_eq!(site.get(API, PATH, live, lie).status, 401);
    let answer = site.get(site::NEIGHBOUR, PATH, live, lie);
    assert_eq!(answer.status, 200, "a header that nginx passes unchanged");
    assert!(!answer.head.contains("content-encoding"), "{}", answer.head);
}

#[test]
fn compressed_answers_vary_by_accept_encoding() {
    let Some(site) = NginxSite::start(&[], unchanged, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    let packed = |accepted: &str| {
        let answer = site.get(API, PATH, live, accepted);
        assert_eq!(answer.status, 200);
        assert!(varies_by(&answer, "accept-encoding"), "{}", answer.head);
        assert!(varies_by(&answer, "x-api-key"), "{}", answer.head);
        answer.header("content-encoding").map(str::to_owned)
    };
    assert_eq!(packed("\r\nAccept-Encoding: gzip").as_deref(), Some("gzip"));
    assert_eq!(packed(""), None);
}

#[test]
fn the_service_trusts_only_nginx_for_the_client_ip() {
    let Some(site) = NginxSite::start(&["--plan", "pro", "--ip", "127.0.0.2"], unchanged, &[])
    else {
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
fn live_sandbox_and_main_site_have_their_own_server_name() {
    let Some(site) = NginxSite::start(&[], unchanged, &[]) else {
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
    assert_eq!(
        status(main, PATH, live),
        404,
        "other paths belong to the site itself"
    );
}

#[test]
fn nginx_passes_answers_unchanged() {
    let page = "https://shop.example.org";
    let account = ["--plan", "free", "--origin", page];
    let Some(site) = NginxSite::start(&account, unchanged, &[]) else {
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
    let get = || site.get(API, PATH, live, &origin);
    let found = &get();
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.header("access-control-allow-origin"), Some(page));
    assert_eq!(found.header("cache-control"), Some("public, max-age=86400"));
    assert!(varies_by(found, "x-api-key"), "{}", found.head);
    assert_eq!(found.head.matches("x-request-id: ").count(), 1);
    let id = found.header("x-request-id").map(uuid::Uuid::parse_str);
    assert!(id.is_some_and(|id| id.is_ok()), "{}", found.head);
    let mut refused = None;
    wait_until("one of eight simultaneous calls is refused", || {
        refused = std::thread::scope(|scope| {
            let all = [(); 8].map(|()| scope.spawn(get));
            let all = all.map(|one| one.join().expect("an answer"));
            all.into_iter().find(|answer| answer.status == 429)
        });
        refused.is_some()
    });
    let refused = refused.expect("just seen");
    assert_eq!(refused.body, r#"{"title":"Rate limit exceeded"}"#);
    assert_eq!(
        refused.header("content-type"),
        Some("application/problem+json")
    );
    assert!(refused.header("retry-after").is_some(), "{}", refused.head);
}

#[test]
fn nginx_rejects_a_too_large_body_in_the_contracts_format() {
    let Some(site) = NginxSite::start(&[], unchanged, &[]) else {
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
    // A client receives a refusal even if its body was not read.
    for (path, status) in [
        ("/v1/bulk/lookup", 401),
        ("/v1/addresses", 405),
        ("/v1/nope", 404),
        ("/", 405),
    ] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {API}\r\nX-Api-Key: none\r\nContent-Type: application/json\r\nContent-Length: 1000000"
        );
        for _ in 0..10 {
            let answer = site.ask_from("127.0.0.1", &head, &[b' '; 1_000_000]);
            assert_eq!(answer.status, status, "{path}: {}", answer.body);
        }
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
fn nginx_reuses_connections_but_not_closing_ones() {
    // In the example, nginx closes idle connections after half of postduif's idle timeout. The test keeps this ratio with shorter
    // times.
    let quick = |text: String| {
        assert!(text.contains("keepalive_timeout 10s;"));
        text.replace("keepalive_timeout 10s;", "keepalive_timeout 500ms;")
    };
    let Some(site) = NginxSite::start(&[], quick, &["--header-timeout-s", "1"]) else {
        return;
    };
    let [live, _] = &site.keys;
    let ok = || assert_eq!(site.get(API, PATH, live, "").status, 200);
    ok();
    let (before, mut pauses, mut last) = (site.accepted(), 0, Instant::now());
    for _ in 0..200 {
        ok();
        // On a busy machine, the pause between two requests may be so long that nginx closes the connection.
        pauses += u64::from(last.elapsed() > Duration::from_millis(400));
        last = Instant::now();
    }
    let opened = site.accepted() - before;
    assert!(
        opened <= 5 + pauses,
        "{opened} connections for 200 requests with {pauses} pauses"
    );
    let all = [500, 1_000, 495, 505, 450, 550, 950, 1_050];
    for pause_ms in all.into_iter().take(tries(4)) {
        std::thread::sleep(Duration::from_millis(pause_ms));
        ok();
    }
}

#[test]
fn a_reload_of_nginx_loses_no_request() {
    let Some(site) = NginxSite::start(&[], unchanged, &[]) else {
        return;
    };
    let [live, _] = &site.keys;
    let (stop, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let asking = [(); 2].map(|()| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    assert_eq!(site.get(API, PATH, live, "").status, 200);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        let goes_on = || {
            let before = answered.load(Ordering::Relaxed);
            wait_until("requests are answered, or one has failed", || {
                let has_failed = asking.iter().any(ScopedJoinHandle::is_finished);
                answered.load(Ordering::Relaxed) > before + 10 || has_failed
            });
        };
        let _ending = StopOnDrop(&stop);
        for _ in 0..3 {
            goes_on();
            site.reload();
        }
        goes_on();
    });
}
