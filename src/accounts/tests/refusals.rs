//! Tests refused requests, and the report that the holder of an account may read, on every kind of database.

use jiff::civil::{Date, date};

use super::{add_account, test_time};
use crate::accounts::{
    AccountId, AccountReport, AccountStore, BillingPeriod, KeyId, RefusalCount,
    RefusalReasonRecord, RefusalRecord, RefusalSlot, UsageCounts, UsageSlot, add_usage,
    delete_refusals, list_keys, load_account_report, revoke_key,
};
use crate::expect_ok::expect_ok;

const RATE: (&str, u16) = ("rate_limit_exceeded", 429);

/// The day of `test_time(0)`, which is the first day of the period.
const TODAY: Date = date(2026, 1, 6);

fn slot(key_id: KeyId, day: Date, endpoint: &'static str, why: (&'static str, u16)) -> RefusalSlot {
    RefusalSlot {
        key_id,
        day,
        endpoint,
        reason: why.0,
        status: why.1,
    }
}

fn count(requests: u64, second: i64) -> RefusalCount {
    RefusalCount {
        requests,
        last_at: test_time(second),
    }
}

/// Opens an account and returns its id and the ids of its two keys.
async fn account_with_keys(store: &AccountStore, email: &str) -> (AccountId, [KeyId; 2]) {
    let account = add_account(store, email).await.account.id;
    let keys = list_keys(store, Some(account)).await.expect("a list");
    (account, [keys[0].id, keys[1].id])
}

async fn report(store: &AccountStore, account: AccountId) -> AccountReport {
    let period = BillingPeriod::from_anchor(TODAY, test_time(0));
    expect_ok(load_account_report(store, account, period)).await
}

async fn add(store: &AccountStore, refusals: &[(RefusalSlot, RefusalCount)]) {
    let unknown = expect_ok(add_usage(store, &[], refusals)).await;
    assert_eq!(unknown, []);
}

pub(super) async fn refusals_of_all_keys_and_nodes_add_up(store: &AccountStore) {
    let (kees, [first, second]) = account_with_keys(store, "kees@example.nl").await;
    let (mia, [other, _]) = account_with_keys(store, "mia@example.nl").await;
    let yesterday = TODAY.yesterday().expect("a day");
    let not_in_plan = ("plan_upgrade_required", 403);
    add(
        store,
        &[
            (slot(second, TODAY, "lookup", RATE), count(5, 20)),
            (slot(first, TODAY, "lookup", RATE), count(2, 30)),
            (slot(first, TODAY, "bulk", not_in_plan), count(9, 10)),
            (slot(first, yesterday, "lookup", RATE), count(100, 5)),
            (slot(other, TODAY, "lookup", RATE), count(7, 99)),
            (slot(KeyId::fresh(), TODAY, "lookup", RATE), count(1, 99)),
        ],
    )
    .await;
    // Another node reports an earlier refusal later.
    add(store, &[(slot(first, TODAY, "lookup", RATE), count(1, 25))]).await;
    let seen = report(store, kees).await;
    let row = |endpoint: &str, why: (&str, u16), count| RefusalRecord {
        day: TODAY,
        endpoint: endpoint.to_owned(),
        refused: RefusalReasonRecord {
            reason: why.0.to_owned(),
            status: why.1,
            count,
        },
    };
    assert_eq!(
        seen.refusals,
        [
            row("lookup", RATE, count(8, 30)),
            row("bulk", not_in_plan, count(9, 10)),
        ]
    );
    let totals = seen.refusals_by_reason.iter();
    let totals: Vec<_> = totals
        .map(|total| (total.reason.as_str(), total.status, total.count))
        .collect();
    assert_eq!(
        totals,
        [
            (not_in_plan.0, not_in_plan.1, count(9, 10)),
            (RATE.0, RATE.1, count(8, 30)),
        ]
    );
    assert_eq!(
        report(store, mia).await.refusals,
        [row("lookup", RATE, count(7, 99))]
    );
}

pub(super) async fn a_report_has_the_last_twenty_refusals(store: &AccountStore) {
    let (account, [key, _]) = account_with_keys(store, "kees@example.nl").await;
    let days = (0..25).map(|number| {
        let day = TODAY.saturating_add(jiff::Span::new().days(number));
        (slot(key, day, "lookup", RATE), count(1, number * 86_400))
    });
    add(store, &days.collect::<Vec<_>>()).await;
    let seen = report(store, account).await;
    let last: Vec<Date> = seen.refusals.iter().map(|refusal| refusal.day).collect();
    let expected = (5..25).rev();
    let expected: Vec<Date> = expected
        .map(|number| TODAY.saturating_add(jiff::Span::new().days(number)))
        .collect();
    assert_eq!(last, expected);
    assert_eq!(
        seen.refusals_by_reason[0].count.requests, 25,
        "the totals include all refusals"
    );
}

pub(super) async fn old_refusals_are_deleted(store: &AccountStore) {
    let (account, [key, _]) = account_with_keys(store, "kees@example.nl").await;
    let tomorrow = TODAY.tomorrow().expect("a day");
    let days = [TODAY, tomorrow].map(|day| (slot(key, day, "lookup", RATE), count(1, 0)));
    add(store, &days).await;
    let deleted = expect_ok(delete_refusals(store, tomorrow)).await;
    assert_eq!(deleted, 1);
    let kept = report(store, account).await.refusals;
    assert_eq!((kept.len(), kept[0].day), (1, tomorrow));
}

pub(super) async fn a_report_covers_one_account_and_one_period(store: &AccountStore) {
    let (kees, [first, second]) = account_with_keys(store, "kees@example.nl").await;
    let (mia, [other, _]) = account_with_keys(store, "mia@example.nl").await;
    let yesterday = TODAY.yesterday().expect("a day");
    let used = |key_id, day| UsageSlot {
        key_id,
        day,
        endpoint: "lookup",
        status_class: 2,
    };
    let counts = |calls| UsageCounts {
        calls,
        lines: calls,
    };
    let counted = [
        (used(first, yesterday), counts(100)),
        (used(first, TODAY), counts(3)),
        (used(second, TODAY), counts(4)),
        (used(other, TODAY), counts(50)),
    ];
    expect_ok(add_usage(store, &counted, &[])).await;
    expect_ok(revoke_key(store, second, test_time(9))).await;
    let seen = report(store, kees).await;
    assert_eq!(seen.keys.len(), 2, "a revoked key stays in the report");
    assert!(seen.keys.iter().all(|key| key.account_id == kees));
    assert_eq!(seen.keys[1].revoked_at, Some(test_time(9)));
    let [usage] = seen.usage.as_slice() else {
        panic!("one row, not {:?}", seen.usage);
    };
    assert_eq!((usage.day, usage.totals.calls), (TODAY, 7));
    assert_eq!(seen.calls_used, 0, "nothing was leased");
    assert_eq!(report(store, mia).await.usage[0].totals.calls, 50);
    let nothing = report(store, AccountId::fresh()).await;
    assert_eq!((nothing.keys.len(), nothing.usage.len()), (0, 0));
}
