//! Tests accounts on every kind of database.

use super::watch::{is_accepted, try_grant};
use super::{add_account, directory, key_for, plan, test_time};
use crate::accounts::{
    AccountId, AccountRef, AccountStore, AccountStoreError, CustomLimits, Environment, NewAccount,
    PlanName, Plans, Restrictions, close_account, create_account, create_key, get_account,
    list_accounts, list_keys, revoke_key, set_plan,
};
use crate::expect_ok::expect_ok;

pub(super) async fn an_account_starts_with_two_keys(store: &AccountStore) {
    let opened = add_account(store, "Kees@Example.nl").await;
    assert_eq!(opened.account.email.as_str(), "kees@example.nl");
    assert_eq!(opened.account.created_at, test_time(0));
    let all = list_accounts(store).await.expect("a list");
    assert_eq!(all, std::slice::from_ref(&opened.account));

    let directory = directory(store).await;
    assert_eq!(directory.len(), 2);
    for (key, environment) in [
        (&opened.live_key, Environment::Live),
        (&opened.test_key, Environment::Test),
    ] {
        let grant = try_grant(&directory, key).expect("the key is live");
        assert_eq!(
            (grant.account_id, grant.tag),
            (opened.account.id, opened.account.tag)
        );
        assert_eq!(
            (grant.environment, grant.plan),
            (environment, opened.account.plan)
        );
        assert_eq!(
            (key.environment(), key.tag()),
            (environment, opened.account.tag)
        );
        assert!(!grant.restrictions.read_only);
    }
}

pub(super) async fn an_enterprise_account_keeps_its_limits(store: &AccountStore) {
    let own = CustomLimits {
        calls_per_month: "4294967295".parse().ok(),
        calls_per_second: "900".parse().ok(),
        bulk_max: "750".parse().ok(),
    };
    let plan = Plans::default()
        .resolve(PlanName::Enterprise, own)
        .expect("numbers that fit");
    let new = NewAccount {
        email: "kees@example.nl".parse().expect("an address"),
        plan,
        restrictions: Restrictions::default(),
    };
    let opened = expect_ok(create_account(store, new, test_time(0))).await;
    let found = expect_ok(get_account(store, &AccountRef::Id(opened.account.id))).await;
    assert_eq!(found.plan, plan);
    let grant = try_grant(&directory(store).await, &opened.live_key);
    assert_eq!(grant.expect("the key is live").plan, plan);
}

pub(super) async fn an_email_address_has_one_open_account(store: &AccountStore) {
    let first = add_account(store, "kees@example.nl").await.account;
    let again = NewAccount {
        email: "KEES@example.nl".parse().expect("an address"),
        plan: plan(PlanName::Pro),
        restrictions: Restrictions::default(),
    };
    let refused = create_account(store, again, test_time(1))
        .await
        .expect_err("the address is taken");
    assert!(
        matches!(refused, AccountStoreError::EmailTaken { account, .. } if account == first.id),
        "{refused}"
    );

    expect_ok(close_account(
        store,
        &AccountRef::Id(first.id),
        test_time(2),
    ))
    .await;
    let second = add_account(store, "kees@example.nl").await.account;
    assert_ne!(second.id, first.id);
    assert_ne!(second.tag, first.tag);
}

pub(super) async fn accounts_are_found_by_id_and_email(store: &AccountStore) {
    let by_address: AccountRef = "Kees@Example.nl".parse().expect("an address");
    let unknown = get_account(store, &by_address)
        .await
        .expect_err("no account yet");
    assert!(
        matches!(unknown, AccountStoreError::UnknownAccount(_)),
        "{unknown}"
    );

    let mut latest = None;
    for second in 0..3 {
        let account = add_account(store, "kees@example.nl").await.account;
        let found = expect_ok(get_account(store, &by_address)).await;
        assert_eq!((found.id, found.closed_at), (account.id, None));
        latest = Some(
            expect_ok(close_account(store, &by_address, test_time(second)))
                .await
                .account,
        );
    }
    assert_eq!(
        get_account(store, &by_address).await.ok(),
        latest,
        "without an open account, the one that was closed last"
    );
    let unknown = get_account(store, &AccountRef::Id(AccountId::fresh()))
        .await
        .expect_err("made up");
    assert!(
        matches!(unknown, AccountStoreError::UnknownAccount(_)),
        "{unknown}"
    );
}

pub(super) async fn a_plan_change_reaches_the_keys(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let wanted = AccountRef::Id(opened.account.id);
    let changed = expect_ok(set_plan(store, &wanted, plan(PlanName::Plus))).await;
    assert_eq!(changed.plan, plan(PlanName::Plus));
    assert_eq!(expect_ok(get_account(store, &wanted)).await, changed);
    let grant = try_grant(&directory(store).await, &opened.live_key);
    assert_eq!(grant.expect("the key is live").plan, plan(PlanName::Plus));
}

pub(super) async fn a_closed_account_has_no_keys_and_cannot_be_changed(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let other = add_account(store, "mia@example.nl").await;
    let wanted = AccountRef::Id(opened.account.id);
    let first_key = expect_ok(list_keys(store, Some(opened.account.id))).await[0].id;
    expect_ok(revoke_key(store, first_key, test_time(1))).await;

    let closed = expect_ok(close_account(store, &wanted, test_time(5))).await;
    assert_eq!(
        (closed.account.closed_at, closed.revoked_keys),
        (Some(test_time(5)), 1)
    );
    let revoked: Vec<_> = expect_ok(list_keys(store, Some(opened.account.id))).await;
    assert_eq!(
        revoked.iter().map(|key| key.revoked_at).collect::<Vec<_>>(),
        [Some(test_time(1)), Some(test_time(5))]
    );

    let directory = directory(store).await;
    assert!(!is_accepted(&directory, &opened.test_key));
    assert!(is_accepted(&directory, &other.test_key));

    let refusals = [
        close_account(store, &wanted, test_time(6))
            .await
            .map(drop)
            .expect_err("closed"),
        set_plan(store, &wanted, plan(PlanName::Pro))
            .await
            .map(drop)
            .expect_err("closed"),
        create_key(store, key_for(&wanted, Environment::Live), test_time(6))
            .await
            .map(drop)
            .expect_err("closed"),
    ];
    for refusal in refusals {
        assert!(
            matches!(refusal, AccountStoreError::AccountClosed { since, .. } if since == test_time(5)),
            "{refusal}"
        );
    }
}
