//! Bundles while the database is away: calls go on from what is in hand, nothing used is forgotten, and it ends by itself.

use futures_util::FutureExt as _;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::{Node, account, row, until_row};
use crate::accounts::tests::watch::{LIMIT, until};
use crate::accounts::tests::{at, sql, sqlite};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::limits::ReserveError;

#[tokio::test]
async fn calls_go_on_from_what_is_in_hand_while_the_database_is_away() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Node::start(&ledger, &Clock::fake(at(0))).await;
    let mut used = 0;
    for outage in 1..=2 {
        node.use_up(&whose, 100).await.expect("it is left");
        used += 100;
        filled(&ledger, &whose, start, used).await;
        sql(&ledger, "ALTER TABLE bundles RENAME TO away").await;
        used += drain(&node, &whose).await;
        for _ in 0..1_000 {
            let taken = node.bundles.reserve(&whose, 1).now_or_never();
            let refused = taken.expect("none of a thousand waits").err();
            assert_eq!(refused, Some(ReserveError::Unavailable));
        }
        assert!(metrics.render().contains("postduif_leases_database_away 1"));
        sql(&ledger, "ALTER TABLE away RENAME TO bundles").await;
        until("it is back", || {
            node.log.text().matches("is back").count() == outage
        })
        .await;
        until_row(&ledger, &whose, start, |row| row.1 == used).await;
        node.use_up(&whose, 1).await.expect("it is left");
        used += 1;
    }
    let log = node.stop().await;
    let away = log.matches("calls go on from what is in hand").count();
    assert_eq!(away, 2, "once for each outage: {log}");
    assert!(log.contains("no such table"), "it says what failed: {log}");
    assert_eq!(row(&ledger, &whose, start).await, (used, used));
    let counted = metrics.render();
    for line in [
        "postduif_leases_calls_in_hand",
        "postduif_leases_accounts 1",
        "postduif_leases_calls_total",
        "postduif_leases_failures_total",
        r#"postduif_leases_refused_total{reason="unavailable"} 2"#,
    ] {
        assert!(counted.contains(line), "{line} in {counted}");
    }
}

/// Waits until all that was used is reported and a lease is in hand.
async fn filled(ledger: &AccountStore, whose: &KeyGrant, start: Timestamp, used: i64) {
    until_row(ledger, whose, start, |row| {
        row.1 == used && row.0 >= used + 60
    })
    .await;
}

/// Uses up what is in hand, and says how many calls that were; the database is away.
async fn drain(node: &Node, whose: &KeyGrant) -> i64 {
    let mut served = 0;
    loop {
        match node.bundles.reserve(whose, 1).await {
            Ok(taken) => taken.commit(),
            Err(refused) => {
                assert_eq!(refused, ReserveError::Unavailable);
                break;
            }
        }
        served += 1;
    }
    assert!(served > 50, "a lease was in hand: {served}");
    until("it is noticed", || node.log.text().contains("is away")).await;
    served
}

#[tokio::test]
async fn a_database_that_hangs_holds_a_call_up_for_seconds_at_most() {
    let (folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Node::start(&ledger, &Clock::fake(at(0))).await;
    node.use_up(&whose, 100).await.expect("it is left");
    filled(&ledger, &whose, start, 100).await;
    let other = AccountStore::open_in_dir(folder.path())
        .await
        .expect("it opens");
    let begin = other.pool().begin_with("BEGIN IMMEDIATE").await;
    let holding = begin.expect("nobody writes");
    let mut used = 100;
    while let Ok(taken) = node.bundles.try_reserve(&whose, 1) {
        taken.commit();
        used += 1;
    }
    let late = tokio::time::timeout(LIMIT, node.bundles.reserve(&whose, 1)).await;
    let late = late.expect("it ends").expect("there is credit");
    assert_eq!(late.calls_on_credit(), 1);
    late.commit();
    // That it does not answer is known now.
    let at_once = node.bundles.reserve(&whose, 1).now_or_never();
    at_once.expect("no wait").expect("credit").commit();
    used += 2;
    until("it is noticed", || node.log.text().contains("is away")).await;
    holding.rollback().await.expect("it was held");
    until("it is back", || node.log.text().contains("is back")).await;
    node.use_up(&whose, 1).await.expect("it is left");
    until_row(&ledger, &whose, start, |row| row.1 == used + 1).await;
    node.stop().await;
}

#[tokio::test]
async fn a_stop_while_the_database_is_away_ends_in_bounded_time() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let node = Node::start(&ledger, &Clock::fake(at(0))).await;
    node.use_up(&whose, 1).await.expect("it is left");
    sql(&ledger, "ALTER TABLE bundles RENAME TO away").await;
    let log = tokio::time::timeout(LIMIT, node.stop()).await;
    let log = log.expect("it does not wait for ever");
    assert!(log.contains("could not be given back"), "{log}");
}

/// A real server stops and comes back: what was in hand was served, what was used is reported once.
pub(crate) async fn bundles_outlive_the_server(
    ledger: &AccountStore,
    stop: impl Fn(),
    start_again: impl Fn(),
) {
    let whose = account(ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Node::start(ledger, &Clock::fake(at(0))).await;
    node.use_up(&whose, 100).await.expect("it is left");
    filled(ledger, &whose, start, 100).await;
    stop();
    let mut used = 100 + drain(&node, &whose).await;
    start_again();
    until("it is back", || node.log.text().contains("is back")).await;
    node.use_up(&whose, 1_000).await.expect("it is left");
    used += 1_000;
    until_row(ledger, &whose, start, |row| row.1 == used).await;
    node.stop().await;
    let (leased, reported) = row(ledger, &whose, start).await;
    assert_eq!(reported, used);
    // A refill that was under way when the server stopped may have been lost on the way back.
    assert!((used..=used + 110).contains(&leased), "{leased} {used}");
}
