//! Tests `GET /v1/account`: which keys may call the endpoint, and the exact calls, limits, keys and refusals in its answer.

use std::collections::BTreeMap;
use std::path::Path;

use postduif::accounts::{PUBLIC_LIVE_KEY, TRIAL_KEY};
use serde_json::{Value, json};

use super::PATH;
use crate::data_dir::village_folder;
use crate::process::{
    Answer, Service, enterprise, open_account, open_account_with, open_enterprise, run_json, send,
    wait_until, words,
};

const ACCOUNT: &str = "/v1/account";
const BULK: &str = "/v1/bulk/lookup";
const LINES: &str = r#"{"addresses":[{"postcode":"1234AB","number":29},{"postcode":"1234AB","number":1},{"postcode":"x"}]}"#;

/// Requests the account endpoint with a key; returns the data of the answer.
#[track_caller]
fn account(service: &Service, key: &str) -> Value {
    let answer = service.get("live", ACCOUNT, Some(key));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let body: Value = serde_json::from_str(&answer.body).expect("JSON");
    body["data"].clone()
}

#[track_caller]
fn repeat_call(times: usize, status: u16, call: impl Fn() -> Answer) {
    for _ in 0..times {
        let answer = call();
        assert_eq!(answer.status, status, "{}", answer.body);
    }
}

/// Creates another key for the account of `account_key`. Call this before the service starts, so that the service knows the key at
/// once.
#[track_caller]
fn create_key(data: &Path, account_key: &str, options: &[&str]) -> Value {
    let id = account_id(data, account_key);
    run_json(
        data,
        &[&["keys", "create", "--json", "--account", &id], options].concat(),
    )
}

