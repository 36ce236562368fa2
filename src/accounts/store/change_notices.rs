//! Stores the outbox of notices about a change of an account: a key was rotated, or the e-mail address was changed.
//!
//! A row names its recipient, because a notice may go to an address that the account no longer has. A row is deleted once its notice is
//! sent. If the notice is never sent, the row is deleted at the first change of any account after the row's `give_up_at`.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::account_store::{AccountStore, WriteTransaction};
use super::error::AccountStoreError;
use super::notice::{AccountChange, Notice, NoticeTopic};
use super::outbox::Outbox;
use super::rows::{
    invalid_column, parse_column, read_integer, read_optional_timestamp, read_timestamp,
};
use crate::accounts::{AccountId, Email};

/// The minimum time for which the service tries to send a notice. For a rotated key, it tries at least until the key expires.
const SENDING_PERIOD: Duration = Duration::from_secs(7 * 86_400);

const KEY_ROTATED: &str = "key_rotated";
const EMAIL_CHANGED: &str = "email_changed";

/// The notices that the service still tries to send.
pub(super) const OUTBOX: Outbox = Outbox {
    table: "change_notices",
    key: "id",
    condition: "give_up_at > $1",
    columns: "id, account_id, recipient, kind, old_value, new_value, expires_at, created_at, give_up_at, attempts",
};

/// Inserts a notice in the transaction of the change. Deletes all notices that have passed their `give_up_at`.
pub(super) async fn insert_change_notice(
    transaction: &mut WriteTransaction,
    account: AccountId,
    recipient: &Email,
    change: &AccountChange,
    now: Timestamp,
) -> Result<(), AccountStoreError> {
    let (kind, old_value, new_value, expires_at) = match change {
        AccountChange::KeyRotated {
            old_key,
            new_key,
            expires_at,
        } => (
            KEY_ROTATED,
            old_key.as_str(),
            new_key.as_str(),
            Some(*expires_at),
        ),
        AccountChange::EmailChanged {
            old_email,
            new_email,
        } => (EMAIL_CHANGED, old_email.as_str(), new_email.as_str(), None),
    };
    sqlx::query("DELETE FROM change_notices WHERE give_up_at <= $1")
        .bind(now.as_second())
        .execute(transaction.connection())
        .await?;
    let give_up_at = (now + SENDING_PERIOD).max(expires_at.unwrap_or(now));
    sqlx::query(
        "INSERT INTO change_notices (id, account_id, recipient, kind, old_value, new_value, expires_at, \
         created_at, not_before, give_up_at, attempts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, 0)",
    )
    .bind(Uuid::now_v7().to_string())
    .bind(account.to_string())
    .bind(recipient.as_str())
    .bind(kind)
    .bind(old_value)
    .bind(new_value)
    .bind(expires_at.map(Timestamp::as_second))
    .bind(now.as_second())
    .bind(give_up_at.as_second())
    .execute(transaction.connection())
    .await?;
    Ok(())
}

pub(super) async fn claim_change_notice(
    store: &AccountStore,
    now: Timestamp,
) -> Result<Option<Notice>, AccountStoreError> {
    let row = OUTBOX.claim(store, now).await?;
    row.as_ref().map(read_notice).transpose()
}

/// Deletes a notice that was sent.
pub(super) async fn delete_change_notice(
    store: &AccountStore,
    id: Uuid,
) -> Result<(), AccountStoreError> {
    let delete = sqlx::query("DELETE FROM change_notices WHERE id = $1").bind(id.to_string());
    store.execute(delete).await.map(drop)
}

pub(super) async fn postpone_change_notice(
    store: &AccountStore,
    id: Uuid,
    until: Timestamp,
) -> Result<(), AccountStoreError> {
    let update = sqlx::query("UPDATE change_notices SET not_before = $1 WHERE id = $2")
        .bind(until.as_second())
        .bind(id.to_string());
    store.execute(update).await.map(drop)
}

fn read_notice(row: &AnyRow) -> Result<Notice, AccountStoreError> {
    Ok(Notice {
        account_id: parse_column(row, "account_id")?,
        recipient: parse_column(row, "recipient")?,
        created_at: read_timestamp(row, "created_at")?,
        give_up_at: read_timestamp(row, "give_up_at")?,
        attempts: read_integer(row, "attempts")?,
        topic: NoticeTopic::Change {
            id: parse_column(row, "id")?,
            change: read_change(row)?,
        },
    })
}

fn read_change(row: &AnyRow) -> Result<AccountChange, AccountStoreError> {
    let kind: &str = row.try_get("kind")?;
    match (kind, read_optional_timestamp(row, "expires_at")?) {
        (KEY_ROTATED, Some(expires_at)) => Ok(AccountChange::KeyRotated {
            old_key: parse_column(row, "old_value")?,
            new_key: parse_column(row, "new_value")?,
            expires_at,
        }),
        (EMAIL_CHANGED, None) => Ok(AccountChange::EmailChanged {
            old_email: parse_column(row, "old_value")?,
            new_email: parse_column(row, "new_value")?,
        }),
        _ => Err(invalid_column("kind", kind, "unknown kind of change")),
    }
}
