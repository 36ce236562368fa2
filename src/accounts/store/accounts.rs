//! Accounts: made with a live and a test key, found by id or e-mail, moved between plans, closed.

use jiff::Timestamp;
use serde::Serialize;

use super::rows::{AccountRow, number_columns};
use super::{AccountRef, Change, Ledger, LedgerError};
use crate::accounts::{AccountId, Email, Environment, Key, Plan, Plans, Restrictions, Tag};

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
    pub tag: Tag,
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
pub struct OpenedAccount {
    /// The account.
    pub account: Account,
    /// Its key for the live environment.
    pub live_key: Key,
    /// Its key for the sandbox.
    pub test_key: Key,
}

/// An account that was closed, and how many keys that killed.
#[derive(Debug)]
pub struct Closed {
    /// The account, closed.
    pub account: Account,
    /// Keys that worked until now.
    pub revoked_keys: u64,
}

impl Ledger {
    /// Opens an account with one live and one test key.
    ///
    /// # Errors
    /// [`LedgerError::EmailTaken`] when an open account has the address.
    pub async fn create_account(
        &self,
        new: NewAccount,
        now: Timestamp,
    ) -> Result<OpenedAccount, LedgerError> {
        let mut change = self.change().await?;
        refuse_taken(&mut change, &new.email).await?;
        let restrictions = new.restrictions.clone();
        let account = insert(&mut change, new, now).await?;
        let [live, test] = [Environment::Live, Environment::Test];
        let (_, live_key) =
            super::keys::insert(&mut change, &account, live, restrictions.clone(), now).await?;
        let (_, test_key) =
            super::keys::insert(&mut change, &account, test, restrictions, now).await?;
        change.commit().await?;
        Ok(OpenedAccount {
            account,
            live_key,
            test_key,
        })
    }

    /// All accounts, closed ones included, in the order they were made.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn accounts(&self) -> Result<Vec<Account>, LedgerError> {
        let rows: Vec<AccountRow> = sqlx::query_as("SELECT * FROM accounts ORDER BY id")
            .fetch_all(&self.pool)
            .await?;
        let plans = self.plans();
        rows.into_iter().map(|row| row.account(&plans)).collect()
    }

    /// One account.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`] when there is none.
    pub async fn account(&self, wanted: &AccountRef) -> Result<Account, LedgerError> {
        let mut connection = self.lend().await?;
        let account = find(&mut connection, &self.plans(), wanted).await;
        connection.done();
        account
    }

    /// Moves an account to another plan; its keys follow within a second.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`], or [`LedgerError::AccountClosed`].
    pub async fn set_plan(&self, wanted: &AccountRef, plan: Plan) -> Result<Account, LedgerError> {
        let mut change = self.change().await?;
        let mut account = find_open(&mut change, wanted).await?;
        let [calls_per_month, calls_per_second, bulk_max] = number_columns(plan);
        sqlx::query("UPDATE accounts SET plan = $1, calls_per_month = $2, calls_per_second = $3, bulk_max = $4 WHERE id = $5")
            .bind(plan.name().as_str())
            .bind(calls_per_month)
            .bind(calls_per_second)
            .bind(bulk_max)
            .bind(account.id.to_string())
            .execute(change.connection())
            .await?;
        super::keys::touch_all(&mut change, account.id).await?;
        change.commit().await?;
        account.plan = plan;
        Ok(account)
    }

    /// Closes an account for good and revokes all its keys.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`], or [`LedgerError::AccountClosed`].
    pub async fn close_account(
        &self,
        wanted: &AccountRef,
        now: Timestamp,
    ) -> Result<Closed, LedgerError> {
        let mut change = self.change().await?;
        let mut account = find_open(&mut change, wanted).await?;
        sqlx::query("UPDATE accounts SET closed_at = $1 WHERE id = $2")
            .bind(now.as_second())
            .bind(account.id.to_string())
            .execute(change.connection())
            .await?;
        let revoked_keys = super::keys::revoke_all(&mut change, account.id, now).await?;
        change.commit().await?;
        account.closed_at = Some(whole_seconds(now));
        Ok(Closed {
            account,
            revoked_keys,
        })
    }
}

/// Finds an account that can be changed.
pub(super) async fn find_open(
    change: &mut Change,
    wanted: &AccountRef,
) -> Result<Account, LedgerError> {
    let plans = change.plans.clone();
    let account = find(change.connection(), &plans, wanted).await?;
    match account.closed_at {
        None => Ok(account),
        Some(since) => Err(LedgerError::AccountClosed {
            account: account.id,
            since,
        }),
    }
}

/// What the ledger keeps of a moment.
pub(super) fn whole_seconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second())
        .expect("the second of a moment is in the same range as the moment")
}

/// An id never holds an `@`, so one text can be compared with both columns.
async fn find(
    connection: &mut sqlx::AnyConnection,
    plans: &Plans,
    wanted: &AccountRef,
) -> Result<Account, LedgerError> {
    let row: Option<AccountRow> = sqlx::query_as(
        "SELECT * FROM accounts WHERE id = $1 OR email = $1 ORDER BY closed_at IS NOT NULL, closed_at DESC LIMIT 1",
    )
    .bind(wanted.to_string())
    .fetch_optional(connection)
    .await?;
    row.ok_or_else(|| LedgerError::UnknownAccount(wanted.clone()))?
        .account(plans)
}

async fn refuse_taken(change: &mut Change, email: &Email) -> Result<(), LedgerError> {
    match find_open(change, &AccountRef::Email(email.clone())).await {
        Ok(account) => Err(LedgerError::EmailTaken {
            email: email.clone(),
            account: account.id,
        }),
        Err(LedgerError::UnknownAccount(_) | LedgerError::AccountClosed { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn insert(
    change: &mut Change,
    new: NewAccount,
    now: Timestamp,
) -> Result<Account, LedgerError> {
    let [calls_per_month, calls_per_second, bulk_max] = number_columns(new.plan);
    let account = Account {
        id: AccountId::fresh(),
        email: new.email,
        plan: new.plan,
        tag: Tag::random()?,
        created_at: whole_seconds(now),
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
    .execute(change.connection())
    .await?;
    Ok(account)
}
