//! The accounts database goes away and comes back, as users and operators see it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{PATH, unreachable_database, village_folder};
use crate::postgres::{self, Server};
use crate::process::{Service, ask, get_at, send, until};
use crate::relay::{Relay, Road};
use crate::scratch;

/// Documented by the other service for its own sandbox. Source: sandbox.md.
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

/// Every fixed case of the sandbox, by the public trial key.
#[track_caller]
fn sandbox_answers(service: &Service) {
    for (pair, status) in SANDBOX {
        let path = format!("/v3/lookup/{pair}");
        let answer = service.get("sandbox", &path, Some(postduif::accounts::TRIAL_KEY));
        assert_eq!(answer.status, status, "{pair}: {}", answer.body);
        assert_eq!(answer.quota_remaining(), -1);
    }
}

#[test]
fn the_sandbox_answers_without_database_and_index() {
    let folder = scratch::folder();
    let url = unreachable_database();
    let mut service = Service::start(folder.path(), &["--database-url", &url]);
    sandbox_answers(&service);
    let unknown = service.get("live", PATH, Some("x"));
    assert_eq!(unknown.status, 503, "nobody can tell yet: {}", unknown.body);
    let page = "Origin: https://anybody.example.org\r\n";
    let trial = format!("X-Api-Key: {}\r\n{page}", postduif::accounts::TRIAL_KEY);
    let address = service.address("sandbox");
    let from_page = send(address, "GET", "/v1/autocomplete?q=hamer", &trial, "");
    assert_eq!(
        from_page.header("access-control-allow-origin"),
        Some("https://anybody.example.org")
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
    until("the log says so", || {
        service.log().contains("accounts database is not available")
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_trial_key_has_forty_calls_a_minute_and_can_be_turned_off() {
    let folder = village_folder();
    let service = Service::start(folder.path(), &[]);
    let ask = |service: &Service| {
        service.get(
            "sandbox",
            "/v3/lookup/6545CA/29",
            Some(postduif::accounts::TRIAL_KEY),
        )
    };
    let began = Instant::now();
    for _ in 0..40 {
        assert_eq!(ask(&service).status, 200);
    }
    let mut refused = ask(&service);
    // On a machine that takes more than a minute for forty calls, the next minute is used up too.
    while refused.status == 200 && began.elapsed() >= Duration::from_mins(1) {
        refused = ask(&service);
    }
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (429, r#"{"title":"Rate limit exceeded"}"#)
    );
    assert!(refused.header("retry-after").is_some());
    let service = Service::start(folder.path(), &["--trial-key", "off"]);
    assert_eq!(ask(&service).status, 401);
}

/// The value of a figure without labels; 0 before it is there.
fn figure(figures: &str, name: &str) -> f64 {
    let value = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
    figures.lines().find_map(value).unwrap_or_default()
}

/// The live key of a new account.
fn open(folder: &Path, url: &str, email: &str, plan: &str) -> String {
    let arguments = ["accounts", "create", "--json", "--email", email];
    let on = ["--plan", plan, "--database-url", url];
    let opened = ask(folder, &[&arguments[..], &on].concat());
    opened["live_key"].as_str().expect("a key").to_owned()
}

#[test]
fn calls_go_on_from_what_is_in_hand_while_the_database_is_away() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = village_folder();
    let url = server.url("postgres");
    let live = open(folder.path(), &url, "kees@example.org", "pro");
    let never_called = open(folder.path(), &url, "mia@example.org", "klein");
    // It cuts connections at once: those to a server that is stopped are tried for ten seconds each.
    let relay = Relay::start(server.address());
    let by_relay = postgres::url(relay.address(), "postgres");
    let service = Service::start(folder.path(), &["--database-url", &by_relay]);
    // The first calls make it a busy account, so that it holds more than a second's worth.
    let mut left = 100_000;
    let mut call = || {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(answer.status, 200, "{left}: {}", answer.body);
        left -= 1;
        assert_eq!(answer.quota_remaining(), left);
    };
    (0..30).for_each(|_| call());
    let figures = || get_at(service.address("admin"), "/metrics", None).body;
    let in_hand = || figure(&figures(), "postduif_leases_calls_in_hand");
    until("a busy account's lease is in hand", || in_hand() > 500.0);
    relay.set(Road::Cut);
    until("the log says so", || service.log().contains("away"));
    (0..30).for_each(|_| call());
    let away = || figure(&figures(), "postduif_leases_database_away") > 0.0;
    until("the figures say so", away);
    (0..30).for_each(|_| call());
    // A key that is known is served, also where nothing was leased for it.
    for used in 1..=9 {
        let answer = service.get("live", PATH, Some(&never_called));
        let told = (answer.status, answer.quota_remaining());
        assert_eq!(told, (200, 5_000 - used), "{}", answer.body);
    }
    let on_credit = || figure(&figures(), "postduif_leases_calls_on_credit ");
    until("the credit is told", || on_credit() > 8.0);
    sandbox_answers(&service);
    relay.set(Road::Open);
    until("the log says so", || service.log().contains("back"));
    call();
    let show = ["usage", "show", "--json", "--database-url", &url];
    until("the credit is booked", || on_credit() < 1.0);
    until("everything is counted", || {
        ask(folder.path(), &show)["calls"] == 100
    });
}
