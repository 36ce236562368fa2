//! Bundles on a real server that is slow, silent, lost or read-only for a while: calls go on, and all are counted once.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::relay::{Relay, Road};
use super::{Server, server};
use crate::accounts::tests::at;
use crate::accounts::tests::watch::{counter, until};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::limits::quota::tests::{Node, account, row, until_row};

/// A node on a road of its own to a server, and a busy account there.
pub(super) struct OnARoad {
    pub(super) relay: Relay,
    /// The same database by another road.
    pub(super) direct: AccountStore,
    pub(super) node: Node,
    pub(super) whose: KeyGrant,
    /// Calls that were served.
    pub(super) served: i64,
}

impl OnARoad {
    pub(super) async fn begin(server: &Server, name: &str) -> Self {
        let direct = server.ledger(name).await;
        let whose = account(&direct, "kees@example.nl", PlanName::Klein).await;
        let relay = Relay::start(server.address());
        let ledger = AccountStore::open(&server::url(relay.address(), name)).await;
        let node = Node::start(&ledger.expect("it is there"), &Clock::fake(at(0))).await;
        let mut road = Self {
            relay,
            direct,
            node,
            whose,
            served: 0,
        };
        road.call(100).await;
        road.until_reported().await;
        road
    }

    pub(super) fn start(&self) -> Timestamp {
        BillingPeriod::from_anchor(self.whose.billing_anchor, at(0)).start()
    }

    /// So many calls, each of which is served.
    pub(super) async fn call(&mut self, calls: i64) {
        for _ in 0..calls {
            self.node.serve(&self.whose).await.expect("it goes on");
            self.served += 1;
        }
    }

    /// Waits until the row and the node say the same: then no answer is under way, which a cut would lose.
    pub(super) async fn until_reported(&self) {
        let served = self.served;
        until_row(&self.direct, &self.whose, self.start(), |row| {
            row.1 == served && row.0 > served && row.0 - row.1 == self.node.available(&self.whose)
        })
        .await;
    }

    pub(super) async fn until_log(&self, text: &str) {
        until(text, || self.node.log().contains(text)).await;
    }

    /// Ends it, and finds every call in the row once. Returns what was logged.
    pub(super) async fn end(self) -> String {
        let start = self.start();
        let log = self.node.stop().await;
        let counted = row(&self.direct, &self.whose, start).await;
        assert_eq!(counted, (self.served, self.served), "{log}");
        log
    }
}

/// On one thread, so that the counters are its own.
#[tokio::test]
async fn a_database_that_is_read_only_for_a_while_loses_and_doubles_no_call() {
    let Some(server) = Server::start() else {
        return;
    };
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut road = OnARoad::begin(&server, "read_only").await;
    set_read_only(&road.direct, "on").await;
    // More than is in hand, so that some are on credit.
    road.call(400).await;
    road.until_log("is read-only").await;
    let failures = || counter(&metrics, "postduif_leases_failures_total");
    let before = failures();
    until("two attempts more", || failures() >= before + 2).await;
    road.call(200).await;
    set_read_only(&road.direct, "off").await;
    let began = Instant::now();
    road.until_log("is available again").await;
    println!("back after {:?}", began.elapsed());
    road.call(100).await;
    road.until_reported().await;
    let log = road.end().await;
    assert_eq!(log.matches("ERROR").count(), 1, "told once: {log}");
    assert!(
        log.contains("promote it, or") || log.contains("promote it, point"),
        "{log}"
    );
}

pub(super) async fn set_read_only(ledger: &AccountStore, value: &'static str) {
    let set = format!("ALTER SYSTEM SET default_transaction_read_only = {value}");
    let mut connection = ledger.pool().acquire().await.expect("it is there");
    for statement in [
        "SET default_transaction_read_only = off".to_owned(),
        set,
        "SELECT pg_reload_conf()".to_owned(),
        "RESET default_transaction_read_only".to_owned(),
    ] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
            .execute(&mut *connection)
            .await
            .expect("the statement is right");
    }
}

/// At the same time, as each of them mostly waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_go_on_whatever_becomes_of_the_road() {
    let Some(server) = Server::start() else {
        return;
    };
    tokio::join!(
        no_call_waits_on_a_slow_road(&server, "slow", Duration::from_millis(300)),
        no_call_waits_on_a_slow_road(&server, "slower", Duration::from_millis(600)),
        a_silent_road_is_noticed_and_left(&server),
        half_open_connections_are_replaced(&server),
        a_cut_is_survived_at_once(&server),
    );
}

/// A call that has one in hand never waits.
async fn no_call_waits_on_a_slow_road(server: &Server, name: &str, delay: Duration) {
    let mut road = OnARoad::begin(server, name).await;
    road.relay.set(Road::Slow(delay));
    // While reports are under way. Nothing can wait here: this is no future.
    for _ in 0..30 {
        let taken = road.node.try_reserve(&road.whose).expect("in hand");
        taken.commit();
        road.served += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // What is not in hand is waited for, or given on credit.
    road.call(150).await;
    road.until_reported().await;
    let log = road.node.log();
    road.relay.set(Road::Open);
    road.end().await;
    // A step makes several round trips; on a busy machine the slower road may take longer than the service waits.
    if delay <= Duration::from_millis(300) {
        assert_eq!(log, "", "slow is not away");
    }
}

async fn a_silent_road_is_noticed_and_left(server: &Server) {
    let mut road = OnARoad::begin(server, "silent").await;
    road.relay.set(Road::Silent);
    let began = Instant::now();
    road.call(50).await;
    road.until_log("is unavailable").await;
    println!("silence noticed after {:?}", began.elapsed());
    road.call(200).await;
    road.relay.set(Road::Open);
    let began = Instant::now();
    road.until_log("is available again").await;
    println!("back {:?} after the silence", began.elapsed());
    road.until_reported().await;
    road.end().await;
}

async fn half_open_connections_are_replaced(server: &Server) {
    let mut road = OnARoad::begin(server, "half_open").await;
    road.relay.lose();
    let began = Instant::now();
    road.call(50).await;
    road.until_reported().await;
    println!("reported {:?} after the loss", began.elapsed());
    road.end().await;
}

async fn a_cut_is_survived_at_once(server: &Server) {
    let mut road = OnARoad::begin(server, "cut").await;
    road.relay.set(Road::Cut);
    road.call(300).await;
    road.until_log("is unavailable").await;
    road.relay.set(Road::Open);
    let began = Instant::now();
    road.until_log("is available again").await;
    println!("back {:?} after the cut", began.elapsed());
    road.call(10).await;
    road.until_reported().await;
    road.end().await;
}
