//! Calls per second behind a balancer: exact while nodes stay, one more burst with each move to another node.

use std::time::Duration;

use super::balancer::{Balancer, Kind};
use super::cluster::{Account, Cluster};
use super::load::{Load, Outcome};
use super::sleep;

/// Calls per second, which is also the burst.
const RATE: u32 = 20;

/// Part of a burst, with each move: what was on its way to a node that leaves, one call of each client, goes to a third one.
const ASTRAY: f64 = 0.3;

/// The most answers that the rate allows, with so many full buckets, from the first call to the last.
#[track_caller]
fn at_most(outcomes: &[&Outcome], bursts: u32, what: &str) {
    let (first, last) = (
        outcomes.iter().map(|outcome| outcome.began).min(),
        outcomes
            .iter()
            .map(|outcome| outcome.began + outcome.took)
            .max(),
    );
    let time = last.expect("calls") - first.expect("calls");
    let found = outcomes.iter().filter(|outcome| outcome.is_found()).count();
    let refused = outcomes
        .iter()
        .filter(|outcome| outcome.status == Ok(429))
        .count();
    let rest = f64::from(RATE) * time.as_secs_f64();
    let bursts_seen = (f64::from(u32::try_from(found).expect("few")) - rest) / f64::from(RATE);
    assert!(refused > found, "{what}: it is hammered");
    let astray = ASTRAY * f64::from((bursts - 1).max(1));
    assert!(
        bursts_seen <= f64::from(bursts) + astray,
        "{what}: {bursts_seen} bursts, {found} in {time:?}"
    );
    // On a busy machine less may come than the rate lets pass, but the first burst comes.
    let burst = usize::try_from(RATE).expect("small");
    assert!(found >= burst, "{what}: {found} in {time:?} is no burst");
}

/// Each balancer's account, whose calls come from four clients, faster than they may.
struct Hammered<'a> {
    balancers: &'a [Balancer],
    accounts: Vec<Account>,
}

impl Hammered<'_> {
    #[track_caller]
    fn during(&self, bursts: [u32; 2], what: &str, meanwhile: impl FnOnce()) {
        // The bucket is full again.
        sleep(1_100);
        let callers = self.balancers.iter().zip(&self.accounts);
        let callers =
            callers.flat_map(|(balancer, account)| [(balancer.address, account.live.as_str()); 4]);
        let load = Load {
            callers: callers.collect(),
            pause: Duration::from_millis(5),
            posts: 0,
        };
        let outcomes = load.during(meanwhile);
        for (number, balancer) in self.balancers.iter().enumerate() {
            let own: Vec<_> = outcomes
                .iter()
                .filter(|outcome| outcome.whose / 4 == number)
                .collect();
            let bursts = bursts[usize::from(balancer.kind == Kind::Nginx)];
            at_most(&own, bursts, &format!("{:?} {what}", balancer.kind));
        }
    }
}

#[test]
fn a_key_gets_one_more_burst_at_most_with_each_move_to_another_node() {
    let Some(mut cluster) = Cluster::start(&["--stop-delay-s", "2"]) else {
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
    let hammered = Hammered {
        balancers: &balancers,
        accounts,
    };
    hammered.during([1, 1], "while nodes stay", || sleep(1_500));
    hammered.during([2, 2], "when its node is killed", || {
        sleep(500);
        cluster.nodes[0].kill();
        sleep(2_000);
    });
    hammered.during([2, 2], "when its node comes back", || {
        cluster.nodes[0].start();
        sleep(2_500);
    });
    // nginx leaves it out for some seconds.
    sleep(1_000);
    hammered.during([3, 3], "when its node is rolled, there and back", || {
        cluster.nodes[0].stop();
        cluster.nodes[0].start();
        sleep(2_500);
    });
}
