//! Counts calls and lines per key, UTC day, endpoint and status class. Every node adds its counts; operators read them.
//!
//! The error of a failed addition shows whether the counts were certainly not added, or may have been added. Only counts that were
//! certainly not added can be added again, so no count is doubled.

use std::collections::HashSet;
use std::time::Duration;

use jiff::civil::Date;
use sqlx::{AnyConnection, Connection as _};

use super::database::{Database, with_timeout};
use super::error::AccountStoreError;
use super::many_rows::{query_rows, values_placeholders};
use super::refusals::{RefusalCount, RefusalSlot, upsert_refusals};
use super::rows::{invalid_column, parse_column, row_type, to_i64};
use crate::accounts::{AccountId, KeyId};

/// The time limit for adding the rows. The commit has a separate limit of the same length. When a limit passes, the database counts as
/// unavailable.
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

/// Calls, and the lines of these calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCounts {
    /// The number of requests.
    pub calls: u64,
    /// The number of lines: those of bulk requests, and one for every other request.
    pub lines: u64,
}

impl std::ops::AddAssign for UsageCounts {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.lines += more.lines;
    }
}

/// Why counts were not added, or may not have been added.
#[derive(Debug, thiserror::Error)]
pub enum AddUsageError {
    /// Nothing was added, so the caller can add all counts again.
    #[error("usage was not added")]
    NotApplied(#[source] AccountStoreError),
    /// The commit failed without a clear answer. Either all counts were added, or none.
    #[error("it is unknown whether usage was added")]
    InDoubt(#[source] AccountStoreError),
}

impl AddUsageError {
    fn inner(&self) -> &AccountStoreError {
        match self {
            Self::NotApplied(error) | Self::InDoubt(error) => error,
        }
    }
}

/// The counts of one day, endpoint and status class, summed over the keys that a filter selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's name, such as `lookup`.
    pub endpoint: String,
    /// The first digit of the status.
    pub status_class: u8,
    /// The sums of the counts.
    pub counts: UsageCounts,
}

/// The counts of one account, day, endpoint and status class, summed over the account's keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountUsageRecord {
    /// The account.
    pub account_id: AccountId,
    /// The counts of the account.
    pub usage: UsageRecord,
}

/// Selects the keys whose usage is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageFilter {
    /// All keys.
    All,
    /// All keys of an account.
    Account(AccountId),
    /// One key.
    Key(KeyId),
}

row_type! {
    struct UsageRow {
        day: String,
        endpoint: String,
        status_class: i64,
        calls: i64,
        lines: i64,
    }
}

row_type! {
    struct AccountUsageRow {
        account_id: String,
    } + { usage: UsageRow }
}

pub(super) async fn add_usage(
    database: &Database,
    counts: &[(UsageSlot, UsageCounts)],
    refusals: &[(RefusalSlot, RefusalCount)],
) -> Result<Vec<KeyId>, AddUsageError> {
    let acquired = with_timeout(USAGE_TIMEOUT, database.acquire()).await;
    let mut connection = acquired.map_err(AddUsageError::NotApplied)?;
    let added = run_transaction(database, &mut connection, counts, refusals).await;
    let error = added.as_ref().err().map(AddUsageError::inner);
    if database.is_usable_after(error) {
        connection.release();
    }
    added
}

async fn run_transaction(
    database: &Database,
    connection: &mut AnyConnection,
    counts: &[(UsageSlot, UsageCounts)],
    refusals: &[(RefusalSlot, RefusalCount)],
) -> Result<Vec<KeyId>, AddUsageError> {
    let work = async {
        let begin = database.engine.begin_statement();
        let mut transaction = connection.begin_with(begin).await?;
        let unknown = upsert_counts(&mut transaction, counts).await?;
        upsert_refusals(&mut transaction, refusals).await?;
        Ok((transaction, unknown))
    };
    let (transaction, unknown) = with_timeout(USAGE_TIMEOUT, work)
        .await
        .map_err(AddUsageError::NotApplied)?;
    let commit = async { Ok(transaction.commit().await?) };
    with_timeout(USAGE_TIMEOUT, commit).await.map_err(|error| {
        match database.was_rolled_back(&error) {
            true => AddUsageError::NotApplied(error),
            false => AddUsageError::InDoubt(error),
        }
    })?;
    Ok(unknown)
}

