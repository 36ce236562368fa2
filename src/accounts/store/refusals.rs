//! Counts refused requests per key, UTC day, endpoint, reason and status, with the time of the last request in each row. Every node adds
//! its refusals together with its usage; the holder of the account reads them.
//!
//! The table has counts and not a list, so a client that is refused a thousand times a second costs one row a day, with any number of
//! nodes and across restarts.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::account_store::AccountStore;
use super::batch_statements::{query_rows, values_placeholders};
use super::connection::with_timeout;
use super::error::AccountStoreError;
use super::rows::{parse_column, read_integer, read_timestamp, to_i64};
use crate::accounts::{AccountId, KeyId};

/// How long deleting old rows may take.
const DELETION_TIMEOUT: Duration = Duration::from_secs(30);

/// The columns that identify one row of the table `refusals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RefusalSlot {
    /// The key that called.
    pub key_id: KeyId,
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's name, such as `lookup`.
    pub endpoint: &'static str,
    /// The error code of the response, such as `rate_limit_exceeded`.
    pub reason: &'static str,
    /// The status of the response.
    pub status: u16,
}

/// Refused requests, and the time of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusalCount {
    /// The number of requests.
    #[serde(rename = "calls")]
    pub requests: u64,
    /// When the last of these requests was answered. The database keeps whole seconds.
    pub last_at: Timestamp,
}

impl RefusalCount {
    /// A count of one request.
    pub fn one(answered_at: Timestamp) -> Self {
        Self {
            requests: 1,
            last_at: answered_at,
        }
    }
}

impl std::ops::AddAssign for RefusalCount {
    fn add_assign(&mut self, more: Self) {
        self.requests += more.requests;
        self.last_at = self.last_at.max(more.last_at);
    }
}

/// Counts of refusals by row of the table `refusals`.
pub type RefusalsBySlot = HashMap<RefusalSlot, RefusalCount>;

/// Refusals of one day, endpoint, reason and status, summed over the keys of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusalRecord {
    /// The day, in UTC.
    pub day: Date,
    /// The endpoint's name, such as `lookup`.
    pub endpoint: String,
    /// The reason, the status and the sum.
    #[serde(flatten)]
    pub refused: RefusalReasonRecord,
}

/// Refusals with one reason and status, summed over the keys of an account. In a [`RefusalRecord`] they are of one day and endpoint;
/// otherwise they are summed over all days and endpoints too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusalReasonRecord {
    /// The error code of the responses.
    pub reason: String,
    /// The status of the responses.
    pub status: u16,
    /// The number of refusals, and the time of the last one.
    #[serde(flatten)]
    pub count: RefusalCount,
}

impl RefusalRecord {
    fn from_row(row: &AnyRow) -> Result<Self, AccountStoreError> {
        Ok(Self {
            day: parse_column(row, "day")?,
            endpoint: parse_column(row, "endpoint")?,
            refused: RefusalReasonRecord::from_row(row)?,
        })
    }
}

impl RefusalReasonRecord {
    fn from_row(row: &AnyRow) -> Result<Self, AccountStoreError> {
        Ok(Self {
            reason: parse_column(row, "reason")?,
            status: read_integer(row, "status")?,
            count: RefusalCount {
                requests: read_integer(row, "requests")?,
                last_at: read_timestamp(row, "last_at")?,
            },
        })
    }
}

/// Adds refusals to the rows, and drops refusals of unknown keys. All nodes add rows in the same order, so that they never deadlock.
pub(super) async fn upsert_refusals(
    connection: &mut AnyConnection,
    refusals: &[(RefusalSlot, RefusalCount)],
) -> Result<(), AccountStoreError> {
    if refusals.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "INSERT INTO refusals (key_id, day, endpoint, reason, status, requests, last_at) \
         SELECT column1, column2, column3, column4, column5, column6, column7 FROM (VALUES {}) AS rows \
         WHERE EXISTS (SELECT 1 FROM keys WHERE id = column1) \
         ORDER BY column1, column2, column3, column4, column5 \
         ON CONFLICT (key_id, day, endpoint, reason, status) \
         DO UPDATE SET requests = refusals.requests + excluded.requests, last_at = \
         CASE WHEN excluded.last_at > refusals.last_at THEN excluded.last_at ELSE refusals.last_at END \
         RETURNING key_id",
        values_placeholders(refusals.len(), 4, 3)
    );
    let mut add = query_rows(statement, refusals.len());
    for (slot, count) in refusals {
        add = add
            .bind(slot.key_id.to_string())
            .bind(slot.day.to_string())
            .bind(slot.endpoint)
            .bind(slot.reason)
            .bind(i64::from(slot.status))
            .bind(to_i64(count.requests))
            .bind(count.last_at.as_second());
    }
    let _: Vec<(String,)> = add.fetch_all(connection).await?;
    Ok(())
}

/// The refusals of an account since `first_day`, at most `limit` of them. The latest refusal is first.
pub(super) async fn find_refusals(
    connection: &mut AnyConnection,
    account: AccountId,
    first_day: Date,
    limit: u16,
) -> Result<Vec<RefusalRecord>, AccountStoreError> {
    let records = sqlx::query(
        "SELECT day, endpoint, reason, status, CAST(SUM(requests) AS BIGINT) AS requests, \
         MAX(last_at) AS last_at FROM refusals \
         WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1) AND day >= $2 \
         GROUP BY day, endpoint, reason, status \
         ORDER BY MAX(last_at) DESC, day DESC, endpoint, reason, status LIMIT $3",
    )
    .bind(account.to_string())
    .bind(first_day.to_string())
    .bind(i64::from(limit))
    .map(|row| RefusalRecord::from_row(&row))
    .fetch_all(connection);
    records.await?.into_iter().collect()
}

/// The refusals of an account since `first_day`, summed by reason and status. The most frequent reason is first.
pub(super) async fn count_refusals_by_reason(
    connection: &mut AnyConnection,
    account: AccountId,
    first_day: Date,
) -> Result<Vec<RefusalReasonRecord>, AccountStoreError> {
    let records = sqlx::query(
        "SELECT reason, status, CAST(SUM(requests) AS BIGINT) AS requests, \
         MAX(last_at) AS last_at FROM refusals \
         WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1) AND day >= $2 \
         GROUP BY reason, status ORDER BY SUM(requests) DESC, reason, status",
    )
    .bind(account.to_string())
    .bind(first_day.to_string())
    .map(|row| RefusalReasonRecord::from_row(&row))
    .fetch_all(connection);
    records.await?.into_iter().collect()
}

/// Deletes the refusals before `first_day`, the first day to keep, and returns the number of deleted rows.
///
/// # Errors
/// If the database fails.
pub async fn delete_refusals(
    store: &AccountStore,
    first_day: Date,
) -> Result<u64, AccountStoreError> {
    let delete = sqlx::query("DELETE FROM refusals WHERE day < $1").bind(first_day.to_string());
    with_timeout(DELETION_TIMEOUT, store.execute(delete)).await
}