/// Returns the id of the account of a key. All keys of an account have the same eight characters after the environment.
fn account_id(data: &Path, key: &str) -> String {
    let keys = run_json(data, &["keys", "list", "--json"]);
    let found = keys.as_array().expect("a list").iter().find(|listed| {
        let hint = listed["hint"].as_str().expect("a text");
        hint[8..16] == key[8..16]
    });
    let id = found.expect("an account")["account"].as_str();
    id.expect("an id").to_owned()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Sums the calls, lines and errors of each endpoint over all days, because a test that runs across midnight has two days.
fn usage(account: &Value) -> Vec<Value> {
    let mut sums: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for row in account["usage"].as_array().expect("a list") {
        let sum = sums.entry(text(&row["endpoint"])).or_default();
        for (sum, name) in sum.iter_mut().zip(["calls", "lines", "errors"]) {
            *sum += row[name].as_u64().expect("a number");
        }
    }
    let sums = sums.into_iter();
    sums.map(|(endpoint, [calls, lines, errors])| json!([endpoint, calls, lines, errors]))
        .collect()
}

/// Returns the reason, the status and the number of calls for each kind of refusal.
fn refusals(account: &Value) -> Vec<Value> {
    let rows = account["refusals"]["byReason"].as_array().expect("a list");
    let row = |row: &Value| json!([row["reason"], row["status"], row["calls"]]);
    rows.iter().map(row).collect()
}

#[test]
fn a_holder_sees_exactly_the_calls_keys_and_refusals_of_the_account() {
    let folder = village_folder();
    let data = folder.path();
    let [key, test] = open_enterprise(data, 1000);
    let [other, _] = open_account_with(data, &["--plan", "free"]);
    let reader = create_key(data, &key, &["--read-only", "--ip", "127.0.0.0/8"]);
    let service = Service::start(data, &[]);
    let (asked, by) = (&service, &key);
    let get = |path: &'static str| move || asked.get("live", path, Some(by));
    repeat_call(4, 200, get(PATH));
    repeat_call(1, 404, get("/v3/lookup/1234AB/28"));
    repeat_call(3, 400, get("/v1/postcodes/x"));
    repeat_call(2, 400, get("/v3/lookup/x/y"));
    repeat_call(1, 200, || service.post(BULK, &key, LINES));
    repeat_call(2, 403, || service.post(BULK, text(&reader["key"]), LINES));
    repeat_call(1, 200, || {
        service.get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
    });
    repeat_call(1, 200, || service.get("live", PATH, Some(&other)));
    // The account does not show calls to the account endpoint itself.
    repeat_call(3, 200, get(ACCOUNT));
    wait_until("all calls are in the accounts database", || {
        let seen = account(&service, &key);
        let rows = seen["usage"].as_array().expect("a list").iter();
        let requests: i64 = rows
            .map(|row| row["calls"].as_i64().expect("a number"))
            .sum();
        requests == 13 && seen["month"]["callsUsed"] == 13
    });

    let seen = account(&service, &key);
    assert_eq!(
        usage(&seen),
        [
            json!(["bulk", 3, 3, 2]),
            json!(["lookup", 7, 7, 3]),
            json!(["postcodes", 3, 3, 3]),
        ]
    );
    assert_eq!(
        refusals(&seen),
        [
            json!(["invalid_postcode", 400, 5]),
            json!(["plan_upgrade_required", 403, 2]),
        ]
    );
    let last = seen["refusals"]["last"].as_array().expect("a list");
    let mut endpoints: Vec<(&str, &str)> = last
        .iter()
        .map(|row| (text(&row["endpoint"]), text(&row["reason"])))
        .collect();
    endpoints.sort_unstable();
    endpoints.dedup();
    assert_eq!(
        endpoints,
        [
            ("bulk", "plan_upgrade_required"),
            ("lookup", "invalid_postcode"),
            ("postcodes", "invalid_postcode"),
        ]
    );
    assert_eq!(seen["plan"], "enterprise");
    let limits =
        json!({"callsPerMonth": 1000, "grace": 100, "callsPerSecond": 1_000_000, "bulkMax": 1000});
    assert_eq!(seen["limits"], limits);
    assert_eq!(seen["month"]["callsRemaining"], 987);
    let keys = seen["keys"].as_array().expect("a list");
    let masked = |key: &str| format!("{}…{}", &key[..16], &key[key.len() - 4..]);
    let hints: Vec<&str> = keys.iter().map(|key| text(&key["hint"])).collect();
    let expected = [&key, &test, text(&reader["key"])].map(masked);
    assert_eq!(hints, expected);
    let own: Vec<&Value> = keys.iter().map(|key| &key["isOwn"]).collect();
    assert_eq!(own, [true, false, false]);
    assert_eq!(keys[2]["networks"], json!(["127.0.0.0/8"]));
    assert_eq!(
        (&keys[2]["readOnly"], &keys[1]["environment"]),
        (&json!(true), &json!("test"))
    );
    assert!(!seen.to_string().contains('@'), "no e-mail address: {seen}");

    let others = account(&service, &other);
    assert_eq!(usage(&others), [json!(["lookup", 1, 1, 0])]);
    assert_eq!(
        (refusals(&others), &others["plan"]),
        (vec![], &json!("free"))
    );
    assert_eq!(others["keys"].as_array().map(Vec::len), Some(2));
}

#[test]
fn only_a_live_key_of_a_server_with_full_rights_sees_the_account() {
    let folder = village_folder();
    let data = folder.path();
    let [key, test] = open_account(data);
    let make = |options: &[&str]| text(&create_key(data, &key, options)["key"]).to_owned();
    let (reader, page, any) = (
        make(&["--read-only"]),
        make(&["--origin", "https://shop.example.org"]),
        make(&["--origin", "*"]),
    );
    let elsewhere = make(&["--ip", "192.0.2.0/24"]);
    let service = Service::start(data, &["--public-live-key", "on"]);
    let live = service.address("live");
    let status = |path: &str, key: &str, lines: &str| {
        let head = format!("X-Api-Key: {key}\r\n{lines}");
        let answer = send(live, "GET", path, &head, "");
        if answer.status == 403 {
            assert!(answer.body.contains(r#""code":"key_not_permitted""#));
            assert!(!answer.body.contains("keys\":"), "{}", answer.body);
        }
        answer.status
    };
    assert_eq!(status(ACCOUNT, &key, ""), 200);
    assert_eq!(status("/api/v1/account", &key, ""), 200);
    // The header that a browser adds to a request from a page of the service itself.
    let own_page = "Sec-Fetch-Site: same-origin\r\n";
    assert_eq!(status("/api/v1/account", &key, own_page), 200);
    let shop = "Origin: https://shop.example.org\r\n";
    for (path, key, head) in [
        (ACCOUNT, reader.as_str(), ""),
        (ACCOUNT, &page, shop),
        (ACCOUNT, &any, ""),
        (ACCOUNT, &any, shop),
        (ACCOUNT, PUBLIC_LIVE_KEY, own_page),
        ("/api/v1/account", &test, ""),
        ("/api/v1/account", TRIAL_KEY, ""),
    ] {
        assert_eq!(status(path, key, head), 403, "{path} {key} {head}");
    }
    for (key, head) in [
        (key.as_str(), shop),
        (&test, ""),
        (&page, ""),
        (&elsewhere, ""),
        ("", ""),
        (&key[..key.len() - 1], ""),
    ] {
        assert_eq!(status(ACCOUNT, key, head), 401, "{key} {head}");
    }
    let sandbox = service.get("sandbox", ACCOUNT, Some(&test));
    assert_eq!(sandbox.status, 403);
    let seen = account(&service, &key);
    assert_eq!((usage(&seen), refusals(&seen)), (vec![], vec![]));
}

#[test]
fn a_rotated_key_sees_the_account_during_its_grace_period_and_a_revoked_key_does_not() {
    let folder = village_folder();
    let data = folder.path();
    let [key, _] = open_account_with(data, &["--plan", "free"]);
    let [old, ended, revoked] = [(); 3].map(|()| create_key(data, &key, &[]));
    let service = Service::start(data, &[]);
    let status = |key: &Value| service.get("live", ACCOUNT, Some(text(key))).status;
    for made in [&old, &ended, &revoked] {
        assert_eq!(status(&made["key"]), 200);
    }
    let rotate = |id: &Value, grace| {
        let rotate = ["keys", "rotate", text(id), "--grace", grace, "--json"];
        run_json(data, &rotate)["key"].clone()
    };
    let new = [rotate(&old["id"], "7d"), rotate(&ended["id"], "0s")];
    run_json(data, &["keys", "revoke", text(&revoked["id"]), "--json"]);
    wait_until("the new keys work", || {
        new.iter().all(|key| status(key) == 200)
    });
    wait_until("the other keys do not work", || {
        status(&ended["key"]) == 401 && status(&revoked["key"]) == 401
    });
    assert_eq!(status(&old["key"]), 200, "the grace period has not ended");
    let seen = account(&service, text(&old["key"]));
    let keys = seen["keys"].as_array().expect("a list");
    let listed = |made: &Value| {
        let found = keys.iter().find(|key| key["id"] == made["id"]);
        let found = found.expect("the account lists the key");
        (
            found["expiresAt"].is_string(),
            found["revokedAt"].is_string(),
            found["isOwn"] == true,
        )
    };
    assert_eq!(listed(&old), (true, false, true));
    assert_eq!(listed(&ended), (true, false, false));
    assert_eq!(listed(&revoked), (false, true, false));
}

#[test]
fn the_account_is_visible_with_a_used_up_quota_but_limited_in_calls_per_second() {
    let folder = village_folder();
    let data = folder.path();
    let [key, _] = open_account_with(data, &words(&enterprise(10, 1)));
    let hasty = text(&create_key(data, &key, &[])["key"]).to_owned();
    let service = Service::start(data, &[]);
    let (mut served, mut limited, mut used_up) = (0, 0, 0);
    // The quota is 11 calls, grace included. The service also refuses calls that come too fast. Their number depends on the
    // machine, so the test counts them.
    wait_until("the quota is used up", || {
        let answer = service.get("live", PATH, Some(&hasty));
        match answer.status {
            200 => served += 1,
            _ if answer.body.contains("Quota exceeded") => used_up += 1,
            _ => limited += 1,
        }
        used_up == 2
    });
    assert_eq!(served, 11);
    let mut too_fast = false;
    let mut seen = None;
    wait_until(
        "the account shows the used quota and two calls refused as too fast",
        || {
            let answer = service.get("live", ACCOUNT, Some(&key));
            match answer.status {
                429 => too_fast = answer.header("retry-after") == Some("1"),
                _ => {
                    let body: Value = serde_json::from_str(&answer.body).expect("JSON");
                    let data = body["data"].clone();
                    let rows = data["usage"].as_array().expect("a list").iter();
                    let requests: u32 = rows
                        .map(|row| {
                            u32::try_from(row["calls"].as_u64().expect("a number")).expect("few")
                        })
                        .sum();
                    let is_written = requests == served + limited + used_up;
                    seen = (is_written && data["month"]["callsUsed"] == 11).then_some(data);
                }
            }
            seen.is_some() && too_fast
        },
    );
    let seen = seen.expect("just seen");
    assert_eq!(seen["month"]["callsRemaining"], 0);
    let mut expected = vec![
        json!(["quota_exceeded", 429, used_up]),
        json!(["rate_limit_exceeded", 429, limited]),
    ];
    expected.retain(|row| row[2] != 0);
    expected.sort_by_key(|row| std::cmp::Reverse(row[2].as_u64()));
    assert_eq!(refusals(&seen), expected);
    assert_eq!(
        usage(&seen),
        [json!([
            "lookup",
            served + limited + used_up,
            11,
            limited + used_up
        ])]
    );
}

#[test]
fn the_answer_must_not_be_cached_and_a_head_request_gets_no_body() {
    let folder = village_folder();
    let [key, _] = open_account_with(folder.path(), &["--plan", "free"]);
    let service = Service::start(folder.path(), &[]);
    let get = service.get("live", ACCOUNT, Some(&key));
    assert_eq!(get.header("cache-control"), Some("no-store"));
    assert_eq!((get.header("etag"), get.quota_remaining()), (None, 500));
    let key = format!("X-Api-Key: {key}\r\n");
    let head = send(service.address("live"), "HEAD", ACCOUNT, &key, "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}
