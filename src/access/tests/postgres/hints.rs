//! Hints of changes on a real server: with one a change is there at once, without one the poll brings it.

use std::time::Duration;

use super::relay::{Relay, Road};
use super::until_count;
use super::{Server, server};
use crate::access::Ledger;
use crate::access::tests::watch::{Follower, LIMIT};
use crate::access::tests::{at, open_account};

/// Waits until so many listen.
async fn until_heard(ledger: &Ledger, listeners: i64) {
    let count =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle'";
    until_count(ledger, count, listeners).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_is_seen_by_its_hint_long_before_the_poll() {
    let Some(server) = Server::start() else {
        return;
    };
    let ledger = server.ledger("hints").await;
    let opened = open_account(&ledger, "kees@example.nl").await;
    let followers = [
        Follower::every(10 * LIMIT, &ledger).await,
        Follower::every(10 * LIMIT, &ledger).await,
    ];
    until_heard(&ledger, 2).await;
    let keys = ledger.keys(None).await.expect("a list");
    for (key, record) in [&opened.live_key, &opened.test_key].iter().zip(keys) {
        ledger.revoke_key(record.id, at(1)).await.expect("there");
        for follower in &followers {
            follower.until_dead(key).await;
        }
    }
    for follower in followers {
        assert_eq!(follower.stop().await, "");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_is_seen_by_the_poll_where_no_hint_comes() {
    let Some(server) = Server::start() else {
        return;
    };
    let direct = server.ledger("polls").await;
    let opened = open_account(&direct, "kees@example.nl").await;
    let relay = Relay::start(server.address());
    let ledger = Ledger::open(&server::url(relay.address(), "polls")).await;
    let follower = Follower::start(&ledger.expect("it is there")).await;
    until_heard(&direct, 1).await;
    // The listener's connection is half open, and so are all others of the node.
    relay.lose();
    follower.until_log("is away").await;
    follower.until_log("is back").await;
    let key = direct.keys(None).await.expect("a list")[0].id;
    direct.revoke_key(key, at(1)).await.expect("it is there");
    follower.until_dead(&opened.live_key).await;
    follower.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_arrive_by_a_slow_road() {
    let Some(server) = Server::start() else {
        return;
    };
    let direct = server.ledger("slow_keys").await;
    let opened = open_account(&direct, "kees@example.nl").await;
    let relay = Relay::start(server.address());
    let ledger = Ledger::open(&server::url(relay.address(), "slow_keys")).await;
    let follower = Follower::start(&ledger.expect("it is there")).await;
    let keys = direct.keys(None).await.expect("a list");
    let mut keys = [&opened.live_key, &opened.test_key].into_iter().zip(keys);
    for delay in [300, 600] {
        relay.set(Road::Slow(Duration::from_millis(delay)));
        let (key, record) = keys.next().expect("there are two");
        direct.revoke_key(record.id, at(1)).await.expect("there");
        follower.until_dead(key).await;
    }
    // The pool of connections may say that it is slow.
    let log = follower.stop().await;
    assert!(!log.contains("ERROR"), "slow is not away: {log}");
}
