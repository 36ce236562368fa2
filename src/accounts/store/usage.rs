//! Usage counts: calls and lines per key, UTC day, endpoint and status class, added to by every node and read by people.
//!
//! Adding tells apart what was surely not added, which may be tried again, from what may have been: a count is never doubled.

use std::collections::HashSet;
use std::time::Duration;

use jiff::civil::Date;
use sqlx::{AnyConnection, Connection as _, FromRow};
use tokio::time::timeout;

use super::many_rows::{query_as, values_placeholders};
use super::rows::{invalid_column, parse_column};
use super::{AccountStore, AccountStoreError};
use crate::accounts::{AccountId, KeyId};

/// How long the rows, and then the commit, may take before the database counts as away.
const USAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// Whose calls were counted where: one row of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UsageSlot {
    /// The key that called.
    pub key_id: KeyId,
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's word, such as `lookup`.
    pub endpoint: &'static str,
    /// The first digit of the status.
    pub status_class: u8,
}

/// Calls, and the lines that they asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCounts {
    /// Requests.
    pub calls: u64,
    /// Lines of bulk requests, and one for every other call.
    pub lines: u64,
}

impl std::ops::AddAssign for UsageCounts {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.lines += more.lines;
    }
}

/// Why counts were not added, or may not have been.
#[derive(Debug, thiserror::Error)]
pub enum AddUsageError {
    /// Nothing was added: all of it may be tried again.
    #[error("usage was not added")]
    NotApplied(#[source] AccountStoreError),
    /// The database failed while it was told to commit: all was added, or nothing.
    #[error("whether usage was added is unknown")]
    InDoubt(#[source] AccountStoreError),
}

/// The counts of one day, endpoint and status class, of all the keys that were asked for together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's word, such as `lookup`.
    pub endpoint: String,
    /// The first digit of the status.
    pub status_class: u8,
    /// What was counted.
    pub counts: UsageCounts,
}

/// Whose usage is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageFilter {
    /// Everybody's.
    All,
    /// That of all keys of an account.
    Account(AccountId),
    /// That of one key.
    Key(KeyId),
}

#[derive(FromRow)]
struct UsageRow {
    day: String,
    endpoint: String,
    status_class: i64,
    calls: i64,
    lines: i64,
}

impl AccountStore {
    /// Adds counts in one transaction and returns the keys that the ledger does not know, of which nothing is kept.
    ///
    /// # Errors
    /// [`UsageNotAdded`] when the database fails or does not answer in time.
    pub async fn add_usage(
        &self,
        counts: &[(UsageSlot, UsageCounts)],
    ) -> Result<Vec<KeyId>, AddUsageError> {
        let acquired = with_timeout(self.acquire()).await;
        let mut connection = acquired.map_err(AddUsageError::NotApplied)?;
        let added = self.add_usage_on(&mut connection, counts).await;
        let leads_on = match &added {
            Ok(_) => true,
            Err(AddUsageError::NotApplied(error) | AddUsageError::InDoubt(error)) => {
                matches!(error, AccountStoreError::Database(said) if !self.engine.invalidates_connection(said))
            }
        };
        if leads_on {
            connection.release();
        }
        added
    }

    async fn add_usage_on(
        &self,
        connection: &mut AnyConnection,
        counts: &[(UsageSlot, UsageCounts)],
    ) -> Result<Vec<KeyId>, AddUsageError> {
        let failed = AddUsageError::NotApplied;
        let adding = async {
            let mut transaction = connection.begin_with(self.engine.begin_statement()).await?;
            let unknown = upsert_counts(&mut transaction, counts).await?;
            Ok((transaction, unknown))
        };
        let (transaction, unknown) = with_timeout(adding).await.map_err(failed)?;
        let committing = async { Ok(transaction.commit().await?) };
        with_timeout(committing)
            .await
            .map_err(|error| match &error {
                AccountStoreError::Database(said) if self.engine.was_rolled_back(said) => {
                    failed(error)
                }
                _ => AddUsageError::InDoubt(error),
            })?;
        Ok(unknown)
    }

    /// The counts from a day on, by day, endpoint and status class.
    ///
    /// # Errors
    /// [`LedgerError::UnknownKey`] where one key is asked for that is not there; when the database fails.
    pub async fn list_usage(
        &self,
        filter: UsageFilter,
        since: Date,
    ) -> Result<Vec<UsageRecord>, AccountStoreError> {
        let (account, key) = match filter {
            UsageFilter::All => (String::new(), String::new()),
            UsageFilter::Account(account) => (account.to_string(), String::new()),
            UsageFilter::Key(key) => {
                self.ensure_key_exists(key).await?;
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
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(UsageRecord::try_from).collect()
    }

    async fn ensure_key_exists(&self, key: KeyId) -> Result<(), AccountStoreError> {
        let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM keys WHERE id = $1")
            .bind(key.to_string())
            .fetch_one(&self.pool)
            .await?;
        if found == 0 {
            return Err(AccountStoreError::UnknownKey(key));
        }
        Ok(())
    }
}

async fn with_timeout<T>(
    work: impl Future<Output = Result<T, AccountStoreError>>,
) -> Result<T, AccountStoreError> {
    let late = |_| Err(AccountStoreError::Timeout(USAGE_TIMEOUT));
    timeout(USAGE_TIMEOUT, work).await.unwrap_or_else(late)
}

/// Every node goes through the rows in the same order, so that no two of them wait for each other in a circle. A key that the
/// ledger lacks must not hold up all others: its counts fall away, and it is returned.
async fn upsert_counts(
    connection: &mut AnyConnection,
    counts: &[(UsageSlot, UsageCounts)],
) -> Result<Vec<KeyId>, AccountStoreError> {
    let statement = format!(
        "INSERT INTO usage (key_id, day, endpoint, status_class, calls, lines) \
         SELECT column1, column2, column3, column4, column5, column6 FROM (VALUES {}) AS counted \
         WHERE EXISTS (SELECT 1 FROM keys WHERE id = column1) ORDER BY column1, column2, column3, column4 \
         ON CONFLICT (key_id, day, endpoint, status_class) \
         DO UPDATE SET calls = usage.calls + excluded.calls, lines = usage.lines + excluded.lines \
         RETURNING key_id",
        values_placeholders(counts.len(), 3, 3)
    );
    let mut add = query_as(statement, counts.len());
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

fn to_i64(count: u64) -> i64 {
    i64::try_from(count).expect("nobody makes 2⁶³ calls between two flushes")
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
