//! Tests what clients and operators see while the accounts database is unavailable and after it is available again.

use std::path::Path;
use std::time::{Duration, Instant};

use postduif::accounts::{AccountTag, ApiKey, Environment, PUBLIC_LIVE_KEY};
use serde_json::Value;

use super::{PATH, unreachable_database};
use crate::data_dir::village_folder;
use crate::postgres::{self, Server};
use crate::process::{Answer, Service, get_at, metric, run_json, send, wait_until};
use crate::relay::{LinkState, Relay};
use crate::scratch;

/// The requests that PostcodeAPI.nu documents for its sandbox, and the status of each answer. Source: sandbox.md.
const SANDBOX: [(&str, u16); 8] = [
    ("6545CA/29", 200),
    ("1021JT/19", 200),
    ("5038EA/17", 200),
    ("3030AC/100", 200),
    ("6545CA/29a", 400),
    ("6545C/29", 400),
    ("6545C/29a", 400),
    ("6545CA/299", 404),
];

/// Sends all requests of [`SANDBOX`] with the public trial key, and checks each status.
#[track_caller]
fn sandbox_answers(service: &Service) {
    for (pair, status) in SANDBOX {
        let path = format!("/v3/lookup/{pair}");
        let answer = service.get("sandbox", &path, Some(postduif::accounts::TRIAL_KEY));
        assert_eq!(answer.status, status, "{pair}: {}", answer.body);
        assert_eq!(answer.quota_remaining(), -1);
    }
}

/// Checks that before the keys are loaded, a well-formed key of the right environment gets a 503, and any other key a 401.
#[track_caller]
fn impossible_keys_get_401_and_others_503(service: &Service) {
    let tag = AccountTag::random().expect("randomness");
    let [live, test] = [Environment::Live, Environment::Test]
        .map(|environment| ApiKey::generate(environment, tag).expect("randomness"));
    let (live, test) = (live.reveal(), test.reveal());
    let last = if live.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &live[..live.len() - 1]);
    for (path, key, status) in [
        (PATH, Some(live), 503),
        ("/api/v1/postcodes/6545CA", Some(test), 503),
        (PATH, Some(test), 401),
        (PATH, Some(&*mistyped), 401),
        (PATH, Some("x"), 401),
        (PATH, Some(""), 401),
        (PATH, None, 401),
    ] {
        let answer = service.get("live", path, key);
        assert_eq!(answer.status, status, "{path} {key:?}: {}", answer.body);
    }
}

