//! Accounts: made with a live and a test key, found by id or e-mail, moved between plans, closed.

use jiff::Timestamp;
use serde::Serialize;

use super::rows::{AccountRow, plan_columns};
use super::{AccountRef, AccountStore, AccountStoreError, WriteTransaction};
use crate::accounts::{
    AccountId, AccountTag, ApiKey, Email, Environment, Plan, Plans, Restrictions,
};

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Its name.
    pub id: AccountId,
    /// Where notices go; one open account per address.
    pub email: Email,
    /// Its plan, with the numbers that hold for it.
    #[serde(flatten)]
    pub plan: Plan,
    /// The eight characters that all its keys share.
    pub tag: AccountTag,
    /// When it was made, in whole seconds.
    pub created_at: Timestamp,
    /// When it was closed; a closed account has no live keys and takes no changes.
    pub closed_at: Option<Timestamp>,
}

/// What it takes to open an account.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Where notices go.
    pub email: Email,
    /// The plan it starts with.
    pub plan: Plan,
    /// What its first two keys shall be bound to.
    pub restrictions: Restrictions,
}

/// A new account with its first keys. They are nowhere else: what is not shown now is lost.
#[derive(Debug)]
pub struct CreatedAccount {
    /// The account.
    pub account: Account,
    /// Its key for the live environment.
    pub live_key: ApiKey,
    /// Its key for the sandbox.
    pub test_key: ApiKey,
}

/// An account that was closed, and how many keys that killed.
#[derive(Debug)]
pub struct ClosedAccount {
    /// The account, closed.
    pub account: Account,
    /// Keys that worked until now.
    pub revoked_keys: u64,
}

impl AccountStore {
    /// Opens an account with one live and one test key.
    ///
    /// # Errors
    /// [`LedgerError::EmailTaken`] when an open account has the address.
    pub async fn create_account(
        &self,
        new: NewAccount,
        now: Timestamp,
    ) -> Result<CreatedAccount, AccountStoreError> {
        let mut transaction = self.begin_write().await?;
        ensure_email_is_free(&mut transaction, &new.email).await?;
        let restrictions = new.restrictions.clone();
        let account = insert_account(&mut transaction, new, now).await?;
        let [live, test] = [Environment::Live, Environment::Test];
        let (_, live_key) =
            super::keys::insert_key(&mut transaction, &account, live, restrictions.clone(), now)
                .await?;
        let (_, test_key) =
            super::keys::insert_key(&mut transaction, &account, test, restrictions, now).await?;
        transaction.commit().await?;
        Ok(CreatedAccount {
            account,
            live_key,
            test_key,
        })
    }

    /// All accounts, closed ones included, in the order they were made.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_accounts(&self) -> Result<Vec<Account>, AccountStoreError> {
        let rows: Vec<AccountRow> = sqlx::query_as("SELECT * FROM accounts ORDER BY id")
            .fetch_all(&self.pool)
            .await?;
        let plans = self.plans();
        rows.into_iter()
            .map(|row| row.into_account(&plans))
            .collect()
    }

    /// One account.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`] when there is none.
    pub async fn get_account(
        &self,
        account_ref: &AccountRef,
    ) -> Result<Account, AccountStoreError> {
        let mut connection = self.acquire().await?;
        let account = find_account(&mut connection, &self.plans(), account_ref).await;
        connection.release();
        account
    }

    /// Moves an account to another plan; its keys follow within a second.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`], or [`LedgerError::AccountClosed`].
    pub async fn set_plan(
        &self,
        account_ref: &AccountRef,
        plan: Plan,
    ) -> Result<Account, AccountStoreError> {
        let mut transaction = self.begin_write().await?;
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
        super::keys::mark_keys_changed(&mut transaction, account.id).await?;
        transaction.commit().await?;
        account.plan = plan;
        Ok(account)
    }

    /// Closes an account for good and revokes all its keys.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`], or [`LedgerError::AccountClosed`].
    pub async fn close_account(
        &self,
        account_ref: &AccountRef,
        now: Timestamp,
    ) -> Result<ClosedAccount, AccountStoreError> {
        let mut transaction = self.begin_write().await?;
        let mut account = find_open_account(&mut transaction, account_ref).await?;
        sqlx::query("UPDATE accounts SET closed_at = $1 WHERE id = $2")
            .bind(now.as_second())
            .bind(account.id.to_string())
            .execute(transaction.connection())
            .await?;
        let revoked_keys =
            super::keys::revoke_account_keys(&mut transaction, account.id, now).await?;
        transaction.commit().await?;
        account.closed_at = Some(truncate_to_seconds(now));
        Ok(ClosedAccount {
            account,
            revoked_keys,
        })
    }
}

/// Finds an account that can be changed.
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

/// What the ledger keeps of a moment.
pub(super) fn truncate_to_seconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second())
        .expect("the second of a moment is in the same range as the moment")
}

/// An id never holds an `@`, so one text can be compared with both columns.
async fn find_account(
    connection: &mut sqlx::AnyConnection,
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
