//! Tests quotas on every kind of database.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::Refusal;
use super::{ManualNode, Node, account, account_ref, notices, row, until_row, with_plan};
use crate::accounts::tests::{add_account, key_for, test_time};
use crate::accounts::{
    AccountId, AccountStore, BillingPeriod, Environment, KeyGrant, PlanName, create_key,
    current_revision, revoke_key,
};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use jiff::Timestamp;

/// Starts nodes that share a clock, and returns the nodes and the clock.
pub(crate) async fn nodes<const N: usize>(store: &AccountStore) -> ([Node; N], Clock) {
    let clock = Clock::fake(test_time(60));
    let mut nodes = Vec::new();
    for _ in 0..N {
        nodes.push(Node::start(store, &clock).await);
    }
    let Ok(nodes) = nodes.try_into() else {
        unreachable!("N were made")
    };
    (nodes, clock)
}

pub(crate) fn period_start(grant: &KeyGrant) -> Timestamp {
    BillingPeriod::from_anchor(grant.billing_anchor, test_time(60)).start()
}

/// Uses up calls one by one, from many tasks on all nodes, until every task is refused. Returns how many calls were served.
pub(crate) async fn demand(nodes: &[Arc<Node>], grant: &KeyGrant) -> u64 {
    let mut tasks = JoinSet::new();
    for number in 0..64 {
        let (node, grant) = (nodes[number % nodes.len()].clone(), grant.clone());
        tasks.spawn(async move {
            let mut served = 0;
            loop {
                match node.use_up(&grant, 1).await {
                    Ok(()) => served += 1,
                    Err(Refusal::Exhausted) => return served,
                    Err(Refusal::Pending | Refusal::Unavailable) => {
                        panic!("the database is available")
                    }
                }
            }
        });
    }
    tasks.join_all().await.into_iter().sum()
}

pub(crate) async fn stop(node: Arc<Node>) {
    let node = Arc::into_inner(node).expect("the tasks have ended");
    assert_eq!(node.stop().await, "");
}

pub(crate) async fn only_an_account_with_calls_gets_a_lease(store: &AccountStore) {
    let kees = account(store, "kees@example.nl", PlanName::Klein).await;
    let mia = account(store, "mia@example.nl", PlanName::Free).await;
    let before = current_revision(store).await.expect("a number");
    let ([node], _) = nodes(store).await;
    node.use_up(&kees, 1).await.expect("calls are left");
    until_row(store, &kees, period_start(&kees), |(leased, used)| {
        leased > 100 && used == 1
    })
    .await;
    let status = node.quotas.status(&mia);
    assert_eq!((status.limit, status.remaining), (500, 500));
    let rows: i64 =
        expect_ok(sqlx::query_scalar("SELECT COUNT(*) FROM bundles").fetch_one(store.pool())).await;
    assert_eq!(rows, 1, "the other account had no calls");
    assert_eq!(node.stop().await, "");
    assert_eq!(row(store, &kees, period_start(&kees)).await, (1, 1));
    let after = current_revision(store).await.expect("a number");
    assert_eq!(after, before, "no key has changed");
}

pub(crate) async fn a_node_reads_the_row_for_the_status_of_an_account_without_calls(
    store: &AccountStore,
) {
    let kees = account(store, "kees@example.nl", PlanName::Free).await;
    let ([first], clock) = nodes(store).await;
    for _ in 0..120 {
        first.use_up(&kees, 1).await.expect("calls are left");
    }
    assert_eq!(first.stop().await, "");
    let node = Node::start(store, &clock).await;
    assert!(!node.quotas.is_status_known(&kees));
    // Each wait ends after a second, also on a machine that is too busy to answer in time.
    for _ in 0..60 {
        node.quotas.read_status(&kees).await;
    }
    assert!(node.quotas.is_status_known(&kees));
    assert_eq!(node.quotas.status(&kees).remaining, 380);
    assert_eq!(node.stop().await, "");
    let leased = row(store, &kees, period_start(&kees)).await;
    assert_eq!(leased, (120, 120), "the node returns what it leased");
}

pub(crate) async fn two_nodes_together_serve_exactly_the_allowance(store: &AccountStore) {
    for (email, plan, allowance) in [
        ("kees@example.nl", PlanName::Free, 500),
        ("mia@example.nl", PlanName::Starter, 1_100),
    ] {
        let grant = account(store, email, plan).await;
        let (nodes, _) = nodes::<2>(store).await;
        let nodes = nodes.map(Arc::new);
        assert_eq!(demand(&nodes, &grant).await, allowance, "{plan}");
        for node in nodes {
            assert_eq!(node.quotas.status(&grant).remaining, 0);
            stop(node).await;
        }
        let allowance = i64::try_from(allowance).expect("small");
        assert_eq!(
            row(store, &grant, period_start(&grant)).await,
            (allowance, allowance)
        );
        assert_eq!(notices(store, &grant).await, [80, 100]);
    }
}

