//! Checks that three nodes together grant exactly the monthly quota, and that every node applies account changes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::PATH;
use super::balancer::{Balancer, Kind};
use super::client::Client;
use super::cluster::{Account, Cluster};
use crate::process::{enterprise, wait_until, words};

const CLIENTS: usize = 64;
const LINE: &str = r#"{"postcode":"1234AB","number":29}"#;

/// Calls from 64 clients with one key, spread over these addresses, until every client is refused; returns the number of served
/// calls.
fn count_served(key: &str, at: &[SocketAddr]) -> i64 {
    let (served, refused) = (AtomicI64::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let (served, refused) = (&served, &refused);
            scope.spawn(move || {
                let mut client = Client::new(at[number % at.len()]);
                loop {
                    let answer = client.get(PATH, key).expect("an answer");
                    if answer.status == 429 {
                        refused.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    served.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(refused.into_inner(), CLIENTS);
    served.into_inner()
}

/// Opens an account and uses its quota with bulk requests until `left` calls remain. Returns the account and the number of used
/// calls.
fn account_with_left(cluster: &Cluster, left: i64) -> (Account, i64) {
    let account = cluster.account(&words(&enterprise(1_000, 1_000_000)));
    // The quota is 1,000 calls plus a grace of 100.
    let used = 1_100 - left;
    for lines in [used / 2, used - used / 2] {
        let lines = vec![LINE; usize::try_from(lines).expect("some")].join(",");
        let body = format!(r#"{{"addresses":[{lines}]}}"#);
        let mut client = Client::new(cluster.nodes[0].addresses[0]);
        let answer = client
            .post("/v1/bulk/lookup", &account.live, &body)
            .expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    (account, used)
}

#[test]
fn three_nodes_grant_exactly_the_quota() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    let nodes: Vec<SocketAddr> = cluster.nodes.iter().map(|node| node.addresses[0]).collect();
    for left in [1, 100, 500] {
        let (account, used) = account_with_left(&cluster, left);
        let mut all = 0;
        // A node may return unused calls to the database, and another node may then lease them. So call until all nodes refuse.
        wait_until("every node refuses", || {
            let more = count_served(&account.live, &nodes);
            all += more;
            more == 0
        });
        assert_eq!(all, left, "calls counted by the nodes");
        wait_until("the accounts database has counted every call", || {
            cluster.calls(&account) >= used + left
        });
        assert_eq!(cluster.calls(&account), used + left);
    }
    let Some(balancer) = Balancer::start(Kind::Haproxy, &cluster.addresses()) else {
        return;
    };
    let account = cluster.account(&words(&enterprise(300, 1_000_000)));
    assert_eq!(
        count_served(&account.live, &[balancer.address]),
        330,
        "behind HAProxy"
    );
    wait_until("the accounts database has counted every call", || {
        cluster.calls(&account) >= 330
    });
    assert_eq!(cluster.calls(&account), 330);
}

/// Waits until every node has the change, and prints the longest wait. It should be about a second, but a busy machine takes
/// longer.
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
#[track_caller]
fn wait_and_print(change: &str, cluster: &Cluster, as_wanted: impl Fn(SocketAddr) -> bool) {
    let began = Instant::now();
    let mut slowest = Duration::ZERO;
    for node in &cluster.nodes {
        wait_until(change, || as_wanted(node.addresses[0]));
        slowest = slowest.max(began.elapsed());
    }
    println!("{change}: seen after {slowest:?}");
}

#[test]
fn every_node_sees_key_and_plan_changes_within_a_second() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    let account = cluster.account(&["--plan", "free"]);
    let asked = |at: SocketAddr, key: &str| {
        Client::new(at)
            .get("/v3/lookup/x/y", key)
            .expect("an answer")
    };
    let limited = |at: SocketAddr| {
        asked(at, &account.live)
            .header("x-ratelimit-limit")
            .map(str::to_owned)
    };
    wait_and_print("the plan before", &cluster, |at| {
        limited(at).as_deref() == Some("3")
    });
    cluster.command(&["accounts", "set-plan", &account.id, "--plan", "pro"]);
    wait_and_print("the plan that was set", &cluster, |at| {
        limited(at).as_deref() == Some("50")
    });
    let made = cluster.command(&["keys", "create", "--account", &account.id]);
    let (second, id) = (made["key"].as_str().expect("a key"), made["id"].as_str());
    wait_and_print("the key that was made", &cluster, |at| {
        asked(at, second).status == 400
    });
    let rotate = ["keys", "rotate", id.expect("an id"), "--grace", "0s"];
    let rotated = cluster.command(&rotate);
    let (third, id) = (
        rotated["key"].as_str().expect("a key"),
        rotated["id"].as_str(),
    );
    wait_and_print("the key that replaces it", &cluster, |at| {
        asked(at, third).status == 400
    });
    wait_and_print("the key that has ended", &cluster, |at| {
        asked(at, second).status == 401
    });
    cluster.command(&["keys", "revoke", id.expect("an id")]);
    wait_and_print("the key that was revoked", &cluster, |at| {
        asked(at, third).status == 401
    });
    cluster.command(&["accounts", "close", &account.id]);
    wait_and_print("the account that was closed", &cluster, |at| {
        asked(at, &account.live).status == 401
    });
}

/// A node reports the calls and refusals of the other nodes.
#[test]
fn the_holder_of_an_account_sees_the_calls_of_all_nodes() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    let account = cluster.busy_account();
    for (number, node) in cluster.nodes[..2].iter().enumerate() {
        for _ in 0..=number {
            assert_eq!(node.get(PATH, &account.live).status, 200);
            assert_eq!(node.get("/v3/lookup/x/1", &account.live).status, 400);
        }
    }
    wait_until("a third node shows them", || {
        let answer = cluster.nodes[2].get("/v1/account", &account.live);
        if answer.status == 503 {
            return false;
        }
        assert_eq!(answer.status, 200, "{}", answer.body);
        let body: serde_json::Value = serde_json::from_str(&answer.body).expect("JSON");
        let data = &body["data"];
        let refused = &data["refusals"]["byReason"][0];
        data["month"]["callsUsed"] == 6
            && calls_of_all_days(data) == 6
            && (&refused["reason"], &refused["calls"]) == (&"invalid_postcode".into(), &3.into())
    });
}

/// The calls of an account, summed over all days, because a test may run at midnight.
fn calls_of_all_days(account: &serde_json::Value) -> i64 {
    let rows = account["usage"].as_array().expect("a list").iter();
    rows.map(|row| row["calls"].as_i64().expect("a number"))
        .sum()
}
