//! Nodes that leave and come back while everybody calls: a roll loses nothing, a kill at most what was on its way.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::balancer::{Balancer, Kind};
use super::cluster::Cluster;
use super::load::{Load, Outcome, all_found};
use super::sleep;

/// How far a clock here may be from what happens elsewhere.
const ABOUT: Duration = Duration::from_millis(200);

/// What became of the calls of six accounts at each balancer, every fourth a POST, while something happens.
#[track_caller]
fn under_load(
    mut cluster: Cluster,
    meanwhile: impl FnOnce(&mut Cluster),
) -> Vec<(Kind, Vec<Outcome>)> {
    let balancers = Balancer::all(&cluster.addresses());
    let accounts: Vec<_> = (0..6).map(|_| cluster.busy_account()).collect();
    let callers = balancers.iter().flat_map(|balancer| {
        let keys = accounts.iter().map(|account| account.live.as_str());
        keys.map(|key| (balancer.address, key))
    });
    let load = Load {
        callers: callers.collect(),
        pause: Duration::from_millis(10),
        posts: 4,
    };
    let mut all = load.during(|| meanwhile(&mut cluster));
    let mut outcomes = Vec::new();
    for (number, balancer) in balancers.iter().enumerate().rev() {
        let of_it = all.extract_if(.., |outcome| outcome.whose / accounts.len() == number);
        outcomes.push((balancer.kind, of_it.collect::<Vec<_>>()));
    }
    for (kind, outcomes) in &outcomes {
        assert!(outcomes.len() > 500, "{kind:?}: only {}", outcomes.len());
    }
    outcomes
}

#[test]
fn a_roll_of_all_nodes_loses_no_request() {
    let Some(cluster) = Cluster::start(&["--stop-delay-s", "2"]) else {
        return;
    };
    let outcomes = under_load(cluster, |cluster| {
        for node in &mut cluster.nodes {
            sleep(300);
            node.stop();
            node.start();
            // Until HAProxy has seen it twice.
            sleep(2_000);
        }
    });
    for (kind, outcomes) in outcomes {
        all_found(&outcomes, &format!("{kind:?}"));
    }
}

/// Every client has one call on its way at most.
#[test]
fn a_kill_costs_no_look_up_and_of_posts_what_was_on_its_way() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    let mut killed = Vec::new();
    let outcomes = under_load(cluster, |cluster| {
        for node in &mut cluster.nodes[..2] {
            sleep(500);
            let began = Instant::now();
            node.kill();
            killed.push(began..Instant::now());
            sleep(2_000);
            node.start();
            sleep(2_000);
        }
    });
    for (kind, outcomes) in outcomes {
        for lost in outcomes.iter().filter(|outcome| !outcome.is_found()) {
            assert!(lost.is_post, "{kind:?}: a look-up goes elsewhere: {lost:?}");
            let dying = |when: &Range<Instant>| {
                lost.began <= when.end + ABOUT && lost.began + lost.took + ABOUT >= when.start
            };
            assert!(
                killed.iter().any(dying),
                "{kind:?}: not on its way: {lost:?}"
            );
        }
    }
}
