//! Tests the store on SQLite, and its file: folder, permissions and contents.

use std::path::Path;

use tempfile::TempDir;

use super::suite::run_store_tests;
use super::{add_account, plan, test_time};
use crate::accounts::{
    AccountStore, AccountStoreError, NewAccount, PlanName, Restrictions, create_account,
    current_revision, list_accounts,
};
use crate::expect_ok::expect_ok;
use crate::scratch::folder;

/// An empty store and its folder.
pub(crate) async fn new_store() -> (TempDir, AccountStore) {
    let folder = folder();
    let store = expect_ok(AccountStore::open_in_dir(folder.path())).await;
    (folder, store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_store_tests_pass_on_sqlite() {
    run_store_tests(async |_| {
        let (folder, store) = new_store().await;
        (folder, store.with_shared_leases())
    })
    .await;
}

#[tokio::test]
async fn a_file_of_any_older_version_is_migrated() {
    sqlx::any::install_default_drivers();
    for version in super::migrations::older_versions() {
        let folder = folder();
        let file = folder.path().join("accounts.db");
        let url = format!("sqlite:{}?mode=rwc", file.display());
        super::migrations::an_older_version_is_migrated(&url, version).await;
    }
}

#[tokio::test]
async fn the_files_contain_no_key() {
    let (folder, store) = new_store().await;
    let opened = add_account(&store, "kees@example.nl").await;
    let keys = [opened.live_key.reveal(), opened.test_key.reveal()];
    let mut kept = Vec::new();
    for entry in std::fs::read_dir(folder.path()).expect("the folder can be read") {
        kept.extend(std::fs::read(entry.expect("an entry").path()).expect("the files can be read"));
    }
    let holds = |text: &str| {
        kept.windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(
        holds("kees@example.nl") && holds(&opened.live_key.digest().to_hex()),
        "the scan finds text that is in the files"
    );
    for key in keys {
        let secret = &key[16..40];
        assert!(
            !holds(secret) && !holds(&key[8..40]) && !holds(&secret[..8]) && !holds(&secret[16..])
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = new_store().await;
    add_account(&store, "kees@example.nl").await;
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.path()).expect("the folder can be read") {
        let entry = entry.expect("an entry");
        assert_eq!(
            entry.metadata().expect("metadata").permissions().mode() & 0o777,
            0o600,
            "{entry:?}"
        );
        names.push(entry.file_name().into_string().expect("an ASCII name"));
    }
    names.sort();
    assert_eq!(names, ["accounts.db", "accounts.db-shm", "accounts.db-wal"]);
}

#[tokio::test]
async fn folders_may_have_odd_names() {
    for name in [
        "met spatie", "50%", "%41", "wat?", "a#b", "b&mode=ro", "école", "+",
    ] {
        let parent = folder();
        let folder = parent.path().join(name);
        std::fs::create_dir(&folder).expect("the file system takes the name");
        let store = AccountStore::open_in_dir(&folder)
            .await
            .unwrap_or_else(|error| panic!("{name:?}: {error:?}"));
        let id = add_account(&store, "kees@example.nl").await.account.id;
        store.close().await;
        assert!(folder.join("accounts.db").is_file(), "{name:?}");
        let again = expect_ok(AccountStore::open_in_dir(&folder)).await;
        assert_eq!(
            list_accounts(&again).await.expect("a list")[0].id,
            id,
            "{name:?}"
        );
    }
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_refused() {
    let refused = AccountStore::open_in_dir(Path::new("no/such/folder"))
        .await
        .expect_err("the folder does not exist");
    assert_eq!(
        refused.to_string(),
        "cannot use the accounts database in no/such/folder"
    );
}

#[tokio::test]
async fn a_moved_or_replaced_file_is_an_error_until_it_is_back() {
    let folder = folder();
    let store = expect_ok(AccountStore::open_in_dir(folder.path())).await;
    current_revision(&store).await.expect("a number");
    let (file, aside) = (
        folder.path().join("accounts.db"),
        folder.path().join("aside.db"),
    );
    std::fs::rename(&file, &aside).expect("the file moves");
    let removed = current_revision(&store)
        .await
        .expect_err("no file")
        .to_string();
    assert!(removed.contains("accounts.db is no longer"), "{removed}");
    std::fs::write(&file, "").expect("another file");
    current_revision(&store).await.expect_err("another file");
    std::fs::rename(&aside, &file).expect("the file moves back");
    current_revision(&store).await.expect("a number");
}

#[tokio::test]
async fn other_databases_are_refused_without_quoting_a_password() {
    let refused = AccountStore::open("mysql://kees:geheim@db/postduif")
        .await
        .expect_err("not supported");
    assert_eq!(
        refused.to_string(),
        r#"database URL with scheme "mysql"; expected sqlite: or postgres:"#
    );
    assert!(matches!(
        AccountStore::open("accounts.db").await,
        Err(AccountStoreError::UnsupportedScheme(_))
    ));
}

#[tokio::test]
async fn a_commit_is_on_disk_and_readers_do_not_wait() {
    let (_folder, store) = new_store().await;
    let mut connection = store.pool().acquire().await.expect("a connection");
    let mode: String =
        expect_ok(sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection)).await;
    let synchronous: i64 =
        expect_ok(sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *connection)).await;
    assert_eq!((mode.as_str(), synchronous), ("wal", 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_programs_can_open_an_empty_folder_at_the_same_time() {
    let folder = folder();
    let mut programs = tokio::task::JoinSet::new();
    for number in 0..6 {
        let path = folder.path().to_owned();
        programs.spawn(async move {
            let store = expect_ok(AccountStore::open_in_dir(&path)).await;
            add_account(&store, &format!("kees{number}@example.nl")).await;
        });
    }
    programs.join_all().await;
    let store = expect_ok(AccountStore::open_in_dir(folder.path())).await;
    assert_eq!(list_accounts(&store).await.expect("a list").len(), 6);
}

/// On a full disk SQLite rolls a transaction back by itself. sqlx does not notice the rollback, and would treat the transaction as open
/// for ever.
#[tokio::test]
async fn a_transaction_that_sqlite_rolled_back_does_not_block_the_next_one() {
    let (_folder, store) = new_store().await;
    super::sql(
        &store,
        "CREATE TRIGGER undo BEFORE INSERT ON accounts BEGIN SELECT RAISE(ROLLBACK, 'undone'); END",
    )
    .await;
    let new = || NewAccount {
        email: "kees@example.nl".parse().expect("an address"),
        plan: plan(PlanName::Pro),
        restrictions: Restrictions::default(),
    };
    let undone = create_account(&store, new(), test_time(0)).await;
    assert!(matches!(undone, Err(AccountStoreError::Database(_))));
    super::sql(&store, "DROP TRIGGER undo").await;
    expect_ok(create_account(&store, new(), test_time(1))).await;
}
