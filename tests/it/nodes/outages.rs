//! Checks that calls are still served and counted while nodes have no database, a balancer loses a node, or the database is
//! unavailable for a short time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::balancer::{Balancer, Kind};
use super::client::Client;
use super::cluster::{Account, Cluster, UNLIMITED_PLAN};
use super::load::{CallResult, Load, assert_all_found};
use super::{PATH, sleep};
use crate::process::wait_until;
use crate::relay::{LinkState, Relay};

/// The pause between two calls of a client, so long that a node's lease lasts through an outage.
const PAUSE: Duration = Duration::from_millis(50);

/// Checks that the accounts database counts every answered call exactly once; waits for the counts first.
#[track_caller]
fn assert_counted(cluster: &Cluster, accounts: &[Account], outcomes: &[CallResult]) {
    let answered = |caller: usize| {
        let own = outcomes.iter().filter(|outcome| outcome.caller == caller);
        own.count()
    };
    let mut calls: Vec<usize> = (0..accounts.len()).map(answered).collect();
    let reaches = |calls: &[usize]| {
        for (account, calls) in accounts.iter().zip(calls) {
            let calls = i64::try_from(*calls).expect("few");
            wait_until("everything is counted", || cluster.calls(account) >= calls);
            assert_eq!(cluster.calls(account), calls);
        }
    };
    reaches(&calls);
    // A call that was counted twice would show when a node next writes its counts, so make one more call on each node.
    for (account, calls) in accounts.iter().zip(&mut calls) {
        for node in &cluster.nodes {
            assert_eq!(node.get(PATH, &account.live).status, 200);
            *calls += 1;
        }
    }
    reaches(&calls);
}

/// Look-ups through the balancer, by one client for each account.
fn look_ups<'a>(balancer: &Balancer, accounts: &'a [Account]) -> Load<'a> {
    let caller = |account: &'a Account| (balancer.address, account.live.as_str());
    Load {
        callers: accounts.iter().map(caller).collect(),
        pause: PAUSE,
        posts: 0,
    }
}

#[test]
fn a_short_database_outage_fails_no_call_and_loses_no_count() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    let Some(balancer) = Balancer::start(Kind::Haproxy, &cluster.addresses()) else {
        return;
    };
    let accounts: Vec<Account> = (0..4).map(|_| cluster.busy_account()).collect();
    let load = look_ups(&balancer, &accounts);
    let outcomes = load.during_with(|progress| {
        progress.wait_until_each_is_served(10);
        cluster.database.pg_ctl_stop();
        progress.wait_until_each_is_served(60);
        for node in &cluster.nodes {
            assert_eq!(node.ready().status, 200, "the node has leased calls");
        }
        cluster.database.pg_ctl_start();
        progress.wait_until_each_is_served(10);
    });
    assert_all_found(&outcomes, "while the database is unavailable");
    assert_counted(&cluster, &accounts, &outcomes);
}

#[test]
fn a_node_without_its_database_answers_known_accounts() {
    let Some((cluster, relay)) = Cluster::behind_a_relay(1, &[]) else {
        return;
    };
    let Some(balancer) = Balancer::start(Kind::Haproxy, &cluster.addresses()) else {
        return;
    };
    let accounts = [0, 1].map(|node| cluster.account_of(&balancer, node, &UNLIMITED_PLAN));
    let load = look_ups(&balancer, &accounts);
    for silence in [LinkState::Cut, LinkState::Silent] {
        let outcomes = load.during_with(|progress| {
            progress.wait_until_each_is_served(20);
            relay.set(silence);
            let before = cluster.count_served()[0];
            if silence == LinkState::Cut {
                let node = &cluster.nodes[0];
                wait_until("the node knows that it is cut off", || {
                    node.database_is_away()
                });
            } else {
                wait_until("the node asks the database", || {
                    relay.has_undelivered_bytes()
                });
            }
            wait_until("it answers", || cluster.count_served()[0] >= before + 40);
            assert_eq!(cluster.nodes[0].ready().status, 200, "{silence:?}");
            relay.set(LinkState::Open);
            progress.wait_until_each_is_served(10);
        });
        assert_all_found(&outcomes, &format!("{silence:?}"));
    }
}

