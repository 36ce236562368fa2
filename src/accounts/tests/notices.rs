//! Tests the outbox of notices on every kind of database.

use jiff::Timestamp;

use super::{add_account, test_time};
use crate::accounts::{
    AccountId, AccountRef, AccountStore, Notice, NoticeTopic, QuotaUse, claim_notice,
    close_account, count_due_notices, mark_notice_sent, postpone_notice,
};
use crate::expect_ok::expect_ok;

const DAY: i64 = 86_400;

/// Inserts a notice into the outbox, as a settlement does. The billing period ends after thirty days.
pub(crate) async fn insert(
    store: &AccountStore,
    account: AccountId,
    percent: u8,
    start: Timestamp,
) {
    sqlx::query(
        "INSERT INTO notices (account_id, period_start, percent, period_end, bundle, created_at, not_before, attempts) \
         VALUES ($1, $2, $3, $4, $5, $2, $2, 0)",
    )
    .bind(account.to_string())
    .bind(start.as_second())
    .bind(i64::from(percent))
    .bind(start.as_second() + 30 * DAY)
    .bind(1_000_i64)
    .execute(store.pool())
    .await
    .expect("the notice is new");
}

/// The percentages of the notices that are marked as sent, each with its number of attempts.
pub(crate) async fn sent(store: &AccountStore) -> Vec<(i64, i64)> {
    sqlx::query_as(
        "SELECT percent, attempts FROM notices WHERE sent_at IS NOT NULL ORDER BY percent",
    )
    .fetch_all(store.pool())
    .await
    .expect("a list")
}

/// The total number of attempts of all notices.
pub(crate) async fn attempts(store: &AccountStore) -> i64 {
    expect_ok(
        sqlx::query_scalar("SELECT CAST(SUM(attempts) AS BIGINT) FROM notices")
            .fetch_one(store.pool()),
    )
    .await
}

fn percent(notice: &Notice) -> u8 {
    match &notice.topic {
        NoticeTopic::Quota(quota_use) => quota_use.percent,
        NoticeTopic::Change { .. } => panic!("a notice of a change: {notice:?}"),
    }
}

async fn claim(store: &AccountStore, second: i64) -> Option<Notice> {
    expect_ok(claim_notice(store, test_time(second))).await
}

pub(super) async fn a_notice_is_claimed_once_until_the_claim_expires(store: &AccountStore) {
    let account = add_account(store, "kees@example.nl").await.account;
    assert_eq!(claim(store, 0).await, None, "no notice exists yet");
    insert(store, account.id, 80, test_time(10)).await;
    assert_eq!(claim(store, 9).await, None, "the notice is not due yet");
    assert_eq!(expect_ok(count_due_notices(store, test_time(9))).await, 0);
    assert_eq!(expect_ok(count_due_notices(store, test_time(10))).await, 1);
    let expected = Notice {
        account_id: account.id,
        recipient: account.email,
        topic: NoticeTopic::Quota(QuotaUse {
            period_start: test_time(10),
            percent: 80,
            quota: 1_000,
            grace: account.plan.limits().grace,
        }),
        created_at: test_time(10),
        give_up_at: test_time(10 + 30 * DAY),
        attempts: 1,
    };
    assert_eq!(claim(store, 10).await.as_ref(), Some(&expected));
    assert_eq!(
        claim(store, 11).await,
        None,
        "another node has claimed the notice"
    );
    assert_eq!(
        claim(store, 10 + 299).await,
        None,
        "a claim lasts five minutes"
    );
    let again = claim(store, 10 + 300).await.expect("the claim is over");
    assert_eq!((again.attempts, &again.topic), (2, &expected.topic));

    expect_ok(postpone_notice(store, &again, test_time(320))).await;
    assert_eq!(claim(store, 319).await, None, "the notice was postponed");
    let third = claim(store, 320).await.expect("the notice is due again");
    assert_eq!(third.attempts, 3);
}

pub(super) async fn a_sent_notice_is_not_due_again(store: &AccountStore) {
    let account = add_account(store, "kees@example.nl").await.account;
    insert(store, account.id, 80, test_time(0)).await;
    insert(store, account.id, 100, test_time(0)).await;
    let first = claim(store, 1).await.expect("two notices are due");
    expect_ok(mark_notice_sent(store, &first, test_time(2))).await;
    expect_ok(postpone_notice(store, &first, test_time(3))).await;
    let second = claim(store, 4).await.expect("the other notice is due");
    assert_ne!(second.topic, first.topic);
    expect_ok(mark_notice_sent(store, &second, test_time(5))).await;
    assert_eq!(claim(store, 9 * DAY).await, None);
    assert_eq!(sent(store).await, [(80, 1), (100, 1)]);
}

pub(super) async fn no_notice_is_due_for_a_closed_account_or_an_ended_period(store: &AccountStore) {
    let kees = add_account(store, "kees@example.nl").await.account;
    let mia = add_account(store, "mia@example.nl").await.account;
    insert(store, kees.id, 80, test_time(0)).await;
    insert(store, mia.id, 80, test_time(0)).await;
    expect_ok(close_account(store, &AccountRef::Id(kees.id), test_time(1))).await;
    let only = claim(store, 2).await.expect("a notice");
    assert_eq!(only.account_id, mia.id);
    expect_ok(postpone_notice(store, &only, only.give_up_at)).await;
    for second in [3, DAY, 30 * DAY - 1, 30 * DAY, 31 * DAY] {
        assert_eq!(claim(store, second).await, None, "after {second} s");
        assert_eq!(
            expect_ok(count_due_notices(store, test_time(second))).await,
            0
        );
    }
}

pub(super) async fn only_one_of_several_senders_claims_a_notice(store: &AccountStore) {
    const NOTICES: u8 = 20;
    let account = add_account(store, "kees@example.nl").await.account;
    for used in 0..NOTICES {
        insert(store, account.id, used, test_time(0)).await;
    }
    let mut senders = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let store = store.clone();
        senders.spawn(async move {
            let mut claimed = Vec::new();
            // If another sender was faster, the claim returns no notice, and the loop claims again.
            while count_due_notices(&store, test_time(1))
                .await
                .expect("a number")
                > 0
            {
                claimed.extend(claim(&store, 1).await.map(|notice| percent(&notice)));
            }
            claimed
        });
    }
    let mut claimed = senders.join_all().await.concat();
    claimed.sort_unstable();
    assert_eq!(claimed, Vec::from_iter(0..NOTICES));
}
