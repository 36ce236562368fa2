//! What the ledger promises about keys and about the revision by which they are followed, written once for every database.

use super::{at, directory, key_for, open_account, plan, server, sql};
use crate::accounts::{
    AcceptedKeys, AccessDenied, AccountRef, AccountStore, AccountStoreError, Environment, KeyId,
    NewKey, PlanName, Restrictions,
};

pub(super) async fn a_key_is_revoked_once(ledger: &AccountStore) {
    let opened = open_account(ledger, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let new = NewKey {
        restrictions: Restrictions {
            read_only: true,
            ..Restrictions::default()
        },
        ..key_for(&account, Environment::Live)
    };
    let (record, key) = ledger
        .create_key(new, at(1))
        .await
        .expect("the account is open");
    let admitted = directory(ledger)
        .await
        .authenticate(key.reveal().as_bytes(), AcceptedKeys::Live, &server())
        .expect("live");
    assert_eq!(
        (admitted.key_id, admitted.restrictions.read_only),
        (record.id, true)
    );

    let first = ledger
        .revoke_key(record.id, at(2))
        .await
        .expect("it is there");
    assert_eq!(
        (first.key.revoked_at, first.already_revoked),
        (Some(at(2)), false)
    );
    let second = ledger
        .revoke_key(record.id, at(3))
        .await
        .expect("it is there");
    assert_eq!((second.key, second.already_revoked), (first.key, true));

    let directory = directory(ledger).await;
    assert_eq!(
        directory.authenticate(key.reveal().as_bytes(), AcceptedKeys::Live, &server()),
        Err(AccessDenied)
    );
    assert!(
        directory
            .authenticate(
                opened.live_key.reveal().as_bytes(),
                AcceptedKeys::Live,
                &server()
            )
            .is_ok(),
        "the other key lives"
    );
    let unknown = ledger
        .revoke_key(KeyId::fresh(), at(4))
        .await
        .expect_err("made up");
    assert!(
        matches!(unknown, AccountStoreError::UnknownKey(_)),
        "{unknown}"
    );
}

pub(super) async fn keys_are_listed_by_account(ledger: &AccountStore) {
    let kees = open_account(ledger, "kees@example.nl").await;
    let mia = open_account(ledger, "mia@example.nl").await;
    let (record, key) = ledger
        .create_key(
            key_for(&AccountRef::Id(mia.account.id), Environment::Test),
            at(1),
        )
        .await
        .expect("the account is open");
    assert_eq!(
        record.masked_key(),
        format!("pd_test_{}…{}", mia.account.tag, key.last_four())
    );

    let of_mia = ledger
        .list_keys(Some(mia.account.id))
        .await
        .expect("a list");
    assert_eq!(of_mia.len(), 3);
    assert_eq!(of_mia[2], record);
    assert!(
        of_mia
            .iter()
            .all(|key| key.account_id == mia.account.id && key.tag == mia.account.tag)
    );
    let all = ledger.list_keys(None).await.expect("a list");
    assert_eq!((all.len(), &all[2..]), (5, &of_mia[..]));
    assert_eq!(all[0].account_id, kees.account.id);
}

pub(super) async fn every_change_and_nothing_else_raises_the_revision(ledger: &AccountStore) {
    let start = ledger.revision().await.expect("a number");
    let opened = open_account(ledger, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let key = ledger.list_keys(None).await.expect("a list")[0].id;
    ledger
        .set_plan(&account, plan(PlanName::Pro))
        .await
        .expect("open");
    ledger
        .create_key(key_for(&account, Environment::Live), at(1))
        .await
        .expect("open");
    ledger.revoke_key(key, at(2)).await.expect("there");
    ledger.close_account(&account, at(3)).await.expect("open");
    assert_eq!(ledger.revision().await.expect("a number"), start + 5);

    assert!(
        ledger
            .revoke_key(key, at(4))
            .await
            .expect("there")
            .already_revoked
    );
    assert!(ledger.revoke_key(KeyId::fresh(), at(4)).await.is_err());
    assert!(ledger.close_account(&account, at(4)).await.is_err());
    assert!(
        ledger
            .set_plan(&account, plan(PlanName::Pro))
            .await
            .is_err()
    );
    assert_eq!(ledger.list_accounts().await.expect("a list").len(), 1);
    assert_eq!(ledger.revision().await.expect("a number"), start + 5);
}

pub(super) async fn a_row_that_cannot_be_read_shuts_one_key_alone(ledger: &AccountStore) {
    let kees = open_account(ledger, "kees@example.nl").await;
    let mia = open_account(ledger, "mia@example.nl").await;
    let follower = directory(ledger).await;
    sql(
        ledger,
        "UPDATE accounts SET plan = 'gratis' WHERE email = 'kees@example.nl'",
    )
    .await;
    sql(ledger, "UPDATE keys SET revision = 99").await;
    sql(ledger, "UPDATE revision SET number = 99").await;
    assert!(follower.refresh(ledger).await.expect("the ledger answers"));
    for directory in [follower, directory(ledger).await] {
        assert_eq!(
            directory.authenticate(
                kees.live_key.reveal().as_bytes(),
                AcceptedKeys::Live,
                &server()
            ),
            Err(AccessDenied)
        );
        assert!(
            directory
                .authenticate(
                    mia.live_key.reveal().as_bytes(),
                    AcceptedKeys::Live,
                    &server()
                )
                .is_ok()
        );
    }
    let unreadable = ledger.list_accounts().await.expect_err("no such plan");
    assert_eq!(
        unreadable.to_string(),
        r#"the accounts database has the value "gratis" in column plan, which this program cannot read"#
    );
}

pub(super) async fn a_directory_that_follows_is_as_good_as_a_new_one(ledger: &AccountStore) {
    let follower = directory(ledger).await;
    assert!(
        !follower.refresh(ledger).await.expect("the ledger answers"),
        "nothing happened"
    );
    let mut keys = Vec::new();
    for name in ["kees", "mia", "jan"] {
        let opened = open_account(ledger, &format!("{name}@example.nl")).await;
        keys.extend([opened.live_key, opened.test_key]);
    }
    let ids: Vec<_> = ledger
        .list_keys(None)
        .await
        .expect("a list")
        .iter()
        .map(|key| key.id)
        .collect();
    let account = |name: &str| name.parse::<AccountRef>().expect("an address");

    for step in 0..5 {
        match step {
            0 => {}
            1 => drop(ledger.revoke_key(ids[0], at(1)).await.expect("there")),
            2 => drop(
                ledger
                    .set_plan(&account("kees@example.nl"), plan(PlanName::Pro))
                    .await
                    .expect("open"),
            ),
            3 => drop(
                ledger
                    .close_account(&account("mia@example.nl"), at(3))
                    .await
                    .expect("open"),
            ),
            // An older copy of the database is put back: its revision is lower, and other keys are live in it.
            _ => {
                sql(
                    ledger,
                    "UPDATE keys SET revoked_at = 9 WHERE environment = 'test'",
                )
                .await;
                sql(ledger, "UPDATE revision SET number = 1").await;
            }
        }
        assert!(
            follower.refresh(ledger).await.expect("the ledger answers"),
            "step {step}"
        );
        let fresh = directory(ledger).await;
        for key in &keys {
            let [old, new] = [&follower, &fresh]
                .map(|one| one.authenticate(key.reveal().as_bytes(), AcceptedKeys::Any, &server()));
            assert_eq!(old, new, "step {step}");
        }
        assert_eq!([follower.len(), fresh.len()], [[6, 5, 5, 3, 1][step]; 2]);
    }
}

pub(super) async fn writers_at_the_same_time_wait_for_each_other(ledger: &AccountStore) {
    let account = AccountRef::Id(open_account(ledger, "kees@example.nl").await.account.id);
    let start = ledger.revision().await.expect("a number");
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (ledger, account) = (ledger.clone(), account.clone());
        writers.spawn(async move {
            ledger
                .create_key(key_for(&account, Environment::Live), at(1))
                .await
                .map(drop)
        });
    }
    for outcome in writers.join_all().await {
        outcome.expect("the account is open");
    }
    assert_eq!(ledger.list_keys(None).await.expect("a list").len(), 18);
    assert_eq!(ledger.revision().await.expect("a number"), start + 16);
}
