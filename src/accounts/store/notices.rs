//! Stores the outbox of notices about the quota. A sent notice is marked and stays in the outbox.

use jiff::Timestamp;

use super::account::get_account;
use super::account_ref::AccountRef;
use super::database::Database;
use super::error::AccountStoreError;
use super::notice::{Notice, NoticeTopic, QuotaUse};
use super::outbox::Outbox;
use super::rows::{parse_column, parse_integer, parse_timestamp, row_type};
use crate::accounts::AccountId;

row_type! {
    struct NoticeRow {
        account_id: String,
        period_start: i64,
        percent: i64,
        period_end: i64,
        bundle: i64,
        created_at: i64,
        attempts: i64,
    }
}

/// The notices of current billing periods that were not sent.
pub(super) const OUTBOX: Outbox = Outbox {
    table: "notices",
    key: "account_id, period_start, percent",
    condition: "sent_at IS NULL AND period_end > $1",
    columns: "account_id, period_start, percent, period_end, bundle, created_at, attempts",
};

pub(super) async fn claim_notice(
    database: &Database,
    now: Timestamp,
) -> Result<Option<Notice>, AccountStoreError> {
    match OUTBOX.claim::<NoticeRow>(database, now).await? {
        None => Ok(None),
        Some(row) => load_notice(database, row).await.map(Some),
    }
}

async fn load_notice(database: &Database, row: NoticeRow) -> Result<Notice, AccountStoreError> {
    let id = parse_column("account_id", &row.account_id)?;
    let account = get_account(database, &AccountRef::Id(id)).await?;
    Ok(Notice {
        account_id: id,
        recipient: account.email,
        topic: NoticeTopic::Quota(QuotaUse {
            period_start: parse_timestamp("period_start", row.period_start)?,
            percent: parse_integer("percent", Some(row.percent))?.unwrap_or_default(),
            quota: row.bundle.unsigned_abs(),
            grace: account.plan.limits().grace,
        }),
        created_at: parse_timestamp("created_at", row.created_at)?,
        give_up_at: parse_timestamp("period_end", row.period_end)?,
        attempts: parse_integer("attempts", Some(row.attempts))?.unwrap_or_default(),
    })
}

/// Marks a notice as sent, so that no node sends it again.
pub(super) const MARK_SENT: &str = "UPDATE notices SET sent_at = $1 \
     WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL";

/// Sets the time of the next attempt.
pub(super) const POSTPONE: &str = "UPDATE notices SET not_before = $1 \
     WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL";

/// Runs [`MARK_SENT`] or [`POSTPONE`] for one notice.
pub(super) async fn update_notice(
    database: &Database,
    update: &'static str,
    account_id: AccountId,
    quota_use: &QuotaUse,
    moment: Timestamp,
) -> Result<(), AccountStoreError> {
    let update = sqlx::query(update)
        .bind(moment.as_second())
        .bind(account_id.to_string())
        .bind(quota_use.period_start.as_second())
        .bind(i64::from(quota_use.percent));
    database.execute(update).await.map(drop)
}
