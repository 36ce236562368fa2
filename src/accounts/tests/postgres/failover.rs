//! Failover from a primary to a standby that acknowledges each commit: the relay leads to the new primary, and no call is lost or
//! counted twice.

use std::time::Instant;

use super::network::{NodeBehindRelay, set_read_only};
use super::relay::Road;
use super::{Server, until_count};
use crate::accounts::AccountStore;
use crate::accounts::tests::sql;

/// A primary with synchronous replication, and its standby.
async fn pair(primary: &Server, name: &str) -> (NodeBehindRelay, Server) {
    let road = NodeBehindRelay::begin(primary, name).await;
    let standby = primary.standby();
    // Waits for the standby first: on a slow machine a commit that waited for it would time out.
    let streams = "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming'";
    until_count(&road.direct, streams, 1).await;
    sql(
        &road.direct,
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
    )
    .await;
    sqlx::raw_sql("SELECT pg_reload_conf()")
        .execute(road.direct.pool())
        .await
        .expect("it is there");
    let synchronous = "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    until_count(&road.direct, synchronous, 1).await;
    (road, standby)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failover_leases_and_counts_are_exact() {
    let Some(primary) = Server::start() else {
        return;
    };
    let (mut road, standby) = pair(&primary, "failover").await;
    road.call(150).await;
    road.until_reported().await;
    primary.pg_ctl_stop();
    road.relay.set(Road::Cut);
    road.call(400).await;
    road.until_log("is unavailable").await;
    standby.promote();
    road.direct = AccountStore::open(&standby.url("failover"))
        .await
        .expect("there");
    single(&road.direct).await;
    road.relay.retarget(standby.address());
    road.relay.set(Road::Open);
    let began = Instant::now();
    road.until_log("is available again").await;
    println!("back {:?} after the failover", began.elapsed());
    road.call(100).await;
    road.until_reported().await;
    road.end().await;
}

/// The old primary stays up as read-only, and existing connections still lead to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demoted_primary_is_abandoned() {
    let Some(primary) = Server::start() else {
        return;
    };
    let (mut road, standby) = pair(&primary, "demoted").await;
    road.call(150).await;
    road.until_reported().await;
    set_read_only(&road.direct, "on").await;
    standby.promote();
    road.direct = AccountStore::open(&standby.url("demoted"))
        .await
        .expect("there");
    single(&road.direct).await;
    road.relay.retarget(standby.address());
    let began = Instant::now();
    road.call(200).await;
    road.until_reported().await;
    println!("on the new primary after {:?}", began.elapsed());
    road.end().await;
}

/// Turns synchronous replication off: the new primary has no standby.
async fn single(store: &AccountStore) {
    sql(store, "ALTER SYSTEM RESET synchronous_standby_names").await;
    sqlx::raw_sql("SELECT pg_reload_conf()")
        .execute(store.pool())
        .await
        .expect("it is there");
}
