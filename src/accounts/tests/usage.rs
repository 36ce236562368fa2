//! What the ledger promises about usage counts, written once for every database.

use jiff::civil::{Date, date};

use super::{open_account, sql};
use crate::accounts::{
    AccountRef, AccountStore, AccountStoreError, AddUsageError, KeyId, UsageCounts, UsageFilter,
    UsageRecord, UsageSlot,
};

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

/// The two keys of a new account.
async fn keys_of(ledger: &AccountStore, email: &str) -> [KeyId; 2] {
    let account = open_account(ledger, email).await.account.id;
    let keys = ledger.list_keys(Some(account)).await.expect("a list");
    [keys[0].id, keys[1].id]
}

async fn total(ledger: &AccountStore, of: UsageFilter) -> UsageCounts {
    let all = ledger.list_usage(of, Date::MIN).await.expect("a list");
    let mut sum = UsageCounts::default();
    all.iter().for_each(|one| sum += one.counts);
    sum
}

pub(super) async fn counts_add_up_and_are_read_by_account_and_by_key(ledger: &AccountStore) {
    let [first, second] = keys_of(ledger, "kees@example.nl").await;
    let [other, _] = keys_of(ledger, "mia@example.nl").await;
    let [monday, tuesday] = [date(2026, 11, 23), date(2026, 11, 24)];
    let counted = [
        (slot(second, tuesday, BULK, 2), counts(2, 2000)),
        (slot(first, monday, LOOKUP, 2), counts(5, 5)),
        (slot(first, tuesday, LOOKUP, 4), counts(1, 1)),
        (slot(other, monday, LOOKUP, 2), counts(7, 7)),
        (slot(second, monday, LOOKUP, 2), counts(10, 10)),
    ];
    for _ in 0..3 {
        let unknown = ledger.add_usage(&counted).await.expect("it is added");
        assert_eq!(unknown, []);
    }
    let row = |day, endpoint: &str, status_class, counts| UsageRecord {
        day,
        endpoint: endpoint.to_owned(),
        status_class,
        counts,
    };
    let kees: AccountRef = "kees@example.nl".parse().expect("an address");
    let kees = ledger.get_account(&kees).await.expect("it is there").id;
    let of_kees = ledger.list_usage(UsageFilter::Account(kees), monday).await;
    assert_eq!(
        of_kees.expect("a list"),
        [
            row(monday, LOOKUP, 2, counts(45, 45)),
            row(tuesday, BULK, 2, counts(6, 6000)),
            row(tuesday, LOOKUP, 4, counts(3, 3)),
        ]
    );
    let later = ledger.list_usage(UsageFilter::Key(first), tuesday).await;
    assert_eq!(
        later.expect("a list"),
        [row(tuesday, LOOKUP, 4, counts(3, 3))]
    );
    assert_eq!(total(ledger, UsageFilter::All).await, counts(75, 6069));
}

pub(super) async fn a_key_that_is_not_there_holds_up_no_other(ledger: &AccountStore) {
    let [known, _] = keys_of(ledger, "kees@example.nl").await;
    let (day, made_up) = (date(2026, 11, 23), KeyId::fresh());
    let counted = [
        (slot(made_up, day, LOOKUP, 2), counts(1, 1)),
        (slot(known, day, LOOKUP, 2), counts(2, 2)),
        (slot(made_up, day, BULK, 2), counts(1, 9)),
    ];
    let unknown = ledger.add_usage(&counted).await.expect("the rest is added");
    assert_eq!(unknown, [made_up]);
    assert_eq!(total(ledger, UsageFilter::All).await, counts(2, 2));
    let refused = ledger.list_usage(UsageFilter::Key(made_up), day).await;
    assert!(
        matches!(refused, Err(AccountStoreError::UnknownKey(key)) if key == made_up),
        "{refused:?}"
    );
}

pub(super) async fn what_fails_before_the_commit_is_not_added(ledger: &AccountStore) {
    let [key, _] = keys_of(ledger, "kees@example.nl").await;
    let day = date(2026, 11, 23);
    // The second row cannot be added, once the first one is.
    let counted = [
        (slot(key, day, "a", 2), counts(1, 1)),
        (slot(key, day, "b", 2), counts(i64::MAX.unsigned_abs(), 1)),
    ];
    sql(
        ledger,
        "CREATE UNIQUE INDEX one_a_day ON usage (key_id, day)",
    )
    .await;
    let failed = ledger.add_usage(&counted).await;
    assert!(
        matches!(
            failed,
            Err(AddUsageError::NotApplied(AccountStoreError::Database(_)))
        ),
        "{failed:?}"
    );
    assert_eq!(total(ledger, UsageFilter::All).await, counts(0, 0));
    sql(ledger, "DROP INDEX one_a_day").await;
    ledger.add_usage(&counted[..1]).await.expect("it is added");
    assert_eq!(total(ledger, UsageFilter::All).await, counts(1, 1));
}

pub(super) async fn what_the_commit_refuses_is_not_added(ledger: &AccountStore) {
    let [key, _] = keys_of(ledger, "kees@example.nl").await;
    let counted = [(slot(key, date(2026, 11, 23), LOOKUP, 2), counts(1, 1))];
    sql(ledger, "DROP TABLE usage").await;
    // A reference to nothing, which is looked at when the transaction is committed.
    sql(
        ledger,
        "CREATE TABLE usage (key_id TEXT NOT NULL, day TEXT NOT NULL, \
         endpoint TEXT NOT NULL REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED, \
         status_class BIGINT NOT NULL, calls BIGINT NOT NULL, lines BIGINT NOT NULL, \
         PRIMARY KEY (key_id, day, endpoint, status_class))",
    )
    .await;
    for _ in 0..2 {
        let failed = ledger.add_usage(&counted).await;
        assert!(
            matches!(
                failed,
                Err(AddUsageError::NotApplied(AccountStoreError::Database(_)))
            ),
            "{failed:?}"
        );
    }
    assert_eq!(total(ledger, UsageFilter::All).await, counts(0, 0));
}

pub(super) async fn nodes_that_count_at_the_same_time_lose_nothing(ledger: &AccountStore) {
    let [first, second] = keys_of(ledger, "kees@example.nl").await;
    let day = date(2026, 11, 23);
    let mut nodes = tokio::task::JoinSet::new();
    for node in 0..8 {
        let ledger = ledger.clone();
        // In opposite orders, as a hash table gives them.
        let [one, two] = if node % 2 == 0 {
            [first, second]
        } else {
            [second, first]
        };
        nodes.spawn(async move {
            for _ in 0..10 {
                let counted = [one, two].map(|key| (slot(key, day, LOOKUP, 2), counts(1, 3)));
                ledger.add_usage(&counted).await.expect("it is added");
            }
        });
    }
    nodes.join_all().await;
    assert_eq!(total(ledger, UsageFilter::All).await, counts(160, 480));
}