#[test]
fn bulk_requests_waiting_for_the_database_block_no_other_request() {
    let Some((cluster, relay)) = Cluster::behind_a_relay(1, &[]) else {
        return;
    };
    let plan = ["--plan", "enterprise", "--calls-per-month", "1000"];
    let rate = ["--calls-per-second", "1000"];
    let [short, other] =
        [&[&plan[..], &rate].concat()[..], &UNLIMITED_PLAN].map(|plan| cluster.account(plan));
    let bulk = |account: &Account, lines: usize| {
        let line = r#"{"postcode":"1234AB","number":29}"#;
        let body = format!(r#"{{"addresses":[{}]}}"#, vec![line; lines].join(","));
        let mut node = Client::new(cluster.nodes[0].addresses[0]);
        let answer = node.post("/v1/bulk/lookup", &account.live, &body);
        answer.expect("an answer").status
    };
    assert_eq!([&short, &other].map(|account| bulk(account, 2)), [200; 2]);
    relay.set(LinkState::Silent);
    let turns = std::thread::available_parallelism().map_or(1, usize::from);
    let open = || cluster.nodes[0].metric("postduif_connections_open{listener=\"live\"} ");
    // A request of an account without a lease waits three seconds for the database. On a busy machine another request may take that
    // long by chance, so repeat the check.
    wait_until(
        "another request is answered while the bulk requests wait",
        || {
            let ended = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..2 * turns {
                    scope.spawn(|| {
                        bulk(&short, 200);
                        ended.fetch_add(1, Ordering::SeqCst);
                    });
                }
                wait_until("all bulk requests have arrived", || {
                    open() >= 2 * turns as u64 || ended.load(Ordering::SeqCst) > 0
                });
                sleep(100);
                assert_eq!(bulk(&other, 2), 200);
                ended.load(Ordering::SeqCst) == 0
            })
        },
    );
    relay.set(LinkState::Open);
}

/// Relays between a balancer and the first node's live and admin listeners.
struct NodeRelays {
    relays: [Relay; 2],
}

impl NodeRelays {
    fn start(cluster: &Cluster) -> (Self, Vec<[std::net::SocketAddr; 3]>) {
        let mut addresses = cluster.addresses();
        let [live, _, admin] = addresses[0];
        let relays = [live, admin].map(Relay::start);
        addresses[0][0] = relays[0].address();
        addresses[0][2] = relays[1].address();
        (Self { relays }, addresses)
    }

    fn set(&self, state: LinkState) {
        self.relays.iter().for_each(|relay| relay.set(state));
    }
}

#[test]
fn an_unreachable_node_leaves_the_balancer_and_returns() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    check_node_is_taken_out(&cluster, Kind::Haproxy, LinkState::Silent);
    check_node_is_taken_out(&cluster, Kind::Haproxy, LinkState::Cut);
    check_node_is_taken_out(&cluster, Kind::Nginx, LinkState::Cut);
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
#[track_caller]
fn check_node_is_taken_out(cluster: &Cluster, kind: Kind, how: LinkState) {
    let (cut, addresses) = NodeRelays::start(cluster);
    let Some(balancer) = Balancer::start_as_shipped(kind, &addresses) else {
        return;
    };
    let account = cluster.account_of(&balancer, 0, &UNLIMITED_PLAN);
    let ask = || {
        balancer
            .client()
            .get(PATH, &account.live)
            .map(|answer| answer.status)
    };
    cut.set(how);
    let began = Instant::now();
    // Each call uses its own connection, and the client waits on it until the balancer uses another node.
    let mut failed = 0;
    wait_until("another node answers", || {
        let mut client = Client::new(balancer.address);
        if how == LinkState::Silent {
            client.timeout = Duration::from_millis(500);
        }
        let answered = client
            .get(PATH, &account.live)
            .is_ok_and(|answer| answer.status == 200);
        failed += usize::from(!answered);
        answered
    });
    println!(
        "{kind:?}, {how:?}: another node answers after {:?}",
        began.elapsed()
    );
    if how == LinkState::Cut {
        assert_eq!(failed, 0, "the balancer retries a look-up on another node");
    }
    for _ in 0..20 {
        let other = cluster.answering_node(|| assert_eq!(ask(), Ok(200)));
        assert_ne!(other, 0);
    }
    // Cut the relay, because it holds bytes that must not arrive later, when no client waits for them.
    cut.set(LinkState::Cut);
    cut.set(LinkState::Open);
    wait_until("the node is used again", || {
        let before = cluster.count_served()[0];
        assert_eq!(ask(), Ok(200));
        cluster.count_served()[0] > before
    });
}
