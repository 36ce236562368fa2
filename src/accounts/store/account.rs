//! Defines an account as the database stores it, and finds accounts by id or e-mail address.

use jiff::Timestamp;
use serde::Serialize;
use sqlx::AnyConnection;

use super::account_ref::AccountRef;
use super::account_store::{AccountStore, WriteTransaction};
use super::error::AccountStoreError;
use super::rows::{PlanColumns, parse_column, parse_optional_timestamp, parse_timestamp, row_type};
use crate::accounts::{AccountId, AccountTag, Email, Plan, Plans};

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The account's id.
    pub id: AccountId,
    /// The address that notices go to; unique among open accounts.
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

row_type! {
    pub(super) struct AccountRow {
        id: String,
        tag: String,
        email: String,
        created_at: i64,
        closed_at: Option<i64>,
    } + { plan: PlanColumns }
}

impl AccountRow {
    pub(super) fn into_account(self, plans: &Plans) -> Result<Account, AccountStoreError> {
        Ok(Account {
            id: parse_column("id", &self.id)?,
            email: parse_column("email", &self.email)?,
            plan: self.plan.to_plan(plans)?,
            tag: parse_column("tag", &self.tag)?,
            created_at: parse_timestamp("created_at", self.created_at)?,
            closed_at: parse_optional_timestamp("closed_at", self.closed_at)?,
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
    let mut connection = store.acquire().await?;
    let account = find_account(&mut connection, &store.plans(), account_ref).await;
    connection.release();
    account
}

/// Finds an account by id or e-mail address. No id contains an `@`, so one query compares the reference with both columns.
async fn find_account(
    connection: &mut AnyConnection,
    plans: &Plans,
    account_ref: &AccountRef,
) -> Result<Account, AccountStoreError> {
    let row: Option<AccountRow> = sqlx::query_as(
        "SELECT * FROM accounts WHERE id = $1 OR email = $1 ORDER BY closed_at IS NOT NULL, closed_at DESC LIMIT 1",
    )
    .bind(account_ref.to_string())
    .fetch_optional(connection)
    .await?;
    row.ok_or_else(|| AccountStoreError::UnknownAccount(account_ref.clone()))?
        .into_account(plans)
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
