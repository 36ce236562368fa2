//! Creates keys for open accounts, revokes keys for good, and lists keys. The database has only the digests of keys.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Connection as _, Executor, Row as _};

use super::account::{Account, find_open_account};
use super::account_ref::AccountRef;
use super::account_store::{AccountStore, WriteTransaction};
use super::connection::with_timeout;
use super::error::AccountStoreError;
use super::revision::{Revision, read_revision};
use super::rows::{
    invalid_column, parse_column, read_optional_timestamp, read_plan, read_restrictions,
    read_timestamp, truncate_to_seconds,
};
use crate::accounts::{
    AccountId, AccountTag, ApiKey, Environment, KeyDigest, KeyGrant, KeyId, Plans, Restrictions,
};

/// The time limit of the query for the revision, which every key poll runs. The limit is short, because this query detects a dead
/// connection, and a revoked key works until the dead connection is detected.
const REVISION_TIMEOUT: Duration = Duration::from_secs(5);

/// A key as the database stores it, without the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    /// The key's id.
    pub id: KeyId,
    /// The account that the key belongs to.
    #[serde(rename = "account")]
    pub account_id: AccountId,
    /// The environment that the key is for.
    pub environment: Environment,
    /// The parts of the key by which its owner recognises it, such as `pd_live_Ab3dE6gH…x7Yz`.
    pub hint: String,
    /// The restrictions of the key.
    #[serde(flatten)]
    pub restrictions: Restrictions,
    /// When the key was created, in whole seconds.
    pub created_at: Timestamp,
    /// When the key expires, because it was rotated; `None` if it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When the key was revoked; `None` if it was not revoked.
    pub revoked_at: Option<Timestamp>,
}

fn key_hint(environment: Environment, tag: AccountTag, last_four: &str) -> String {
    format!("pd_{environment}_{tag}…{last_four}")
}

/// A key to create.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The account that the key is for.
    pub account_ref: AccountRef,
    /// The environment that the key is for.
    pub environment: Environment,
    /// The restrictions of the key.
    pub restrictions: Restrictions,
}

/// The result of a revocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RevokedKey {
    /// The revoked key.
    #[serde(flatten)]
    pub key: KeyRecord,
    /// True if the key was already revoked. The time of the first revocation then stays.
    pub already_revoked: bool,
}

impl KeyRecord {
    pub(super) fn from_row(row: &AnyRow) -> Result<Self, AccountStoreError> {
        let environment = parse_column(row, "environment")?;
        let last_four = row.try_get("last_four")?;
        Ok(Self {
            id: parse_column(row, "id")?,
            account_id: parse_column(row, "account_id")?,
            environment,
            hint: key_hint(environment, parse_column(row, "tag")?, last_four),
            restrictions: read_restrictions(row)?,
            created_at: read_timestamp(row, "created_at")?,
            expires_at: read_optional_timestamp(row, "expires_at")?,
            revoked_at: read_optional_timestamp(row, "revoked_at")?,
        })
    }
}

/// A key with a changed grant.
pub(crate) struct ChangedKey {
    pub(crate) digest: KeyDigest,
    /// The grant of the key; `None` if it is revoked.
    pub(crate) grant: Result<Option<KeyGrant>, AccountStoreError>,
}

impl ChangedKey {
    fn from_row(row: &AnyRow, plans: &Plans) -> Result<Self, AccountStoreError> {
        Ok(Self {
            digest: read_digest(row)?,
            grant: read_grant(row, plans),
        })
    }
}

pub(super) fn read_digest(row: &AnyRow) -> Result<KeyDigest, AccountStoreError> {
    let digest = KeyDigest::from_hex(row.try_get("digest")?);
    // The error does not quote the digest, because errors are logged.
    digest.ok_or_else(|| invalid_column("digest", "…", "expected 64 hexadecimal digits"))
}

fn read_grant(row: &AnyRow, plans: &Plans) -> Result<Option<KeyGrant>, AccountStoreError> {
    if row.try_get::<Option<i64>, _>("revoked_at")?.is_some() {
        return Ok(None);
    }
    Ok(Some(KeyGrant {
        key_id: parse_column(row, "id")?,
        account_id: parse_column(row, "account_id")?,
        tag: parse_column(row, "tag")?,
        environment: parse_column(row, "environment")?,
        plan: read_plan(row, plans)?,
        billing_anchor: read_timestamp(row, "created_at")?
            .to_zoned(TimeZone::UTC)
            .date(),
        restrictions: read_restrictions(row)?,
        expires_at: read_optional_timestamp(row, "expires_at")?,
    }))
}

