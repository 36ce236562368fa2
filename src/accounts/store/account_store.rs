//! Stores accounts, keys, usage, leases and notices. The store has one method for each action of the service.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::account::Account;
use super::account_ref::AccountRef;
use super::account_report::{self, AccountReport};
use super::accounts::{ClosedAccount, CreatedAccount, NewAccount};
use super::database::Database;
use super::error::{AccountStoreError, TransactionError};
use super::keys::{KeyRecord, NewKey, RevokedKey};
use super::notice::{Notice, NoticeTopic};
use super::refusals::{RefusalCount, RefusalSlot};
use super::rotation::RotatedKey;
use super::rows::ChangedKeyRow;
use super::usage::{AccountUsageRecord, UsageCounts, UsageFilter, UsageRecord, UsageSlot};
use super::{
    account, accounts, change_notices, keys, leases, location, notices, refusals, rotation, usage,
};
use crate::accounts::{
    AccountId, ApiKey, BillingPeriod, CurrentPlans, Email, KeyId, LeaseRequest, LeaseResult, Plan,
    Plans, RecallMark,
};

/// The accounts database of this process. Clones share the connections.
#[derive(Clone, Debug)]
pub struct AccountStore {
    database: Database,
}

impl AccountStore {
    /// Opens the database at a `sqlite:` or `postgres:` URL and migrates its tables.
    ///
    /// # Errors
    /// If the scheme is unknown, the database cannot be reached or a newer program has changed it.
    pub async fn open(url: &str) -> Result<Self, AccountStoreError> {
        let database = Database::open(url).await?;
        Ok(Self { database })
    }

    /// Opens `accounts.db` in a data folder. An absent file is created so that only its owner can read it.
    ///
    /// # Errors
    /// If the folder does not exist or its database cannot be opened.
    pub async fn open_in_dir(dir: &Path) -> Result<Self, AccountStoreError> {
        Self::open(&location::create_sqlite_file(dir)?).await
    }

    /// Replaces the default plans, which are the plans of the contract.
    #[must_use]
    pub fn with_plans(mut self, plans: CurrentPlans) -> Self {
        self.database.current_plans = plans;
        self
    }

    /// The current plans.
    pub fn plans(&self) -> Arc<Plans> {
        self.database.plans()
    }

    /// The path of the SQLite file, or `PostgreSQL`. Used in messages.
    pub(crate) fn location(&self) -> &str {
        &self.database.location
    }

    /// Closes every connection. SQLite then merges its write-ahead log into the database file.
    pub async fn close(&self) {
        self.database.pool.close().await;
    }

    /// The revision, a number that every change of a key raises by one.
    pub(crate) async fn revision(&self) -> Result<i64, AccountStoreError> {
        self.database.revision().await
    }

    /// Makes the store behave as if several nodes could lease from it.
    #[cfg(test)]
    pub(crate) fn with_shared_leases(mut self) -> Self {
        self.database.is_shared = true;
        self
    }

    #[cfg(test)]
    pub(crate) fn pool(&self) -> &sqlx::AnyPool {
        &self.database.pool
    }

    /// Opens an account with one live and one test key.
    ///
    /// # Errors
    /// [`AccountStoreError::EmailTaken`] if an open account has the e-mail address.
    pub async fn create_account(
        &self,
        new: NewAccount,
        now: Timestamp,
    ) -> Result<CreatedAccount, AccountStoreError> {
        accounts::create_account(&self.database, new, now).await
    }

