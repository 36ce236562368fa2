//! Stores the outbox of notices about the quota. A sent notice is marked and stays in the outbox.

use jiff::Timestamp;

use super::account::{Account, get_account};
use super::account_ref::AccountRef;
use super::database::Database;
use super::error::AccountStoreError;
use super::outbox::Outbox;
use super::rows::{parse_column, parse_integer, parse_timestamp, row_type};
use crate::accounts::AccountId;

/// The id of a notice. There is one notice for each account, billing period and percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoticeId {
    /// The account.
    pub account_id: AccountId,
    /// The start of the billing period.
    pub period_start: Timestamp,
    /// The percentage of the quota that is used: 80 or 100.
    pub percent: u8,
}

/// A notice that this node has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The id of the notice.
    pub id: NoticeId,
    /// The end of the billing period.
    pub period_end: Timestamp,
    /// Calls per month when the notice was created.
    pub quota: u64,
    /// When the notice was created.
    pub created_at: Timestamp,
    /// How often the notice was claimed, including this claim.
    pub attempts: u32,
    /// The recipient, with the account's current data.
    pub account: Account,
}

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

const OUTBOX: Outbox = Outbox {
    table: "notices",
    key: "account_id, period_start, percent",
    condition: "sent_at IS NULL AND period_end > $1",
    columns: "account_id, period_start, percent, period_end, bundle, created_at, attempts",
};

/// Counts the notices that can be sent now. Their accounts are open and their billing periods have not ended.
pub(super) async fn count_due_notices(
    database: &Database,
    now: Timestamp,
) -> Result<u64, AccountStoreError> {
    OUTBOX.count_due(database, now).await
}

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
    let account = parse_column("account_id", &row.account_id)?;
    let number =
        |column, value| parse_integer::<u32>(column, Some(value)).map(Option::unwrap_or_default);
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
        account: get_account(database, &AccountRef::Id(account)).await?,
    })
}

pub(super) async fn mark_notice_sent(
    database: &Database,
    id: NoticeId,
    now: Timestamp,
) -> Result<(), AccountStoreError> {
    update_notice(
        database,
        "UPDATE notices SET sent_at = $1 \
         WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL",
        id,
        now,
    )
    .await
}

pub(super) async fn postpone_notice(
    database: &Database,
    id: NoticeId,
    until: Timestamp,
) -> Result<(), AccountStoreError> {
    update_notice(
        database,
        "UPDATE notices SET not_before = $1 \
         WHERE account_id = $2 AND period_start = $3 AND percent = $4 AND sent_at IS NULL",
        id,
        until,
    )
    .await
}

async fn update_notice(
    database: &Database,
    update: &'static str,
    id: NoticeId,
    moment: Timestamp,
) -> Result<(), AccountStoreError> {
    let mut connection = database.acquire().await?;
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
