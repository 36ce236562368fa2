//! Causes every answer of every operation that a test can cause, and checks the answers against the OpenAPI description.

use postduif::accounts::{CustomLimits, PlanName, Plans, Restrictions};
use postduif::state::ResponseOptions;

use super::calls::{self, Call};
use super::judge::DescriptionChecker;
use crate::app::{Customer, Reply, TestApp};

const SHOP: (&str, &str) = ("Origin", "https://shop.example.org");

async fn ask(app: &TestApp, call: &Call, more: &[(&'static str, &str)]) -> Reply {
    app.send_raw(call.request(Some(app.live_key()), more)).await
}

/// Checks an answer against the description, and that it has this status.
#[track_caller]
fn check_answer(
    checker: &DescriptionChecker,
    call: &Call,
    by_page: bool,
    reply: &Reply,
    status: u16,
) {
    assert_eq!(
        reply.status.as_u16(),
        status,
        "{} {}",
        call.path,
        reply.text()
    );
    checker.check_answer(call, by_page, reply);
}

fn shop() -> Customer {
    Customer {
        restrictions: Restrictions {
            origins: SHOP.1.parse().expect("an origin"),
            ..Restrictions::default()
        },
        ..Customer::default()
    }
}

/// An account whose plan permits no endpoint.
fn account_without_endpoints() -> Customer {
    let all =
        r#""lookup","addresses","address","postcodes","autocomplete","reverse","bulk","validate""#;
    let plans: Plans = format!(r#"{{"pro":{{"without":[{all}]}}}}"#)
        .parse()
        .expect("plans");
    Customer {
        plan: plans
            .resolve(PlanName::Pro, CustomLimits::default())
            .expect("fixed numbers"),
        restrictions: Restrictions::default(),
    }
}

/// Options with every setting that adds a header.
const ALL_OPTIONS: ResponseOptions = ResponseOptions {
    compress: true,
    server_timing: true,
};

/// Checks the answers to a key that may use every endpoint.
async fn check_admitted(by: &DescriptionChecker) {
    let (app, page) = (
        TestApp::village(),
        TestApp::village_with(shop(), ALL_OPTIONS),
    );
    for call in &calls::look_ups() {
        let copy = [("If-None-Match", "*"), SHOP];
        check_answer(by, call, false, &ask(&app, call, &copy[..1]).await, 304);
        check_answer(by, call, true, &ask(&page, call, &copy).await, 304);
    }
    let found = calls::valid_calls().into_iter().map(|call| (200, call));
    for (status, call) in &found.chain(calls::other_calls()).collect::<Vec<_>>() {
        check_answer(by, call, false, &ask(&app, call, &[]).await, *status);
        check_answer(by, call, true, &ask(&page, call, &[SHOP]).await, *status);
    }
    for call in &calls::overlong_calls() {
        check_answer(by, call, false, &ask(&app, call, &[]).await, 413);
        let text = [("Content-Type", "text/plain")];
        check_answer(by, call, false, &ask(&app, call, &text).await, 415);
    }
}

/// A key without permission for bulk look-up.
fn read_only_account() -> Customer {
    Customer {
        restrictions: Restrictions {
            read_only: true,
            ..Restrictions::default()
        },
        ..Customer::default()
    }
}

/// Checks the answers to unknown and unauthorized keys, and the answers of a service that has no generation.
async fn check_refused(by: &DescriptionChecker) {
    let [open, empty] = [TestApp::village(), TestApp::empty()];
    let [closed, read_only_account] =
        [account_without_endpoints(), read_only_account()].map(TestApp::village_for_customer);
    for call in &calls::valid_calls() {
        let keyless = open.send_raw(call.request(None, &[])).await;
        check_answer(by, call, false, &keyless, 401);
        check_answer(by, call, false, &ask(&open, call, &[SHOP]).await, 401);
        check_answer(by, call, false, &ask(&closed, call, &[]).await, 403);
        let read = ask(&read_only_account, call, &[]).await;
        let status = if call.path == calls::BULK { 403 } else { 200 };
        check_answer(by, call, false, &read, status);
        check_answer(by, call, false, &ask(&empty, call, &[]).await, 503);
    }
}

/// Checks the answers to a key that has used up its one call a second, or its one call a month.
async fn check_limited(by: &DescriptionChecker) {
    for call in &calls::valid_calls() {
        for limits in [
            Customer::with_limits(1_000, 1),
            Customer::with_limits(1, 1_000),
        ] {
            let app = TestApp::village_for_customer(limits);
            let first = ask(&app, &calls::valid_calls()[0], &[]).await;
            assert_eq!(first.status.as_u16(), 200, "{}", first.text());
            check_answer(by, call, false, &ask(&app, call, &[]).await, 429);
        }
    }
}

#[tokio::test]
async fn every_answer_is_described_and_every_described_answer_occurs() {
    let by = DescriptionChecker::new();
    check_admitted(&by).await;
    check_refused(&by).await;
    check_limited(&by).await;
    // No request causes a 500. Its example is checked by `examples_match_their_schemas`.
    assert_eq!(by.unseen(&["500"]), [""; 0]);
}

#[test]
fn examples_match_their_schemas() {
    let judged = DescriptionChecker::new().check_examples();
    assert!(judged > 80, "only {judged} examples");
}
