//! Calls per second behind a balancer: the limit is exact while an account stays on one node. Each move to another node may add
//! one burst.

use std::cell::Cell;
use std::time::Duration;

use super::balancer::{Balancer, Kind};
use super::cluster::{Account, Cluster};
use super::load::{Load, Outcome, Progress};
use super::sleep;
use crate::process::until;

/// Calls per second of an account, which is also its burst.
const RATE: u32 = 20;

/// The number of clients of each account.
const CLIENTS: usize = 4;

/// The share of a burst by which a move may exceed the limit: a call of each client that is on its way to the leaving node may go
/// to a third node.
const STRAY_SHARE: f64 = 0.3;

/// Checks the served calls against the rate plus `bursts` full buckets, over the time from the first call to the last.
#[track_caller]
fn assert_within_rate(outcomes: &[&Outcome], bursts: u32, what: &str) {
    let (first, last) = (
        outcomes.iter().map(|outcome| outcome.began).min(),
        outcomes
            .iter()
            .map(|outcome| outcome.began + outcome.took)
            .max(),
    );
    let time = last.expect("calls") - first.expect("calls");
    let found = outcomes.iter().filter(|outcome| outcome.is_found()).count();
    let rest = f64::from(RATE) * time.as_secs_f64();
    let bursts_seen = (f64::from(u32::try_from(found).expect("few")) - rest) / f64::from(RATE);
    let astray = STRAY_SHARE * f64::from((bursts - 1).max(1));
    assert!(
        bursts_seen <= f64::from(bursts) + astray,
        "{what}: {bursts_seen} bursts, {found} in {time:?}"
    );
}

/// One account for each balancer. Several clients of an account call faster than its limit.
struct OverloadedAccounts<'a> {
    balancers: &'a [Balancer],
    accounts: Vec<Account>,
}

/// The running calls.
struct RunningCalls<'a> {
    progress: &'a Progress,
    balancers: usize,
    /// The served and refused calls of each account at the last check.
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

    /// Waits until, since the last check, each account was served a burst and a half, and was refused more calls than it was
    /// served.
    #[track_caller]
    fn wait_for_calls(&self) {
        let before = self.before.take();
        let burst = usize::try_from(RATE).expect("small");
        until("a burst is served, and more calls are refused", || {
            let all = self.now().into_iter().zip(&before);
            let mut since = all.map(|(now, before)| [now[0] - before[0], now[1] - before[1]]);
            since.all(|[served, others]| served >= burst * 3 / 2 && others > served)
        });
        self.before.set(self.now());
    }

    /// Waits until only the first node answers calls.
    #[track_caller]
    fn wait_for_first_node(&self, cluster: &Cluster) {
        let mut before = cluster.found();
        until("the first node alone serves", || {
            let now = cluster.found();
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
    #[track_caller]
    fn during(&self, bursts: [u32; 2], what: &str, meanwhile: impl FnOnce(&RunningCalls)) {
        // Wait until the bucket of each account is full again.
        sleep(1_100);
        let callers = self.balancers.iter().zip(&self.accounts);
        let callers = callers
            .flat_map(|(balancer, account)| [(balancer.address, account.live.as_str()); CLIENTS]);
        let load = Load {
            callers: callers.collect(),
            pause: Duration::from_millis(5),
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
            let bursts = bursts[usize::from(balancer.kind == Kind::Nginx)];
            assert_within_rate(&own, bursts, &format!("{:?} {what}", balancer.kind));
        }
    }
}

#[test]
fn moving_to_another_node_gives_a_key_at_most_one_more_burst() {
    let Some(mut cluster) = Cluster::start(&["--stop-delay-s", "3600"]) else {
        return;
    };
    let balancers = Balancer::all(&cluster.addresses());
    let rate = RATE.to_string();
    let plan = [
        "--plan",
        "enterprise",
        "--calls-per-month",
        "1000000",
        "--calls-per-second",
        &rate,
    ];
    let of = |balancer| cluster.account_of(balancer, 0, &plan);
    let accounts = balancers.iter().map(of).collect();
    let hammered = OverloadedAccounts {
        balancers: &balancers,
        accounts,
    };
    hammered.during([1, 1], "while nodes stay", |_| {});
    hammered.during([2, 2], "when its node is killed", |hammering| {
        cluster.nodes[0].kill();
        hammering.wait_for_calls();
    });
    hammered.during([2, 2], "when its node comes back", |hammering| {
        cluster.nodes[0].start();
        hammering.wait_for_first_node(&cluster);
    });
    hammered.during(
        [3, 3],
        "when its node is rolled, there and back",
        |hammering| {
            cluster.nodes[0].leave();
            balancers.iter().for_each(|balancer| balancer.uses(&[1, 2]));
            cluster.nodes[0].stop();
            cluster.nodes[0].start();
            hammering.wait_for_first_node(&cluster);
        },
    );
}