/// Creates a key. Only this result has the key itself.
///
/// # Errors
/// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
pub async fn create_key(
    store: &AccountStore,
    new: NewKey,
    now: Timestamp,
) -> Result<(KeyRecord, ApiKey), AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let account = find_open_account(&mut transaction, &new.account_ref).await?;
    let made = insert_key(
        &mut transaction, &account, new.environment, new.restrictions, now,
    )
    .await?;
    transaction.commit().await?;
    Ok(made)
}

/// Revokes a key for good. Every node refuses the key within a second. Revoking a revoked key changes nothing.
///
/// # Errors
/// [`AccountStoreError::UnknownKey`] if no such key exists.
pub async fn revoke_key(
    store: &AccountStore,
    id: KeyId,
    now: Timestamp,
) -> Result<RevokedKey, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let revoke =
        "UPDATE keys SET revoked_at = $1, revision = $2 WHERE id = $3 AND revoked_at IS NULL";
    let revoked = sqlx::query(revoke)
        .bind(now.as_second())
        .bind(transaction.revision)
        .bind(id.to_string())
        .execute(transaction.connection())
        .await?;
    let key = find_key(transaction.connection(), id).await?;
    let already_revoked = revoked.rows_affected() == 0;
    if !already_revoked {
        transaction.commit().await?;
    }
    Ok(RevokedKey {
        key,
        already_revoked,
    })
}

/// The keys of one account or of all accounts, including revoked keys, in the order of their creation.
///
/// # Errors
/// If the database fails.
pub async fn list_keys(
    store: &AccountStore,
    account_id: Option<AccountId>,
) -> Result<Vec<KeyRecord>, AccountStoreError> {
    read_keys(&store.pool, account_id).await
}

pub(super) async fn read_keys<'e>(
    executor: impl Executor<'e, Database = Any>,
    account_id: Option<AccountId>,
) -> Result<Vec<KeyRecord>, AccountStoreError> {
    let records = sqlx::query(
        "SELECT keys.*, tag FROM keys JOIN accounts ON accounts.id = account_id \
         WHERE account_id = $1 OR $1 = '' ORDER BY keys.id",
    )
    .bind(account_id.map(|id| id.to_string()).unwrap_or_default())
    .map(|row| KeyRecord::from_row(&row))
    .fetch_all(executor);
    records.await?.into_iter().collect()
}

/// The current revision of the store.
///
/// # Errors
/// If the database fails, or if its SQLite file was moved or replaced: commands would then change another file.
pub(crate) async fn current_revision(store: &AccountStore) -> Result<Revision, AccountStoreError> {
    store.check_file_unmoved()?;
    let read = async |connection: &mut AnyConnection| {
        with_timeout(REVISION_TIMEOUT, read_revision(connection)).await
    };
    store.with_connection(read).await
}

/// The keys with a grant that has changed since a revision, or all keys.
pub(crate) struct ChangedKeys {
    /// The revision of the store that has these keys.
    pub(crate) revision: Revision,
    /// True if these are all keys that are not revoked, and not only the changed ones.
    pub(crate) are_all_keys: bool,
    /// If a key cannot be read, only its own entry is an error.
    pub(crate) keys: Vec<Result<ChangedKey, AccountStoreError>>,
}

/// The keys that have changed since revision `known`. Returns all keys if `known` is `None`, or if the store does not continue from it,
/// because an older copy of the database is in use. One transaction reads everything, so that the keys are those of the revision: a newer key
/// would stay accepted if an older copy without that key takes over.
pub(crate) async fn load_changed_keys(
    store: &AccountStore,
    known: Option<Revision>,
    plans: &Plans,
) -> Result<ChangedKeys, AccountStoreError> {
    let load = async |connection: &mut AnyConnection| {
        let begin = store.engine.begin_snapshot_statement();
        let mut transaction = connection.begin_with(begin).await?;
        let revision = read_revision(&mut transaction).await?;
        let since = match known {
            Some(known) if known.is_in_history(&mut transaction).await? => known.number,
            _ => 0,
        };
        let keys = select_changed_keys(&mut transaction, since, plans).await?;
        transaction.commit().await?;
        Ok(ChangedKeys {
            revision,
            are_all_keys: since == 0,
            keys,
        })
    };
    store.with_connection(load).await
}

