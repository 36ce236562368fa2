//! Tests calls leased by other nodes: unused calls return to a node that needs them, and no call waits for calls that are lost.

use std::sync::Arc;
use std::time::Duration;

use super::Refusal;
use super::store_tests::{demand, nodes, period_start, stop};
use super::{ManualNode, account, new_account, notices, row};
use crate::accounts::tests::{sql, sqlite, test_time};
use crate::accounts::{AccountStore, PlanName, recall_marks};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;

pub(crate) async fn three_nodes_serve_exactly_the_allowance_even_if_all_demand_moves_to_one(
    store: &AccountStore,
) {
    for (email, before) in [("kees@example.nl", 0), ("mia@example.nl", 1_000)] {
        let grant = account(store, email, PlanName::Starter).await;
        let (nodes, clock) = nodes::<3>(store).await;
        let nodes = nodes.map(Arc::new);
        for node in &nodes {
            expect_ok(node.use_up(&grant, 1 + before / 3)).await;
        }
        let used = 3 * (1 + u64::from(before) / 3);
        if before > 0 {
            // All demand moves to one node. The other nodes have unused calls and no demand.
            clock.advance(Duration::from_secs(5));
            assert_eq!(demand(&nodes[..1], &grant).await, 1_100 - used);
        } else {
            assert_eq!(demand(&nodes, &grant).await, 1_100 - used);
        }
        for node in nodes {
            assert_eq!(node.quotas.status(&grant).remaining, 0);
            stop(node).await;
        }
        assert_eq!(
            row(store, &grant, period_start(&grant)).await,
            (1_100, 1_100)
        );
        assert_eq!(notices(store, &grant).await, [80, 100]);
    }
}

/// Creates three manual nodes that have leased the account's whole quota. The last two nodes still have unused leased calls.
async fn nodes_with_full_row(
    store: &AccountStore,
) -> ([ManualNode; 3], Clock, crate::accounts::KeyGrant) {
    let grant = account(store, "kees@example.nl", PlanName::Free).await;
    let clock = Clock::fake(test_time(60));
    let node = async || ManualNode::new(store, &clock).await;
    let nodes = [node().await, node().await, node().await];
    for node in &nodes[1..] {
        expect_ok(node.reserve(&grant, 1)).await.commit();
    }
    let left =
        500 - u32::try_from(row(store, &grant, period_start(&grant)).await.0).expect("small");
    expect_ok(nodes[0].reserve(&grant, left)).await.commit();
    nodes[0].lease_task().tick().await;
    assert_eq!(row(store, &grant, period_start(&grant)).await.0, 500);
    (nodes, clock, grant)
}

#[tokio::test]
async fn an_idle_node_returns_all_recalled_calls_and_a_busy_node_returns_half() {
    let (_folder, store) = sqlite::new_store().await;
    let store = store.with_shared_leases();
    let ([asking, idle, busy], clock, grant) = nodes_with_full_row(&store).await;
    let spare = |node: &ManualNode| {
        let permits = std::iter::from_fn(|| node.try_reserve(&grant, 1).ok());
        permits.collect::<Vec<_>>().len()
    };
    let [of_idle, of_busy] = [&idle, &busy].map(spare);
    assert!(of_idle > 5 && of_busy > 5, "{of_idle} {of_busy}");
    clock.advance(Duration::from_secs(60));
    drop(busy.try_reserve(&grant, 1).expect("leased here"));
    expect_ok(asking.reserve_among(&grant, 1, &[&idle, &busy]))
        .await
        .commit();
    assert_eq!(spare(&idle), 0, "the idle node keeps no calls");
    assert_eq!(spare(&busy), of_busy / 2, "the busy node keeps half");
}

#[tokio::test]
async fn a_node_waits_only_once_a_minute_for_calls_of_a_dead_node() {
    let (_folder, store) = sqlite::new_store().await;
    let store = store.with_shared_leases();
    let ([asking, dead, other], clock, grant) = nodes_with_full_row(&store).await;
    other.lease_task().shut_down().await;
    drop(dead);
    let rest = row(&store, &grant, period_start(&grant)).await;
    assert!(rest.0 < 500, "{rest:?}");
    while let Ok(permit) = asking.reserve_among(&grant, 1, &[&other]).await {
        permit.commit();
    }
    // For the next minute the node refuses at once.
    for second in 0..60 {
        let refused = asking.try_reserve(&grant, 1);
        assert_eq!(refused.err(), Some(Refusal::Exhausted), "after {second} s");
        asking.lease_task().tick().await;
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(asking.try_reserve(&grant, 1).err(), Some(Refusal::Pending));
    let (leased, used) = row(&store, &grant, period_start(&grant)).await;
    assert!(leased == 500 && used < 500, "{leased} {used}");
}

#[tokio::test]
async fn a_single_node_does_not_wait_for_others() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let clock = Clock::fake(test_time(60));
    let killed = ManualNode::new(&store, &clock).await;
    expect_ok(killed.reserve(&grant, 1)).await.commit();
    drop(killed);
    let again = ManualNode::new(&store, &clock).await;
    let left =
        500 - u32::try_from(row(&store, &grant, period_start(&grant)).await.0).expect("small");
    assert!(left < 499, "a lease is lost");
    expect_ok(again.reserve(&grant, left)).await.commit();
    for _ in 0..3 {
        again.lease_task().tick().await;
        let refused = again.try_reserve(&grant, 1);
        assert_eq!(refused.err(), Some(Refusal::Exhausted));
        clock.advance(Duration::from_secs(60));
    }
}

#[tokio::test]
async fn calls_beyond_the_plan_are_refused_without_waiting() {
    let (_folder, store) = sqlite::new_store().await;
    let store = store.with_shared_leases();
    let ([asking, _idle, _busy], _, grant) = nodes_with_full_row(&store).await;
    let refused = asking.try_reserve(&grant, 600);
    assert_eq!(refused.err(), Some(Refusal::Exhausted));
    sql(&store, "UPDATE bundles SET leased = 520, used = 500").await;
    asking
        .reserve(&grant, 1)
        .await
        .expect_err("the plan refuses the call");
    let refused = asking.try_reserve(&grant, 1);
    assert_eq!(refused.err(), Some(Refusal::Exhausted));
}

#[tokio::test]
async fn calls_returned_to_a_lost_row_are_dropped() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let node = ManualNode::new(&store, &Clock::fake(test_time(60))).await;
    expect_ok(node.reserve(&grant, 1)).await.commit();
    sql(&store, "DELETE FROM bundles").await;
    node.lease_task().shut_down().await;
    assert_eq!(row(&store, &grant, period_start(&grant)).await, (0, 1));
}

#[tokio::test]
async fn an_unreadable_row_does_not_hide_other_rows() {
    let (_folder, store) = sqlite::new_store().await;
    let store = store.with_shared_leases();
    let (_nodes, _, grant) = nodes_with_full_row(&store).await;
    sql(&store, "UPDATE bundles SET wanted_at = 9000000000000000000").await;
    let unreadable = "INSERT INTO bundles SELECT id, 9000000000000000000, 0, 0, 9000000000000000000 FROM accounts";
    sql(&store, unreadable).await;
    let marks = recall_marks(&store, test_time(0))
        .await
        .expect("the others");
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].account_id, grant.account_id);
}
