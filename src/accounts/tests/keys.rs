//! Tests keys, and the revision that a directory polls, on every kind of database.

use super::watch::{is_accepted, try_grant};
use super::{add_account, directory, key_for, plan, sql, test_time};
use crate::accounts::{
    AccountRef, AccountStore, AccountStoreError, Environment, KeyId, NewKey, PlanName,
    Restrictions, close_account, create_key, current_revision, list_accounts, list_keys,
    revoke_key, set_plan,
};
use crate::expect_ok::expect_ok;

pub(super) async fn a_key_is_revoked_only_once(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let new = NewKey {
        restrictions: Restrictions {
            read_only: true,
            ..Restrictions::default()
        },
        ..key_for(&account, Environment::Live)
    };
    let (record, key) = expect_ok(create_key(store, new, test_time(1))).await;
    let admitted = try_grant(&directory(store).await, &key).expect("live");
    assert_eq!(
        (admitted.key_id, admitted.restrictions.read_only),
        (record.id, true)
    );

    let first = expect_ok(revoke_key(store, record.id, test_time(2))).await;
    assert_eq!(
        (first.key.revoked_at, first.already_revoked),
        (Some(test_time(2)), false)
    );
    let second = expect_ok(revoke_key(store, record.id, test_time(3))).await;
    assert_eq!((second.key, second.already_revoked), (first.key, true));

    let directory = directory(store).await;
    assert!(!is_accepted(&directory, &key));
    assert!(
        is_accepted(&directory, &opened.live_key),
        "the account's other key stays in force"
    );
    let unknown = revoke_key(store, KeyId::fresh(), test_time(4))
        .await
        .expect_err("made up");
    assert!(
        matches!(unknown, AccountStoreError::UnknownKey(_)),
        "{unknown}"
    );
}

pub(super) async fn keys_are_listed_by_account(store: &AccountStore) {
    let kees = add_account(store, "kees@example.nl").await;
    let mia = add_account(store, "mia@example.nl").await;
    let (record, key) = create_key(
        store,
        key_for(&AccountRef::Id(mia.account.id), Environment::Test),
        test_time(1),
    )
    .await
    .expect("the account is open");
    assert_eq!(
        record.hint,
        format!("pd_test_{}…{}", mia.account.tag, key.last_four())
    );

    let of_mia = list_keys(store, Some(mia.account.id))
        .await
        .expect("a list");
    assert_eq!(of_mia.len(), 3);
    assert_eq!(of_mia[2], record);
    let tag = mia.account.tag.to_string();
    assert!(
        of_mia
            .iter()
            .all(|key| key.account_id == mia.account.id && key.hint.contains(&tag))
    );
    let all = list_keys(store, None).await.expect("a list");
    assert_eq!((all.len(), &all[2..]), (5, &of_mia[..]));
    assert_eq!(all[0].account_id, kees.account.id);
}

pub(super) async fn every_change_and_nothing_else_raises_the_revision(store: &AccountStore) {
    let start = revision_number(store).await;
    let opened = add_account(store, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let key = list_keys(store, None).await.expect("a list")[0].id;
    expect_ok(set_plan(store, &account, plan(PlanName::Pro))).await;
    expect_ok(create_key(
        store,
        key_for(&account, Environment::Live),
        test_time(1),
    ))
    .await;
    expect_ok(revoke_key(store, key, test_time(2))).await;
    expect_ok(close_account(store, &account, test_time(3))).await;
    assert_eq!(revision_number(store).await, start + 5);

    assert!(
        expect_ok(revoke_key(store, key, test_time(4)))
            .await
            .already_revoked
    );
    assert!(
        revoke_key(store, KeyId::fresh(), test_time(4))
            .await
            .is_err()
    );
    assert!(close_account(store, &account, test_time(4)).await.is_err());
    assert!(
        set_plan(store, &account, plan(PlanName::Pro))
            .await
            .is_err()
    );
    assert_eq!(list_accounts(store).await.expect("a list").len(), 1);
    assert_eq!(revision_number(store).await, start + 5);
}

pub(super) async fn an_unreadable_row_disables_one_key_only(store: &AccountStore) {
    let kees = add_account(store, "kees@example.nl").await;
    let mia = add_account(store, "mia@example.nl").await;
    let follower = directory(store).await;
    sql(
        store,
        "UPDATE accounts SET plan = 'gratis' WHERE email = 'kees@example.nl'",
    )
    .await;
    sql(store, "UPDATE keys SET revision = 99").await;
    sql(store, "UPDATE revision SET number = 99").await;
    assert!(follower.refresh(store).await.expect("the store answers"));
    for directory in [follower, directory(store).await] {
        assert!(!is_accepted(&directory, &kees.live_key));
        assert!(is_accepted(&directory, &mia.live_key));
    }
    let unreadable = list_accounts(store).await.expect_err("no such plan");
    let expected = r#"the accounts database has the value "gratis" in column plan, which this program cannot read: unknown plan "gratis"; expected free"#;
    let unreadable = unreadable.to_string();
    assert!(unreadable.starts_with(expected), "{unreadable}");
}

pub(super) async fn a_refreshed_directory_equals_a_new_one(store: &AccountStore) {
    let follower = directory(store).await;
    assert!(
        !follower.refresh(store).await.expect("the store answers"),
        "nothing has changed since the last poll"
    );
    let mut keys = Vec::new();
    for name in ["kees", "mia", "jan"] {
        let opened = add_account(store, &format!("{name}@example.nl")).await;
        keys.extend([opened.live_key, opened.test_key]);
    }
    let ids: Vec<_> = expect_ok(list_keys(store, None))
        .await
        .iter()
        .map(|key| key.id)
        .collect();
    let account = |name: &str| name.parse::<AccountRef>().expect("an address");

    for step in 0..5 {
        match step {
            0 => {}
            1 => drop(expect_ok(revoke_key(store, ids[0], test_time(1))).await),
            2 => drop(
                expect_ok(set_plan(
                    store,
                    &account("kees@example.nl"),
                    plan(PlanName::Pro),
                ))
                .await,
            ),
            3 => drop(
                expect_ok(close_account(
                    store,
                    &account("mia@example.nl"),
                    test_time(3),
                ))
                .await,
            ),
            // Restores an older copy of the database. Its revision is lower, and other keys are in force in the copy.
            _ => {
                sql(
                    store,
                    "UPDATE keys SET revoked_at = 9 WHERE environment = 'test'",
                )
                .await;
                sql(store, "UPDATE revision SET number = 1").await;
            }
        }
        assert!(
            follower.refresh(store).await.expect("the store answers"),
            "step {step}"
        );
        let fresh = directory(store).await;
        for key in &keys {
            let [old, new] = [&follower, &fresh].map(|one| try_grant(one, key));
            assert_eq!(old, new, "step {step}");
        }
        assert_eq!([follower.len(), fresh.len()], [[6, 5, 5, 3, 1][step]; 2]);
    }
}

pub(super) async fn concurrent_writers_wait_for_each_other(store: &AccountStore) {
    let account = AccountRef::Id(add_account(store, "kees@example.nl").await.account.id);
    let start = revision_number(store).await;
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (store, account) = (store.clone(), account.clone());
        writers.spawn(async move {
            create_key(&store, key_for(&account, Environment::Live), test_time(1))
                .await
                .map(drop)
        });
    }
    for outcome in writers.join_all().await {
        outcome.expect("the account is open");
    }
    assert_eq!(list_keys(store, None).await.expect("a list").len(), 18);
    assert_eq!(revision_number(store).await, start + 16);
}

