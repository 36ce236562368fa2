//! Who may call: accounts, their keys and plans, the ledger that keeps them and the directory that answers for them.
//!
//! The [`Ledger`] is the truth, in SQLite or PostgreSQL. The [`KeyDirectory`] holds every live key in memory, so that no
//! request waits for the database, and follows the ledger by its revision number. [`Bundles`] count calls against what a plan
//! allows, by leases from the ledger. This module refuses to know HTTP: it is given bytes and answers with an [`Admission`] or
//! with [`Denied`], which is the same for every cause.
//! The rules come from `contract.md` (Authentication, Limits) and `decisions.md` (Names, Environments, Plans).

mod base62;
mod bundles;
mod clock;
mod directory;
mod email;
mod environment;
mod id;
mod key;
mod ledger;
mod networks;
mod origins;
mod plan;
mod restrictions;
mod tag;
#[cfg(test)]
mod tests;

pub use bundles::{BillingPeriod, Bundles, NotNow, Refused, Standing, Taken};
pub use clock::Clock;
pub use directory::{Admission, Allowed, Denied, KeyDirectory, POLL_INTERVAL};
pub use email::{BadEmail, Email};
pub use environment::{BadEnvironment, Environment};
pub use id::{AccountId, BadId, KeyId};
pub use key::{BadKey, Key, KeyDigest};
pub use ledger::{
    Account, AccountRef, BadAccountRef, Closed, KeyRecord, Ledger, LedgerError, NewAccount, NewKey,
    OpenedAccount, Revoked,
};
pub use networks::{BadNetwork, Networks};
pub use origins::{BadOrigin, Origins};
pub use plan::{BadPlan, Limits, OwnNumbers, Plan, PlanName};
pub use restrictions::Restrictions;
pub use tag::{BadTag, Tag};