/// The keys that have changed since a revision number; for number 0, all keys that are not revoked.
async fn select_changed_keys(
    connection: &mut AnyConnection,
    since: i64,
    plans: &Plans,
) -> Result<Vec<Result<ChangedKey, AccountStoreError>>, AccountStoreError> {
    let select = sqlx::query(
        "SELECT digest, revoked_at, expires_at, keys.id, account_id, tag, environment, \
         read_only, origins, networks, per_address_per_minute, \
         accounts.created_at AS created_at, plan, calls_per_month, calls_per_second, bulk_max \
         FROM keys JOIN accounts ON accounts.id = account_id \
         WHERE revision > $1 AND (revoked_at IS NULL OR $1 > 0)",
    );
    let changes = select
        .bind(since)
        .map(|row| ChangedKey::from_row(&row, plans));
    Ok(changes.fetch_all(connection).await?)
}

pub(super) async fn find_key(
    connection: &mut AnyConnection,
    id: KeyId,
) -> Result<KeyRecord, AccountStoreError> {
    let select =
        "SELECT keys.*, tag FROM keys JOIN accounts ON accounts.id = account_id WHERE keys.id = $1";
    let row = sqlx::query(select)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    KeyRecord::from_row(&row.ok_or(AccountStoreError::UnknownKey(id))?)
}

pub(super) async fn insert_key(
    transaction: &mut WriteTransaction,
    account: &Account,
    environment: Environment,
    restrictions: Restrictions,
    now: Timestamp,
) -> Result<(KeyRecord, ApiKey), AccountStoreError> {
    let key = ApiKey::generate(environment, account.tag)?;
    let record = KeyRecord {
        id: KeyId::fresh(),
        account_id: account.id,
        environment,
        hint: key_hint(environment, account.tag, key.last_four()),
        restrictions,
        created_at: truncate_to_seconds(now),
        expires_at: None,
        revoked_at: None,
    };
    sqlx::query(
        "INSERT INTO keys (id, account_id, environment, digest, last_four, read_only, origins, networks, \
         per_address_per_minute, created_at, revision) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(record.id.to_string())
    .bind(record.account_id.to_string())
    .bind(environment.as_str())
    .bind(key.digest().to_hex())
    .bind(key.last_four())
    .bind(i64::from(record.restrictions.read_only))
    .bind(record.restrictions.origins.to_string())
    .bind(record.restrictions.networks.to_string())
    .bind(
        record
            .restrictions
            .per_ip_per_minute
            .map(|number| i64::from(number.get())),
    )
    .bind(now.as_second())
    .bind(transaction.revision)
    .execute(transaction.connection())
    .await?;
    Ok((record, key))
}

/// Revokes all keys of an account that are not yet revoked, and returns how many there were.
pub(super) async fn revoke_account_keys(
    transaction: &mut WriteTransaction,
    account: AccountId,
    now: Timestamp,
) -> Result<u64, AccountStoreError> {
    let revoke = "UPDATE keys SET revoked_at = $1, revision = $2 WHERE account_id = $3 AND revoked_at IS NULL";
    let revoked = sqlx::query(revoke)
        .bind(now.as_second())
        .bind(transaction.revision)
        .bind(account.to_string())
        .execute(transaction.connection())
        .await?;
    Ok(revoked.rows_affected())
}

/// Marks all keys of an account that are not revoked as changed, because the grant of a key contains the plan of its account.
pub(super) async fn mark_keys_changed(
    transaction: &mut WriteTransaction,
    account: AccountId,
) -> Result<(), AccountStoreError> {
    sqlx::query("UPDATE keys SET revision = $1 WHERE account_id = $2 AND revoked_at IS NULL")
        .bind(transaction.revision)
        .bind(account.to_string())
        .execute(transaction.connection())
        .await?;
    Ok(())
}