async fn revision_number(store: &AccountStore) -> i64 {
    expect_ok(current_revision(store)).await.number
}

/// An older copy of the database takes its place under a running node, as after a failover that loses changes or after `pg_restore`. The
/// changes that follow at once use the lost revision numbers again.
pub(super) async fn changes_after_a_return_to_an_older_copy_reach_a_running_node(
    store: &AccountStore,
) {
    let kees = add_account(store, "kees@example.nl").await;
    let mia = add_account(store, "mia@example.nl").await;
    let account = AccountRef::Id(kees.account.id);
    let keys = expect_ok(list_keys(store, None)).await;
    let mias_key = keys
        .iter()
        .find(|key| key.account_id == mia.account.id && key.environment == Environment::Live);
    let mias_key = mias_key.expect("each account has a live key").id;
    for table in ["keys", "revision", "revision_ids"] {
        let copy = format!("CREATE TABLE {table}_copy AS SELECT * FROM {table}");
        expect_ok(sqlx::query(sqlx::AssertSqlSafe(copy)).execute(store.pool())).await;
    }
    let copied = revision_number(store).await;
    let new_key = async || {
        let new = key_for(&account, Environment::Live);
        expect_ok(create_key(store, new, test_time(1))).await.1
    };
    for changes_after in 0..=2 {
        let follower = directory(store).await;
        let lost_key = new_key().await;
        assert!(follower.refresh(store).await.expect("the store answers"));
        assert!(is_accepted(&follower, &lost_key));

        for table in ["keys", "revision", "revision_ids"] {
            let empty = format!("DELETE FROM {table}");
            expect_ok(sqlx::query(sqlx::AssertSqlSafe(empty)).execute(store.pool())).await;
            let fill = format!("INSERT INTO {table} SELECT * FROM {table}_copy");
            expect_ok(sqlx::query(sqlx::AssertSqlSafe(fill)).execute(store.pool())).await;
        }
        let mut new_keys = Vec::new();
        if changes_after > 0 {
            expect_ok(revoke_key(store, mias_key, test_time(2))).await;
        }
        if changes_after > 1 {
            new_keys.push(new_key().await);
        }
        assert_eq!(revision_number(store).await, copied + changes_after);
        assert!(follower.refresh(store).await.expect("the store answers"));
        assert!(!is_accepted(&follower, &lost_key), "{changes_after}");
        assert_eq!(is_accepted(&follower, &mia.live_key), changes_after == 0);
        assert!(new_keys.iter().all(|key| is_accepted(&follower, key)));
        assert!(
            !follower.refresh(store).await.expect("the store answers"),
            "all keys are loaded once"
        );
    }
}

pub(super) async fn only_the_last_revisions_keep_their_ids(store: &AccountStore) {
    let account = AccountRef::Id(add_account(store, "kees@example.nl").await.account.id);
    let follower = directory(store).await;
    sql(store, "UPDATE revision SET number = 2000").await;
    expect_ok(set_plan(store, &account, plan(PlanName::Pro))).await;
    let kept = sqlx::query_scalar("SELECT COUNT(*) FROM revision_ids");
    let kept: i64 = expect_ok(kept.fetch_one(store.pool())).await;
    assert_eq!(kept, 1);
    assert!(follower.refresh(store).await.expect("the store answers"));
    assert_eq!(follower.len(), 2);
}
