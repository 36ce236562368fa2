//! Stores accounts and the digests of their keys in the accounts database: SQLite (one node) or PostgreSQL (several nodes).
//!
//! Owns the database, its location and its migrations. Every change of a key makes a new revision in the same transaction. A small query
//! shows a reader whether anything changed, and another query returns the changed keys. Both engines get the same SQL: `$1`
//! placeholders, BIGINT and TEXT, `ON CONFLICT` and `RETURNING`. A request waits for the database only to lease calls, or to show the
//! account of its key.

mod account;
mod account_ref;
mod account_report;
mod account_store;
mod accounts;
mod backup;
mod batch_statements;
mod change_notices;
mod connection;
mod dir_lock;
mod error;
mod keys;
mod leases;
mod location;
mod migrations;
mod notice;
mod notices;
mod outbox;
mod probe;
mod refusals;
mod revision;
mod rotation;
mod rows;
mod usage;

pub use account::{Account, get_account};
pub use account_ref::{AccountRef, BadAccountRef};
pub use account_report::{AccountReport, load_account_report};
pub use account_store::AccountStore;
pub use accounts::{
    ClosedAccount, CreatedAccount, NewAccount, close_account, create_account, list_accounts,
    set_email, set_plan,
};
pub use backup::{BackupContents, BackupError, RestoredBackup, back_up, restore};
pub(crate) use connection::with_timeout;
pub use error::{AccountStoreError, TransactionError};
pub(super) use keys::ChangedKey;
pub use keys::{KeyRecord, NewKey, RevokedKey, create_key, list_keys, revoke_key};
pub(crate) use keys::{current_revision, load_changed_keys};
pub(crate) use leases::{recall_marks, settle_leases};
pub use location::sqlite_file_path;
pub use notice::{AccountChange, Notice, NoticeTopic, QuotaUse};
pub use notices::{claim_notice, count_due_notices, mark_notice_sent, postpone_notice};
pub use probe::check_account_store;
pub use refusals::{
    RefusalCount, RefusalReasonRecord, RefusalRecord, RefusalSlot, RefusalsBySlot, delete_refusals,
};
pub(crate) use revision::Revision;
pub use rotation::{RotatedKey, rotate_key};
pub use usage::{
    AccountUsageRecord, UsageCounts, UsageFilter, UsageRecord, UsageSlot, UsageTotals, add_usage,
    list_usage, list_usage_by_account,
};

#[cfg(test)]
pub(super) use migrations::MIGRATIONS;
