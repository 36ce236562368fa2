//! A table of notices to send. A node claims one, sends it, and deletes or marks it, or postpones it if sending fails.
//!
//! A claim moves `not_before` into the future in the same statement that chooses the row. So only one node gets the row, and
//! the claim of a node that dies expires.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow};

use super::database::Database;
use super::error::AccountStoreError;

/// How long a claim is valid: far longer than sending takes.
const CLAIM_DURATION: Duration = Duration::from_secs(5 * 60);

/// A table with the columns `not_before`, `attempts` and `account_id`.
pub(super) struct Outbox {
    pub(super) table: &'static str,
    /// The columns of its primary key.
    pub(super) key: &'static str,
    /// The SQL condition for rows that can be sent at the time `$1`. Rows must also be past their `not_before`, and of open
    /// accounts.
    pub(super) condition: &'static str,
    /// The columns of a claimed row.
    pub(super) columns: &'static str,
}

impl Outbox {
    /// The number of notices that can be sent.
    pub(super) async fn count_due(
        &self,
        database: &Database,
        now: Timestamp,
    ) -> Result<u64, AccountStoreError> {
        let (table, due) = (self.table, self.due());
        let select = format!("SELECT COUNT(*) FROM {table} WHERE {due}");
        let mut connection = database.acquire().await?;
        let due: i64 = sqlx::query_scalar(AssertSqlSafe(select))
            .bind(now.as_second())
            .fetch_one(&mut *connection)
            .await?;
        connection.release();
        Ok(due.unsigned_abs())
    }

    /// Claims the oldest notice that can be sent, if there is one.
    pub(super) async fn claim<Row>(
        &self,
        database: &Database,
        now: Timestamp,
    ) -> Result<Option<Row>, AccountStoreError>
    where
        Row: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        let Self {
            table,
            key,
            columns,
            ..
        } = self;
        let due = self.due();
        // The condition occurs twice: PostgreSQL checks the outer one again if another node was faster.
        let claim = format!(
            "UPDATE {table} SET not_before = $2, attempts = attempts + 1 WHERE {due} \
             AND ({key}) IN (SELECT {key} FROM {table} WHERE {due} ORDER BY not_before, {key} LIMIT 1) \
             RETURNING {columns}"
        );
        let mut connection = database.acquire().await?;
        let row = sqlx::query_as(AssertSqlSafe(claim))
            .bind(now.as_second())
            .bind((now + CLAIM_DURATION).as_second())
            .fetch_optional(&mut *connection)
            .await?;
        connection.release();
        Ok(row)
    }

    fn due(&self) -> String {
        let condition = self.condition;
        format!(
            "{condition} AND not_before <= $1 AND account_id IN (SELECT id FROM accounts WHERE closed_at IS NULL)"
        )
    }
}
