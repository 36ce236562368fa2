//! Who may call: accounts, their keys and plans, the ledger that keeps them and the directory that answers for them.
//!
//! The [`Ledger`] is the truth, in SQLite or PostgreSQL. The [`KeyDirectory`] holds every live key in memory, so that no
//! request waits for the database, and follows the ledger by its revision number. [`Bundles`] count calls against what a plan
//! allows, by leases from the ledger. This module refuses to know HTTP: it is given bytes and answers with an [`Admission`] or
//! with [`Denied`], which is the same for every cause.
//! The rules come from `contract.md` (Authentication, Limits) and `decisions.md` (Names, Environments, Plans).

mod account_tag;
mod base62;
mod billing_period;
mod client;
mod current_plans;
pub(crate) mod directory;
mod email;
mod endpoint;
mod environment;
mod id;
mod key;
mod lease_size;
pub mod metrics;
mod networks;
mod origins;
mod plan;
mod plans;
mod restrictions;
pub mod store;
#[cfg(test)]
pub(crate) mod tests;
mod trial_key;

pub use account_tag::{AccountTag, BadAccountTag};
pub use billing_period::BillingPeriod;
pub use client::{ClientInfo, SingleHeader};
pub use current_plans::CurrentPlans;
pub use directory::{AcceptedKeys, AccessDenied, KEY_POLL_INTERVAL, KeyDirectory, KeyGrant};
pub use email::{BadEmail, Email};
pub use endpoint::{BadEndpoint, Endpoint, EndpointSet};
pub use environment::{BadEnvironment, Environment};
pub use id::{AccountId, BadId, KeyId};
pub use key::{ApiKey, BadApiKey, KeyDigest};
pub(crate) use lease_size::LeaseDemand;
pub use networks::{BadNetwork, Networks};
pub use origins::{BadOrigin, Origin, Origins};
pub use plan::{BadPlan, CustomLimits, Plan, PlanLimits, PlanName};
pub use plans::{BadPlans, Plans};
pub use restrictions::Restrictions;
pub use store::{
    Account, AccountRef, AccountStore, AccountStoreError, AddUsageError, BackupContents,
    BackupError, BadAccountRef, ClosedAccount, CreatedAccount, KeyRecord, NewAccount, NewKey,
    Notice, NoticeId, RestoredBackup, RevokedKey, UsageCounts, UsageFilter, UsageRecord, UsageSlot,
    back_up, restore, sqlite_file_path,
};
pub use trial_key::TRIAL_KEY;
