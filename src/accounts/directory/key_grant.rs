//! What the directory answers: whom a key belongs to, or a refusal that looks the same for every cause.
//!
//! Source: contract.md, Authentication, rule 5; decisions.md, Environments.

use std::num::{NonZeroU16, NonZeroU32};

use jiff::civil::Date;

use crate::accounts::metrics;
use crate::accounts::plan::BULK_MAX;
use crate::accounts::{
    AccountId, AccountTag, ClientInfo, Endpoint, Environment, KeyId, Plan, Restrictions,
};

/// Whom an admitted request belongs to, and what its key may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGrant {
    /// The key's public name, fit for logs.
    pub key_id: KeyId,
    /// The account that pays.
    pub account_id: AccountId,
    /// The account's tag, which is part of the key.
    pub tag: AccountTag,
    /// The environment that the key opens.
    pub environment: Environment,
    /// The account's plan.
    pub plan: Plan,
    /// The day the account was made, in UTC: its billing periods begin on this day of the month.
    pub billing_anchor: Date,
    /// What the key is bound to.
    pub restrictions: Restrictions,
}

impl KeyGrant {
    /// Calls per second.
    #[must_use]
    pub fn calls_per_second(&self) -> NonZeroU32 {
        self.plan.limits().calls_per_second
    }

    /// Whether the key may call an endpoint. The sandbox knows no plans.
    #[must_use]
    pub fn allows(&self, endpoint: Endpoint) -> bool {
        self.environment == Environment::Test || self.plan.allows(endpoint)
    }

    /// Whether the key may be used from where the caller is.
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

    /// The most lines of a bulk request; none where the plan has no bulk. The sandbox knows no plans.
    #[must_use]
    pub fn bulk_max(&self) -> Option<NonZeroU16> {
        match self.environment {
            Environment::Live => self.plan.limits().bulk_max,
            Environment::Test => Some(BULK_MAX),
        }
    }
}

/// The keys that a listener takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedKeys {
    /// Live keys alone: the live listener.
    Live,
    /// Test keys alone: the sandbox listener.
    Test,
    /// Both: the `/api` prefix, where the key decides the environment.
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

/// The key that was sent does not admit. There is one such value, so no answer can give the cause away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid API key")]
pub struct AccessDenied;

/// Why a key was turned away: for the counters, never for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DenialCause {
    /// No key was sent.
    Missing,
    /// What was sent has not the form of a key, or its checksum does not fit.
    Malformed,
    /// No live key: never made, revoked, or of a closed account.
    Unknown,
    /// A live key of another environment.
    Environment,
    /// A live key that is bound to other networks.
    Ip,
    /// A live key that is bound to other web pages, or to servers.
    Origin,
}

impl DenialCause {
    /// Counts one refusal.
    pub(super) fn count(self) {
        let cause = match self {
            Self::Missing => "missing",
            Self::Malformed => "malformed",
            Self::Unknown => "unknown",
            Self::Environment => "environment",
            Self::Ip => "address",
            Self::Origin => "origin",
        };
        metrics::denied_keys(cause).increment(1);
    }
}
