//! What the ledger promises, written once for every database.

use super::{at, open_account, plan, sql};
use crate::access::{
    AccountId, AccountRef, Allowed, Denied, Environment, KeyDirectory, KeyId, Ledger, LedgerError,
    NewAccount, NewKey, OwnNumbers, Plan, PlanName,
};

async fn directory(ledger: &Ledger) -> KeyDirectory {
    KeyDirectory::load(ledger)
        .await
        .expect("the ledger answers")
}

fn key_for(account: &AccountRef, environment: Environment) -> NewKey {
    NewKey {
        account: account.clone(),
        environment,
        read_only: false,
    }
}

pub(super) async fn an_account_starts_with_two_keys(ledger: &Ledger) {
    let opened = open_account(ledger, "Kees@Example.nl").await;
    assert_eq!(opened.account.email.as_str(), "kees@example.nl");
    assert_eq!(opened.account.created_at, at(0));
    let all = ledger.accounts().await.expect("a list");
    assert_eq!(all, std::slice::from_ref(&opened.account));

    let directory = directory(ledger).await;
    assert_eq!(directory.len(), 2);
    for (key, environment) in [
        (&opened.live_key, Environment::Live),
        (&opened.test_key, Environment::Test),
    ] {
        let admission = directory
            .authenticate(key.reveal().as_bytes(), Allowed::Either)
            .expect("the key is live");
        assert_eq!(
            (admission.account, admission.tag),
            (opened.account.id, opened.account.tag)
        );
        assert_eq!(
            (admission.environment, admission.plan),
            (environment, opened.account.plan)
        );
        assert_eq!(
            (key.environment(), key.tag()),
            (environment, opened.account.tag)
        );
        assert!(!admission.read_only);
    }
}

pub(super) async fn an_enterprise_account_keeps_its_numbers(ledger: &Ledger) {
    let own = OwnNumbers {
        calls_per_month: "4294967295".parse().ok(),
        calls_per_second: "900".parse().ok(),
        bulk_max: "750".parse().ok(),
    };
    let plan = Plan::new(PlanName::Enterprise, own).expect("numbers that fit");
    let new = NewAccount {
        email: "kees@example.nl".parse().expect("an address"),
        plan,
    };
    let opened = ledger
        .create_account(new, at(0))
        .await
        .expect("the account is new");
    let found = ledger
        .account(&AccountRef::Id(opened.account.id))
        .await
        .expect("it is there");
    assert_eq!(found.plan, plan);
    let admission = directory(ledger)
        .await
        .authenticate(opened.live_key.reveal().as_bytes(), Allowed::Live);
    assert_eq!(admission.expect("the key is live").plan, plan);
}

pub(super) async fn an_address_has_one_open_account(ledger: &Ledger) {
    let first = open_account(ledger, "kees@example.nl").await.account;
    let again = NewAccount {
        email: "KEES@example.nl".parse().expect("an address"),
        plan: plan(PlanName::Pro),
    };
    let refused = ledger
        .create_account(again, at(1))
        .await
        .expect_err("the address is taken");
    assert!(
        matches!(refused, LedgerError::EmailTaken { account, .. } if account == first.id),
        "{refused}"
    );

    ledger
        .close_account(&AccountRef::Id(first.id), at(2))
        .await
        .expect("it is open");
    let second = open_account(ledger, "kees@example.nl").await.account;
    assert_ne!(second.id, first.id);
    assert_ne!(second.tag, first.tag);
}

pub(super) async fn accounts_are_found_by_id_and_address(ledger: &Ledger) {
    let by_address: AccountRef = "Kees@Example.nl".parse().expect("an address");
    let unknown = ledger.account(&by_address).await.expect_err("nobody yet");
    assert!(
        matches!(unknown, LedgerError::UnknownAccount(_)),
        "{unknown}"
    );

    let mut latest = None;
    for second in 0..3 {
        let account = open_account(ledger, "kees@example.nl").await.account;
        let found = ledger.account(&by_address).await.expect("the open one");
        assert_eq!((found.id, found.closed_at), (account.id, None));
        latest = Some(
            ledger
                .close_account(&by_address, at(second))
                .await
                .expect("it is open")
                .account,
        );
    }
    assert_eq!(
        ledger.account(&by_address).await.ok(),
        latest,
        "where none is open, the one closed last"
    );
    let unknown = ledger
        .account(&AccountRef::Id(AccountId::fresh()))
        .await
        .expect_err("made up");
    assert!(
        matches!(unknown, LedgerError::UnknownAccount(_)),
        "{unknown}"
    );
}

pub(super) async fn a_plan_change_reaches_the_keys(ledger: &Ledger) {
    let opened = open_account(ledger, "kees@example.nl").await;
    let wanted = AccountRef::Id(opened.account.id);
    let changed = ledger
        .set_plan(&wanted, plan(PlanName::Plus))
        .await
        .expect("it is open");
    assert_eq!(changed.plan, plan(PlanName::Plus));
    assert_eq!(ledger.account(&wanted).await.expect("it is there"), changed);
    let admission = directory(ledger)
        .await
        .authenticate(opened.live_key.reveal().as_bytes(), Allowed::Live);
    assert_eq!(
        admission.expect("the key is live").plan,
        plan(PlanName::Plus)
    );
}

