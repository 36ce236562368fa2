//! What bundles promise on every database.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{Node, account, account_ref, notices, on, row, until_row};
use crate::accounts::tests::{at, key_for, open_account};
use crate::accounts::{AccountId, AccountStore, BillingPeriod, Environment, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::limits::{ReserveError, TryReserveError};
use jiff::Timestamp;

/// Nodes that begin at the same moment, and the period that it lies in.
pub(crate) async fn nodes<const N: usize>(ledger: &AccountStore) -> ([Node; N], Clock) {
    let clock = Clock::fake(at(60));
    let mut nodes = Vec::new();
    for _ in 0..N {
        nodes.push(Node::start(ledger, &clock).await);
    }
    let Ok(nodes) = nodes.try_into() else {
        unreachable!("N were made")
    };
    (nodes, clock)
}

pub(crate) fn start(whose: &KeyGrant) -> Timestamp {
    BillingPeriod::from_anchor(whose.billing_anchor, at(60)).start()
}

/// Calls one at a time from many tasks on all nodes until every task is refused, and says how many calls were served.
pub(crate) async fn demand(nodes: &[Arc<Node>], whose: &KeyGrant) -> u64 {
    let mut tasks = JoinSet::new();
    for number in 0..64 {
        let (node, whose) = (nodes[number % nodes.len()].clone(), whose.clone());
        tasks.spawn(async move {
            let mut served = 0;
            loop {
                match node.use_up(&whose, 1).await {
                    Ok(()) => served += 1,
                    Err(ReserveError::Exhausted) => return served,
                    Err(ReserveError::Unavailable) => panic!("the database is there"),
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

pub(crate) async fn only_who_calls_takes_a_lease(ledger: &AccountStore) {
    let kees = account(ledger, "kees@example.nl", PlanName::Klein).await;
    let mia = account(ledger, "mia@example.nl", PlanName::Free).await;
    let before = ledger.revision().await.expect("a number");
    let ([node], _) = nodes(ledger).await;
    node.use_up(&kees, 1).await.expect("it is left");
    until_row(ledger, &kees, start(&kees), |(leased, used)| {
        leased > 100 && used == 1
    })
    .await;
    let bundle = node.bundles.status(&mia);
    assert_eq!((bundle.limit, bundle.remaining), (500, 500));
    let rows: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM bundles")
        .fetch_one(ledger.pool())
        .await
        .expect("the ledger answers");
    assert_eq!(rows, 1, "nobody called for the other account");
    assert_eq!(node.stop().await, "");
    assert_eq!(row(ledger, &kees, start(&kees)).await, (1, 1));
    let after = ledger.revision().await.expect("a number");
    assert_eq!(after, before, "no key has changed");
}

pub(crate) async fn two_nodes_together_use_a_bundle_up_exactly(ledger: &AccountStore) {
    for (email, plan, allowance) in [
        ("kees@example.nl", PlanName::Free, 500),
        ("mia@example.nl", PlanName::Starter, 1_100),
    ] {
        let whose = account(ledger, email, plan).await;
        let (nodes, _) = nodes::<2>(ledger).await;
        let nodes = nodes.map(Arc::new);
        assert_eq!(demand(&nodes, &whose).await, allowance, "{plan}");
        for node in nodes {
            assert_eq!(node.bundles.status(&whose).remaining, 0);
            stop(node).await;
        }
        let allowance = i64::try_from(allowance).expect("small");
        assert_eq!(
            row(ledger, &whose, start(&whose)).await,
            (allowance, allowance)
        );
        assert_eq!(notices(ledger, &whose).await, [80, 100]);
    }
}

pub(crate) async fn at_the_edge_one_call_is_served(ledger: &AccountStore) {
    for (email, plan, allowance) in [
        ("kees@example.nl", PlanName::Free, 500),
        ("mia@example.nl", PlanName::Klein, 5_500),
    ] {
        let whose = account(ledger, email, plan).await;
        let ([node], _) = nodes(ledger).await;
        node.use_up(&whose, allowance - 1)
            .await
            .expect("it is left");
        let nodes = [Arc::new(node)];
        assert_eq!(demand(&nodes, &whose).await, 1, "{plan}");
        for node in nodes {
            stop(node).await;
        }
    }
}

pub(crate) async fn a_bulk_request_is_served_whole_or_not_at_all(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Starter).await;
    let ([node], _) = nodes(ledger).await;
    node.use_up(&whose, 1_090).await.expect("it is left");
    assert_eq!(node.use_up(&whose, 11).await, Err(ReserveError::Exhausted));
    node.use_up(&whose, 10).await.expect("nothing was taken");
    assert_eq!(node.use_up(&whose, 1).await, Err(ReserveError::Exhausted));
    node.stop().await;
    assert_eq!(row(ledger, &whose, start(&whose)).await, (1_100, 1_100));
}

pub(crate) async fn what_was_not_kept_is_given_back(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Free).await;
    let ([node], _) = nodes(ledger).await;
    let all = node.take(&whose, 500).await.expect("all is left");
    assert_eq!(all.status().remaining, 0);
    assert_eq!(
        node.bundles.try_reserve(&whose, 1).err(),
        Some(TryReserveError::Exhausted)
    );
    drop(all);
    assert_eq!(node.bundles.status(&whose).remaining, 500);
    // Were the node to die now, it should lose a lease and not the whole bundle.
    until_row(ledger, &whose, start(&whose), |row| row == (10, 0)).await;
    assert_eq!(node.bundles.status(&whose).remaining, 500);
    node.use_up(&whose, 500).await.expect("all is left again");
    node.stop().await;
    assert_eq!(row(ledger, &whose, start(&whose)).await, (500, 500));
}

pub(crate) async fn a_stop_gives_back_what_is_in_hand(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Pro).await;
    let (nodes, _) = nodes::<2>(ledger).await;
    for node in nodes {
        node.use_up(&whose, 200).await.expect("it is left");
        let dropped = node.take(&whose, 700).await.expect("it is left");
        drop(dropped);
        assert!(row(ledger, &whose, start(&whose)).await.0 >= 900);
        let bundles = node.bundles.clone();
        node.stop().await;
        assert_eq!(
            bundles.reserve(&whose, 1).await.err(),
            Some(ReserveError::Unavailable)
        );
    }
    assert_eq!(row(ledger, &whose, start(&whose)).await, (400, 400));
}

pub(crate) async fn a_killed_node_loses_one_lease_at_most(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Starter).await;
    let mut served = 0;
    for _ in 0..3 {
        let ([node], _) = nodes(ledger).await;
        for _ in 0..30 {
            node.use_up(&whose, 1).await.expect("it is left");
            served += 1;
        }
        node.kill().await;
        let (leased, used) = row(ledger, &whose, start(&whose)).await;
        assert!(
            used <= served && served <= leased,
            "{used} {served} {leased}"
        );
    }
    let ([node], _) = nodes(ledger).await;
    // Those that are lost are waited for as the service does, which is not for ever.
    let end = loop {
        match node.serve(&whose).await {
            Ok(()) => served += 1,
            Err(end) => break end,
        }
        assert!(served <= 1_100, "more than the bundle and its grace");
    };
    assert!(matches!(end, ReserveError::Exhausted), "{end}");
    // A lease is a fiftieth of 1 100.
    assert!((1_100 - 3 * 22..=1_100).contains(&served), "{served}");
    assert_eq!(node.stop().await, "");
}

pub(crate) async fn each_notice_exists_once(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Starter).await;
    let (pair, _) = nodes::<2>(ledger).await;
    let [one, other] = &pair;
    let due = |used: i64| until_row(ledger, &whose, start(&whose), move |row| row.1 == used);
    one.use_up(&whose, 799).await.expect("it is left");
    due(799).await;
    assert_eq!(notices(ledger, &whose).await, [0; 0]);
    other.use_up(&whose, 1).await.expect("it is left");
    due(800).await;
    assert_eq!(notices(ledger, &whose).await, [80]);
    one.use_up(&whose, 199).await.expect("it is left");
    due(999).await;
    assert_eq!(notices(ledger, &whose).await, [80]);
    tokio::join!(
        async { one.use_up(&whose, 1).await.expect("it is left") },
        async { other.use_up(&whose, 1).await.expect("it is left") }
    );
    due(1_001).await;
    assert_eq!(notices(ledger, &whose).await, [80, 100]);
    for node in pair {
        node.stop().await;
    }
    let ([again], _) = nodes(ledger).await;
    again.use_up(&whose, 1).await.expect("by grace");
    again.stop().await;
    let kept: Vec<(i64, i64, i64, i64)> =
        sqlx::query_as("SELECT period_start, period_end, bundle, attempts FROM notices")
            .fetch_all(ledger.pool())
            .await
            .expect("the ledger answers");
    let period = BillingPeriod::from_anchor(whose.billing_anchor, at(60));
    let (start, end) = (period.start().as_second(), period.end().as_second());
    assert_eq!(kept, [(start, end, 1_000, 0); 2]);
}

pub(crate) async fn a_plan_is_obeyed_at_once(ledger: &AccountStore) {
    let starter = account(ledger, "kees@example.nl", PlanName::Starter).await;
    let [free, klein] = [PlanName::Free, PlanName::Klein].map(|name| on(&starter, name));
    let ([node], _) = nodes(ledger).await;
    node.use_up(&starter, 600).await.expect("it is left");
    node.use_up(&starter, 1).await.expect("it is left");
    assert!(
        row(ledger, &starter, start(&starter)).await.0 > 601,
        "calls are in hand"
    );
    assert_eq!(
        node.bundles.try_reserve(&free, 1).err(),
        Some(TryReserveError::Exhausted)
    );
    assert_eq!(node.bundles.status(&free).remaining, 0);
    node.use_up(&starter, 499).await.expect("it is left again");
    assert_eq!(node.use_up(&starter, 1).await, Err(ReserveError::Exhausted));
    node.use_up(&klein, 4_400).await.expect("it is raised");
    assert_eq!(node.use_up(&klein, 1).await, Err(ReserveError::Exhausted));
    node.stop().await;
    assert_eq!(row(ledger, &starter, start(&starter)).await, (5_500, 5_500));
}

pub(crate) async fn an_account_without_live_keys_holds_nothing(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Klein).await;
    let clock = Clock::fake(at(60));
    let still = super::Still::new(ledger, &clock).await;
    let mut keeper = still.keeper();
    still.take(&whose, 1).await.expect("it is left").commit();
    keeper.tick().await;
    assert!(row(ledger, &whose, start(&whose)).await.0 > 100);
    ledger.revoke_key(whose.key_id, at(1)).await.expect("there");
    still.directory.refresh(ledger).await.expect("an answer");
    keeper.tick().await;
    assert_eq!(row(ledger, &whose, start(&whose)).await, (1, 1));
    let new = key_for(&account_ref(&whose), Environment::Live);
    ledger.create_key(new, at(2)).await.expect("it is open");
    still.directory.refresh(ledger).await.expect("an answer");
    keeper.tick().await;
    drop(still.bundles.try_reserve(&whose, 1).expect("in hand again"));
}

pub(crate) async fn an_account_that_is_not_there_harms_no_other(ledger: &AccountStore) {
    let whose = account(ledger, "kees@example.nl", PlanName::Free).await;
    let nobody = KeyGrant {
        account_id: AccountId::fresh(),
        ..whose.clone()
    };
    let ([node], _) = nodes(ledger).await;
    let (refused, served) = tokio::join!(node.use_up(&nobody, 1), node.use_up(&whose, 100));
    assert_eq!((refused, served), (Err(ReserveError::Exhausted), Ok(())));
    assert_eq!(node.stop().await, "");
}

pub(crate) async fn a_thousand_accounts_that_call_at_once_get_a_lease(ledger: &AccountStore) {
    let opened = open_account(ledger, "kees@example.nl").await;
    let template = account(ledger, "mia@example.nl", PlanName::Starter).await;
    // As their making would leave them; the keys are made up in the directory alone.
    let mut accounts = Vec::new();
    let mut transaction = ledger.pool().begin().await.expect("a transaction");
    for number in 0..1_000 {
        let id = AccountId::fresh();
        let insert = "INSERT INTO accounts (id, tag, email, plan, created_at) VALUES ($1, $2, $3, 'starter', 0)";
        sqlx::query(insert)
            .bind(id.to_string())
            .bind(format!("{number:08}"))
            .bind(format!("{number}@example.nl"))
            .execute(&mut *transaction)
            .await
            .expect("it is new");
        accounts.push(KeyGrant {
            account_id: id,
            ..template.clone()
        });
    }
    transaction.commit().await.expect("it is there");
    let key = |account: &KeyGrant| {
        let key = crate::accounts::ApiKey::generate(Environment::Live, opened.account.tag);
        (key.expect("randomness").digest(), account.clone())
    };
    let clock = Clock::fake(at(60));
    let still = super::Still {
        directory: crate::accounts::KeyDirectory::from_keys(accounts.iter().map(key)),
        ..super::Still::new(ledger, &clock).await
    };
    let mut keeper = still.keeper();
    for whose in &accounts {
        assert_eq!(
            still.bundles.try_reserve(whose, 1).err(),
            Some(TryReserveError::Pending)
        );
    }
    keeper.refill().await;
    for whose in &accounts {
        drop(still.bundles.try_reserve(whose, 20).expect("in hand"));
    }
    keeper.shut_down().await;
    let left: i64 = sqlx::query_scalar("SELECT CAST(SUM(leased) AS BIGINT) FROM bundles")
        .fetch_one(ledger.pool())
        .await
        .expect("the ledger answers");
    assert_eq!(left, 0);
}