#[test]
fn the_sandbox_needs_no_database_and_no_index() {
    let folder = scratch::folder();
    let url = unreachable_database();
    let mut service = Service::start(folder.path(), &["--database-url", &url]);
    sandbox_answers(&service);
    impossible_keys_get_401_and_others_503(&service);
    let page = "Origin: https://any-shop.example.org\r\n";
    let trial = format!("X-Api-Key: {}\r\n{page}", postduif::accounts::TRIAL_KEY);
    let address = service.address("sandbox");
    let from_page = send(address, "GET", "/v1/autocomplete?q=hamer", &trial, "");
    assert_eq!(
        from_page.header("access-control-allow-origin"),
        Some("https://any-shop.example.org")
    );
    let under_api = service.get(
        "live",
        "/api/v3/lookup/6545CA/29",
        Some(postduif::accounts::TRIAL_KEY),
    );
    assert_eq!(under_api.status, 200);
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(
        (ready.status, ready.body.as_str()),
        (503, r#"{"status":"no accounts"}"#)
    );
    wait_until("the log reports the unavailable database", || {
        service.log().contains("accounts database is unavailable")
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_trial_key_allows_forty_calls_a_minute_and_can_be_disabled() {
    let folder = village_folder();
    let service = Service::start(folder.path(), &[]);
    let look_up = |service: &Service| {
        service.get(
            "sandbox",
            "/v3/lookup/6545CA/29",
            Some(postduif::accounts::TRIAL_KEY),
        )
    };
    let began = Instant::now();
    for _ in 0..40 {
        assert_eq!(look_up(&service).status, 200);
    }
    let mut refused = look_up(&service);
    // If the forty calls took longer than a minute, the next minute allows forty more calls. Go on until that limit is reached.
    while refused.status == 200 && began.elapsed() >= Duration::from_mins(1) {
        refused = look_up(&service);
    }
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (429, r#"{"title":"Rate limit exceeded"}"#)
    );
    assert!(refused.header("retry-after").is_some());
    let service = Service::start(folder.path(), &["--trial-key", "off"]);
    assert_eq!(look_up(&service).status, 401);
}

/// Sends a GET with the public live key, as a page of the service does.
fn ask_as_page(service: &Service, path: &str) -> Answer {
    let head = format!("X-Api-Key: {PUBLIC_LIVE_KEY}\r\nSec-Fetch-Site: same-origin\r\n");
    send(service.address("live"), "GET", path, &head, "")
}

#[test]
fn the_public_live_key_needs_no_database() {
    let folder = village_folder();
    let url = unreachable_database();
    let settings = ["--public-live-key", "on", "--database-url", &url];
    let service = Service::start(folder.path(), &settings);
    let found = ask_as_page(&service, PATH);
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.quota_remaining(), -1);
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(
        (ready.status, ready.body.as_str()),
        (503, r#"{"status":"no accounts"}"#)
    );
}

#[test]
fn calls_with_the_public_live_key_are_logged_and_charged_to_no_account() {
    let folder = village_folder();
    let mut service = Service::start(folder.path(), &["--public-live-key", "on"]);
    assert_eq!(ask_as_page(&service, PATH).status, 200);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert!(!service.log().contains("lost usage"), "{}", service.log());
    let usage = run_json(folder.path(), &["usage", "show", "--json"]);
    assert_eq!(usage["calls"], 0, "{usage}");
    let files = std::fs::read_dir(folder.path().join("requests")).expect("the request log");
    let lines: Vec<Value> = files
        .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("UTF-8"))
        .flat_map(|text| text.lines().map(parse_line).collect::<Vec<_>>())
        .collect();
    let [line] = lines.as_slice() else {
        panic!("one line, not {lines:?}");
    };
    assert_eq!(line["key"], "00000000-0000-0000-0000-000000000001");
    assert_eq!((&line["status"], &line["lines"]), (&200.into(), &0.into()));
}

fn parse_line(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

/// Opens an account and returns its live key.
fn open(folder: &Path, url: &str, email: &str, plan: &str) -> String {
    let arguments = ["accounts", "create", "--json", "--email", email];
    let on = ["--plan", plan, "--database-url", url];
    let opened = run_json(folder, &[&arguments[..], &on].concat());
    opened["live_key"].as_str().expect("a key").to_owned()
}

#[test]
fn calls_use_the_local_lease_while_the_database_is_unavailable() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = village_folder();
    let url = server.url("postgres");
    let live = open(folder.path(), &url, "kees@example.org", "pro");
    let never_called = open(folder.path(), &url, "mia@example.org", "klein");
    // The service connects through a relay, which can cut the connections at once. If the test stopped the database server instead,
    // the service would try each connection for ten seconds.
    let relay = Relay::start(server.address());
    let by_relay = postgres::url(relay.address(), "postgres");
    let service = Service::start(folder.path(), &["--database-url", &by_relay]);
    // These calls make the account busy, so that the node leases enough calls for more than a second.
    let mut left = 100_000;
    let mut call = || {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(answer.status, 200, "{left}: {}", answer.body);
        left -= 1;
        assert_eq!(answer.quota_remaining(), left);
    };
    (0..30).for_each(|_| call());
    let metrics = || get_at(service.address("admin"), "/metrics", None).body;
    let in_hand = || metric(&metrics(), "postduif_leases_calls_unused").unwrap_or_default();
    wait_until("the node holds the lease of a busy account", || {
        in_hand() > 500.0
    });
    let show = ["usage", "show", "--json", "--database-url", &url];
    // Wait until the database has committed the calls. If the cut interrupted a commit, its calls might not be counted.
    wait_until("the first calls are counted", || {
        run_json(folder.path(), &show)["calls"] == 30
    });
    relay.set(LinkState::Cut);
    wait_until("the log reports the unavailable database", || {
        service.log().contains("database is unavailable")
    });
    (0..30).for_each(|_| call());
    let away =
        || metric(&metrics(), "postduif_accounts_database_unavailable").unwrap_or_default() > 0.0;
    wait_until("the metrics report the unavailable database", away);
    (0..30).for_each(|_| call());
    // The service also answers a known key whose account has no lease on this node. It books such calls on credit.
    for used in 1..=9 {
        let answer = service.get("live", PATH, Some(&never_called));
        let outcome = (answer.status, answer.quota_remaining());
        assert_eq!(outcome, (200, 5_000 - used), "{}", answer.body);
    }
    let on_credit = || metric(&metrics(), "postduif_leases_calls_on_credit ").unwrap_or_default();
    wait_until("the metrics report the credit", || on_credit() > 8.0);
    sandbox_answers(&service);
    relay.set(LinkState::Open);
    wait_until("the log reports the available database", || {
        service.log().contains("database is available")
    });
    call();
    wait_until("the calls on credit are booked", || on_credit() < 1.0);
    wait_until("all calls are counted", || {
        run_json(folder.path(), &show)["calls"] == 100
    });
}