pub(super) async fn a_closed_account_has_no_keys_and_takes_no_changes(ledger: &Ledger) {
    let opened = open_account(ledger, "kees@example.nl").await;
    let other = open_account(ledger, "mia@example.nl").await;
    let wanted = AccountRef::Id(opened.account.id);
    let first_key = ledger.keys(Some(opened.account.id)).await.expect("a list")[0].id;
    ledger
        .revoke_key(first_key, at(1))
        .await
        .expect("it is there");

    let closed = ledger
        .close_account(&wanted, at(5))
        .await
        .expect("it is open");
    assert_eq!(
        (closed.account.closed_at, closed.revoked_keys),
        (Some(at(5)), 1)
    );
    let revoked: Vec<_> = ledger.keys(Some(opened.account.id)).await.expect("a list");
    assert_eq!(
        revoked.iter().map(|key| key.revoked_at).collect::<Vec<_>>(),
        [Some(at(1)), Some(at(5))]
    );

    let directory = directory(ledger).await;
    assert_eq!(
        directory.authenticate(opened.test_key.reveal().as_bytes(), Allowed::Either),
        Err(Denied)
    );
    assert!(
        directory
            .authenticate(other.test_key.reveal().as_bytes(), Allowed::Either)
            .is_ok()
    );

    let refusals = [
        ledger
            .close_account(&wanted, at(6))
            .await
            .map(drop)
            .expect_err("closed"),
        ledger
            .set_plan(&wanted, plan(PlanName::Pro))
            .await
            .map(drop)
            .expect_err("closed"),
        ledger
            .create_key(key_for(&wanted, Environment::Live), at(6))
            .await
            .map(drop)
            .expect_err("closed"),
    ];
    for refusal in refusals {
        assert!(
            matches!(refusal, LedgerError::AccountClosed { since, .. } if since == at(5)),
            "{refusal}"
        );
    }
}

pub(super) async fn a_key_is_revoked_once(ledger: &Ledger) {
    let opened = open_account(ledger, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let new = NewKey {
        read_only: true,
        ..key_for(&account, Environment::Live)
    };
    let (record, key) = ledger
        .create_key(new, at(1))
        .await
        .expect("the account is open");
    let admitted = directory(ledger)
        .await
        .authenticate(key.reveal().as_bytes(), Allowed::Live)
        .expect("live");
    assert_eq!((admitted.key, admitted.read_only), (record.id, true));

    let first = ledger
        .revoke_key(record.id, at(2))
        .await
        .expect("it is there");
    assert_eq!((first.key.revoked_at, first.already), (Some(at(2)), false));
    let second = ledger
        .revoke_key(record.id, at(3))
        .await
        .expect("it is there");
    assert_eq!((second.key, second.already), (first.key, true));

    let directory = directory(ledger).await;
    assert_eq!(
        directory.authenticate(key.reveal().as_bytes(), Allowed::Live),
        Err(Denied)
    );
    assert!(
        directory
            .authenticate(opened.live_key.reveal().as_bytes(), Allowed::Live)
            .is_ok(),
        "the other key lives"
    );
    let unknown = ledger
        .revoke_key(KeyId::fresh(), at(4))
        .await
        .expect_err("made up");
    assert!(matches!(unknown, LedgerError::UnknownKey(_)), "{unknown}");
}

pub(super) async fn keys_are_listed_by_account(ledger: &Ledger) {
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
        record.hint(),
        format!("pd_test_{}…{}", mia.account.tag, key.last_four())
    );

    let of_mia = ledger.keys(Some(mia.account.id)).await.expect("a list");
    assert_eq!(of_mia.len(), 3);
    assert_eq!(of_mia[2], record);
    assert!(
        of_mia
            .iter()
            .all(|key| key.account == mia.account.id && key.tag == mia.account.tag)
    );
    let all = ledger.keys(None).await.expect("a list");
    assert_eq!((all.len(), &all[2..]), (5, &of_mia[..]));
    assert_eq!(all[0].account, kees.account.id);
}

pub(super) async fn every_change_and_nothing_else_raises_the_revision(ledger: &Ledger) {
    let start = ledger.revision().await.expect("a number");
    let opened = open_account(ledger, "kees@example.nl").await;
    let account = AccountRef::Id(opened.account.id);
    let key = ledger.keys(None).await.expect("a list")[0].id;
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

    assert!(ledger.revoke_key(key, at(4)).await.expect("there").already);
    assert!(ledger.revoke_key(KeyId::fresh(), at(4)).await.is_err());
    assert!(ledger.close_account(&account, at(4)).await.is_err());
    assert!(
        ledger
            .set_plan(&account, plan(PlanName::Pro))
            .await
            .is_err()
    );
    assert_eq!(ledger.accounts().await.expect("a list").len(), 1);
    assert_eq!(ledger.revision().await.expect("a number"), start + 5);
}

pub(super) async fn a_row_that_cannot_be_read_shuts_one_key_alone(ledger: &Ledger) {
    let kees = open_account(ledger, "kees@example.nl").await;
    let mia = open_account(ledger, "mia@example.nl").await;
    sql(
        ledger,
        "UPDATE accounts SET plan = 'gratis' WHERE email = 'kees@example.nl'",
    )
    .await;
    let directory = directory(ledger).await;
    assert_eq!(
        directory.authenticate(kees.live_key.reveal().as_bytes(), Allowed::Live),
        Err(Denied)
    );
    assert!(
        directory
            .authenticate(mia.live_key.reveal().as_bytes(), Allowed::Live)
            .is_ok()
    );
    let unreadable = ledger.accounts().await.expect_err("no such plan");
    assert_eq!(
        unreadable.to_string(),
        r#"the ledger holds "gratis" as plan, which this program cannot read"#
    );
}

pub(super) async fn writers_at_the_same_time_wait_for_each_other(ledger: &Ledger) {
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
    assert_eq!(ledger.keys(None).await.expect("a list").len(), 18);
    assert_eq!(ledger.revision().await.expect("a number"), start + 16);
}