pub(super) async fn list_usage(
    database: &Database,
    filter: UsageFilter,
    since: Date,
) -> Result<Vec<UsageRecord>, AccountStoreError> {
    let (account, key) = match filter {
        UsageFilter::All => (String::new(), String::new()),
        UsageFilter::Account(account) => (account.to_string(), String::new()),
        UsageFilter::Key(key) => {
            ensure_key_exists(database, key).await?;
            (String::new(), key.to_string())
        }
    };
    let rows: Vec<UsageRow> = sqlx::query_as(
        "SELECT day, endpoint, status_class, CAST(SUM(calls) AS BIGINT) AS calls, \
         CAST(SUM(lines) AS BIGINT) AS lines FROM usage JOIN keys ON keys.id = key_id \
         WHERE day >= $1 AND (account_id = $2 OR $2 = '') AND (key_id = $3 OR $3 = '') \
         GROUP BY day, endpoint, status_class ORDER BY day, endpoint, status_class",
    )
    .bind(since.to_string())
    .bind(account)
    .bind(key)
    .fetch_all(&database.pool)
    .await?;
    rows.into_iter().map(UsageRecord::try_from).collect()
}

pub(super) async fn list_usage_by_account(
    database: &Database,
    first: Date,
    last: Date,
) -> Result<Vec<AccountUsageRecord>, AccountStoreError> {
    let rows: Vec<AccountUsageRow> = sqlx::query_as(
        "SELECT account_id, day, endpoint, status_class, CAST(SUM(calls) AS BIGINT) AS calls, \
         CAST(SUM(lines) AS BIGINT) AS lines FROM usage JOIN keys ON keys.id = key_id \
         WHERE day >= $1 AND day <= $2 GROUP BY account_id, day, endpoint, status_class \
         ORDER BY account_id, day, endpoint, status_class",
    )
    .bind(first.to_string())
    .bind(last.to_string())
    .fetch_all(&database.pool)
    .await?;
    let into_record = |row: AccountUsageRow| {
        Ok(AccountUsageRecord {
            account_id: parse_column("account_id", &row.account_id)?,
            usage: row.usage.try_into()?,
        })
    };
    rows.into_iter().map(into_record).collect()
}

/// The counts of an account from a day on.
pub(super) async fn list_usage_of_account(
    connection: &mut AnyConnection,
    account: AccountId,
    first: Date,
) -> Result<Vec<UsageRecord>, AccountStoreError> {
    let rows: Vec<UsageRow> = sqlx::query_as(
        "SELECT day, endpoint, status_class, CAST(SUM(calls) AS BIGINT) AS calls, \
         CAST(SUM(lines) AS BIGINT) AS lines FROM usage \
         WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1) AND day >= $2 \
         GROUP BY day, endpoint, status_class ORDER BY day, endpoint, status_class",
    )
    .bind(account.to_string())
    .bind(first.to_string())
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(UsageRecord::try_from).collect()
}

async fn ensure_key_exists(database: &Database, key: KeyId) -> Result<(), AccountStoreError> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM keys WHERE id = $1")
        .bind(key.to_string())
        .fetch_one(&database.pool)
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
         SELECT column1, column2, column3, column4, column5, column6 FROM (VALUES {}) AS counted \
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

impl TryFrom<UsageRow> for UsageRecord {
    type Error = AccountStoreError;

    fn try_from(row: UsageRow) -> Result<Self, AccountStoreError> {
        let natural = |column, value: i64| {
            u64::try_from(value).map_err(|_| invalid_column(column, &value.to_string()))
        };
        Ok(Self {
            day: parse_column("day", &row.day)?,
            endpoint: row.endpoint,
            status_class: u8::try_from(row.status_class)
                .map_err(|_| invalid_column("status_class", &row.status_class.to_string()))?,
            counts: UsageCounts {
                calls: natural("calls", row.calls)?,
                lines: natural("lines", row.lines)?,
            },
        })
    }
}
