//! Checks calls per second behind a balancer: the limit is exact while an account stays on one node, and each move to another node
//! may add one burst.

use std::cell::Cell;
use std::time::Duration;

use super::balancer::{Balancer, Kind};
use super::cluster::{Account, Cluster};
use super::load::{CallResult, Load, Progress};
use super::sleep;
use crate::process::{enterprise, wait_until, words};

/// Calls per second and burst size of each account.
const RATE: u32 = 20;

/// The number of clients that call for each account.
const CLIENTS: usize = 4;

/// The number of calls of an account that are under way when it moves, and may be served beside the calls of its next node.
const MOVING_CALLS: usize = CLIENTS;

/// The number of calls that HAProxy may send to a third node when a node is killed. It repeats a call on the next node of its hash
/// ring, but sends later calls to the nearest node, and these can be different. It repeats two calls of each client: the one that waits
/// for the killed node's answer, and the next one. Its connection is refused, so HAProxy knows that the node is down.
const REPEATED_CALLS: usize = 2 * CLIENTS;

/// Checks that the calls served between the first and the last call are at most what the rate allows, plus `bursts` full bursts, plus
/// `strays` calls.
#[track_caller]
fn assert_within_rate(outcomes: &[&CallResult], bursts: u32, strays: usize, context: &str) {
    let (first, last) = (
        outcomes.iter().map(|outcome| outcome.began).min(),
        outcomes
            .iter()
            .map(|outcome| outcome.began + outcome.duration)
            .max(),
    );
    let time = last.expect("calls") - first.expect("calls");
    let found = outcomes.iter().filter(|outcome| outcome.is_found()).count();
    let strays = f64::from(u32::try_from(strays).expect("few"));
    let allowed = f64::from(RATE) * time.as_secs_f64() + f64::from(bursts * RATE) + strays;
    let served = f64::from(u32::try_from(found).expect("few"));
    assert!(
        served <= allowed,
        "{context}: {found} calls served in {time:?}, {allowed} allowed"
    );
}

/// Accounts, one for each balancer, whose clients call faster than the limit.
struct OverloadedAccounts<'a> {
    balancers: &'a [Balancer],
    accounts: Vec<Account>,
}

/// Follows the calls of the accounts while they run.
struct RunningCalls<'a> {
    progress: &'a Progress,
    balancers: usize,
    /// For each account, the number of served and of refused calls at the last check.
    before: Cell<Vec<[usize; 2]>>,
}

impl RunningCalls<'_> {
    fn now(&self) -> Vec<[usize; 2]> {
        let callers = |balancer: usize| balancer * CLIENTS..(balancer + 1) * CLIENTS;
        let balancers = (0..self.balancers).map(callers);
        balancers
            .map(|callers| self.progress.all(callers))
            .collect()
    }

    /// Waits until each account has, since the last check, one and a half bursts of served calls and even more refused calls.
    #[track_caller]
    fn wait_for_calls(&self) {
        let before = self.before.take();
        let burst = usize::try_from(RATE).expect("small");
        wait_until("a burst is served, and more calls are refused", || {
            let all = self.now().into_iter().zip(&before);
            let mut since = all.map(|(now, before)| [now[0] - before[0], now[1] - before[1]]);
            since.all(|[served, others]| served >= burst * 3 / 2 && others > served)
        });
        self.before.set(self.now());
    }

    /// Waits until only the first node answers calls.
    #[track_caller]
    fn wait_for_first_node(&self, cluster: &Cluster) {
        let mut before = cluster.count_served();
        wait_until("only the first node serves calls", || {
            let now = cluster.count_served();
            let enough = now[0] >= before[0] + u64::from(RATE);
            let alone = now[1..] == before[1..];
            if enough || !alone {
                before = now;
            }
            enough && alone
        });
        self.wait_for_calls();
    }
}

impl OverloadedAccounts<'_> {
    /// Makes calls while `meanwhile` runs, and checks them against `bursts` and, for HAProxy and for nginx, `strays`.
    #[track_caller]
    fn run_during(
        &self,
        bursts: u32,
        strays: [usize; 2],
        context: &str,
        meanwhile: impl FnOnce(&RunningCalls),
    ) {
        // Wait until every account has its full burst available again.
        sleep(1_100);
        let callers = self.balancers.iter().zip(&self.accounts);
        let callers = callers
            .flat_map(|(balancer, account)| [(balancer.address, account.live.as_str()); CLIENTS]);
        let load = Load {
            callers: callers.collect(),
            pause: Duration::from_millis(20),
            posts: 0,
        };
        let outcomes = load.during_with(|progress| {
            let hammering = RunningCalls {
                progress,
                balancers: self.balancers.len(),
                before: Cell::new(vec![[0; 2]; self.balancers.len()]),
            };
            hammering.wait_for_calls();
            meanwhile(&hammering);
        });
        for (number, balancer) in self.balancers.iter().enumerate() {
            let own: Vec<_> = outcomes
                .iter()
                .filter(|outcome| outcome.caller / CLIENTS == number)
                .collect();
            let strays = strays[usize::from(balancer.kind == Kind::Nginx)];
            let context = format!("{:?} {context}", balancer.kind);
            assert_within_rate(&own, bursts, strays, &context);
        }
    }
}

#[test]
fn each_move_to_another_node_gives_an_account_at_most_one_more_burst() {
    let Some(mut cluster) = Cluster::start(&["--stop-delay-s", "3600"]) else {
        return;
    };
    let balancers = Balancer::all(&cluster.addresses());
    let plan = enterprise(1_000_000, RATE);
    let of = |balancer| cluster.account_of(balancer, 0, &words(&plan));
    let accounts = balancers.iter().map(of).collect();
    let hammered = OverloadedAccounts {
        balancers: &balancers,
        accounts,
    };
    hammered.run_during(1, [0, 0], "while nodes stay", |_| {});
    hammered.run_during(
        2,
        [REPEATED_CALLS, MOVING_CALLS],
        "when its node is killed",
        |hammering| {
            cluster.nodes[0].kill();
            hammering.wait_for_calls();
        },
    );
    hammered.run_during(
        2,
        [MOVING_CALLS; 2],
        "when its node comes back",
        |hammering| {
            cluster.nodes[0].start();
            hammering.wait_for_first_node(&cluster);
        },
    );
    hammered.run_during(
        3,
        [2 * MOVING_CALLS; 2],
        "when its node is restarted and gets it back",
        |hammering| {
            cluster.nodes[0].begin_stop();
            balancers
                .iter()
                .for_each(|balancer| balancer.wait_until_it_uses(&[1, 2]));
            cluster.nodes[0].stop();
            cluster.nodes[0].start();
            hammering.wait_for_first_node(&cluster);
        },
    );
}
