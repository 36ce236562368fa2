//! Rotates a key: creates a new key with the same environment and restrictions. The old key expires after a grace period.

use jiff::Timestamp;

use super::account::find_open_account;
use super::account_ref::AccountRef;
use super::account_store::AccountStore;
use super::change_notices::insert_change_notice;
use super::error::AccountStoreError;
use super::keys::{KeyRecord, find_key, insert_key};
use super::notice::AccountChange;
use super::rows::{ceil_to_seconds, truncate_to_seconds};
use crate::accounts::{ApiKey, KeyId};

/// A key and its replacement. Only this value has the text of the new key: a key that is not shown now is lost.
#[derive(Debug)]
pub struct RotatedKey {
    /// The old key, with the time at which it expires.
    pub old: KeyRecord,
    /// The new key.
    pub new: KeyRecord,
    /// The text of the new key.
    pub key: ApiKey,
}

/// Creates a key that replaces another one, with the same environment and restrictions. Every node refuses the old key from
/// `expires_at` on. Puts a notice into the outbox. Only this result has the new key itself.
///
/// # Errors
/// [`AccountStoreError::UnknownKey`], [`AccountStoreError::AccountClosed`], [`AccountStoreError::KeyRevoked`] or
/// [`AccountStoreError::KeyRotated`].
pub async fn rotate_key(
    store: &AccountStore,
    id: KeyId,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<RotatedKey, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let mut old = find_key(transaction.connection(), id).await?;
    let account = find_open_account(&mut transaction, &AccountRef::Id(old.account_id)).await?;
    check_rotatable(&old)?;
    let (environment, restrictions) = (old.environment, old.restrictions.clone());
    let (new, key) = insert_key(&mut transaction, &account, environment, restrictions, now).await?;
    // Rounds up, so that the grace period is never shorter than requested. Without a grace period, the key expires at once.
    let expires_at = match expires_at > now {
        true => ceil_to_seconds(expires_at),
        false => truncate_to_seconds(expires_at),
    };
    sqlx::query("UPDATE keys SET expires_at = $1, revision = $2 WHERE id = $3")
        .bind(expires_at.as_second())
        .bind(transaction.revision)
        .bind(id.to_string())
        .execute(transaction.connection())
        .await?;
    old.expires_at = Some(expires_at);
    let change = AccountChange::KeyRotated {
        old_key: old.hint.clone(),
        new_key: new.hint.clone(),
        expires_at,
    };
    insert_change_notice(&mut transaction, account.id, &account.email, &change, now).await?;
    transaction.commit().await?;
    Ok(RotatedKey { old, new, key })
}

/// Refuses a key that is revoked or was already rotated. A second rotation would change the expiry time that the holder of the key knows.
fn check_rotatable(old: &KeyRecord) -> Result<(), AccountStoreError> {
    let key = old.id;
    match (old.revoked_at, old.expires_at) {
        (Some(since), _) => Err(AccountStoreError::KeyRevoked { key, since }),
        (None, Some(at)) => Err(AccountStoreError::KeyRotated { key, at }),
        (None, None) => Ok(()),
    }
}
