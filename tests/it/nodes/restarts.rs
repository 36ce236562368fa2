//! Stops and restarts nodes under load. A rolling restart loses no request; a kill loses at most the requests that are running.

use std::collections::HashSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::balancer::{Balancer, Kind};
use super::cluster::Cluster;
use super::load::{CallResult, Load, Progress, assert_all_found};

/// The number of accounts that call at each balancer.
const ACCOUNTS: usize = 6;

/// The number of idle connections that each nginx process keeps to a node.
const KEPT_BY_NGINX: usize = 64;

/// Runs `meanwhile` while several accounts call through each balancer. Every fourth call is a POST. Returns the outcomes of the
/// calls.
#[track_caller]
fn under_load(
    cluster: &mut Cluster,
    meanwhile: impl FnOnce(&mut Cluster, &[Balancer], &Progress),
) -> Vec<(Kind, Vec<CallResult>)> {
    let balancers = Balancer::all(&cluster.addresses());
    let accounts: Vec<_> = (0..ACCOUNTS).map(|_| cluster.busy_account()).collect();
    let callers = balancers.iter().flat_map(|balancer| {
        let keys = accounts.iter().map(|account| account.live.as_str());
        keys.map(|key| (balancer.address, key))
    });
    let load = Load {
        callers: callers.collect(),
        pause: Duration::from_millis(10),
        posts: 4,
    };
    let mut all = load.during_with(|progress| {
        progress.wait_until_each_is_served(20);
        meanwhile(cluster, &balancers, progress);
        progress.wait_until_each_is_served(20);
    });
    let mut outcomes = Vec::new();
    for (number, balancer) in balancers.iter().enumerate().rev() {
        let of_it = all.extract_if(.., |outcome| outcome.caller / accounts.len() == number);
        outcomes.push((balancer.kind, of_it.collect::<Vec<_>>()));
    }
    outcomes
}

#[test]
fn a_rolling_restart_loses_no_request() {
    let Some(mut cluster) = Cluster::start(&["--stop-delay-s", "3600"]) else {
        return;
    };
    let outcomes = under_load(&mut cluster, |cluster, balancers, progress| {
        for number in 0..cluster.nodes.len() {
            cluster.nodes[number].begin_stop();
            let others: Vec<usize> = (0..3).filter(|other| *other != number).collect();
            balancers
                .iter()
                .for_each(|balancer| balancer.wait_until_it_uses(&others));
            // Wait until nginx has used all its idle connections to the node. The stopping node closes each connection after its
            // next answer.
            progress.wait_until_each_is_served(KEPT_BY_NGINX);
            cluster.nodes[number].stop();
            cluster.nodes[number].start();
            balancers
                .iter()
                .for_each(|balancer| balancer.wait_until_it_uses(&[0, 1, 2]));
        }
    });
    for (kind, outcomes) in outcomes {
        assert_all_found(&outcomes, &format!("{kind:?}"));
    }
}

/// Each client runs one call at a time, so a kill costs a client at most one POST.
#[test]
fn a_killed_node_loses_only_its_running_posts() {
    let Some(mut cluster) = Cluster::start(&[]) else {
        return;
    };
    let mut killed = Vec::new();
    let outcomes = under_load(&mut cluster, |cluster, balancers, progress| {
        for number in 0..2 {
            progress.wait_until_each_is_served(20);
            let began = Instant::now();
            cluster.nodes[number].kill();
            killed.push(began..Instant::now());
            let others: Vec<usize> = (0..3).filter(|other| *other != number).collect();
            balancers
                .iter()
                .for_each(|balancer| balancer.wait_until_it_uses(&others));
            progress.wait_until_each_is_served(20);
            cluster.nodes[number].start();
            balancers
                .iter()
                .for_each(|balancer| balancer.wait_until_it_uses(&[0, 1, 2]));
        }
    });
    for (kind, outcomes) in outcomes {
        assert_only_running_posts_lost(kind, &outcomes, &killed);
    }
}

/// Checks that each client lost at most one POST for each kill, and lost no call before the first kill.
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
#[track_caller]
fn assert_only_running_posts_lost(kind: Kind, outcomes: &[CallResult], killed: &[Range<Instant>]) {
    let mut seen = HashSet::new();
    for lost in outcomes.iter().filter(|outcome| !outcome.is_found()) {
        assert!(
            lost.is_post,
            "{kind:?}: the balancer did not retry a look-up on another node: {lost:?}"
        );
        let over = lost.began + lost.duration;
        let kill = killed.iter().rposition(|killed| killed.start <= over);
        assert!(
            kill.is_some(),
            "{kind:?}: a call failed before the first kill: {lost:?}"
        );
        // Print the delay but do not limit it, because a balancer may be slow to notice a closed connection.
        let late = kill.map(|kill| lost.began.saturating_duration_since(killed[kill].end));
        println!("{kind:?}: lost, begun {late:?} after the kill: {lost:?}");
        assert!(
            seen.insert((lost.caller, kill)),
            "{kind:?}: a client lost two POSTs in one kill: {lost:?}"
        );
    }
}
