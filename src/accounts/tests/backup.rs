//! Tests the verification of backups.

use super::{add_account, sqlite, test_time};
use crate::accounts::{
    AccountStore, AccountStoreError, BackupError, Plans, back_up, check_account_store,
    list_accounts, restore,
};
use crate::expect_ok::expect_ok;
use crate::scratch;
use sqlx::{AnyConnection, Connection as _};

/// Backs up one account, changes the backup with a statement, and returns the error of the restore.
async fn refused(change: &'static str) -> String {
    let (folder, store) = sqlite::new_store().await;
    add_account(&store, "kees@example.nl").await;
    let copy = folder.path().join("copy.db");
    let file = folder.path().join("accounts.db");
    expect_ok(back_up(&file, &copy, test_time(0))).await;
    let url = format!("sqlite://{}", copy.display());
    let mut connection = expect_ok(AnyConnection::connect(&url)).await;
    expect_ok(sqlx::raw_sql(change).execute(&mut connection)).await;
    connection.close().await.expect("the connection closes");
    let fresh = scratch::folder();
    let file = fresh.path().join("accounts.db");
    let error = restore(&copy, &file, false, &Plans::default(), test_time(1)).await;
    assert!(!file.exists(), "{change}");
    let error = error.expect_err("the backup is refused");
    assert!(matches!(error, BackupError::InvalidFile { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_backup_of_another_version_or_program_is_refused() {
    let newer = refused("UPDATE _sqlx_migrations SET version = 9999 WHERE version = 2").await;
    assert!(newer.contains("by a newer postduif"), "{newer}");
    let other = refused("UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 1").await;
    assert!(other.contains("differ from those of version 1"), "{other}");
    let foreign = refused("DROP TABLE _sqlx_migrations").await;
    assert!(foreign.contains("not an accounts database"), "{foreign}");
    let dangling = refused("PRAGMA foreign_keys = OFF; DELETE FROM accounts").await;
    assert!(dangling.contains("does not exist"), "{dangling}");
}

#[tokio::test]
async fn a_backup_with_a_value_that_cannot_be_read_is_refused_with_its_row() {
    let plan = refused("UPDATE accounts SET plan = 'gold'").await;
    for part in [
        "account ",
        r#"the value "gold" in column plan"#,
        "expected free, starter",
    ] {
        assert!(plan.contains(part), "{plan}");
    }
    let limits = refused("UPDATE accounts SET plan = 'enterprise'").await;
    assert!(limits.contains("give --calls-per-month"), "{limits}");
    refused("UPDATE accounts SET created_at = 'yesterday'").await;
    refused("UPDATE keys SET id = x'00' WHERE environment = 'test'").await;
    let key = refused("UPDATE keys SET networks = '10.0.0.0/99'").await;
    assert!(key.contains("key ") && key.contains("networks"), "{key}");
    let digest = refused("UPDATE keys SET digest = 'x' || digest WHERE environment = 'test'").await;
    assert!(digest.contains("64 hexadecimal digits"), "{digest}");
}

#[tokio::test]
async fn a_backup_has_its_time_and_a_restore_removes_it() {
    let (folder, store) = sqlite::new_store().await;
    add_account(&store, "kees@example.nl").await;
    let copy = folder.path().join("copy.db");
    let file = folder.path().join("accounts.db");
    let made = expect_ok(back_up(&file, &copy, test_time(7))).await;
    assert_eq!(
        (made.accounts, made.keys, made.made_at),
        (1, 2, Some(test_time(7)))
    );
    let fresh = scratch::folder();
    let restored = expect_ok(restore(
        &copy,
        &fresh.path().join("accounts.db"),
        false,
        &Plans::default(),
        test_time(9),
    ))
    .await;
    assert_eq!((restored.contents, restored.replaced_file), (made, None));
    let store = expect_ok(AccountStore::open_in_dir(fresh.path())).await;
    assert_eq!(list_accounts(&store).await.expect("a list").len(), 1);
    super::sql(&store, "CREATE TABLE back_up (free BIGINT)").await;
}

#[tokio::test]
async fn checking_a_database_does_not_change_it() {
    let (folder, store) = sqlite::new_store().await;
    let file = folder.path().join("accounts.db");
    let tried = async || check_account_store(None, folder.path()).await;
    tried().await.expect("an open database can be tried");
    super::sql(
        &store,
        "UPDATE _sqlx_migrations SET version = 9999 WHERE version = 2",
    )
    .await;
    let newer = tried().await.expect_err("the tables are newer");
    assert!(
        matches!(newer, AccountStoreError::NewerSchema(9999)),
        "{newer}"
    );
    store.close().await;
    let newer = tried().await.expect_err("closed too");
    assert!(
        matches!(newer, AccountStoreError::NewerSchema(9999)),
        "{newer}"
    );
    let files = || folder.path().read_dir().expect("a folder").count();
    assert_eq!(files(), 1, "only the database");
    std::fs::write(&file, "rubbish that is no database at all").expect("writes");
    tried().await.expect_err("the file is not a database");
    std::fs::write(&file, "").expect("writes");
    expect_ok(tried()).await;
    std::fs::remove_file(&file).expect("removes");
    tried().await.expect("the service creates a missing file");
    assert_eq!(files(), 0);
}
