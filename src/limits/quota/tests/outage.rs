//! Tests quotas while the database is unavailable: calls are served from local leases, every used call is reported, and the node recovers
//! without a restart.

use futures_util::FutureExt as _;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::Refusal;
use super::{Node, account, new_account, row, until_row};
use crate::accounts::tests::watch::{LIMIT, wait_until};
use crate::accounts::tests::{sql, sqlite, test_time};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;

#[tokio::test]
async fn calls_are_served_from_the_lease_while_the_database_is_unavailable() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = Node::start(&store, &Clock::fake(test_time(0))).await;
    let mut used = 0;
    for outage in 1..=2 {
        node.use_up(&grant, 100).await.expect("calls are left");
        used += 100;
        until_leased(&store, &grant, start, used).await;
        sql(&store, "ALTER TABLE bundles RENAME TO away").await;
        used += drain(&node, &grant).await;
        for _ in 0..1_000 {
            let outcome = node.quotas.reserve(&grant, 1).now_or_never();
            let refused = outcome
                .expect("none of a thousand waits")
                .map_err(Refusal::from)
                .err();
            assert_eq!(refused, Some(Refusal::Unavailable));
        }
        assert!(
            metrics
                .render()
                .contains("postduif_accounts_database_unavailable 1")
        );
        sql(&store, "ALTER TABLE away RENAME TO bundles").await;
        wait_until("the database is available again", || {
            node.log.text().matches("is available again").count() == outage
        })
        .await;
        until_row(&store, &grant, start, |row| row.1 == used).await;
        node.use_up(&grant, 1).await.expect("calls are left");
        used += 1;
    }
    let log = node.stop().await;
    let outages = log.matches("serving calls from local leases").count();
    assert_eq!(outages, 2, "logged once for each outage: {log}");
    assert!(
        log.contains("no such table"),
        "the log names the failure: {log}"
    );
    assert_eq!(row(&store, &grant, start).await, (used, used));
    let rendered = metrics.render();
    for line in [
        "postduif_leases_calls_unused",
        "postduif_leases_accounts 1",
        "postduif_leases_calls_total",
        "postduif_leases_failures_total",
        r#"postduif_leases_refused_total{reason="unavailable"} 2"#,
    ] {
        assert!(rendered.contains(line), "{line} in {rendered}");
    }
}

/// Waits until all used calls are reported and the node has a lease.
async fn until_leased(store: &AccountStore, grant: &KeyGrant, start: Timestamp, used: i64) {
    until_row(store, grant, start, |row| {
        row.1 == used && row.0 >= used + 60
    })
    .await;
}

/// Uses up the local lease while the database is unavailable, and returns the number of served calls.
async fn drain(node: &Node, grant: &KeyGrant) -> i64 {
    let mut served = 0;
    loop {
        match node.quotas.reserve(grant, 1).await.map_err(Refusal::from) {
            Ok(permit) => permit.commit(),
            Err(refused) => {
                assert_eq!(refused, Refusal::Unavailable);
                break;
            }
        }
        served += 1;
    }
    assert!(served > 50, "the node had a lease: {served}");
    wait_until("the node notices the outage", || {
        node.log.text().contains("is unavailable")
    })
    .await;
    served
}

#[tokio::test]
async fn a_database_that_hangs_delays_a_call_by_seconds_at_most() {
    let (folder, store) = sqlite::new_store().await;
    let grant = account(&store, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = Node::start(&store, &Clock::fake(test_time(0))).await;
    node.use_up(&grant, 100).await.expect("calls are left");
    until_leased(&store, &grant, start, 100).await;
    let other = expect_ok(AccountStore::open_in_dir(folder.path())).await;
    let writer = expect_ok(other.pool().begin_with("BEGIN IMMEDIATE")).await;
    let mut used = 100;
    while let Ok(permit) = node.try_reserve(&grant) {
        permit.commit();
        used += 1;
    }
    let late = tokio::time::timeout(LIMIT, node.quotas.reserve(&grant, 1)).await;
    let late = late
        .expect("the call ends")
        .map_err(Refusal::from)
        .expect("there is credit");
    assert_eq!(late.calls_on_credit(), 1);
    late.commit();
    // The node now knows that the database does not answer.
    let at_once = node.quotas.reserve(&grant, 1).now_or_never();
    at_once
        .expect("no wait")
        .map_err(Refusal::from)
        .expect("credit")
        .commit();
    used += 2;
    wait_until("the node notices the outage", || {
        node.log.text().contains("is unavailable")
    })
    .await;
    writer.rollback().await.expect("the lock is released");
    wait_until("the database is available again", || {
        node.log.text().contains("is available again")
    })
    .await;
    node.use_up(&grant, 1).await.expect("calls are left");
    until_row(&store, &grant, start, |row| row.1 == used + 1).await;
    node.stop().await;
}

#[tokio::test]
async fn a_stop_while_the_database_is_unavailable_ends_in_bounded_time() {
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let node = Node::start(&store, &Clock::fake(test_time(0))).await;
    node.use_up(&grant, 1).await.expect("calls are left");
    sql(&store, "ALTER TABLE bundles RENAME TO away").await;
    let log = expect_ok(tokio::time::timeout(LIMIT, node.stop())).await;
    assert!(log.contains("cannot return leased calls"), "{log}");
}

/// Stops a real server and starts it again: leased calls are served, and every used call is reported once.
pub(crate) async fn quotas_survive_a_server_restart(
    store: &AccountStore,
    stop: impl Fn(),
    start_again: impl Fn(),
) {
    let grant = account(store, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = Node::start(store, &Clock::fake(test_time(0))).await;
    node.use_up(&grant, 100).await.expect("calls are left");
    until_leased(store, &grant, start, 100).await;
    stop();
    let mut used = 100 + drain(&node, &grant).await;
    start_again();
    wait_until("the database is available again", || {
        node.log.text().contains("is available again")
    })
    .await;
    node.use_up(&grant, 1_000).await.expect("calls are left");
    used += 1_000;
    until_row(store, &grant, start, |row| row.1 == used).await;
    node.stop().await;
    let (leased, reported) = row(store, &grant, start).await;
    assert_eq!(reported, used);
    // If the server stopped during a refill, the result of that refill may be lost.
    assert!((used..=used + 110).contains(&leased), "{leased} {used}");
}
