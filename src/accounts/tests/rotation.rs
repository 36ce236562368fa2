//! Tests rotated keys on every kind of database.

use std::time::Duration;

use super::{add_account, directory, key_for, test_time};
use crate::accounts::tests::watch::is_accepted;
use crate::accounts::{
    AccountChange, AccountRef, AccountStore, AccountStoreError, Environment, KeyDirectory, NewKey,
    Notice, NoticeTopic, Restrictions, claim_notice, close_account, count_due_notices, create_key,
    get_account, list_keys, mark_notice_sent, postpone_notice, revoke_key, rotate_key, set_email,
};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;

/// A directory that uses this clock.
async fn directory_at(store: &AccountStore, clock: &Clock) -> KeyDirectory {
    let directory = KeyDirectory::new_unloaded().with_clock(clock.clone());
    directory.refresh(store).await.expect("the store answers");
    directory
}

pub(super) async fn both_keys_work_until_the_old_one_expires_on_every_node(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let restrictions = Restrictions {
        read_only: true,
        networks: "192.0.2.0/24".parse().expect("a network"),
        per_ip_per_minute: std::num::NonZeroU32::new(40),
        ..Restrictions::default()
    };
    let new = NewKey {
        restrictions: restrictions.clone(),
        ..key_for(&AccountRef::Id(opened.account.id), Environment::Test)
    };
    let (record, old) = expect_ok(create_key(store, new, test_time(1))).await;
    let clock = Clock::fake(test_time(10));
    let [one, other] = [
        directory_at(store, &clock).await,
        directory_at(store, &clock).await,
    ];

    let rotated = expect_ok(rotate_key(store, record.id, test_time(70), test_time(10))).await;
    assert_eq!(rotated.old.expires_at, Some(test_time(70)));
    assert_eq!(rotated.new.restrictions, restrictions);
    assert_eq!(
        (
            rotated.new.environment,
            rotated.new.expires_at,
            rotated.new.created_at
        ),
        (Environment::Test, None, test_time(10))
    );
    assert_ne!(rotated.key.reveal(), old.reveal());
    let keys = expect_ok(list_keys(store, Some(opened.account.id))).await;
    assert_eq!(keys[2..], [rotated.old, rotated.new]);

    let nodes = [&one, &other];
    for node in nodes {
        assert!(node.refresh(store).await.expect("the store answers"));
        assert!(is_accepted(node, &old) && is_accepted(node, &rotated.key));
    }
    clock.advance(Duration::from_millis(59_999));
    assert!(
        nodes.iter().all(|node| is_accepted(node, &old)),
        "the old key works until the last moment"
    );
    clock.advance(Duration::from_millis(1));
    for node in nodes {
        // The directory has not polled since, as if the database were unavailable.
        assert!(!is_accepted(node, &old) && is_accepted(node, &rotated.key));
        assert_eq!(node.len(), 4);
        assert!(node.refresh(store).await.expect("the store answers"));
        assert_eq!(node.len(), 3, "the poll removes the expired key");
        assert!(!node.refresh(store).await.expect("the store answers"));
    }
    // If the clock was ahead and is set back, the old key works for the rest of its grace period.
    clock.set_back(Duration::from_secs(30));
    assert!(one.refresh(store).await.expect("the store answers"));
    assert!(is_accepted(&one, &old));
    assert!(!one.refresh(store).await.expect("the store answers"));
    clock.advance(Duration::from_secs(30));
    assert!(!is_accepted(&one, &old));
    let restarted = directory_at(store, &clock).await;
    assert_eq!(restarted.len(), 3);
    assert!(!is_accepted(&restarted, &old) && is_accepted(&restarted, &rotated.key));
}

pub(super) async fn a_grace_period_is_rounded_up_to_whole_seconds(store: &AccountStore) {
    add_account(store, "kees@example.nl").await;
    let keys = expect_ok(list_keys(store, None)).await;
    let now = test_time(10) + Duration::from_millis(700);
    for (key, grace_ms, expires_at) in [(&keys[0], 2_000, 13), (&keys[1], 0, 10)] {
        let end = now + Duration::from_millis(grace_ms);
        let rotated = expect_ok(rotate_key(store, key.id, end, now)).await;
        assert_eq!(rotated.old.expires_at, Some(test_time(expires_at)));
    }
}

pub(super) async fn only_a_key_in_force_without_an_expiry_can_be_rotated(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let keys = expect_ok(list_keys(store, Some(opened.account.id))).await;
    let [live, test] = [keys[0].id, keys[1].id];
    expect_ok(rotate_key(store, live, test_time(100), test_time(1))).await;
    let again = rotate_key(store, live, test_time(200), test_time(2))
        .await
        .expect_err("the key was rotated before");
    assert!(
        matches!(again, AccountStoreError::KeyRotated { .. }),
        "{again}"
    );
    expect_ok(revoke_key(store, test, test_time(3))).await;
    let revoked = rotate_key(store, test, test_time(100), test_time(4))
        .await
        .expect_err("the key is revoked");
    assert!(
        matches!(revoked, AccountStoreError::KeyRevoked { .. }),
        "{revoked}"
    );
    // Revoking the old key ends its grace period at once.
    assert!(is_accepted(
        &directory_at(store, &Clock::fake(test_time(5))).await,
        &opened.live_key
    ));
    expect_ok(revoke_key(store, live, test_time(5))).await;
    assert!(!is_accepted(
        &directory_at(store, &Clock::fake(test_time(5))).await,
        &opened.live_key
    ));

    let account = AccountRef::Id(opened.account.id);
    expect_ok(close_account(store, &account, test_time(6))).await;
    let closed = rotate_key(store, live, test_time(100), test_time(7))
        .await
        .expect_err("closed");
    assert!(
        matches!(closed, AccountStoreError::AccountClosed { .. }),
        "{closed}"
    );
    assert_eq!(list_keys(store, None).await.expect("a list").len(), 3);
}

