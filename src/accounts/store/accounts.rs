//! Creates accounts with a live and a test key, lists accounts, changes their plan or e-mail address, and closes them.

use jiff::Timestamp;

use super::account::{Account, find_open_account};
use super::account_ref::AccountRef;
use super::account_store::{AccountStore, WriteTransaction};
use super::change_notices::insert_change_notice;
use super::error::AccountStoreError;
use super::keys::{insert_key, mark_keys_changed, revoke_account_keys};
use super::notice::AccountChange;
use super::rows::{plan_columns, truncate_to_seconds};
use crate::accounts::{AccountId, AccountTag, ApiKey, Email, Environment, Plan, Restrictions};

/// An account to create.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The e-mail address that notices go to.
    pub email: Email,
    /// The plan that the account starts with.
    pub plan: Plan,
    /// The restrictions of the account's first two keys.
    pub restrictions: Restrictions,
}

/// A new account with its first keys. Only this value has the text of the keys: a key that is not shown now is lost.
#[derive(Debug)]
pub struct CreatedAccount {
    /// The account.
    pub account: Account,
    /// The account's key for the live environment.
    pub live_key: ApiKey,
    /// The account's key for the sandbox.
    pub test_key: ApiKey,
}

/// A closed account, and how many keys the closing revoked.
#[derive(Debug)]
pub struct ClosedAccount {
    /// The account, which is now closed.
    pub account: Account,
    /// Keys that were in force until the account was closed.
    pub revoked_keys: u64,
}

/// Opens an account with one live and one test key.
///
/// # Errors
/// [`AccountStoreError::EmailTaken`] if an open account has the e-mail address.
pub async fn create_account(
    store: &AccountStore,
    new: NewAccount,
    now: Timestamp,
) -> Result<CreatedAccount, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    ensure_email_is_free(&mut transaction, &new.email).await?;
    let restrictions = new.restrictions.clone();
    let account = insert_account(&mut transaction, new, now).await?;
    let [live, test] = [Environment::Live, Environment::Test];
    let (_, live_key) =
        insert_key(&mut transaction, &account, live, restrictions.clone(), now).await?;
    let (_, test_key) = insert_key(&mut transaction, &account, test, restrictions, now).await?;
    transaction.commit().await?;
    Ok(CreatedAccount {
        account,
        live_key,
        test_key,
    })
}

/// All accounts, including closed ones, in the order of their creation.
///
/// # Errors
/// If the database fails.
pub async fn list_accounts(store: &AccountStore) -> Result<Vec<Account>, AccountStoreError> {
    let plans = store.plans();
    let accounts = sqlx::query("SELECT * FROM accounts ORDER BY id")
        .map(|row| Account::from_row(&row, &plans))
        .fetch_all(&store.pool);
    accounts.await?.into_iter().collect()
}

/// Moves an account to another plan. The grants of its keys change within a second.
///
/// # Errors
/// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
pub async fn set_plan(
    store: &AccountStore,
    account_ref: &AccountRef,
    plan: Plan,
) -> Result<Account, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let mut account = find_open_account(&mut transaction, account_ref).await?;
    let [calls_per_month, calls_per_second, bulk_max] = plan_columns(plan);
    sqlx::query("UPDATE accounts SET plan = $1, calls_per_month = $2, calls_per_second = $3, bulk_max = $4 WHERE id = $5")
        .bind(plan.name().as_str())
        .bind(calls_per_month)
        .bind(calls_per_second)
        .bind(bulk_max)
        .bind(account.id.to_string())
        .execute(transaction.connection())
        .await?;
    mark_keys_changed(&mut transaction, account.id).await?;
    transaction.commit().await?;
    account.plan = plan;
    Ok(account)
}

/// Changes the e-mail address of an account, and puts a notice to both addresses into the outbox. Setting the current address
/// changes nothing.
///
/// # Errors
/// [`AccountStoreError::UnknownAccount`], [`AccountStoreError::AccountClosed`] or [`AccountStoreError::EmailTaken`].
pub async fn set_email(
    store: &AccountStore,
    account_ref: &AccountRef,
    email: Email,
    now: Timestamp,
) -> Result<Account, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let mut account = find_open_account(&mut transaction, account_ref).await?;
    if account.email == email {
        return Ok(account);
    }
    ensure_email_is_free(&mut transaction, &email).await?;
    sqlx::query("UPDATE accounts SET email = $1 WHERE id = $2")
        .bind(email.as_str())
        .bind(account.id.to_string())
        .execute(transaction.connection())
        .await?;
    let old_email = std::mem::replace(&mut account.email, email.clone());
    let change = AccountChange::EmailChanged {
        old_email: old_email.clone(),
        new_email: email.clone(),
    };
    for recipient in [old_email, email] {
        insert_change_notice(&mut transaction, account.id, &recipient, &change, now).await?;
    }
    transaction.commit().await?;
    Ok(account)
}

/// Closes an account for good and revokes all its keys.
///
/// # Errors
/// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
pub async fn close_account(
    store: &AccountStore,
    account_ref: &AccountRef,
    now: Timestamp,
) -> Result<ClosedAccount, AccountStoreError> {
    let mut transaction = store.begin_write().await?;
    let mut account = find_open_account(&mut transaction, account_ref).await?;
    sqlx::query("UPDATE accounts SET closed_at = $1 WHERE id = $2")
        .bind(now.as_second())
        .bind(account.id.to_string())
        .execute(transaction.connection())
        .await?;
    let revoked_keys = revoke_account_keys(&mut transaction, account.id, now).await?;
    transaction.commit().await?;
    account.closed_at = Some(truncate_to_seconds(now));
    Ok(ClosedAccount {
        account,
        revoked_keys,
    })
}

async fn ensure_email_is_free(
    transaction: &mut WriteTransaction,
    email: &Email,
) -> Result<(), AccountStoreError> {
    match find_open_account(transaction, &AccountRef::Email(email.clone())).await {
        Ok(account) => Err(AccountStoreError::EmailTaken {
            email: email.clone(),
            account: account.id,
        }),
        Err(AccountStoreError::UnknownAccount(_) | AccountStoreError::AccountClosed { .. }) => {
            Ok(())
        }
        Err(error) => Err(error),
    }
}

async fn insert_account(
    transaction: &mut WriteTransaction,
    new: NewAccount,
    now: Timestamp,
) -> Result<Account, AccountStoreError> {
    let [calls_per_month, calls_per_second, bulk_max] = plan_columns(new.plan);
    let account = Account {
        id: AccountId::fresh(),
        email: new.email,
        plan: new.plan,
        tag: AccountTag::random()?,
        created_at: truncate_to_seconds(now),
        closed_at: None,
    };
    sqlx::query(
        "INSERT INTO accounts (id, tag, email, plan, calls_per_month, calls_per_second, bulk_max, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(account.id.to_string())
    .bind(account.tag.to_string())
    .bind(account.email.to_string())
    .bind(account.plan.name().as_str())
    .bind(calls_per_month)
    .bind(calls_per_second)
    .bind(bulk_max)
    .bind(now.as_second())
    .execute(transaction.connection())
    .await?;
    Ok(account)
}
