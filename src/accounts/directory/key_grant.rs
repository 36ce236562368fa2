//! Defines the result of authentication: the grant of a key, or a denial that is the same for every cause.
//!
//! Source: contract.md, section Authentication, rule 5; decisions.md, section Environments.

use std::num::{NonZeroU16, NonZeroU32};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::accounts::metrics;
use crate::accounts::plan::BULK_MAX;
use crate::accounts::{
    AccountId, AccountTag, ClientInfo, Endpoint, Environment, KeyId, Plan, Restrictions,
};

/// The account of an authenticated request, and what its key allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGrant {
    /// The key's id, which may be logged.
    pub key_id: KeyId,
    /// The account of the key. Metered calls are charged to its quota.
    pub account_id: AccountId,
    /// The account's tag, which is part of the key.
    pub tag: AccountTag,
    /// The environment that the key is for.
    pub environment: Environment,
    /// The account's plan.
    pub plan: Plan,
    /// The day in UTC on which the account was created. Its billing periods begin on this day of the month.
    pub billing_anchor: Date,
    /// The restrictions of the key.
    pub restrictions: Restrictions,
    /// When the key expires; `None` if it does not.
    pub expires_at: Option<Timestamp>,
}

impl KeyGrant {
    /// The account of the built-in keys. The database has no row for it.
    pub(in crate::accounts) const BUILT_IN_ACCOUNT: AccountId = AccountId::reserved(0);

    /// Calls per second.
    pub fn calls_per_second(&self) -> NonZeroU32 {
        self.plan.limits().calls_per_second
    }

    /// True if the key has expired at `now`.
    pub(super) fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// True if calls are charged to the account's quota and counted. Calls with test keys and built-in keys are not.
    pub fn is_metered(&self) -> bool {
        self.environment == Environment::Live && self.account_id != Self::BUILT_IN_ACCOUNT
    }

    /// True if the key may read its account: a live key for servers, with full rights. Other kinds of keys may be known to people other
    /// than the account's holder.
    #[must_use]
    pub fn shows_account(&self) -> bool {
        let Restrictions {
            read_only, origins, ..
        } = &self.restrictions;
        self.is_metered() && !read_only && origins.is_empty()
    }

    /// True if the key may call an endpoint. Plans do not apply in the sandbox.
    #[must_use]
    pub fn allows(&self, endpoint: Endpoint) -> bool {
        self.environment == Environment::Test || self.plan.allows(endpoint)
    }

    /// Checks that the key may be used from this client.
    pub(super) fn check_restrictions(&self, client: &ClientInfo<'_>) -> Result<(), DenialCause> {
        let Restrictions {
            networks, origins, ..
        } = &self.restrictions;
        if !networks.is_empty() && !networks.contains(client.client_ip) {
            return Err(DenialCause::Ip);
        }
        if !origins.allows(client) {
            return Err(DenialCause::Origin);
        }
        Ok(())
    }

    /// The maximum number of lines of a bulk request; `None` if the plan has no bulk requests. In the sandbox it is `BULK_MAX` with any
    /// plan.
    pub fn bulk_max(&self) -> Option<NonZeroU16> {
        match self.environment {
            Environment::Live => self.plan.limits().bulk_max,
            Environment::Test => Some(BULK_MAX),
        }
    }
}

/// The keys that a listener accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedKeys {
    /// Live keys only: the live listener.
    Live,
    /// Test keys only: the sandbox listener.
    Test,
    /// Live keys and test keys: the `/api` prefix, where the key selects the environment.
    Any,
}

impl AcceptedKeys {
    pub(super) fn accepts(self, environment: Environment) -> bool {
        match self {
            Self::Live => environment == Environment::Live,
            Self::Test => environment == Environment::Test,
            Self::Any => true,
        }
    }
}

/// Access is denied. All causes share this one value, so no response can reveal the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid API key")]
pub struct AccessDenied;

postduif_schema::named_enum! {
    /// Why a key was denied. Metrics count the causes; a response never reveals one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum DenialCause {
        /// The request has no key.
        Missing = "missing",
        /// The text does not have the form of a key, or its checksum is wrong.
        Malformed = "malformed",
        /// The key is not in force: it was never created, was revoked or has expired, or its account is closed.
        Unknown = "unknown",
        /// The key is in force, but in the other environment.
        Environment = "environment",
        /// The key is in force, but restricted to other networks.
        Ip = "ip",
        /// The key is in force, but restricted to other origins, or to servers.
        Origin = "origin",
    }
}

impl DenialCause {
    /// Counts one denial.
    pub(super) fn count(self) {
        metrics::DENIED_KEYS.counter(self.as_str()).increment(1);
    }
}
