//! A primary and a standby that acknowledges each commit: the node follows the address from one to the other, and no call is
//! lost or counted twice.

use std::time::Instant;

use super::network::{OnARoad, set_read_only};
use super::relay::Road;
use super::{Server, until_count};
use crate::accounts::AccountStore;
use crate::accounts::tests::sql;

/// A primary that acknowledges nothing which its standby does not have, and the standby.
async fn pair(primary: &Server, name: &str) -> (OnARoad, Server) {
    let road = OnARoad::begin(primary, name).await;
    let standby = primary.standby();
    // First: a commit that waited for the standby to connect would be given up on a slow machine.
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

/// The old primary lives on, read-only, and those who were connected are still connected to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_was_demoted_is_left() {
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

/// The new primary has no standby that it could wait for.
async fn single(ledger: &AccountStore) {
    sql(ledger, "ALTER SYSTEM RESET synchronous_standby_names").await;
    sqlx::raw_sql("SELECT pg_reload_conf()")
        .execute(ledger.pool())
        .await
        .expect("it is there");
}