fn change_of(notice: &Notice) -> &AccountChange {
    match &notice.topic {
        NoticeTopic::Change { change, .. } => change,
        NoticeTopic::Quota(_) => panic!("a notice about the quota: {notice:?}"),
    }
}

pub(super) async fn each_recipient_gets_one_notice_of_a_change(store: &AccountStore) {
    let opened = add_account(store, "kees@example.nl").await;
    let id = AccountRef::Id(opened.account.id);
    let count_due = async |seconds| expect_ok(count_due_notices(store, test_time(seconds))).await;
    let claim = async |seconds| expect_ok(claim_notice(store, test_time(seconds))).await;
    let key = &list_keys(store, None).await.expect("a list")[0];
    let rotated = expect_ok(rotate_key(store, key.id, test_time(60), test_time(1))).await;
    assert_eq!([count_due(0).await, count_due(1).await], [0, 1]);
    let notice = claim(1).await.expect("a notice is due");
    assert_eq!(
        (
            notice.account_id,
            notice.recipient.as_str(),
            notice.attempts
        ),
        (opened.account.id, "kees@example.nl", 1)
    );
    let expected = AccountChange::KeyRotated {
        old_key: key.hint.clone(),
        new_key: rotated.new.hint.clone(),
        expires_at: test_time(60),
    };
    assert_eq!(change_of(&notice), &expected);
    assert_eq!(claim(2).await, None, "claimed");
    let again = claim(301).await.expect("a notice is due");
    assert_eq!(
        (&again.topic, again.attempts),
        (&notice.topic, 2),
        "the first claim has expired"
    );
    expect_ok(mark_notice_sent(store, &notice, test_time(301))).await;
    assert_eq!(claim(9_000).await, None);

    let [old, new] =
        ["kees@example.nl", "k@example.org"].map(|text| text.parse().expect("an address"));
    expect_ok(set_email(store, &id, new, test_time(9_000))).await;
    let change = AccountChange::EmailChanged {
        old_email: old,
        new_email: "k@example.org".parse().expect("an address"),
    };
    let mut recipients = Vec::new();
    while let Some(notice) = claim(9_000).await {
        assert_eq!(change_of(&notice), &change);
        let until = notice.give_up_at;
        expect_ok(postpone_notice(store, &notice, until)).await;
        assert_eq!(
            claim_notice(store, until).await.expect("an answer"),
            None,
            "given up"
        );
        recipients.push(notice.recipient.to_string());
    }
    recipients.sort();
    assert_eq!(recipients, ["k@example.org", "kees@example.nl"]);
    // The next change of an account deletes the notices that are past their `give_up_at`.
    let key = rotated.new.id;
    let later = test_time(9_000 + 7 * 86_400);
    expect_ok(rotate_key(store, key, later, later)).await;
    let rows = sqlx::query_scalar("SELECT COUNT(*) FROM change_notices");
    let rows: i64 = rows.fetch_one(store.pool()).await.expect("a number");
    assert_eq!(rows, 1);
}

pub(super) async fn the_email_address_of_an_account_can_be_changed(store: &AccountStore) {
    let kees = add_account(store, "kees@example.nl").await.account;
    let mia = add_account(store, "mia@example.nl").await.account;
    let parse = |text: &str| text.parse::<crate::accounts::Email>().expect("an address");
    let account = AccountRef::Id(kees.id);
    let taken = set_email(store, &account, parse("Mia@example.nl"), test_time(1)).await;
    let taken = taken.expect_err("an open account has the e-mail address");
    assert!(
        matches!(taken, AccountStoreError::EmailTaken { .. }),
        "{taken}"
    );
    let same = set_email(store, &account, parse("kees@example.nl"), test_time(1)).await;
    assert_eq!(same.expect("no change"), kees);
    assert_eq!(expect_ok(count_due_notices(store, test_time(2))).await, 0);

    let changed = expect_ok(set_email(
        store,
        &account,
        parse("Info@Example.nl"),
        test_time(3),
    ))
    .await;
    assert_eq!(changed.email.as_str(), "info@example.nl");
    assert_eq!(expect_ok(get_account(store, &account)).await, changed);
    assert_eq!(expect_ok(count_due_notices(store, test_time(3))).await, 2);
    // The old address is free again. The address of a closed account is free too.
    expect_ok(close_account(store, &AccountRef::Id(mia.id), test_time(4))).await;
    add_account(store, "kees@example.nl").await;
    let moved = set_email(store, &account, parse("mia@example.nl"), test_time(5)).await;
    assert_eq!(
        moved.expect("the e-mail address is free").email.as_str(),
        "mia@example.nl"
    );
    let closed = set_email(
        store,
        &AccountRef::Id(mia.id),
        parse("x@example.nl"),
        test_time(6),
    )
    .await;
    let closed = closed.expect_err("the account is closed");
    assert!(
        matches!(closed, AccountStoreError::AccountClosed { .. }),
        "{closed}"
    );
    assert_eq!(directory(store).await.len(), 4, "keys do not change");
}
