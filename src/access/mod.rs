//! Who may call: accounts, their keys and plans, the ledger that keeps them and the directory that answers for them.
//!
//! The [`Ledger`] is the truth, in SQLite or PostgreSQL. The [`KeyDirectory`] holds every live key in memory, so that no
//! request waits for the database, and follows the ledger by its revision number. [`Bundles`] count calls against what a plan
//! allows, by leases from the ledger. This module refuses to know HTTP: it is given bytes and answers with an [`Admission`] or
//! with [`Denied`], which is the same for every cause.
//! The rules come from `contract.md` (Authentication, Limits) and `decisions.md` (Names, Environments, Plans).

mod address_limit;
mod base62;
mod bundles;
mod caller;
mod client;
mod clock;
mod directory;
mod email;
mod endpoint;
mod environment;
mod gate;
mod id;
mod key;
mod ledger;
pub mod metric;
mod networks;
mod origins;
mod plan;
mod plan_table;
mod plans;
mod rates;
mod restrictions;
mod tag;
#[cfg(test)]
pub(crate) mod tests;
mod trial_key;

pub use address_limit::AddressLimit;
pub use bundles::{BillingPeriod, Bundles, NotNow, Refused, Standing, Taken};
pub use caller::{Caller, Sent};
pub use client::TrustedProxies;
pub use clock::Clock;
pub use directory::{Admission, Allowed, Denied, KeyDirectory, POLL_INTERVAL};
pub use email::{BadEmail, Email};
pub use endpoint::{BadEndpoint, Endpoint, Endpoints};
pub use environment::{BadEnvironment, Environment};
pub use gate::Gate;
pub use id::{AccountId, BadId, KeyId};
pub use key::{BadKey, Key, KeyDigest};
pub use ledger::{
    Account, AccountRef, BadAccountRef, Closed, Contents, CopyError, Counts, KeyRecord, Ledger,
    LedgerError, NewAccount, NewKey, Notice, NoticeId, OpenedAccount, Restored, Revoked,
    UsageNotAdded, UsageOf, UsageRecord, UsageSlot, back_up, restore, sqlite_file,
};
pub use networks::{BadNetwork, Networks};
pub use origins::{BadOrigin, Origin, Origins};
pub use plan::{BadPlan, Limits, OwnNumbers, Plan, PlanName};
pub use plan_table::PlanTable;
pub use plans::{BadPlans, Plans};
pub use rates::{Rate, Rates, SWEEP_INTERVAL, TooFast};
pub use restrictions::Restrictions;
pub use tag::{BadTag, Tag};
pub use trial_key::TRIAL_KEY;
