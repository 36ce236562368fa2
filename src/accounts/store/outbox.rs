//! Claims notices from a table of notices to send. A node claims one notice, sends it, and then deletes or marks it. If sending fails, the
//! node postpones the notice.
//!
//! A claim moves `not_before` into the future in the same statement that chooses the row, so only one node gets the row. If that node
//! dies, its claim expires.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyRow;

use super::account_store::AccountStore;
use super::error::AccountStoreError;

/// How long a claim is valid. Sending takes far less time.
const CLAIM_DURATION: Duration = Duration::from_secs(5 * 60);

/// A table with the columns `not_before`, `attempts` and `account_id`.
pub(super) struct Outbox {
    pub(super) table: &'static str,
    /// The columns of the table's primary key.
    pub(super) key: &'static str,
    /// The SQL condition for rows that can be sent at the time `$1`. In addition, the `not_before` of a row must have passed, and its
    /// account must be open.
    pub(super) condition: &'static str,
    /// The columns that a claim returns.
    pub(super) columns: &'static str,
}

impl Outbox {
    /// The number of notices that can be sent.
    pub(super) async fn count_due(
        &self,
        store: &AccountStore,
        now: Timestamp,
    ) -> Result<u64, AccountStoreError> {
        let (table, due) = (self.table, self.due());
        let select = format!("SELECT COUNT(*) FROM {table} WHERE {due}");
        let count = sqlx::query_scalar(AssertSqlSafe(select)).bind(now.as_second());
        let due: i64 = store
            .with_connection(async |connection| Ok(count.fetch_one(connection).await?))
            .await?;
        Ok(due.unsigned_abs())
    }

    /// Claims the oldest notice that can be sent, if there is one.
    pub(super) async fn claim(
        &self,
        store: &AccountStore,
        now: Timestamp,
    ) -> Result<Option<AnyRow>, AccountStoreError> {
        let Self {
            table,
            key,
            columns,
            ..
        } = self;
        let due = self.due();
        // The condition occurs twice, because PostgreSQL checks the outer condition again if another node claimed the row first.
        let claim = format!(
            "UPDATE {table} SET not_before = $2, attempts = attempts + 1 WHERE {due} \
             AND ({key}) IN (SELECT {key} FROM {table} WHERE {due} ORDER BY not_before, {key} LIMIT 1) \
             RETURNING {columns}"
        );
        let claim = sqlx::query(AssertSqlSafe(claim))
            .bind(now.as_second())
            .bind((now + CLAIM_DURATION).as_second());
        store
            .with_connection(async |connection| Ok(claim.fetch_optional(connection).await?))
            .await
    }

    fn due(&self) -> String {
        let condition = self.condition;
        format!(
            "{condition} AND not_before <= $1 AND account_id IN (SELECT id FROM accounts WHERE closed_at IS NULL)"
        )
    }
}
