//! Tests quotas on a real server that is slow, silent, unreachable or read-only for a while. Calls are served, and each is counted once.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::relay::{LinkState, Relay};
use super::{Server, server};
use crate::accounts::tests::test_time;
use crate::accounts::tests::watch::{counter, wait_until};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use crate::limits::quota::tests::{Node, account, row, until_row};

/// A node with a busy account. The node connects to a server through its own relay.
pub(super) struct NodeBehindRelay {
    pub(super) relay: Relay,
    /// A store in the same database, connected without the relay.
    pub(super) direct: AccountStore,
    pub(super) node: Node,
    pub(super) grant: KeyGrant,
    /// Calls that were served.
    pub(super) served: i64,
}

impl NodeBehindRelay {
    pub(super) async fn begin(server: &Server, name: &str) -> Self {
        let direct = server.new_store(name).await;
        let grant = account(&direct, "kees@example.nl", PlanName::Klein).await;
        let relay = Relay::start(server.address());
        let store = AccountStore::open(&server::url(relay.address(), name)).await;
        let node = Node::start(
            &store.expect("the server has the database"),
            &Clock::fake(test_time(0)),
        )
        .await;
        let mut relayed = Self {
            relay,
            direct,
            node,
            grant,
            served: 0,
        };
        relayed.call(100).await;
        relayed.until_reported().await;
        relayed
    }

    pub(super) fn start(&self) -> Timestamp {
        BillingPeriod::from_anchor(self.grant.billing_anchor, test_time(0)).start()
    }

    /// Serves this many calls of the account.
    pub(super) async fn call(&mut self, calls: i64) {
        for _ in 0..calls {
            self.node.serve(&self.grant).await.expect("calls are left");
            self.served += 1;
        }
    }

    /// Waits until the row has the calls that the node served. After that no answer is on its way, so cutting the connection loses none.
    pub(super) async fn until_reported(&self) {
        let served = self.served;
        until_row(&self.direct, &self.grant, self.start(), |row| {
            row.1 == served && row.0 > served && row.0 - row.1 == self.node.available(&self.grant)
        })
        .await;
    }

    pub(super) async fn until_log(&self, text: &str) {
        wait_until(text, || self.node.log().contains(text)).await;
    }

    /// Returns true if the node logs `text` within some seconds.
    async fn is_logged_soon(&self, text: &str) -> bool {
        let wait = async {
            while !self.node.log().contains(text) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), wait)
            .await
            .is_ok()
    }

    /// Stops the node, and checks that the account's row counts every call once. Returns the log.
    pub(super) async fn end(self) -> String {
        let start = self.start();
        let log = self.node.stop().await;
        let counted = row(&self.direct, &self.grant, start).await;
        assert_eq!(counted, (self.served, self.served), "{log}");
        log
    }
}

/// Runs on one thread, because the metrics recorder is per thread.
#[tokio::test]
async fn no_call_is_lost_or_counted_twice_while_the_database_is_read_only() {
    let Some(server) = Server::start() else {
        return;
    };
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut relayed = NodeBehindRelay::begin(&server, "read_only").await;
    set_read_only(&relayed.direct, "on").await;
    // Makes more calls than the lease has, so that some calls are on credit. On a busy server, sessions notice late that they are
    // read-only, and may renew the lease before that.
    for _ in 0..3 {
        relayed.call(400).await;
        if relayed.is_logged_soon("is read-only").await {
            break;
        }
    }
    relayed.until_log("is read-only").await;
    let failures = || counter(&metrics, "postduif_leases_failures_total");
    let before = failures();
    wait_until("two more attempts fail", || failures() >= before + 2).await;
    relayed.call(200).await;
    set_read_only(&relayed.direct, "off").await;
    let began = Instant::now();
    relayed.until_log("is available again").await;
    println!("database available again after {:?}", began.elapsed());
    relayed.call(100).await;
    relayed.until_reported().await;
    let log = relayed.end().await;
    assert_eq!(log.matches("ERROR").count(), 1, "logged once: {log}");
    assert!(
        log.contains("promote it, or") || log.contains("promote it, point"),
        "{log}"
    );
}

