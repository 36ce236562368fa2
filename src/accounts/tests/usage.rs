//! Tests usage counts on every kind of database.

use jiff::civil::{Date, date};

use super::{add_account, sql};
use crate::accounts::{
    AccountRef, AccountStore, AccountStoreError, KeyId, TransactionError, UsageCounts, UsageFilter,
    UsageRecord, UsageSlot, UsageTotals, add_usage, get_account, list_keys, list_usage,
};
use crate::expect_ok::expect_ok;

const LOOKUP: &str = "/v3/lookup/{postcode}/{number}";
const BULK: &str = "/v1/bulk/lookup";

fn slot(key: KeyId, day: Date, endpoint: &'static str, status_class: u8) -> UsageSlot {
    UsageSlot {
        key_id: key,
        day,
        endpoint,
        status_class,
    }
}

fn counts(calls: u64, lines: u64) -> UsageCounts {
    UsageCounts { calls, lines }
}

/// Opens an account and returns its two keys.
async fn keys_of(store: &AccountStore, email: &str) -> [KeyId; 2] {
    let account = add_account(store, email).await.account.id;
    let keys = list_keys(store, Some(account)).await.expect("a list");
    [keys[0].id, keys[1].id]
}

async fn total(store: &AccountStore, of: UsageFilter) -> UsageCounts {
    let all = list_usage(store, of, Date::MIN).await.expect("a list");
    let mut sum = UsageTotals::default();
    all.iter().for_each(|one| sum += one.totals);
    counts(sum.calls, sum.lines)
}

pub(super) async fn counts_add_up_and_are_read_by_account_and_by_key(store: &AccountStore) {
    let [first, second] = keys_of(store, "kees@example.nl").await;
    let [other, _] = keys_of(store, "mia@example.nl").await;
    let [monday, tuesday] = [date(2026, 11, 23), date(2026, 11, 24)];
    let counted = [
        (slot(second, tuesday, BULK, 2), counts(2, 2000)),
        (slot(first, monday, LOOKUP, 2), counts(5, 5)),
        (slot(first, tuesday, LOOKUP, 2), counts(4, 4)),
        (slot(first, tuesday, LOOKUP, 3), counts(2, 2)),
        (slot(first, tuesday, LOOKUP, 4), counts(1, 1)),
        (slot(first, tuesday, LOOKUP, 5), counts(1, 0)),
        (slot(other, monday, LOOKUP, 2), counts(7, 7)),
        (slot(second, monday, LOOKUP, 2), counts(10, 10)),
    ];
    for _ in 0..3 {
        let unknown = expect_ok(add_usage(store, &counted, &[])).await;
        assert_eq!(unknown, []);
    }
    let row = |day, endpoint: &str, [calls, lines, errors]: [u64; 3]| UsageRecord {
        day,
        endpoint: endpoint.to_owned(),
        totals: UsageTotals {
            calls,
            lines,
            errors,
        },
    };
    let kees: AccountRef = "kees@example.nl".parse().expect("an address");
    let kees = expect_ok(get_account(store, &kees)).await.id;
    let of_kees = list_usage(store, UsageFilter::Account(kees), monday).await;
    assert_eq!(
        of_kees.expect("a list"),
        [
            row(monday, LOOKUP, [45, 45, 0]),
            row(tuesday, BULK, [6, 6000, 0]),
            row(tuesday, LOOKUP, [24, 21, 6]),
        ]
    );
    let later = list_usage(store, UsageFilter::Key(first), tuesday).await;
    assert_eq!(later.expect("a list"), [row(tuesday, LOOKUP, [24, 21, 6])]);
    assert_eq!(total(store, UsageFilter::All).await, counts(96, 6087));
}

pub(super) async fn an_unknown_key_does_not_block_the_counts_of_others(store: &AccountStore) {
    let [known, _] = keys_of(store, "kees@example.nl").await;
    let (day, made_up) = (date(2026, 11, 23), KeyId::fresh());
    let counted = [
        (slot(made_up, day, LOOKUP, 2), counts(1, 1)),
        (slot(known, day, LOOKUP, 2), counts(2, 2)),
        (slot(made_up, day, BULK, 2), counts(1, 9)),
    ];
    let unknown = expect_ok(add_usage(store, &counted, &[])).await;
    assert_eq!(unknown, [made_up]);
    assert_eq!(total(store, UsageFilter::All).await, counts(2, 2));
    let refused = list_usage(store, UsageFilter::Key(made_up), day).await;
    assert!(
        matches!(refused, Err(AccountStoreError::UnknownKey(key)) if key == made_up),
        "{refused:?}"
    );
}

pub(super) async fn a_failure_before_the_commit_adds_nothing(store: &AccountStore) {
    let [key, _] = keys_of(store, "kees@example.nl").await;
    let day = date(2026, 11, 23);
    // The first row can be added, the second one cannot.
    let counted = [
        (slot(key, day, "a", 2), counts(1, 1)),
        (slot(key, day, "b", 2), counts(i64::MAX.unsigned_abs(), 1)),
    ];
    sql(
        store,
        "CREATE UNIQUE INDEX one_a_day ON usage (key_id, day)",
    )
    .await;
    let failed = add_usage(store, &counted, &[]).await;
    assert!(
        matches!(
            failed,
            Err(TransactionError::NotApplied(AccountStoreError::Database(_)))
        ),
        "{failed:?}"
    );
    assert_eq!(total(store, UsageFilter::All).await, counts(0, 0));
    sql(store, "DROP INDEX one_a_day").await;
    expect_ok(add_usage(store, &counted[..1], &[])).await;
    assert_eq!(total(store, UsageFilter::All).await, counts(1, 1));
}

pub(super) async fn a_refused_commit_adds_nothing(store: &AccountStore) {
    let [key, _] = keys_of(store, "kees@example.nl").await;
    let counted = [(slot(key, date(2026, 11, 23), LOOKUP, 2), counts(1, 1))];
    sql(store, "DROP TABLE usage").await;
    // The endpoint is a reference to a missing row. The database checks this reference at the commit.
    sql(
        store,
        "CREATE TABLE usage (key_id TEXT NOT NULL, day TEXT NOT NULL, \
         endpoint TEXT NOT NULL REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED, \
         status_class BIGINT NOT NULL, calls BIGINT NOT NULL, lines BIGINT NOT NULL, \
         PRIMARY KEY (key_id, day, endpoint, status_class))",
    )
    .await;
    for _ in 0..2 {
        let failed = add_usage(store, &counted, &[]).await;
        assert!(
            matches!(
                failed,
                Err(TransactionError::NotApplied(AccountStoreError::Database(_)))
            ),
            "{failed:?}"
        );
    }
    assert_eq!(total(store, UsageFilter::All).await, counts(0, 0));
}

pub(super) async fn concurrent_nodes_lose_no_counts(store: &AccountStore) {
    let [first, second] = keys_of(store, "kees@example.nl").await;
    let day = date(2026, 11, 23);
    let mut nodes = tokio::task::JoinSet::new();
    for node in 0..8 {
        let store = store.clone();
        // Half of the nodes add the keys in the opposite order, because hash tables may return them in any order.
        let [one, two] = if node % 2 == 0 {
            [first, second]
        } else {
            [second, first]
        };
        nodes.spawn(async move {
            for _ in 0..10 {
                let counted = [one, two].map(|key| (slot(key, day, LOOKUP, 2), counts(1, 3)));
                expect_ok(add_usage(&store, &counted, &[])).await;
            }
        });
    }
    nodes.join_all().await;
    assert_eq!(total(store, UsageFilter::All).await, counts(160, 480));
}