pub(crate) async fn the_last_call_is_served_once(store: &AccountStore) {
    for (email, plan, allowance) in [
        ("kees@example.nl", PlanName::Free, 500),
        ("mia@example.nl", PlanName::Klein, 5_500),
    ] {
        let grant = account(store, email, plan).await;
        let ([node], _) = nodes(store).await;
        expect_ok(node.use_up(&grant, allowance - 1)).await;
        let nodes = [Arc::new(node)];
        assert_eq!(demand(&nodes, &grant).await, 1, "{plan}");
        for node in nodes {
            stop(node).await;
        }
    }
}

pub(crate) async fn a_bulk_request_is_served_whole_or_not_at_all(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Starter).await;
    let ([node], _) = nodes(store).await;
    node.use_up(&grant, 1_090).await.expect("calls are left");
    assert_eq!(node.use_up(&grant, 11).await, Err(Refusal::Exhausted));
    node.use_up(&grant, 10).await.expect("nothing was taken");
    assert_eq!(node.use_up(&grant, 1).await, Err(Refusal::Exhausted));
    node.stop().await;
    assert_eq!(
        row(store, &grant, period_start(&grant)).await,
        (1_100, 1_100)
    );
}

pub(crate) async fn dropped_permits_return_their_calls(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Free).await;
    let ([node], _) = nodes(store).await;
    let all = node.reserve(&grant, 500).await.expect("all is left");
    assert_eq!(all.status().remaining, 0);
    assert_eq!(
        node.quotas
            .try_reserve(&grant, 1)
            .map_err(Refusal::from)
            .err(),
        Some(Refusal::Exhausted)
    );
    drop(all);
    assert_eq!(node.quotas.status(&grant).remaining, 500);
    // If the node died now, one lease would be lost, and not the whole quota.
    until_row(store, &grant, period_start(&grant), |row| row == (10, 0)).await;
    assert_eq!(node.quotas.status(&grant).remaining, 500);
    expect_ok(node.use_up(&grant, 500)).await;
    node.stop().await;
    assert_eq!(row(store, &grant, period_start(&grant)).await, (500, 500));
}

pub(crate) async fn a_stop_returns_unused_calls(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Pro).await;
    let (nodes, _) = nodes::<2>(store).await;
    for node in nodes {
        node.use_up(&grant, 200).await.expect("calls are left");
        let dropped = node.reserve(&grant, 700).await.expect("calls are left");
        drop(dropped);
        assert!(row(store, &grant, period_start(&grant)).await.0 >= 900);
        let quotas = node.quotas.clone();
        node.stop().await;
        assert_eq!(
            quotas.reserve(&grant, 1).await.map_err(Refusal::from).err(),
            Some(Refusal::Unavailable)
        );
    }
    assert_eq!(row(store, &grant, period_start(&grant)).await, (400, 400));
}

pub(crate) async fn a_killed_node_loses_one_lease_at_most(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Starter).await;
    let mut served = 0;
    for _ in 0..3 {
        let ([node], _) = nodes(store).await;
        for _ in 0..30 {
            node.use_up(&grant, 1).await.expect("calls are left");
            served += 1;
        }
        node.kill().await;
        let (leased, used) = row(store, &grant, period_start(&grant)).await;
        assert!(
            used <= served && served <= leased,
            "{used} {served} {leased}"
        );
    }
    let ([node], _) = nodes(store).await;
    // `serve` waits for lost calls only as long as the service does.
    let end = loop {
        match node.serve(&grant).await {
            Ok(()) => served += 1,
            Err(end) => break end,
        }
        assert!(served <= 1_100, "more than the quota and its grace");
    };
    assert_eq!(end, Refusal::Exhausted);
    // A lease is a fiftieth of 1 100, which is 22.
    assert!((1_100 - 3 * 22..=1_100).contains(&served), "{served}");
    assert_eq!(node.stop().await, "");
}

pub(crate) async fn each_notice_is_created_once(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Starter).await;
    let (pair, _) = nodes::<2>(store).await;
    let [one, other] = &pair;
    let due = |used: i64| {
        until_row(store, &grant, period_start(&grant), move |row| {
            row.1 == used
        })
    };
    one.use_up(&grant, 799).await.expect("calls are left");
    due(799).await;
    assert_eq!(notices(store, &grant).await, [0; 0]);
    other.use_up(&grant, 1).await.expect("calls are left");
    due(800).await;
    assert_eq!(notices(store, &grant).await, [80]);
    one.use_up(&grant, 199).await.expect("calls are left");
    due(999).await;
    assert_eq!(notices(store, &grant).await, [80]);
    tokio::join!(
        async { one.use_up(&grant, 1).await.expect("calls are left") },
        async { other.use_up(&grant, 1).await.expect("calls are left") }
    );
    due(1_001).await;
    assert_eq!(notices(store, &grant).await, [80, 100]);
    for node in pair {
        node.stop().await;
    }
    let ([again], _) = nodes(store).await;
    again.use_up(&grant, 1).await.expect("by grace");
    again.stop().await;
    let kept: Vec<(i64, i64, i64, i64)> = expect_ok(
        sqlx::query_as("SELECT period_start, period_end, bundle, attempts FROM notices")
            .fetch_all(store.pool()),
    )
    .await;
    let period = BillingPeriod::from_anchor(grant.billing_anchor, test_time(60));
    let (start, end) = (period.start().as_second(), period.end().as_second());
    assert_eq!(kept, [(start, end, 1_000, 0); 2]);
}

