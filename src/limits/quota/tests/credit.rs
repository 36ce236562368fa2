//! Tests calls on credit while the database is unavailable: they are bounded, counted in the headers, and booked once.

use metrics_exporter_prometheus::PrometheusBuilder;

use super::Refusal;
use super::{ManualNode, new_account, row};
use crate::accounts::tests::{sql, test_time};
use crate::accounts::{BillingPeriod, PlanName};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;

#[tokio::test]
async fn an_account_without_calls_before_the_outage_has_credit_of_the_size_of_a_first_lease() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
    let mut lease_task = node.lease_task();
    sql(&store, "ALTER TABLE bundles RENAME TO away").await;
    for call in 1..=60 {
        let permit = expect_ok(node.reserve_until_timeout(&grant, 1)).await;
        assert_eq!(permit.status().remaining, 5_000 - call);
        permit.commit();
        lease_task.tick().await;
    }
    // The credit is 110, a fiftieth of 5 500. Refunded calls are available again, and a bulk request is served whole or not at all.
    drop(expect_ok(node.reserve_until_timeout(&grant, 50)).await);
    let refused = node.reserve_until_timeout(&grant, 51).await;
    assert_eq!(refused.err(), Some(Refusal::Unavailable));
    expect_ok(node.reserve_until_timeout(&grant, 50))
        .await
        .commit();
    let refused = node.reserve_until_timeout(&grant, 1).await;
    assert_eq!(refused.err(), Some(Refusal::Unavailable));
    lease_task.tick().await;
    let rendered = metrics.render();
    for line in [
        "postduif_leases_calls_on_credit 110",
        "postduif_leases_calls_on_credit_total 160",
        r#"postduif_leases_refused_total{reason="unavailable"} 2"#,
    ] {
        assert!(rendered.contains(line), "{line} in {rendered}");
    }
    sql(&store, "ALTER TABLE away RENAME TO bundles").await;
    lease_task.tick().await;
    let (leased, used) = row(&store, &grant, start).await;
    assert!(leased >= used && used == 110, "{leased} {used}");
    assert!(
        metrics
            .render()
            .contains("postduif_leases_calls_on_credit 0")
    );
    assert_eq!(node.quotas.status(&grant).remaining, 4_890);
    lease_task.shut_down().await;
    assert_eq!(row(&store, &grant, start).await, (110, 110));
}

#[tokio::test]
async fn credit_is_a_quarter_of_the_free_calls_and_is_renewed_once_it_is_booked() {
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
    let mut lease_task = node.lease_task();
    expect_ok(node.reserve(&grant, 1_000)).await.commit();
    lease_task.tick().await;
    let mut used = 1_000;
    for _ in 0..2 {
        let free = 5_500 - row(&store, &grant, start).await.0;
        sql(&store, "ALTER TABLE bundles RENAME TO away").await;
        let mut on_credit = 0;
        while let Ok(permit) = node.reserve_until_timeout(&grant, 1).await {
            on_credit += i64::try_from(permit.calls_on_credit()).expect("small");
            used += 1;
            permit.commit();
        }
        assert_eq!(on_credit, free / 4);
        sql(&store, "ALTER TABLE away RENAME TO bundles").await;
        lease_task.tick().await;
        assert_eq!(row(&store, &grant, start).await.1, used);
    }
    lease_task.shut_down().await;
    assert_eq!(row(&store, &grant, start).await, (used, used));
}

#[tokio::test]
async fn there_is_no_credit_near_the_end_of_the_quota() {
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
    let mut lease_task = node.lease_task();
    expect_ok(node.reserve(&grant, 4_950)).await.commit();
    lease_task.tick().await;
    sql(&store, "ALTER TABLE bundles RENAME TO away").await;
    while let Ok(permit) = node.try_reserve(&grant, 1) {
        permit.commit();
    }
    let refused = node.reserve_until_timeout(&grant, 1).await;
    assert_eq!(refused.err(), Some(Refusal::Unavailable));
    sql(&store, "ALTER TABLE away RENAME TO bundles").await;
    lease_task.tick().await;
    let used = row(&store, &grant, start).await.1;
    lease_task.shut_down().await;
    assert_eq!(row(&store, &grant, start).await, (used, used));
}
