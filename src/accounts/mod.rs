//! Manages accounts with their keys and plans, stores them in a database, and authenticates keys.
//!
//! The [`AccountStore`] is the source of truth, in SQLite or PostgreSQL. The [`KeyDirectory`] holds every key in force in memory, so that
//! no request waits for the database. It follows the store by the store's revision number. This module does not know HTTP: it gets the
//! bytes of a key and returns a [`KeyGrant`] or [`AccessDenied`]. The denial is the same for every cause. The rules come from `contract.md`
//! (Authentication, Limits) and `decisions.md` (Names, Environments, Plans).

mod account_tag;
mod base62;
mod billing_period;
mod built_in_key;
mod client;
mod current_plans;
pub(crate) mod directory;
mod email;
mod endpoint;
mod environment;
mod id;
mod key;
mod lease;
pub mod metrics;
mod networks;
mod origins;
mod plan;
mod plans;
mod restrictions;
pub mod store;
#[cfg(test)]
pub(crate) mod tests;

pub use account_tag::{AccountTag, BadAccountTag};
pub use billing_period::BillingPeriod;
pub use built_in_key::{PUBLIC_LIVE_KEY, TRIAL_KEY};
pub use client::{ClientInfo, SingleHeader};
pub use current_plans::CurrentPlans;
pub(crate) use directory::KeyTable;
pub use directory::{AcceptedKeys, AccessDenied, KEY_POLL_INTERVAL, KeyDirectory, KeyGrant};
pub use email::{BadEmail, Email};
pub use endpoint::{BadEndpoint, Endpoint, EndpointSet};
pub use environment::{BadEnvironment, Environment};
pub use id::{AccountId, BadId, KeyId};
pub use key::{ApiKey, BadApiKey, KeyDigest, mask_keys};
pub(crate) use lease::{LeaseDemand, LeaseRequest, LeaseResult, RecallMark};
pub use networks::{BadNetwork, Networks};
pub use origins::{BadOrigin, Origin, Origins};
pub use plan::{BadPlan, CustomLimits, Plan, PlanLimits, PlanName};
pub use plans::{BadPlans, Plans};
pub use restrictions::Restrictions;
pub use store::{
    Account, AccountChange, AccountRef, AccountReport, AccountStore, AccountStoreError,
    AccountUsageRecord, BackupContents, BackupError, BadAccountRef, ClosedAccount, CreatedAccount,
    KeyRecord, NewAccount, NewKey, Notice, NoticeTopic, QuotaUse, RefusalCount,
    RefusalReasonRecord, RefusalRecord, RefusalSlot, RefusalsBySlot, RestoredBackup, RevokedKey,
    RotatedKey, TransactionError, UsageCounts, UsageFilter, UsageRecord, UsageSlot, UsageTotals,
    add_usage, back_up, check_account_store, claim_notice, close_account, count_due_notices,
    create_account, create_key, delete_refusals, get_account, list_accounts, list_keys, list_usage,
    list_usage_by_account, load_account_report, mark_notice_sent, postpone_notice, restore,
    revoke_key, rotate_key, set_email, set_plan, sqlite_file_path,
};
pub(crate) use store::{
    Revision, current_revision, load_changed_keys, recall_marks, settle_leases, with_timeout,
};