    /// All accounts, including closed ones, in the order of their creation.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn list_accounts(&self) -> Result<Vec<Account>, AccountStoreError> {
        accounts::list_accounts(&self.database).await
    }

    /// Finds one account.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownAccount`] if there is none.
    pub async fn get_account(
        &self,
        account_ref: &AccountRef,
    ) -> Result<Account, AccountStoreError> {
        account::get_account(&self.database, account_ref).await
    }

    /// Moves an account to another plan. The grants of its keys change within a second.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
    pub async fn set_plan(
        &self,
        account_ref: &AccountRef,
        plan: Plan,
    ) -> Result<Account, AccountStoreError> {
        accounts::set_plan(&self.database, account_ref, plan).await
    }

    /// Changes the e-mail address of an account, and puts a notice to both addresses into the outbox. Setting the current address
    /// changes nothing.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownAccount`], [`AccountStoreError::AccountClosed`] or [`AccountStoreError::EmailTaken`].
    pub async fn set_email(
        &self,
        account_ref: &AccountRef,
        email: Email,
        now: Timestamp,
    ) -> Result<Account, AccountStoreError> {
        accounts::set_email(&self.database, account_ref, email, now).await
    }

    /// Closes an account for good and revokes all its keys.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
    pub async fn close_account(
        &self,
        account_ref: &AccountRef,
        now: Timestamp,
    ) -> Result<ClosedAccount, AccountStoreError> {
        accounts::close_account(&self.database, account_ref, now).await
    }

    /// Creates a key. Only this result has the key itself.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownAccount`] or [`AccountStoreError::AccountClosed`].
    pub async fn create_key(
        &self,
        new: NewKey,
        now: Timestamp,
    ) -> Result<(KeyRecord, ApiKey), AccountStoreError> {
        keys::create_key(&self.database, new, now).await
    }

    /// Revokes a key for good. Every node refuses the key within a second. Revoking a revoked key changes nothing.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownKey`] if there is none.
    pub async fn revoke_key(
        &self,
        id: KeyId,
        now: Timestamp,
    ) -> Result<RevokedKey, AccountStoreError> {
        keys::revoke_key(&self.database, id, now).await
    }

    /// Creates a key that replaces another one, with the same environment and restrictions. Every node refuses the old key from
    /// `expires_at` on. Puts a notice into the outbox. Only this result has the new key itself.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownKey`], [`AccountStoreError::AccountClosed`], [`AccountStoreError::KeyRevoked`] or
    /// [`AccountStoreError::KeyRotated`].
    pub async fn rotate_key(
        &self,
        id: KeyId,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<RotatedKey, AccountStoreError> {
        rotation::rotate_key(&self.database, id, expires_at, now).await
    }

    /// The keys of one account or of all accounts, including revoked keys, in the order of their creation.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn list_keys(
        &self,
        account_id: Option<AccountId>,
    ) -> Result<Vec<KeyRecord>, AccountStoreError> {
        keys::list_keys(&self.database.pool, account_id).await
    }

    /// The keys whose grant has changed since a revision. For revision 0 or lower, returns all keys that are not revoked.
    pub(crate) async fn changed_keys(
        &self,
        since: i64,
    ) -> Result<Vec<ChangedKeyRow>, AccountStoreError> {
        keys::changed_keys(&self.database, since).await
    }

    /// Loads the report of an account for its holder.
    ///
    /// # Errors
    /// If the database fails or does not answer in time.
    pub async fn load_account_report(
        &self,
        account: AccountId,
        period: BillingPeriod,
    ) -> Result<AccountReport, AccountStoreError> {
        account_report::load_account_report(&self.database, account, period).await
    }

    /// Adds counts and refusals in one transaction. Drops the counts and refusals of keys that the database does not know, and returns the
    /// unknown keys that had counts.
    ///
    /// # Errors
    /// If the database fails or does not answer in time.
    pub async fn add_usage(
        &self,
        counts: &[(UsageSlot, UsageCounts)],
        refusals: &[(RefusalSlot, RefusalCount)],
    ) -> Result<Vec<KeyId>, TransactionError> {
        usage::add_usage(&self.database, counts, refusals).await
    }

    /// Deletes the refusals before `first`, the first day to keep, and returns the number of deleted rows.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn delete_refusals(&self, first: Date) -> Result<u64, AccountStoreError> {
        refusals::delete_refusals(&self.database, first).await
    }

    /// The usage from a day on, by day and endpoint.
    ///
    /// # Errors
    /// [`AccountStoreError::UnknownKey`] if the filter names a key that does not exist; another error if the database fails.
    pub async fn list_usage(
        &self,
        filter: UsageFilter,
        since: Date,
    ) -> Result<Vec<UsageRecord>, AccountStoreError> {
        usage::list_usage(&self.database, filter, since).await
    }

    /// The usage of the days from `first` to `last`, by account, day and endpoint.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn list_usage_by_account(
        &self,
        first: Date,
        last: Date,
    ) -> Result<Vec<AccountUsageRecord>, AccountStoreError> {
        usage::list_usage_by_account(&self.database, first, last).await
    }

    /// Settles all requests in one transaction. No two requests may have the same account and period. The result for an account that the
    /// database does not know is `None`.
    pub(crate) async fn settle_leases(
        &self,
        requests: &[LeaseRequest],
        now: Timestamp,
    ) -> Result<Vec<Option<LeaseResult>>, TransactionError> {
        leases::settle_leases(&self.database, requests, now).await
    }

    /// The recall marks that are newer than `since`. Unreadable rows are logged once and skipped.
    pub(crate) async fn recall_marks(
        &self,
        since: Timestamp,
    ) -> Result<Vec<RecallMark>, AccountStoreError> {
        leases::recall_marks(&self.database, since).await
    }

    /// Checks that the database is available and accepts writes. Writes nothing.
    pub(crate) async fn probe(&self) -> Result<(), AccountStoreError> {
        leases::probe(&self.database).await
    }

    /// The number of notices, about quotas and about changes, that can be sent now.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn count_due_notices(&self, now: Timestamp) -> Result<u64, AccountStoreError> {
        let quotas = notices::OUTBOX.count_due(&self.database, now).await?;
        let changes = change_notices::OUTBOX
            .count_due(&self.database, now)
            .await?;
        Ok(quotas + changes)
    }

    /// Claims one notice that can be sent. No other node can claim this notice for some minutes.
    ///
    /// # Errors
    /// If the database fails or the notice cannot be read.
    pub async fn claim_notice(&self, now: Timestamp) -> Result<Option<Notice>, AccountStoreError> {
        // Claims notices of changes first, because there are few of them and their recipients wait for them.
        match change_notices::claim_change_notice(&self.database, now).await? {
            Some(notice) => Ok(Some(notice)),
            None => notices::claim_notice(&self.database, now).await,
        }
    }

    /// Records that a notice was sent, so that no node sends it again. A notice of a change is deleted.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn mark_notice_sent(
        &self,
        notice: &Notice,
        now: Timestamp,
    ) -> Result<(), AccountStoreError> {
        match &notice.topic {
            NoticeTopic::Quota(quota_use) => {
                let (database, account) = (&self.database, notice.account_id);
                notices::update_notice(database, notices::MARK_SENT, account, quota_use, now).await
            }
            NoticeTopic::Change { id, .. } => {
                change_notices::delete_change_notice(&self.database, *id).await
            }
        }
    }

    /// Sets the time of the next attempt to send a notice.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn postpone_notice(
        &self,
        notice: &Notice,
        until: Timestamp,
    ) -> Result<(), AccountStoreError> {
        match &notice.topic {
            NoticeTopic::Quota(quota_use) => {
                let (database, account) = (&self.database, notice.account_id);
                notices::update_notice(database, notices::POSTPONE, account, quota_use, until).await
            }
            NoticeTopic::Change { id, .. } => {
                change_notices::postpone_change_notice(&self.database, *id, until).await
            }
        }
    }
}
