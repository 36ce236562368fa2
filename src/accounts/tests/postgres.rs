//! The suite on a real PostgreSQL.

use std::time::Duration;

use sqlx::{AnyConnection, Connection as _};
use tokio_util::sync::CancellationToken;

use super::suite::try_promises;
use super::watch::{Follower, LIMIT, lives};
use super::{open, open_account, sql};
use crate::accounts::{AccountStore, UsageCounts, UsageSlot};
use crate::limits::quota::tests::quotas_survive_a_server_restart;

mod failover;
mod network;

#[path = "../../../tests/suites/postgres.rs"]
mod server;

#[path = "../../../tests/suites/relay.rs"]
pub(crate) mod relay;

pub(crate) use server::Server;

impl Server {
    /// A ledger in a new database.
    pub(crate) async fn ledger(&self, name: &str) -> AccountStore {
        sqlx::any::install_default_drivers();
        let mut first = AnyConnection::connect(&self.url("postgres"))
            .await
            .expect("the server answers");
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(create)
            .execute(&mut first)
            .await
            .expect("the name is new");
        first.close().await.expect("it is there");
        AccountStore::open(&self.url(name))
            .await
            .expect("an empty database takes a ledger")
    }
}

/// Waits until a query counts so many.
async fn until_count(ledger: &AccountStore, query: &'static str, expected: i64) {
    let counting = async {
        loop {
            let found: i64 = sqlx::query_scalar(query)
                .fetch_one(ledger.pool())
                .await
                .expect("the server answers");
            if found == expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(LIMIT, counting)
        .await
        .unwrap_or_else(|_| panic!("never {expected}: {query}"));
}

/// A transaction for a test that stands still in it: the server ends those of the service after some seconds.
async fn transaction(ledger: &AccountStore) -> sqlx::Transaction<'static, sqlx::Any> {
    let mut transaction = ledger.pool().begin().await.expect("a transaction");
    sqlx::query("SET LOCAL idle_in_transaction_session_timeout = 0")
        .execute(&mut *transaction)
        .await
        .expect("it is there");
    transaction
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_keeps_its_promises_on_postgresql() {
    let Some(server) = Server::start() else {
        return;
    };
    try_promises(async |number| ((), server.ledger(&format!("promise_{number}")).await)).await;
    together(&server).await;
    keys_outlive_the_server(&server).await;
    locked_rows_hold_up_no_revocation(&server).await;
    older_versions(&server).await;
    a_dump_holds_up_the_new_program_alone(&server).await;
    let ledger = server.ledger("bundles").await;
    quotas_survive_a_server_restart(&ledger, || server.pg_ctl_stop(), || server.pg_ctl_start())
        .await;
}

/// Databases that older programs made.
async fn older_versions(server: &Server) {
    for version in super::migrations::older() {
        let name = format!("version_{version}");
        let emptied = server.ledger(&name).await;
        sql(&emptied, "DROP SCHEMA public CASCADE").await;
        sql(&emptied, "CREATE SCHEMA public").await;
        emptied.close().await;
        super::migrations::an_older_version_is_taken_over(&server.url(&name), version).await;
    }
}

/// What a dump reads cannot be changed: a new program tries again, and the old ones do not queue behind it for long.
async fn a_dump_holds_up_the_new_program_alone(server: &Server) {
    let old = server.ledger("dumped").await;
    sql(&old, "ALTER TABLE bundles DROP COLUMN wanted_at").await;
    sql(&old, "DELETE FROM _sqlx_migrations WHERE version = 3").await;
    let mut dump = transaction(&old).await;
    sqlx::query("LOCK TABLE bundles IN ACCESS SHARE MODE")
        .execute(&mut *dump)
        .await
        .expect("nobody changes it");
    for _ in 0..2 {
        let opened = tokio::time::timeout(LIMIT, AccountStore::open(&server.url("dumped"))).await;
        let refused = opened.expect("it does not wait for the dump").map(drop);
        let refused = refused.expect_err("the dump reads on");
        assert!(refused.is_transient(), "{refused:?}");
        // Nothing is left that the old program would queue behind.
        sql(&old, "SELECT COUNT(*) FROM bundles").await;
    }
    dump.rollback().await.expect("it is there");
    let new = AccountStore::open(&server.url("dumped")).await;
    new.expect("the dump is over").close().await;
}

/// Several nodes start on one empty database at the same time.
async fn together(server: &Server) {
    server.ledger("warm").await.close().await;
    let first = server.ledger("together").await;
    // Whatever tables there are.
    sql(&first, "DROP SCHEMA public CASCADE").await;
    sql(&first, "CREATE SCHEMA public").await;
    let url = server.url("together");
    let ledgers = tokio::join!(open(&url), open(&url), open(&url));
    for (number, ledger) in [ledgers.0, ledgers.1, ledgers.2].into_iter().enumerate() {
        open_account(&ledger, &format!("kees{number}@example.nl")).await;
    }
    assert_eq!(first.list_accounts().await.expect("a list").len(), 3);
}

/// The server stops and comes back: keys go on, and changes made afterwards arrive.
async fn keys_outlive_the_server(server: &Server) {
    let ledger = server.ledger("outage").await;
    let opened = open_account(&ledger, "kees@example.nl").await;
    let follower = Follower::start(&ledger).await;
    server.pg_ctl_stop();
    follower.until_log("is unavailable").await;
    assert!(lives(&follower.directory, &opened.live_key));
    server.pg_ctl_start();
    follower.until_log("is available again").await;
    let key = ledger.list_keys(None).await.expect("the database is back")[0].id;
    ledger
        .revoke_key(key, super::at(1))
        .await
        .expect("it is there");
    follower.until_dead(&opened.live_key).await;
    follower.stop().await;
}

/// A node that was cut off in the middle of a transaction keeps its locks for a while: what waits for them gives up, and keys
/// are followed all the same.
async fn locked_rows_hold_up_no_revocation(server: &Server) {
    let ledger = server.ledger("locked").await;
    let opened = open_account(&ledger, "kees@example.nl").await;
    let follower = Follower::start(&ledger).await;
    let key = ledger.list_keys(None).await.expect("a list")[0].id;
    let slot = UsageSlot {
        key_id: key,
        day: jiff::civil::date(2026, 1, 6),
        endpoint: "lookup",
        status_class: 2,
    };
    let counted = [(slot, UsageCounts { calls: 1, lines: 1 })];
    let cut_off = AccountStore::open(&server.url("locked"))
        .await
        .expect("it opens");
    let mut holder = transaction(&cut_off).await;
    sqlx::query("LOCK TABLE usage, bundles, notices")
        .execute(&mut *holder)
        .await
        .expect("nobody else holds it");
    let given_up = CancellationToken::new();
    let waiting = async {
        let (usage, notice) = tokio::join!(
            ledger.add_usage(&counted),
            ledger.claim_notice(super::at(1)),
        );
        given_up.cancel();
        (usage.err().map(|error| error.to_string()), notice.is_err())
    };
    let revoked = async {
        let blocked = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted";
        let both_wait = until_count(&cut_off, blocked, 2);
        given_up.run_until_cancelled(both_wait).await;
        ledger.revoke_key(key, super::at(1)).await.expect("there");
        follower.until_dead(&opened.live_key).await;
    };
    let ((usage, notice), ()) = tokio::join!(waiting, revoked);
    assert!(usage.is_some() && notice, "both gave up");
    holder.rollback().await.expect("it is there");
    ledger.add_usage(&counted).await.expect("the lock is gone");
    assert_eq!(follower.stop().await, "");
}