pub(super) async fn set_read_only(store: &AccountStore, value: &'static str) {
    let set = format!("ALTER SYSTEM SET default_transaction_read_only = {value}");
    let mut connection = store.pool().acquire().await.expect("the database answers");
    for statement in [
        "SET default_transaction_read_only = off".to_owned(),
        set,
        "SELECT pg_reload_conf()".to_owned(),
        "RESET default_transaction_read_only".to_owned(),
    ] {
        expect_ok(sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut *connection)).await;
    }
}

/// Tests all networks at the same time, because each of these tests mostly waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_served_over_every_bad_network() {
    let Some(server) = Server::start() else {
        return;
    };
    tokio::join!(
        no_call_waits_on_a_slow_network(&server, "slow", Duration::from_millis(300)),
        no_call_waits_on_a_slow_network(&server, "slower", Duration::from_millis(600)),
        a_silent_network_is_detected(&server),
        half_open_connections_are_replaced(&server),
        calls_continue_at_once_after_a_cut(&server),
    );
}

/// Checks that no call waits while the local lease has calls.
async fn no_call_waits_on_a_slow_network(server: &Server, name: &str, delay: Duration) {
    let mut relayed = NodeBehindRelay::begin(server, name).await;
    relayed.relay.set(LinkState::Slow(delay));
    // Reports to the database are on their way. `try_reserve` is not async, so it cannot wait for them.
    for _ in 0..30 {
        let taken = relayed
            .node
            .try_reserve(&relayed.grant)
            .expect("leased here");
        taken.commit();
        relayed.served += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Makes more calls than the lease has. The additional calls wait or are on credit.
    relayed.call(150).await;
    relayed.until_reported().await;
    let log = relayed.node.log();
    relayed.relay.set(LinkState::Open);
    relayed.end().await;
    // A settlement makes several round trips. On a busy machine, the slower network may take longer than the service waits.
    if delay <= Duration::from_millis(300) {
        assert_eq!(log, "", "a slow database does not count as unavailable");
    }
}

async fn a_silent_network_is_detected(server: &Server) {
    let mut relayed = NodeBehindRelay::begin(server, "silent").await;
    relayed.relay.set(LinkState::Silent);
    let began = Instant::now();
    relayed.call(50).await;
    relayed.until_log("is unavailable").await;
    println!(
        "silence of the database noticed after {:?}",
        began.elapsed()
    );
    relayed.call(200).await;
    relayed.relay.set(LinkState::Open);
    let began = Instant::now();
    relayed.until_log("is available again").await;
    println!(
        "database available again {:?} after the silence",
        began.elapsed()
    );
    relayed.until_reported().await;
    relayed.end().await;
}

async fn half_open_connections_are_replaced(server: &Server) {
    let mut relayed = NodeBehindRelay::begin(server, "half_open").await;
    relayed.relay.stop_delivery();
    let began = Instant::now();
    relayed.call(50).await;
    relayed.until_reported().await;
    println!(
        "the account's row was up to date {:?} after the open connections were lost",
        began.elapsed()
    );
    relayed.end().await;
}

async fn calls_continue_at_once_after_a_cut(server: &Server) {
    let mut relayed = NodeBehindRelay::begin(server, "cut").await;
    relayed.relay.set(LinkState::Cut);
    relayed.call(300).await;
    relayed.until_log("is unavailable").await;
    relayed.relay.set(LinkState::Open);
    let began = Instant::now();
    relayed.until_log("is available again").await;
    println!(
        "database available again {:?} after the cut",
        began.elapsed()
    );
    relayed.call(10).await;
    relayed.until_reported().await;
    relayed.end().await;
}
