//! Checks which node a balancer selects for a call: it hashes the account in the API key, or the client IP if there is no key.
//! Forged headers do not change the node.

use std::collections::HashSet;
use std::net::Ipv4Addr;

use super::PATH;
use super::balancer::Balancer;
use super::client::Client;
use super::cluster::Cluster;
use crate::chance::tries;

const TURNED_AWAY: &str =
    r#"postduif_requests_total{route="/v3/lookup/{postcode}/{number}",status="4xx"}"#;

#[track_caller]
fn assert_one_node_for_each_account(cluster: &Cluster, balancer: &Balancer) {
    let mut owners = HashSet::new();
    let at_least = tries(3);
    let at_most = at_least.max(60);
    for number in 0..at_most {
        if number >= at_least && owners.len() > 1 {
            break;
        }
        let account = cluster.busy_account();
        let made = cluster.command(&["keys", "create", "--account", &account.id]);
        let second = made["key"].as_str().expect("a key");
        crate::process::wait_until("every node knows the new key", || {
            cluster
                .nodes
                .iter()
                .all(|node| node.get(PATH, second).status == 200)
        });
        owners.insert(cluster.answering_node(|| {
            // Call with each key on a kept connection and on a new connection.
            let mut kept = balancer.client();
            for key in [&account.live, second, &account.live] {
                for client in [&mut kept, &mut balancer.client()] {
                    let answer = client.get(PATH, key).expect("an answer");
                    assert_eq!(answer.status, 200, "{}", answer.body);
                }
            }
            let path = "/api/v3/lookup/6545CA/29";
            let answer = kept.get(path, &account.test).expect("an answer");
            assert_eq!(answer.status, 200, "{}", answer.body);
        }));
    }
    assert!(
        owners.len() > 1,
        "{at_most} accounts reached only the nodes {owners:?}"
    );
}

/// The nodes that received the calls that `calls` makes. The nodes must refuse these calls.
fn nodes_reached(cluster: &Cluster, calls: impl FnOnce()) -> Vec<usize> {
    let count = || {
        cluster
            .nodes
            .iter()
            .map(|node| node.metric(TURNED_AWAY))
            .collect::<Vec<_>>()
    };
    let before = count();
    calls();
    let after = count();
    (0..before.len())
        .filter(|node| after[*node] > before[*node])
        .collect()
}

#[track_caller]
fn others_are_spread_by_client(cluster: &Cluster, balancer: &Balancer) {
    // Calls with a malformed key go to the same node as the client's calls without a key.
    let long = format!("X-Api-Key: {}\r\n", "x".repeat(6_000));
    let odd = [
        "",
        "X-Api-Key: \r\n",
        "X-Api-Key: pd_live_\r\n",
        "X-Api-Key: pd_live_short\r\n",
        "X-Api-Key: pd_live_Ab3d-6gH0123\r\n",
        "X-Api-Key: xx_live_Ab3dE6gH0123\r\n",
        "X-Api-Key: \"';%[src]$host\r\n",
        "X-Api-Key: \u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\r\n",
        "X-Api-Key:\r\nX-Api-Key: pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLMN2qXoQJ\r\n",
        long.as_str(),
    ];
    let mut nodes = HashSet::new();
    // nginx's hash ring depends on the ports, so add clients until all three nodes were reached.
    for host in 1..=250 {
        if host > 12 && nodes.len() == cluster.nodes.len() {
            break;
        }
        let nodes_reached = nodes_reached(cluster, || {
            let mut client = Client::from(Ipv4Addr::new(127, 0, 0, host), balancer.address);
            for head in odd {
                let answer = client.send("GET", PATH, head, "").expect("an answer");
                assert_eq!(answer.status, 401, "{head}: {}", answer.body);
            }
        });
        assert_eq!(
            nodes_reached.len(),
            1,
            "127.0.0.{host} meets {nodes_reached:?}"
        );
        nodes.extend(nodes_reached);
    }
    assert_eq!(
        nodes.len(),
        3,
        "the clients reached only the nodes {nodes:?}"
    );
}

/// Checks that a client cannot choose a node with several keys: a balancer routes by the first key, and a node refuses such a
/// request.
#[track_caller]
fn several_keys_are_refused(cluster: &Cluster, balancer: &Balancer) {
    let own = format!("X-Api-Key: {}\r\n", cluster.busy_account().live);
    for tag in 0..12 {
        let other = format!("X-Api-Key: pd_live_Ab3dE6{tag:02}0123456789ABCDEFGHIJKLMN2qXoQJ\r\n");
        for head in [[&*own, &*other], [&*other, &*own], [&*own, &*own]] {
            let head = head.concat();
            let answer = balancer.client().send("GET", PATH, &head, "");
            let answer = answer.expect("an answer");
            assert_eq!(answer.status, 401, "{head}: {}", answer.body);
        }
    }
}

#[test]
fn balancers_route_by_account_or_client_ip_despite_forged_headers() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    for balancer in Balancer::all(&cluster.addresses()) {
        assert_one_node_for_each_account(&cluster, &balancer);
        others_are_spread_by_client(&cluster, &balancer);
        several_keys_are_refused(&cluster, &balancer);
    }
}
