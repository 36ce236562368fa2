//! Checks that the monthly quota is exact to the last call.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use super::PATH;
use crate::chance::{Chance, tries};
use crate::data_dir::village_folder;
use crate::process::{Service, open_account_with, open_enterprise, words};

const BULK: &str = "/v1/bulk/lookup";

fn lines(count: usize) -> String {
    let line = r#"{"postcode":"1234AB","number":29}"#;
    format!(r#"{{"addresses":[{}]}}"#, vec![line; count].join(","))
}

/// Sends `each` requests on each of `at_once` threads; returns how many of them the service answered with 200.
fn count_served(service: &Service, key: &str, at_once: usize, each: usize) -> i64 {
    let served = AtomicI64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                for _ in 0..each {
                    let answer = service.get("live", PATH, Some(key));
                    assert!([200, 429].contains(&answer.status), "{}", answer.head);
                    served.fetch_add(i64::from(answer.status == 200), Ordering::Relaxed);
                }
            });
        }
    });
    served.into_inner()
}

fn start(folder: &Path) -> Service {
    Service::start(folder, &[])
}

#[test]
fn on_one_node_every_answer_has_the_exact_remaining_quota() {
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 20);
    let service = start(folder.path());
    for used in 1..=22 {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(
            (answer.status, answer.quota_remaining()),
            (200, (20 - used).max(0))
        );
        assert_eq!(answer.header("x-quota-limit"), Some("20"));
    }
    let now = || jiff::Timestamp::now().as_second();
    let asked = now();
    let refused = service.get("live", PATH, Some(&live));
    let answered = now();
    assert_eq!((refused.status, refused.quota_remaining()), (429, 0));
    assert_eq!(refused.body, r#"{"title":"Quota exceeded"}"#);
    let reset: i64 = refused
        .header("x-quota-reset")
        .and_then(|at| at.parse().ok())
        .expect("a time");
    let wait: i64 = refused
        .header("retry-after")
        .and_then(|s| s.parse().ok())
        .expect("seconds");
    // Both headers are in whole seconds, so allow a difference of one second.
    assert!(
        (asked - 1..=answered + 1).contains(&(reset - wait)),
        "{reset} - {wait}, not {asked} to {answered}"
    );
    let refused = service.get("live", "/v1/postcodes/1234AB", Some(&live));
    assert!(
        refused.body.contains(r#""code":"quota_exceeded""#),
        "{}",
        refused.body
    );
    // Invalid parameters are reported even if the quota is used up.
    assert_eq!(
        service.get("live", "/v3/lookup/12/a", Some(&live)).status,
        400
    );
}

#[test]
fn the_first_answer_after_a_start_has_the_remaining_quota_also_if_it_takes_no_call() {
    let folder = village_folder();
    let [live, _] = open_account_with(folder.path(), &["--plan", "free"]);
    let mut service = start(folder.path());
    for _ in 0..3 {
        assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    }
    let ask = |service: &Service, path: &str| match path {
        BULK => service.post(path, &live, &lines(1)),
        _ => service.get("live", path, Some(&live)),
    };
    // The free plan has no bulk.
    for (path, status) in [("/v1/account", 200), (BULK, 403)] {
        service.terminate();
        assert!(service.wait().success());
        service = start(folder.path());
        let mut answer = ask(&service, path);
        // A busy machine may need more than the second for which the service waits.
        for _ in 0..60 {
            if answer.quota_remaining() != 500 {
                break;
            }
            answer = ask(&service, path);
        }
        let found = (answer.status, answer.quota_remaining());
        assert_eq!(found, (status, 497), "{path}: {}", answer.body);
    }
}

/// Source: contract.md, section Limits, rule 2. The free plan has no grace. The grace of the other plans is a tenth of the quota,
/// rounded down.
#[test]
fn every_plan_ends_at_its_contractual_quota() {
    let plans = r#"{"free":{"calls_per_second":1000000},"starter":{"calls_per_second":1000000}}"#;
    let own =
        |quota: &str| format!("enterprise --calls-per-month {quota} --calls-per-second 1000000");
    let cases = [
        ("free", 500),
        ("starter", 1_100),
        (&*own("15"), 16),
        (&*own("9"), 9),
    ];
    let folder = village_folder();
    let open = |plan: &str| {
        let options = format!("--plans {plans} --plan {plan}");
        let [live, _] = open_account_with(folder.path(), &words(&options));
        live
    };
    let keys = cases.map(|(plan, _)| open(plan));
    let service = Service::start(folder.path(), &["--plans", plans]);
    for ((plan, stops_at), live) in cases.into_iter().zip(&keys) {
        let each = usize::try_from(stops_at / 8 + 3).expect("few");
        assert_eq!(count_served(&service, live, 8, each), stops_at, "{plan}");
        let refused = service.get("live", PATH, Some(live));
        let outcome = (refused.status, refused.quota_remaining());
        assert_eq!(outcome, (429, 0), "{plan}");
    }
}

#[test]
fn concurrent_calls_use_exactly_the_remaining_quota() {
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 100);
    let service = start(folder.path());
    assert_eq!(count_served(&service, &live, 1, 109), 109);
    assert_eq!(count_served(&service, &live, 64, 1), 1);
    assert_eq!(count_served(&service, &live, 64, 1), 0);
    let [live, _] = open_enterprise(folder.path(), 50);
    crate::process::wait_until("the new key is known", || {
        service
            .get("live", "/v3/lookup/1234AB/x", Some(&live))
            .status
            == 400
    });
    let before = service.get("live", PATH, Some(&live)).quota_remaining();
    assert_eq!(count_served(&service, &live, 64, 2), before + 5);
}

