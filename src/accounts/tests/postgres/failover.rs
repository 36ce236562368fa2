//! Tests a failover from a primary to a standby that acknowledges each commit. The relay then leads to the new primary, and no call is
//! lost or counted twice.

use std::time::Instant;

use super::network::{NodeBehindRelay, set_read_only};
use super::relay::LinkState;
use super::{Server, until_count};
use crate::accounts::AccountStore;
use crate::accounts::tests::sql;
use crate::expect_ok::expect_ok;

/// A primary with synchronous replication, and its standby.
async fn start_primary_and_standby(primary: &Server, name: &str) -> (NodeBehindRelay, Server) {
    let relayed = NodeBehindRelay::begin(primary, name).await;
    let standby = primary.standby();
    // Waits until the standby streams, because a synchronous commit before that would time out on a slow machine.
    let streams = "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming'";
    until_count(&relayed.direct, streams, 1).await;
    sql(
        &relayed.direct,
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
    )
    .await;
    expect_ok(sqlx::raw_sql("SELECT pg_reload_conf()").execute(relayed.direct.pool())).await;
    let synchronous = "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    until_count(&relayed.direct, synchronous, 1).await;
    (relayed, standby)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failover_leases_and_counts_are_exact() {
    let Some(primary) = Server::start() else {
        return;
    };
    let (mut relayed, standby) = start_primary_and_standby(&primary, "failover").await;
    relayed.call(150).await;
    relayed.until_reported().await;
    primary.pg_ctl_stop();
    relayed.relay.set(LinkState::Cut);
    relayed.call(400).await;
    relayed.until_log("is unavailable").await;
    standby.promote();
    relayed.direct = AccountStore::open(&standby.url("failover"))
        .await
        .expect("the standby has the database");
    disable_synchronous_replication(&relayed.direct).await;
    relayed.relay.retarget(standby.address());
    relayed.relay.set(LinkState::Open);
    let began = Instant::now();
    relayed.until_log("is available again").await;
    println!(
        "database available again {:?} after the failover",
        began.elapsed()
    );
    relayed.call(100).await;
    relayed.until_reported().await;
    relayed.end().await;
}

/// The old primary stays up but is read-only, and existing connections still lead to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_to_a_demoted_primary_are_abandoned() {
    let Some(primary) = Server::start() else {
        return;
    };
    let (mut relayed, standby) = start_primary_and_standby(&primary, "demoted").await;
    relayed.call(150).await;
    relayed.until_reported().await;
    set_read_only(&relayed.direct, "on").await;
    standby.promote();
    relayed.direct = AccountStore::open(&standby.url("demoted"))
        .await
        .expect("the standby has the database");
    disable_synchronous_replication(&relayed.direct).await;
    relayed.relay.retarget(standby.address());
    let began = Instant::now();
    relayed.call(200).await;
    relayed.until_reported().await;
    println!("connected to the new primary after {:?}", began.elapsed());
    relayed.end().await;
}

/// Turns synchronous replication off, because the new primary has no standby, and its commits would wait for ever.
async fn disable_synchronous_replication(store: &AccountStore) {
    sql(store, "ALTER SYSTEM RESET synchronous_standby_names").await;
    expect_ok(sqlx::raw_sql("SELECT pg_reload_conf()").execute(store.pool())).await;
}
