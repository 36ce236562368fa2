//! Checks a small plan on several nodes during a database outage: each node serves a limited number of calls on credit, and books
//! them when the database is back.

use super::PATH;
use super::client::Client;
use super::cluster::{Cluster, Node};
use crate::process::wait_until;
use crate::relay::LinkState;

const QUOTA: i64 = 500;

/// The free plan with 500 calls a month, and a rate so high that it does not slow down the test.
const PLANS: &str = r#"{"free":{"calls_per_month":500,"calls_per_second":1000000}}"#;

/// Sends look-ups to a node until the node refuses one; returns the number of served calls and the status of the refusal.
fn use_up(node: &Node, key: &str) -> (i64, u16) {
    let (mut client, mut served) = (Client::new(node.addresses[0]), 0);
    loop {
        let status = client.get(PATH, key).expect("an answer").status;
        if status != 200 {
            return (served, status);
        }
        served += 1;
        assert!(served <= 2 * QUOTA, "more than twice the quota");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn a_small_plan_keeps_its_quota_on_every_node_during_a_database_outage() {
    let Some((cluster, relay)) = Cluster::behind_a_relay(3, &["--plans", PLANS]) else {
        return;
    };
    let account = cluster.account(&["--plan", "free", "--plans", PLANS]);
    // Every node learns how many calls the account has used this month.
    let mut all = 0;
    for node in &cluster.nodes {
        wait_until("the node has leased", || {
            let served = node.get(PATH, &account.live).status == 200;
            all += i64::from(served);
            served
        });
    }
    wait_until("all calls are counted", || cluster.calls(&account) == all);
    relay.set(LinkState::Cut);
    // Wait, because a node that has not noticed the outage refuses calls that it would later serve on credit.
    wait_until("every node knows that the database is unavailable", || {
        cluster.nodes.iter().all(Node::database_is_away)
    });
    let on_credit = |node: &Node| node.metric("postduif_leases_calls_on_credit ");
    for node in &cluster.nodes {
        let (served, refusal) = use_up(node, &account.live);
        all += served;
        assert!([429, 503].contains(&refusal), "{refusal}");
        wait_until("the credit is shown", || on_credit(node) > 0);
        // The credit is at most a quarter of the account's unused calls, so at most a quarter of the quota.
        let credit = on_credit(node);
        assert!(credit <= 125, "{credit}");
        println!("{served} calls without the database, {credit} of them on credit");
    }
    assert!(all <= QUOTA, "{all} calls, of a quota of {QUOTA}");
    // A node without credit left refuses every further call, even after it has retried the database.
    let attempts = |node: &Node| node.metric("postduif_leases_failures_total ");
    let before: Vec<_> = cluster.nodes.iter().map(attempts).collect();
    for (node, before) in cluster.nodes.iter().zip(before) {
        wait_until("the database was tried again", || {
            attempts(node) >= before + 2
        });
        assert_eq!(use_up(node, &account.live).0, 0);
    }
    relay.set(LinkState::Open);
    wait_until("the credit is booked", || {
        cluster.nodes.iter().all(|node| on_credit(node) == 0)
    });
    wait_until("all calls are counted", || cluster.calls(&account) >= all);
    assert_eq!(cluster.calls(&account), all, "booked once");
    // A node may return unused calls to the database, and another node may then lease them. So call until all nodes refuse.
    wait_until("the rest of the quota is used up", || {
        let more: i64 = cluster
            .nodes
            .iter()
            .map(|node| use_up(node, &account.live).0)
            .sum();
        all += more;
        more == 0 && all >= QUOTA
    });
    assert_eq!(all, QUOTA, "all calls of the quota, and no more");
    wait_until("the accounts database has counted every call", || {
        cluster.calls(&account) >= QUOTA
    });
    assert_eq!(cluster.calls(&account), QUOTA);
}