#[test]
fn a_bulk_request_is_charged_whole_or_refused() {
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 100);
    let service = start(folder.path());
    let answer = service.post(BULK, &live, &lines(60));
    assert_eq!((answer.status, answer.quota_remaining()), (200, 40));
    assert!(
        answer.body.contains(r#""billableCalls":60"#),
        "{}",
        answer.body
    );
    // 50 calls are left, grace included, so 51 lines are too many.
    let refused = service.post(BULK, &live, &lines(51));
    assert_eq!((refused.status, refused.quota_remaining()), (429, 40));
    assert!(refused.body.contains("quota_exceeded"), "{}", refused.body);
    // The invalid request costs one call. 49 calls are left, of which 10 are grace.
    assert_eq!(service.post(BULK, &live, "{}").quota_remaining(), 39);
    let answer = service.post(BULK, &live, &lines(49));
    assert_eq!((answer.status, answer.quota_remaining()), (200, 0));
    assert_eq!(service.post(BULK, &live, &lines(1)).status, 429);
}

#[test]
fn calls_of_a_lease_that_were_not_used_are_available_after_a_restart() {
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 1_000);
    for round in 1..=3 {
        let mut service = start(folder.path());
        assert_eq!(count_served(&service, &live, 2, 5), 10);
        let answer = service.get("live", "/v3/lookup/12/a", Some(&live));
        assert_eq!(answer.quota_remaining(), 1_000 - round * 11);
        service.terminate();
        assert_eq!(service.wait().code(), Some(0));
    }
}

#[test]
fn a_kill_costs_at_most_a_lease_and_gives_no_extra_calls() {
    let folder = village_folder();
    let (quota, allowance) = (400, 440);
    let [live, _] = open_enterprise(folder.path(), quota);
    let mut chance = Chance::new();
    let (mut total, kills) = (0, i64::try_from(tries(5)).expect("few"));
    // A lease is a fiftieth of the remaining quota plus one call for each waiting request: here at most 8 plus 4 calls.
    let lease = 8 + 4;
    for _ in 0..kills {
        let service = start(folder.path());
        total += count_served(&service, &live, 4, chance.below(10));
        service.kill();
    }
    let service = start(folder.path());
    let left = service
        .get("live", "/v3/lookup/12/a", Some(&live))
        .quota_remaining();
    let (most, least) = (
        i64::from(quota) - total,
        i64::from(quota) - total - kills * lease,
    );
    assert!((least..=most).contains(&left), "{least} ≤ {left} ≤ {most}");
    total += count_served(&service, &live, 4, 120);
    assert!(
        total <= allowance && total >= allowance - 1 - kills * lease,
        "{total} of {allowance}"
    );
}

#[test]
fn only_answers_that_report_the_used_up_quota_are_counted_as_limited_by_quota() {
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 10);
    let service = start(folder.path());
    assert_eq!(count_served(&service, &live, 1, 11), 11);
    let limited = || {
        let figures = service.get("admin", "/metrics", None).body;
        let name = "postduif_requests_limited_total{reason=\"quota\"} ";
        let value = figures.lines().find_map(|line| line.strip_prefix(name));
        value.expect("a figure").to_owned()
    };
    let before = limited();
    for _ in 0..5 {
        assert_eq!(
            service.get("live", "/v3/lookup/12/a", Some(&live)).status,
            400
        );
        assert_eq!(service.post(BULK, &live, "{}").status, 400);
    }
    assert_eq!(limited(), before);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 429);
    assert_eq!(service.post(BULK, &live, &lines(2)).status, 429);
    let more: u64 = limited().parse().expect("a number");
    assert_eq!(more, before.parse::<u64>().expect("a number") + 2);
}
