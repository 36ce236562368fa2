//! Calls in other nodes' hands: they come back to a node that needs them, and nobody waits for those that are lost.

use std::sync::Arc;
use std::time::Duration;

use super::promises::{demand, nodes, start, stop};
use super::{Still, account, notices, row};
use crate::accounts::tests::{at, sql, sqlite};
use crate::accounts::{AccountStore, PlanName};
use crate::clock::Clock;
use crate::limits::TryReserveError;

pub(crate) async fn three_nodes_use_a_bundle_up_exactly_also_from_one_of_them(
    ledger: &AccountStore,
) {
    for (email, before) in [("kees@example.nl", 0), ("mia@example.nl", 1_000)] {
        let whose = account(ledger, email, PlanName::Starter).await;
        let (nodes, clock) = nodes::<3>(ledger).await;
        let nodes = nodes.map(Arc::new);
        for node in &nodes {
            node.use_up(&whose, 1 + before / 3)
                .await
                .expect("it is left");
        }
        let taken = 3 * (1 + u64::from(before) / 3);
        if before > 0 {
            // All calls move to one node; what the others hold is not called for there.
            clock.advance(Duration::from_secs(5));
            assert_eq!(demand(&nodes[..1], &whose).await, 1_100 - taken);
        } else {
            assert_eq!(demand(&nodes, &whose).await, 1_100 - taken);
        }
        for node in nodes {
            assert_eq!(node.bundles.status(&whose).remaining, 0);
            stop(node).await;
        }
        assert_eq!(row(ledger, &whose, start(&whose)).await, (1_100, 1_100));
        assert_eq!(notices(ledger, &whose).await, [80, 100]);
    }
}

/// Three nodes that stand still, of which the last two have some calls in hand and the row is full.
async fn full(ledger: &AccountStore) -> ([Still; 3], Clock, crate::accounts::KeyGrant) {
    let whose = account(ledger, "kees@example.nl", PlanName::Free).await;
    let clock = Clock::fake(at(60));
    let still = async || Still::new(ledger, &clock).await;
    let nodes = [still().await, still().await, still().await];
    for node in &nodes[1..] {
        node.take(&whose, 1).await.expect("it is left").commit();
    }
    let left = 500 - u32::try_from(row(ledger, &whose, start(&whose)).await.0).expect("small");
    nodes[0]
        .take(&whose, left)
        .await
        .expect("it is left")
        .commit();
    nodes[0].keeper().tick().await;
    assert_eq!(row(ledger, &whose, start(&whose)).await.0, 500);
    (nodes, clock, whose)
}

#[tokio::test]
async fn a_node_where_nobody_calls_gives_all_back_and_a_busy_one_half() {
    let (_folder, ledger) = sqlite::ledger().await;
    let ledger = ledger.shared();
    let ([asks, idle, busy], clock, whose) = full(&ledger).await;
    let spare = |node: &Still| {
        let taken = std::iter::from_fn(|| node.bundles.try_reserve(&whose, 1).ok());
        taken.collect::<Vec<_>>().len()
    };
    let [of_idle, of_busy] = [&idle, &busy].map(spare);
    assert!(of_idle > 5 && of_busy > 5, "{of_idle} {of_busy}");
    clock.advance(Duration::from_secs(60));
    drop(busy.bundles.try_reserve(&whose, 1).expect("in hand"));
    let taken = asks.take_among(&whose, 1, &[&idle, &busy]).await;
    taken.expect("others had it").commit();
    assert_eq!(spare(&idle), 0, "it had no use for them");
    assert_eq!(spare(&busy), of_busy / 2, "it called too");
}

#[tokio::test]
async fn calls_that_died_with_their_node_are_waited_for_once_a_minute() {
    let (_folder, ledger) = sqlite::ledger().await;
    let ledger = ledger.shared();
    let ([asks, dead, other], clock, whose) = full(&ledger).await;
    other.keeper().shut_down().await;
    drop(dead);
    let rest = row(&ledger, &whose, start(&whose)).await;
    assert!(rest.0 < 500, "{rest:?}");
    while let Ok(taken) = asks.take_among(&whose, 1, &[&other]).await {
        taken.commit();
    }
    // From now on it is told at once.
    for second in 0..60 {
        let told = asks.bundles.try_reserve(&whose, 1);
        assert_eq!(
            told.err(),
            Some(TryReserveError::Exhausted),
            "after {second} s"
        );
        asks.keeper().tick().await;
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(
        asks.bundles.try_reserve(&whose, 1).err(),
        Some(TryReserveError::Pending)
    );
    let (leased, used) = row(&ledger, &whose, start(&whose)).await;
    assert!(leased == 500 && used < 500, "{leased} {used}");
}

#[tokio::test]
async fn a_node_alone_waits_for_nobody() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let clock = Clock::fake(at(60));
    let killed = Still::new(&ledger, &clock).await;
    killed.take(&whose, 1).await.expect("it is left").commit();
    drop(killed);
    let again = Still::new(&ledger, &clock).await;
    let left = 500 - u32::try_from(row(&ledger, &whose, start(&whose)).await.0).expect("small");
    assert!(left < 499, "a lease is lost");
    again.take(&whose, left).await.expect("it is left").commit();
    for _ in 0..3 {
        again.keeper().tick().await;
        let told = again.bundles.try_reserve(&whose, 1);
        assert_eq!(told.err(), Some(TryReserveError::Exhausted));
        clock.advance(Duration::from_secs(60));
    }
}

#[tokio::test]
async fn what_the_plan_refuses_is_not_waited_for() {
    let (_folder, ledger) = sqlite::ledger().await;
    let ledger = ledger.shared();
    let ([asks, _idle, _busy], _, whose) = full(&ledger).await;
    let refused = asks.bundles.try_reserve(&whose, 600);
    assert_eq!(refused.err(), Some(TryReserveError::Exhausted));
    sql(&ledger, "UPDATE bundles SET leased = 520, used = 500").await;
    asks.take(&whose, 1).await.expect_err("the plan refuses it");
    let refused = asks.bundles.try_reserve(&whose, 1);
    assert_eq!(refused.err(), Some(TryReserveError::Exhausted));
}

#[tokio::test]
async fn calls_that_go_back_to_a_lost_row_are_in_no_row() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let node = Still::new(&ledger, &Clock::fake(at(60))).await;
    node.take(&whose, 1).await.expect("it is left").commit();
    sql(&ledger, "DELETE FROM bundles").await;
    node.keeper().shut_down().await;
    assert_eq!(row(&ledger, &whose, start(&whose)).await, (0, 1));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_hides_no_other() {
    let (_folder, ledger) = sqlite::ledger().await;
    let ledger = ledger.shared();
    let (_nodes, _, whose) = full(&ledger).await;
    sql(
        &ledger,
        "UPDATE bundles SET wanted_at = 9000000000000000000",
    )
    .await;
    let unreadable = "INSERT INTO bundles SELECT id, 9000000000000000000, 0, 0, 9000000000000000000 FROM accounts";
    sql(&ledger, unreadable).await;
    let wanted = ledger.wanted(at(0)).await.expect("the others");
    assert_eq!(wanted.len(), 1);
    assert_eq!(wanted[0].0, whose.account_id);
}