pub(crate) async fn a_changed_plan_applies_at_once(store: &AccountStore) {
    let starter = account(store, "kees@example.nl", PlanName::Starter).await;
    let [free, klein] = [PlanName::Free, PlanName::Klein].map(|name| with_plan(&starter, name));
    let ([node], _) = nodes(store).await;
    node.use_up(&starter, 600).await.expect("calls are left");
    node.use_up(&starter, 1).await.expect("calls are left");
    assert!(
        row(store, &starter, period_start(&starter)).await.0 > 601,
        "the node has unused calls"
    );
    assert_eq!(
        node.quotas
            .try_reserve(&free, 1)
            .map_err(Refusal::from)
            .err(),
        Some(Refusal::Exhausted)
    );
    assert_eq!(node.quotas.status(&free).remaining, 0);
    expect_ok(node.use_up(&starter, 499)).await;
    assert_eq!(node.use_up(&starter, 1).await, Err(Refusal::Exhausted));
    expect_ok(node.use_up(&klein, 4_400)).await;
    assert_eq!(node.use_up(&klein, 1).await, Err(Refusal::Exhausted));
    node.stop().await;
    assert_eq!(
        row(store, &starter, period_start(&starter)).await,
        (5_500, 5_500)
    );
}

pub(crate) async fn an_account_without_live_keys_returns_its_lease(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Klein).await;
    let clock = Clock::fake(test_time(60));
    let node = ManualNode::new(store, &clock).await;
    let mut lease_task = node.lease_task();
    expect_ok(node.reserve(&grant, 1)).await.commit();
    lease_task.tick().await;
    assert!(row(store, &grant, period_start(&grant)).await.0 > 100);
    expect_ok(revoke_key(store, grant.key_id, test_time(1))).await;
    node.directory.refresh(store).await.expect("an answer");
    lease_task.tick().await;
    assert_eq!(row(store, &grant, period_start(&grant)).await, (1, 1));
    let new = key_for(&account_ref(&grant), Environment::Live);
    expect_ok(create_key(store, new, test_time(2))).await;
    node.directory.refresh(store).await.expect("an answer");
    lease_task.tick().await;
    drop(
        node.try_reserve(&grant, 1)
            .expect("calls are leased here again"),
    );
}

pub(crate) async fn an_unknown_account_does_not_affect_other_accounts(store: &AccountStore) {
    let grant = account(store, "kees@example.nl", PlanName::Free).await;
    let unknown = KeyGrant {
        account_id: AccountId::fresh(),
        ..grant.clone()
    };
    let ([node], _) = nodes(store).await;
    let (refused, served) = tokio::join!(node.use_up(&unknown, 1), node.use_up(&grant, 100));
    assert_eq!((refused, served), (Err(Refusal::Exhausted), Ok(())));
    assert_eq!(node.stop().await, "");
}

pub(crate) async fn a_thousand_accounts_get_a_lease_at_once(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let template = account(store, "mia@example.nl", PlanName::Starter).await;
    // The accounts are real rows, but only the directory has their keys.
    let mut accounts = Vec::new();
    let mut transaction = store.pool().begin().await.expect("a transaction");
    for number in 0..1_000 {
        let id = AccountId::fresh();
        let insert = "INSERT INTO accounts (id, tag, email, plan, created_at) VALUES ($1, $2, $3, 'starter', 0)";
        expect_ok(
            sqlx::query(insert)
                .bind(id.to_string())
                .bind(format!("{number:08}"))
                .bind(format!("{number}@example.nl"))
                .execute(&mut *transaction),
        )
        .await;
        accounts.push(KeyGrant {
            account_id: id,
            ..template.clone()
        });
    }
    transaction.commit().await.expect("the database answers");
    let key = |account: &KeyGrant| {
        let key = crate::accounts::ApiKey::generate(Environment::Live, opened.account.tag);
        (key.expect("randomness").digest(), account.clone())
    };
    let clock = Clock::fake(test_time(60));
    let node = ManualNode {
        directory: crate::accounts::KeyDirectory::from_keys(accounts.iter().map(key)),
        ..ManualNode::new(store, &clock).await
    };
    let mut lease_task = node.lease_task();
    for grant in &accounts {
        assert_eq!(node.try_reserve(grant, 1).err(), Some(Refusal::Pending));
    }
    lease_task.refill().await;
    for grant in &accounts {
        drop(node.try_reserve(grant, 20).expect("leased here"));
    }
    lease_task.shut_down().await;
    let left: i64 = expect_ok(
        sqlx::query_scalar("SELECT CAST(SUM(leased) AS BIGINT) FROM bundles")
            .fetch_one(store.pool()),
    )
    .await;
    assert_eq!(left, 0);
}
