//! A primary and a standby that acknowledges each commit: the node follows the address from one to the other, and no call is
//! lost or counted twice.

use std::time::Instant;

use super::Server;
use super::relay::Road;
use super::roads::{OnARoad, set_read_only};
use crate::access::Ledger;
use crate::access::tests::sql;

/// A primary that acknowledges nothing which its standby does not have, and the standby.
async fn pair(primary: &Server, name: &str) -> (OnARoad, Server) {
    let road = OnARoad::begin(primary, name).await;
    let standby = primary.standby();
    sql(
        &road.direct,
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
    )
    .await;
    sqlx::raw_sql("SELECT pg_reload_conf()")
        .execute(road.direct.pool())
        .await
        .expect("it is there");
    for _ in 0..3_000 {
        let state = "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        let synchronous: i64 = sqlx::query_scalar(state)
            .fetch_one(road.direct.pool())
            .await
            .expect("it is there");
        if synchronous == 1 {
            return (road, standby);
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the standby does not follow");
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
    road.until_log("is away").await;
    standby.promote();
    road.direct = Ledger::open(&standby.url("failover")).await.expect("there");
    single(&road.direct).await;
    road.relay.retarget(standby.address());
    road.relay.set(Road::Open);
    let began = Instant::now();
    road.until_log("is back").await;
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
    road.direct = Ledger::open(&standby.url("demoted")).await.expect("there");
    single(&road.direct).await;
    road.relay.retarget(standby.address());
    let began = Instant::now();
    road.call(200).await;
    road.until_reported().await;
    println!("on the new primary after {:?}", began.elapsed());
    road.end().await;
}

/// The new primary has no standby that it could wait for.
async fn single(ledger: &Ledger) {
    sql(ledger, "ALTER SYSTEM RESET synchronous_standby_names").await;
    sqlx::raw_sql("SELECT pg_reload_conf()")
        .execute(ledger.pool())
        .await
        .expect("it is there");
}
