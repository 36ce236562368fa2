//! Counts requests and the calls that they are charged (`lines`) per key, UTC day, endpoint and status class. Every node adds its counts;
//! operators read them.

use std::collections::HashSet;
use std::time::Duration;

use jiff::civil::Date;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor};

use super::account_store::AccountStore;
use super::batch_statements::{query_rows, values_placeholders};
use super::error::{AccountStoreError, TransactionError};
use super::refusals::{RefusalCount, RefusalSlot, upsert_refusals};
use super::rows::{parse_column, read_integer, to_i64};
use crate::accounts::{AccountId, KeyId};

/// The time limit for adding the rows, and again for the commit. When a limit passes, the database counts as unavailable.
const USAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The columns that identify one row of the table `usage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UsageSlot {
    /// The key that called.
    pub key_id: KeyId,
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's name, such as `lookup`.
    pub endpoint: &'static str,
    /// The first digit of the status.
    pub status_class: u8,
}

/// Requests, and the calls that they are charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCounts {
    /// The number of requests.
    pub calls: u64,
    /// The calls charged to the quota: one for each line of a bulk request, one for any other request that counts, 0 for a request that is
    /// free.
    pub lines: u64,
}

impl std::ops::AddAssign for UsageCounts {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.lines += more.lines;
    }
}

/// Sums of requests, charged calls and failed requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageTotals {
    /// The number of requests.
    pub calls: u64,
    /// The calls charged to the quota; see [`UsageCounts::lines`].
    pub lines: u64,
    /// The number of requests with a status of 400 or higher.
    pub errors: u64,
}

impl std::ops::AddAssign for UsageTotals {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.lines += more.lines;
        self.errors += more.errors;
    }
}

/// The usage of one day and endpoint, summed over the keys that a filter selects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsageRecord {
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's name, such as `lookup`.
    pub endpoint: String,
    /// The totals of that day and endpoint.
    #[serde(flatten)]
    pub totals: UsageTotals,
}

/// The usage of one account, day and endpoint, summed over the account's keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountUsageRecord {
    /// The account.
    pub account: AccountId,
    /// The usage of the account.
    #[serde(flatten)]
    pub usage: UsageRecord,
}

/// Selects the keys to list usage for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageFilter {
    /// All keys.
    All,
    /// All keys of an account.
    Account(AccountId),
    /// One key.
    Key(KeyId),
}

/// The columns of a [`UsageRecord`], in a query that is grouped by day and endpoint.
const USAGE_COLUMNS: &str = "day, endpoint, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(lines) AS BIGINT) AS lines, \
     CAST(SUM(CASE WHEN status_class >= 4 THEN calls ELSE 0 END) AS BIGINT) AS errors";

impl UsageRecord {
    fn from_row(row: &AnyRow) -> Result<Self, AccountStoreError> {
        Ok(Self {
            day: parse_column(row, "day")?,
            endpoint: parse_column(row, "endpoint")?,
            totals: UsageTotals {
                calls: read_integer(row, "calls")?,
                lines: read_integer(row, "lines")?,
                errors: read_integer(row, "errors")?,
            },
        })
    }
}

impl AccountUsageRecord {
    fn from_row(row: &AnyRow) -> Result<Self, AccountStoreError> {
        Ok(Self {
            account: parse_column(row, "account_id")?,
            usage: UsageRecord::from_row(row)?,
        })
    }
}

/// Adds counts and refusals in one transaction. Drops the counts and refusals of keys that the database does not know, and returns the
/// unknown keys that had counts.
///
/// # Errors
/// If the database fails or does not answer in time.
pub async fn add_usage(
    store: &AccountStore,
    counts: &[(UsageSlot, UsageCounts)],
    refusals: &[(RefusalSlot, RefusalCount)],
) -> Result<Vec<KeyId>, TransactionError> {
    let work = async |connection: &mut AnyConnection| {
        let unknown = upsert_counts(connection, counts).await?;
        upsert_refusals(connection, refusals).await?;
        Ok(unknown)
    };
    store.run_transaction(USAGE_TIMEOUT, work).await
}

/// The usage since the day `since`, by day and endpoint.
///
/// # Errors
/// [`AccountStoreError::UnknownKey`] if the filter names a key that does not exist; another error if the database fails.
pub async fn list_usage(
    store: &AccountStore,
    filter: UsageFilter,
    since: Date,
) -> Result<Vec<UsageRecord>, AccountStoreError> {
    if let UsageFilter::Key(key) = filter {
        ensure_key_exists(store, key).await?;
    }
    read_usage(&store.pool, filter, since).await
}

/// The usage since the day `since`, of keys that exist.
pub(super) async fn read_usage<'e>(
    executor: impl Executor<'e, Database = Any>,
    filter: UsageFilter,
    since: Date,
) -> Result<Vec<UsageRecord>, AccountStoreError> {
    let (column, id) = match filter {
        UsageFilter::All => ("''", String::new()),
        UsageFilter::Account(account) => ("account_id", account.to_string()),
        UsageFilter::Key(key) => ("id", key.to_string()),
    };
    let select = format!(
        "SELECT {USAGE_COLUMNS} FROM usage WHERE key_id IN (SELECT id FROM keys WHERE {column} = $1) AND day >= $2 \
         GROUP BY day, endpoint ORDER BY day, endpoint"
    );
    let records = sqlx::query(AssertSqlSafe(select))
        .bind(id)
        .bind(since.to_string())
        .map(|row| UsageRecord::from_row(&row))
        .fetch_all(executor);
    records.await?.into_iter().collect()
}

/// The usage of the days from `first` to `last`, by account, day and endpoint.
///
/// # Errors
/// If the database fails.
pub async fn list_usage_by_account(
    store: &AccountStore,
    first: Date,
    last: Date,
) -> Result<Vec<AccountUsageRecord>, AccountStoreError> {
    let select = format!(
        "SELECT account_id, {USAGE_COLUMNS} FROM usage JOIN keys ON keys.id = key_id \
         WHERE day >= $1 AND day <= $2 GROUP BY account_id, day, endpoint ORDER BY account_id, day, endpoint"
    );
    let records = sqlx::query(AssertSqlSafe(select))
        .bind(first.to_string())
        .bind(last.to_string())
        .map(|row| AccountUsageRecord::from_row(&row))
        .fetch_all(&store.pool);
    records.await?.into_iter().collect()
}

async fn ensure_key_exists(store: &AccountStore, key: KeyId) -> Result<(), AccountStoreError> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM keys WHERE id = $1")
        .bind(key.to_string())
        .fetch_one(&store.pool)
        .await?;
    if found == 0 {
        return Err(AccountStoreError::UnknownKey(key));
    }
    Ok(())
}

/// Adds counts to the rows and returns the unknown keys. All nodes lock rows in the same order, so that they never deadlock. Drops the
/// counts of an unknown key, because such a key must not prevent the addition of the others.
async fn upsert_counts(
    connection: &mut AnyConnection,
    counts: &[(UsageSlot, UsageCounts)],
) -> Result<Vec<KeyId>, AccountStoreError> {
    if counts.is_empty() {
        return Ok(Vec::new());
    }
    let statement = format!(
        "INSERT INTO usage (key_id, day, endpoint, status_class, calls, lines) \
         SELECT column1, column2, column3, column4, column5, column6 FROM (VALUES {}) AS rows \
         WHERE EXISTS (SELECT 1 FROM keys WHERE id = column1) ORDER BY column1, column2, column3, column4 \
         ON CONFLICT (key_id, day, endpoint, status_class) \
         DO UPDATE SET calls = usage.calls + excluded.calls, lines = usage.lines + excluded.lines \
         RETURNING key_id",
        values_placeholders(counts.len(), 3, 3)
    );
    let mut add = query_rows(statement, counts.len());
    for (slot, counts) in counts {
        add = add
            .bind(slot.key_id.to_string())
            .bind(slot.day.to_string())
            .bind(slot.endpoint)
            .bind(i64::from(slot.status_class))
            .bind(to_i64(counts.calls))
            .bind(to_i64(counts.lines));
    }
    let known: Vec<(String,)> = add.fetch_all(connection).await?;
    let known: HashSet<String> = known.into_iter().map(|(key,)| key).collect();
    let mut unknown: Vec<KeyId> = counts.iter().map(|(slot, _)| slot.key_id).collect();
    unknown.retain(|key| !known.contains(&key.to_string()));
    unknown.sort_unstable();
    unknown.dedup();
    Ok(unknown)
}
