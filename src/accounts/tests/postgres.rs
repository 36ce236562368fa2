//! Tests the store on a real PostgreSQL.

use std::path::Path;
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _};
use tokio_util::sync::CancellationToken;

use super::suite::run_store_tests;
use super::watch::{Follower, LIMIT, is_accepted};
use super::{add_account, open, sql};
use crate::accounts::{
    AccountStore, UsageCounts, UsageSlot, add_usage, check_account_store, claim_notice,
    list_accounts, list_keys, revoke_key,
};
use crate::expect_ok::expect_ok;
use crate::limits::quota::tests::quotas_survive_a_server_restart;

mod failover;
mod network;

#[path = "../../../tests/suites/postgres.rs"]
mod server;

#[path = "../../../tests/suites/relay.rs"]
pub(crate) mod relay;

pub(crate) use server::Server;

impl Server {
    /// A store in a new database.
    pub(crate) async fn new_store(&self, name: &str) -> AccountStore {
        sqlx::any::install_default_drivers();
        let mut first = expect_ok(AnyConnection::connect(&self.url("postgres"))).await;
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        expect_ok(sqlx::query(create).execute(&mut first)).await;
        first.close().await.expect("the database answers");
        expect_ok(AccountStore::open(&self.url(name))).await
    }
}

/// Waits until `query`, which counts rows, returns `expected`.
async fn until_count(store: &AccountStore, query: &'static str, expected: i64) {
    let counting = async {
        loop {
            let found: i64 = expect_ok(sqlx::query_scalar(query).fetch_one(store.pool())).await;
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

/// Begins a transaction that a test keeps open. Without the setting, the server would end an idle transaction after some seconds.
async fn transaction(store: &AccountStore) -> sqlx::Transaction<'static, sqlx::Any> {
    let mut transaction = store.pool().begin().await.expect("a transaction");
    expect_ok(
        sqlx::query("SET LOCAL idle_in_transaction_session_timeout = 0").execute(&mut *transaction),
    )
    .await;
    transaction
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_store_tests_pass_on_postgresql() {
    let Some(server) = Server::start() else {
        return;
    };
    run_store_tests(async |number| ((), server.new_store(&format!("test_{number}")).await)).await;
    several_nodes_start_on_an_empty_database(&server).await;
    keys_survive_a_server_restart(&server).await;
    locked_rows_delay_no_revocation(&server).await;
    older_versions(&server).await;
    a_dump_blocks_only_the_new_program(&server).await;
    a_probe_finds_a_database_in_which_the_service_cannot_write(&server).await;
    let store = server.new_store("bundles").await;
    quotas_survive_a_server_restart(&store, || server.pg_ctl_stop(), || server.pg_ctl_start())
        .await;
}

/// Migrates a database of each older version.
async fn older_versions(server: &Server) {
    for version in super::migrations::older_versions() {
        let name = format!("version_{version}");
        let emptied = server.new_store(&name).await;
        sql(&emptied, "DROP SCHEMA public CASCADE").await;
        sql(&emptied, "CREATE SCHEMA public").await;
        emptied.close().await;
        super::migrations::an_older_version_is_migrated(&server.url(&name), version).await;
    }
}

/// A dump locks its tables. A new program retries its migration, so that old programs do not wait long for the migration.
async fn a_dump_blocks_only_the_new_program(server: &Server) {
    let old = server.new_store("dumped").await;
    sql(&old, "ALTER TABLE bundles DROP COLUMN wanted_at").await;
    sql(&old, "DELETE FROM _sqlx_migrations WHERE version = 3").await;
    let mut dump = transaction(&old).await;
    expect_ok(sqlx::query("LOCK TABLE bundles IN ACCESS SHARE MODE").execute(&mut *dump)).await;
    for _ in 0..2 {
        let opened = tokio::time::timeout(LIMIT, AccountStore::open(&server.url("dumped"))).await;
        let refused = opened
            .expect("opening does not wait for the dump")
            .map(drop);
        let refused = refused.expect_err("the dump still reads");
        assert!(refused.is_transient(), "{refused:?}");
        // The failed migration left no lock that the old program would have to wait for.
        sql(&old, "SELECT COUNT(*) FROM bundles").await;
    }
    dump.rollback().await.expect("the database answers");
    expect_ok(AccountStore::open(&server.url("dumped")))
        .await
        .close()
        .await;
}

/// The probe of `config check` tries what the service does at its start, and changes nothing.
async fn a_probe_finds_a_database_in_which_the_service_cannot_write(server: &Server) {
    let store = server.new_store("probed").await;
    let url = server.url("probed");
    let probe = async |url: &str| check_account_store(Some(url), Path::new("")).await;
    expect_ok(probe(&url)).await;
    let left = "SELECT COUNT(*) FROM pg_tables WHERE tablename = 'postduif_config_check'";
    until_count(&store, left, 0).await;

    sql(&store, "CREATE ROLE clerk LOGIN").await;
    let of_clerk = url.replacen("postduif@", "clerk@", 1);
    assert_ne!(of_clerk, url);
    for is_empty in [false, true] {
        if is_empty {
            sql(&store, "DROP SCHEMA public CASCADE").await;
            sql(&store, "CREATE SCHEMA public").await;
            sql(&store, "GRANT USAGE ON SCHEMA public TO clerk").await;
            expect_ok(probe(&url)).await;
        } else {
            sql(
                &store,
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk",
            )
            .await;
        }
        let refused = probe(&of_clerk)
            .await
            .expect_err("clerk may not create tables");
        let refused = refused.to_string();
        assert!(
            refused.contains("permission denied for schema"),
            "{refused}"
        );
    }

    sql(
        &store,
        "ALTER DATABASE probed SET default_transaction_read_only = on",
    )
    .await;
    let opened = AccountStore::open(&url).await.map(drop);
    for refused in [probe(&url).await, opened] {
        let refused = refused.expect_err("the database accepts no writes");
        assert!(
            refused.is_read_only() && refused.is_transient(),
            "{refused:?}"
        );
        let message = refused.to_string();
        assert!(
            message.contains("promote it, point the database URL to the primary"),
            "{message}"
        );
    }
}

/// Starts several nodes on one empty database at the same time.
async fn several_nodes_start_on_an_empty_database(server: &Server) {
    server.new_store("warm").await.close().await;
    let first = server.new_store("together").await;
    // Drops all tables.
    sql(&first, "DROP SCHEMA public CASCADE").await;
    sql(&first, "CREATE SCHEMA public").await;
    let url = server.url("together");
    let stores = tokio::join!(open(&url), open(&url), open(&url));
    for (number, store) in [stores.0, stores.1, stores.2].into_iter().enumerate() {
        add_account(&store, &format!("kees{number}@example.nl")).await;
    }
    assert_eq!(list_accounts(&first).await.expect("a list").len(), 3);
}

/// Stops the server and starts it again: keys stay valid, and later changes arrive.
async fn keys_survive_a_server_restart(server: &Server) {
    let store = server.new_store("outage").await;
    let opened = add_account(&store, "kees@example.nl").await;
    let follower = Follower::start(&store).await;
    server.pg_ctl_stop();
    follower.until_log("is unavailable").await;
    assert!(is_accepted(&follower.directory, &opened.live_key));
    server.pg_ctl_start();
    follower.until_log("is available again").await;
    let key = list_keys(&store, None).await.expect("the database is back")[0].id;
    expect_ok(revoke_key(&store, key, super::test_time(1))).await;
    follower.until_refused(&opened.live_key).await;
    follower.stop().await;
}

/// A node that is cut off in the middle of a transaction keeps its locks for a while. Other work stops waiting for these locks after a
/// time limit, and directories still see changed keys.
async fn locked_rows_delay_no_revocation(server: &Server) {
    let store = server.new_store("locked").await;
    let opened = add_account(&store, "kees@example.nl").await;
    // The directory logs a warning if no key is live.
    add_account(&store, "mia@example.nl").await;
    let follower = Follower::start(&store).await;
    let key = list_keys(&store, None).await.expect("a list")[0].id;
    let slot = UsageSlot {
        key_id: key,
        day: jiff::civil::date(2026, 1, 6),
        endpoint: "lookup",
        status_class: 2,
    };
    let counted = [(slot, UsageCounts { calls: 1, lines: 1 })];
    let cut_off = expect_ok(AccountStore::open(&server.url("locked"))).await;
    let mut holder = transaction(&cut_off).await;
    expect_ok(sqlx::query("LOCK TABLE usage, bundles, notices").execute(&mut *holder)).await;
    let given_up = CancellationToken::new();
    let waiting = async {
        let (usage, notice) = tokio::join!(
            add_usage(&store, &counted, &[]),
            claim_notice(&store, super::test_time(1)),
        );
        given_up.cancel();
        (usage.err().map(|error| error.to_string()), notice.is_err())
    };
    let revoked = async {
        let blocked = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted";
        let both_wait = until_count(&cut_off, blocked, 2);
        given_up.run_until_cancelled(both_wait).await;
        expect_ok(revoke_key(&store, key, super::test_time(1))).await;
        follower.until_refused(&opened.live_key).await;
    };
    let ((usage, notice), ()) = tokio::join!(waiting, revoked);
    assert!(
        usage.is_some() && notice,
        "usage and notices stopped waiting for the locks"
    );
    holder.rollback().await.expect("the database answers");
    expect_ok(add_usage(&store, &counted, &[])).await;
    assert_eq!(follower.stop().await, "");
}
