//! What the ledger promises about the outbox of notices, written once for every database.

use jiff::Timestamp;

use super::{at, open_account};
use crate::accounts::{AccountId, AccountRef, AccountStore, Notice, NoticeId};

const DAY: i64 = 86_400;

/// Puts a notice into the outbox, as the counting of bundles does; the period ends after thirty days.
pub(crate) async fn insert(
    ledger: &AccountStore,
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
    .execute(ledger.pool())
    .await
    .expect("there is none yet");
}

/// Percentages of the notices that are marked as sent, and how often each was tried.
pub(crate) async fn sent(ledger: &AccountStore) -> Vec<(i64, i64)> {
    sqlx::query_as(
        "SELECT percent, attempts FROM notices WHERE sent_at IS NOT NULL ORDER BY percent",
    )
    .fetch_all(ledger.pool())
    .await
    .expect("a list")
}

/// How often all notices together were tried.
pub(crate) async fn attempts(ledger: &AccountStore) -> i64 {
    sqlx::query_scalar("SELECT CAST(SUM(attempts) AS BIGINT) FROM notices")
        .fetch_one(ledger.pool())
        .await
        .expect("a number")
}

async fn claim(ledger: &AccountStore, second: i64) -> Option<Notice> {
    ledger
        .claim_notice(at(second))
        .await
        .expect("the ledger answers")
}

pub(super) async fn a_notice_is_claimed_once_and_comes_back_when_its_time_has_passed(
    ledger: &AccountStore,
) {
    let account = open_account(ledger, "kees@example.nl").await.account;
    assert_eq!(claim(ledger, 0).await, None, "there is none yet");
    insert(ledger, account.id, 80, at(10)).await;
    assert_eq!(claim(ledger, 9).await, None, "not before its time");
    assert_eq!(ledger.count_due_notices(at(9)).await.expect("a number"), 0);
    assert_eq!(ledger.count_due_notices(at(10)).await.expect("a number"), 1);
    let expected = Notice {
        id: NoticeId {
            account_id: account.id,
            period_start: at(10),
            percent: 80,
        },
        period_end: at(10 + 30 * DAY),
        quota: 1_000,
        created_at: at(10),
        attempts: 1,
        account,
    };
    assert_eq!(claim(ledger, 10).await.as_ref(), Some(&expected));
    assert_eq!(claim(ledger, 11).await, None, "it is somebody's");
    assert_eq!(claim(ledger, 10 + 299).await, None, "for five minutes");
    let again = claim(ledger, 10 + 300).await.expect("the claim is over");
    assert_eq!((again.attempts, again.id), (2, expected.id));

    ledger
        .postpone_notice(again.id, at(320))
        .await
        .expect("it is there");
    assert_eq!(claim(ledger, 319).await, None, "it was put off");
    let third = claim(ledger, 320).await.expect("its time has come");
    assert_eq!(third.attempts, 3);
}

pub(super) async fn a_notice_that_was_sent_is_gone(ledger: &AccountStore) {
    let account = open_account(ledger, "kees@example.nl").await.account;
    insert(ledger, account.id, 80, at(0)).await;
    insert(ledger, account.id, 100, at(0)).await;
    let first = claim(ledger, 1).await.expect("there are two");
    ledger
        .mark_notice_sent(first.id, at(2))
        .await
        .expect("it is there");
    ledger
        .postpone_notice(first.id, at(3))
        .await
        .expect("too late, and no harm");
    let second = claim(ledger, 4).await.expect("the other one");
    assert_ne!(second.id, first.id);
    ledger
        .mark_notice_sent(second.id, at(5))
        .await
        .expect("it is there");
    assert_eq!(claim(ledger, 9 * DAY).await, None);
    assert_eq!(sent(ledger).await, [(80, 1), (100, 1)]);
}

pub(super) async fn neither_a_closed_account_nor_a_period_that_is_over_gets_one(
    ledger: &AccountStore,
) {
    let kees = open_account(ledger, "kees@example.nl").await.account;
    let mia = open_account(ledger, "mia@example.nl").await.account;
    insert(ledger, kees.id, 80, at(0)).await;
    insert(ledger, mia.id, 80, at(0)).await;
    ledger
        .close_account(&AccountRef::Id(kees.id), at(1))
        .await
        .expect("it is open");
    let only = claim(ledger, 2).await.expect("that of the open account");
    assert_eq!(only.id.account_id, mia.id);
    ledger
        .postpone_notice(only.id, only.period_end)
        .await
        .expect("it is there");
    for second in [3, DAY, 30 * DAY - 1, 30 * DAY, 31 * DAY] {
        assert_eq!(claim(ledger, second).await, None, "after {second} s");
        assert_eq!(
            ledger
                .count_due_notices(at(second))
                .await
                .expect("a number"),
            0
        );
    }
}

pub(super) async fn of_several_senders_one_gets_it(ledger: &AccountStore) {
    const NOTICES: u8 = 20;
    let account = open_account(ledger, "kees@example.nl").await.account;
    for percent in 0..NOTICES {
        insert(ledger, account.id, percent, at(0)).await;
    }
    let mut senders = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let ledger = ledger.clone();
        senders.spawn(async move {
            let mut claimed = Vec::new();
            // One that loses the race for a notice comes back with nothing, and looks again.
            while ledger.count_due_notices(at(1)).await.expect("a number") > 0 {
                claimed.extend(claim(&ledger, 1).await.map(|notice| notice.id.percent));
            }
            claimed
        });
    }
    let mut claimed = senders.join_all().await.concat();
    claimed.sort_unstable();
    assert_eq!(claimed, Vec::from_iter(0..NOTICES));
}
