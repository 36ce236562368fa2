//! The outbox of notices: claimed by one node at a time, sent, marked; put off when that fails.
//!
//! A claim moves `not_before` into the future in the statement that chooses the row, so of several nodes one gets it, and a
//! node that dies with it gives it back by the passing of time.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::FromRow;

use super::rows::{parse_column, parse_integer, parse_timestamp};
use super::{Account, AccountRef, AccountStore, AccountStoreError};
use crate::accounts::AccountId;

/// How long a claim holds: far longer than sending takes.
const CLAIM_DURATION: Duration = Duration::from_secs(5 * 60);

/// The name of a notice: there is one per account, period and percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoticeId {
    /// Whose bundle.
    pub account_id: AccountId,
    /// When the billing period began.
    pub period_start: Timestamp,
    /// How much of the bundle was used: 80 or 100.
    pub percent: u8,
}

/// A notice that is this node's to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its name.
    pub id: NoticeId,
    /// When the billing period ends.
    pub period_end: Timestamp,
    /// Calls in the bundle when the notice was made.
    pub quota: u64,
    /// When the notice was made.
    pub created_at: Timestamp,
    /// How often it was claimed, this time included.
    pub attempts: u32,
    /// To whom it goes, as it is now.
    pub account: Account,
}

#[derive(FromRow)]
struct NoticeRow {
    account_id: String,
    period_start: i64,
    percent: i64,
    period_end: i64,
    bundle: i64,
    created_at: i64,
    attempts: i64,
}

/// What may be sent at `$1`: a closed account gets nothing, and a period that is over is no news.
const DUE_CONDITION: &str = "sent_at IS NULL AND not_before <= $1 AND period_end > $1 \
     AND account_id IN (SELECT id FROM accounts WHERE closed_at IS NULL)";

impl AccountStore {
    /// How many notices could be sent now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_due_notices(&self, now: Timestamp) -> Result<u64, AccountStoreError> {
        let select = format!("SELECT COUNT(*) FROM notices WHERE {DUE_CONDITION}");
        let mut connection = self.acquire().await?;
        let due: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(select))
            .bind(now.as_second())
            .fetch_one(&mut *connection)
            .await?;
        connection.release();
        Ok(due.unsigned_abs())
    }

    /// Takes one notice that may be sent, so that nobody else takes it for some minutes.
    ///
    /// # Errors
    /// When the database fails, or holds what cannot be read.
    pub async fn claim_notice(&self, now: Timestamp) -> Result<Option<Notice>, AccountStoreError> {
        // What is due is asked twice: PostgreSQL looks at the outer condition again when another node was faster.
        let claim = format!(
            "UPDATE notices SET not_before = $2, attempts = attempts + 1 WHERE {DUE_CONDITION} \
             AND (account_id, period_start, percent) IN (SELECT account_id, period_start, percent \
             FROM notices WHERE {DUE_CONDITION} ORDER BY not_before, account_id, percent LIMIT 1) \
             RETURNING account_id, period_start, percent, period_end, bundle, created_at, attempts"
        );
        let mut connection = self.acquire().await?;
        let row: Option<NoticeRow> = sqlx::query_as(sqlx::AssertSqlSafe(claim))
            .bind(now.as_second())
            .bind((now + CLAIM_DURATION).as_second())
            .fetch_optional(&mut *connection)
            .await?;
        connection.release();
        match row {
            None => Ok(None),
            Some(row) => self.load_notice(row).await.map(Some),
        }
    }

    async fn load_notice(&self, row: NoticeRow) -> Result<Notice, AccountStoreError> {
        let account = parse_column("account_id", &row.account_id)?;
        let number = |column, value| {
            parse_integer::<u32>(column, Some(value)).map(Option::unwrap_or_default)
        };
        let percent = parse_integer::<u8>("percent", Some(row.percent))?.unwrap_or_default();
        Ok(Notice {
            id: NoticeId {
                account_id: account,
                period_start: parse_timestamp("period_start", row.period_start)?,
                percent,
            },
            period_end: parse_timestamp("period_end", row.period_end)?,
            quota: row.bundle.unsigned_abs(),
            created_at: parse_timestamp("created_at", row.created_at)?,
            attempts: number("attempts", row.attempts)?,
            account: self.get_account(&AccountRef::Id(account)).await?,
        })
    }

    /// Remembers that a notice was sent: nobody sends it again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_notice_sent(
        &self,
        id: NoticeId,
        now: Timestamp,
    ) -> Result<(), AccountStoreError> {
        self.update_notice(
            "UPDATE notices SET sent_at = $1 \
             WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL",
            id,
            now,
        )
        .await
    }

    /// Lets a notice that was not sent rest until a moment. From the end of its period on it is never due again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn postpone_notice(
        &self,
        id: NoticeId,
        until: Timestamp,
    ) -> Result<(), AccountStoreError> {
        self.update_notice(
            "UPDATE notices SET not_before = $1 \
             WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL",
            id,
            until,
        )
        .await
    }

    async fn update_notice(
        &self,
        update: &'static str,
        id: NoticeId,
        moment: Timestamp,
    ) -> Result<(), AccountStoreError> {
        let mut connection = self.acquire().await?;
        sqlx::query(update)
            .bind(moment.as_second())
            .bind(id.account_id.to_string())
            .bind(id.period_start.as_second())
            .bind(i64::from(id.percent))
            .execute(&mut *connection)
            .await?;
        connection.release();
        Ok(())
    }
}
