//! Calls on credit while the database is away: bounded, told in the headers, booked once.

use metrics_exporter_prometheus::PrometheusBuilder;

use super::{Still, account, row};
use crate::accounts::tests::{at, sql, sqlite};
use crate::accounts::{BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::limits::{QuotaPermit, ReserveError};

/// Takes calls with a database that says nothing in three seconds.
async fn late(node: &Still, whose: &KeyGrant, calls: u32) -> Result<QuotaPermit, ReserveError> {
    node.bundles.reserve_until(whose, calls, async {}).await
}

#[tokio::test]
async fn an_account_that_did_not_call_before_the_outage_has_a_first_lease_of_credit() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Still::new(&ledger, &Clock::fake(at(0))).await;
    let mut keeper = node.keeper();
    sql(&ledger, "ALTER TABLE bundles RENAME TO away").await;
    for call in 1..=60 {
        let taken = late(&node, &whose, 1).await.expect("on credit");
        assert_eq!(taken.status().remaining, 5_000 - call);
        taken.commit();
        keeper.tick().await;
    }
    // A fiftieth of 5 500 is 110; what is given back may be had again, and a bulk request is served whole or not at all.
    drop(late(&node, &whose, 50).await.expect("on credit"));
    let refused = late(&node, &whose, 51).await;
    assert_eq!(refused.err(), Some(ReserveError::Unavailable));
    late(&node, &whose, 50).await.expect("on credit").commit();
    let refused = late(&node, &whose, 1).await;
    assert_eq!(refused.err(), Some(ReserveError::Unavailable));
    keeper.tick().await;
    let figures = metrics.render();
    for line in [
        "postduif_leases_calls_on_credit 110",
        "postduif_leases_calls_on_credit_total 160",
        r#"postduif_leases_refused_total{reason="unavailable"} 2"#,
    ] {
        assert!(figures.contains(line), "{line} in {figures}");
    }
    sql(&ledger, "ALTER TABLE away RENAME TO bundles").await;
    keeper.tick().await;
    let (leased, used) = row(&ledger, &whose, start).await;
    assert!(leased >= used && used == 110, "{leased} {used}");
    assert!(
        metrics
            .render()
            .contains("postduif_leases_calls_on_credit 0")
    );
    assert_eq!(node.bundles.status(&whose).remaining, 4_890);
    keeper.shut_down().await;
    assert_eq!(row(&ledger, &whose, start).await, (110, 110));
}

#[tokio::test]
async fn credit_is_a_quarter_of_what_was_free_and_is_new_once_it_is_booked() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Still::new(&ledger, &Clock::fake(at(0))).await;
    let mut keeper = node.keeper();
    node.take(&whose, 1_000).await.expect("it is left").commit();
    keeper.tick().await;
    let mut used = 1_000;
    for _ in 0..2 {
        let free = 5_500 - row(&ledger, &whose, start).await.0;
        sql(&ledger, "ALTER TABLE bundles RENAME TO away").await;
        let mut on_credit = 0;
        while let Ok(taken) = late(&node, &whose, 1).await {
            on_credit += i64::try_from(taken.calls_on_credit()).expect("small");
            used += 1;
            taken.commit();
        }
        assert_eq!(on_credit, free / 4);
        sql(&ledger, "ALTER TABLE away RENAME TO bundles").await;
        keeper.tick().await;
        assert_eq!(row(&ledger, &whose, start).await.1, used);
    }
    keeper.shut_down().await;
    assert_eq!(row(&ledger, &whose, start).await, (used, used));
}

#[tokio::test]
async fn near_the_edge_and_beyond_it_there_is_no_credit() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let node = Still::new(&ledger, &Clock::fake(at(0))).await;
    let mut keeper = node.keeper();
    node.take(&whose, 4_950).await.expect("it is left").commit();
    keeper.tick().await;
    sql(&ledger, "ALTER TABLE bundles RENAME TO away").await;
    while let Ok(taken) = node.bundles.try_reserve(&whose, 1) {
        taken.commit();
    }
    let refused = late(&node, &whose, 1).await;
    assert_eq!(refused.err(), Some(ReserveError::Unavailable));
    sql(&ledger, "ALTER TABLE away RENAME TO bundles").await;
    keeper.tick().await;
    let used = row(&ledger, &whose, start).await.1;
    keeper.shut_down().await;
    assert_eq!(row(&ledger, &whose, start).await, (used, used));
}
