//! Defines an account as the database stores it, and finds accounts by id or e-mail address.

use jiff::Timestamp;
use serde::Serialize;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::account_ref::AccountRef;
use super::account_store::{AccountStore, WriteTransaction};
use super::error::AccountStoreError;
use super::rows::{parse_column, read_optional_timestamp, read_plan, read_timestamp};
use crate::accounts::{AccountId, AccountTag, Email, Plan, Plans};

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The account's id.
    pub id: AccountId,
    /// The e-mail address that notices go to; unique among open accounts.
    pub email: Email,
    /// The account's plan, with its limits.
    #[serde(flatten)]
    pub plan: Plan,
    /// The eight characters that all keys of the account contain.
    pub tag: AccountTag,
    /// When the account was created, in whole seconds.
    pub created_at: Timestamp,
    /// When the account was closed. A closed account has no keys in force and cannot be changed.
    pub closed_at: Option<Timestamp>,
}

impl Account {
    pub(super) fn from_row(row: &AnyRow, plans: &Plans) -> Result<Self, AccountStoreError> {
        Ok(Self {
            id: parse_column(row, "id")?,
            email: parse_column(row, "email")?,
            plan: read_plan(row, plans)?,
            tag: parse_column(row, "tag")?,
            created_at: read_timestamp(row, "created_at")?,
            closed_at: read_optional_timestamp(row, "closed_at")?,
        })
    }
}

/// Finds one account.
///
/// # Errors
/// [`AccountStoreError::UnknownAccount`] if no such account exists.
pub async fn get_account(
    store: &AccountStore,
    account_ref: &AccountRef,
) -> Result<Account, AccountStoreError> {
    let plans = store.plans();
    store
        .with_connection(async |connection| find_account(connection, &plans, account_ref).await)
        .await
}

/// Finds an account by id or e-mail address. No id contains an `@`, so one query compares the reference with both columns.
async fn find_account(
    connection: &mut AnyConnection,
    plans: &Plans,
    account_ref: &AccountRef,
) -> Result<Account, AccountStoreError> {
    let row = sqlx::query(
        "SELECT * FROM accounts WHERE id = $1 OR email = $1 ORDER BY closed_at IS NOT NULL, closed_at DESC LIMIT 1",
    )
    .bind(account_ref.to_string())
    .fetch_optional(connection)
    .await?;
    let row = row.ok_or_else(|| AccountStoreError::UnknownAccount(account_ref.clone()))?;
    Account::from_row(&row, plans)
}

/// Finds an open account. Closed accounts cannot be changed.
pub(super) async fn find_open_account(
    transaction: &mut WriteTransaction,
    account_ref: &AccountRef,
) -> Result<Account, AccountStoreError> {
    let plans = transaction.plans.clone();
    let account = find_account(transaction.connection(), &plans, account_ref).await?;
    match account.closed_at {
        None => Ok(account),
        Some(since) => Err(AccountStoreError::AccountClosed {
            account: account.id,
            since,
        }),
    }
}
