//! Tests that a database of an older program opens and keeps its contents.

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::Migrator;

use super::watch::try_grant;
use super::{directory, open, sql, sqlite, test_time};
use crate::accounts::store::MIGRATIONS;
use crate::accounts::{
    AccountStore, AccountTag, ApiKey, Environment, PlanName, Restrictions, list_accounts, list_keys,
};
use crate::expect_ok::expect_ok;

/// The numbers of the older versions.
pub(super) fn older_versions() -> std::ops::Range<usize> {
    1..MIGRATIONS.iter().count()
}

/// Creates the database at `url` as an older version would, with an account and two keys. Then opens the database, and checks that no key
/// is lost or restricted.
pub(super) async fn an_older_version_is_migrated(url: &str, version: usize) {
    let tag = AccountTag::random().expect("randomness");
    let keys = [Environment::Live, Environment::Test]
        .map(|environment| ApiKey::generate(environment, tag).expect("randomness"));
    make_older_version(url, version, &keys).await;

    // Three nodes start at once.
    let (store, second, third) = tokio::join!(open(url), open(url), open(url));
    second.close().await;
    third.close().await;
    let accounts = list_accounts(&store).await.expect("a list");
    let [account] = accounts.as_slice() else {
        panic!("one account, not {accounts:?}");
    };
    assert_eq!(
        (account.email.as_str(), account.tag),
        ("kees@example.nl", tag)
    );
    assert_eq!(
        (account.plan.name(), account.created_at),
        (PlanName::Starter, test_time(0))
    );
    let kept = list_keys(&store, Some(account.id)).await.expect("a list");
    for (record, key) in kept.iter().zip(&keys) {
        let read_only = record.environment == Environment::Test;
        let unbound = Restrictions {
            read_only,
            ..Restrictions::default()
        };
        assert_eq!(record.restrictions, unbound);
        assert_eq!(
            (record.environment, record.created_at),
            (key.environment(), test_time(1))
        );
    }
    let directory = directory(&store).await;
    assert_eq!((kept.len(), directory.len()), (2, 2));
    for key in &keys {
        let grant = try_grant(&directory, key).expect("the key stays in force");
        assert_eq!(grant.account_id, account.id);
    }
    store.close().await;
    let again = expect_ok(AccountStore::open(url)).await;
    assert_eq!(list_accounts(&again).await.expect("a list").len(), 1);
    again.close().await;
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused() {
    let (folder, store) = sqlite::new_store().await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'later', 1, x'00', 0)";
    sql(&store, newer).await;
    store.close().await;
    let refused = AccountStore::open_in_dir(folder.path()).await;
    let message = refused.expect_err("the database is newer").to_string();
    assert!(
        message.contains("a newer postduif") && message.contains("99"),
        "{message}"
    );
}

/// A database stores the checksum of each migration that it ran, and does not open if one differs.
#[test]
fn published_migrations_never_change() {
    const CHECKSUMS: [&str; 6] = [
        "e68ada332a91491f63adea107a290a24ff550b342e2d870595b6b874a5109fa1a0d37631355b84db64f9ca2ed6ebb3bb",
        "626e4ce98b4c36e450799f615d26a41bd3564633664b4b56a417f6f9590cec2a0403f9f2ea167ae8d86c4bf563d89e5c",
        "35eeeea3a0c4c545a8687d7d20c61ed038c9d5fa873eeba4c237ff4b528a8a571c550974e40caa227d4939d706145828",
        "8055540fc5761707751e46f942afce8ae641d398554a819a1e4506db63aff907f55c6ddd0ded6a86a85424ca6a0d22de",
        "954633989880eaad60849c9539eb85e44fcc585df516f0a096a726e62e173a61410dc2d02ef4af85f50a3c555d881a5b",
        "431dec7a44c1a7ebd0fd64fe6b370dc844901dcccd97c2c34f9256f936f8a7799035a514da83e0b778fd9327e1f2e2c0",
    ];
    let migrations = MIGRATIONS.iter();
    let checksums: Vec<(i64, String)> = migrations
        .map(|migration| (migration.version, hex::encode(&migration.checksum)))
        .collect();
    let expected = CHECKSUMS.map(str::to_owned);
    assert_eq!(checksums, (1..).zip(expected).collect::<Vec<_>>());
}

async fn make_older_version(url: &str, version: usize, keys: &[ApiKey; 2]) {
    let first = MIGRATIONS.iter().take(version).cloned().collect();
    // Uses one connection, as the store does, because SQLite's settings are per connection.
    let pool = expect_ok(AnyPoolOptions::new().max_connections(1).connect(url)).await;
    expect_ok(Migrator::with_migrations(first).run(&pool)).await;
    let account = crate::accounts::AccountId::fresh().to_string();
    expect_ok(sqlx::query("INSERT INTO accounts (id, tag, email, plan, created_at) VALUES ($1, $2, 'kees@example.nl', 'starter', $3)").bind(account.as_str()).bind(keys[0].tag().to_string()).bind(test_time(0).as_second()).execute(&pool)).await;
    for (revision, key) in (1_i64..).zip(keys) {
        expect_ok(
            sqlx::query("UPDATE revision SET number = $1")
                .bind(revision)
                .execute(&pool),
        )
        .await;
        sqlx::query(
            "INSERT INTO keys (id, account_id, environment, digest, last_four, read_only, created_at, revision) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(crate::accounts::KeyId::fresh().to_string())
        .bind(account.as_str())
        .bind(key.environment().as_str())
        .bind(key.digest().to_hex())
        .bind(key.last_four())
        .bind(revision - 1)
        .bind(test_time(1).as_second())
        .bind(revision)
        .execute(&pool)
        .await
        .expect("the old version has this table");
    }
    pool.close().await;
}
