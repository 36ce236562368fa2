//! Claims notices from both outboxes, and stores the outbox of notices about the quota. A sent notice about the quota is marked and stays
//! in its outbox; a sent notice of a change is deleted.

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::account::get_account;
use super::account_ref::AccountRef;
use super::account_store::AccountStore;
use super::change_notices;
use super::error::AccountStoreError;
use super::notice::{Notice, NoticeTopic, QuotaUse};
use super::outbox::Outbox;
use super::rows::{parse_column, read_integer, read_timestamp};
use crate::accounts::AccountId;

/// The notices about the quota that were not sent, and that are about a billing period that has not ended.
const OUTBOX: Outbox = Outbox {
    table: "notices",
    key: "account_id, period_start, percent",
    condition: "sent_at IS NULL AND period_end > $1",
    columns: "account_id, period_start, percent, period_end, bundle, created_at, attempts",
};

/// The number of notices, about quotas and about changes, that can be sent now.
///
/// # Errors
/// If the database fails.
pub async fn count_due_notices(
    store: &AccountStore,
    now: Timestamp,
) -> Result<u64, AccountStoreError> {
    let quotas = OUTBOX.count_due(store, now).await?;
    let changes = change_notices::OUTBOX.count_due(store, now).await?;
    Ok(quotas + changes)
}

/// Claims one notice that can be sent. No other node can claim this notice for some minutes.
///
/// # Errors
/// If the database fails or the notice cannot be read.
pub async fn claim_notice(
    store: &AccountStore,
    now: Timestamp,
) -> Result<Option<Notice>, AccountStoreError> {
    // Claims notices of changes first, because there are few of them and their recipients wait for them.
    if let Some(notice) = change_notices::claim_change_notice(store, now).await? {
        return Ok(Some(notice));
    }
    match OUTBOX.claim(store, now).await? {
        None => Ok(None),
        Some(row) => load_notice(store, &row).await.map(Some),
    }
}

async fn load_notice(store: &AccountStore, row: &AnyRow) -> Result<Notice, AccountStoreError> {
    let id = parse_column(row, "account_id")?;
    let account = get_account(store, &AccountRef::Id(id)).await?;
    Ok(Notice {
        account_id: id,
        recipient: account.email,
        topic: NoticeTopic::Quota(QuotaUse {
            period_start: read_timestamp(row, "period_start")?,
            percent: read_integer(row, "percent")?,
            quota: row.try_get::<i64, _>("bundle")?.unsigned_abs(),
            grace: account.plan.limits().grace,
        }),
        created_at: read_timestamp(row, "created_at")?,
        give_up_at: read_timestamp(row, "period_end")?,
        attempts: read_integer(row, "attempts")?,
    })
}

/// Records that a notice was sent, so that no node sends it again.
///
/// # Errors
/// If the database fails.
pub async fn mark_notice_sent(
    store: &AccountStore,
    notice: &Notice,
    now: Timestamp,
) -> Result<(), AccountStoreError> {
    match &notice.topic {
        NoticeTopic::Quota(quota_use) => {
            update_quota_notice(store, "sent_at", notice.account_id, quota_use, now).await
        }
        NoticeTopic::Change { id, .. } => change_notices::delete_change_notice(store, *id).await,
    }
}

/// Sets the time of the next attempt to send a notice.
///
/// # Errors
/// If the database fails.
pub async fn postpone_notice(
    store: &AccountStore,
    notice: &Notice,
    until: Timestamp,
) -> Result<(), AccountStoreError> {
    match &notice.topic {
        NoticeTopic::Quota(quota_use) => {
            update_quota_notice(store, "not_before", notice.account_id, quota_use, until).await
        }
        NoticeTopic::Change { id, .. } => {
            change_notices::postpone_change_notice(store, *id, until).await
        }
    }
}

/// Sets a column of a notice that was not sent.
async fn update_quota_notice(
    store: &AccountStore,
    column: &'static str,
    account_id: AccountId,
    quota_use: &QuotaUse,
    moment: Timestamp,
) -> Result<(), AccountStoreError> {
    let update = format!(
        "UPDATE notices SET {column} = $1 \
         WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL"
    );
    let update = sqlx::query(AssertSqlSafe(update))
        .bind(moment.as_second())
        .bind(account_id.to_string())
        .bind(quota_use.period_start.as_second())
        .bind(i64::from(quota_use.percent));
    store.execute(update).await.map(drop)
}
