//! A plan: its name, and the numbers that hold for an account with it. The table of all plans is in `plans`.
//!
//! Source: contract.md, Limits: the plan table and rule 5 (lines per bulk request); decisions.md, Plans (enterprise accounts
//! carry their own numbers).

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Endpoint, EndpointSet};

/// The most lines that any bulk request may have. Source: contract.md, Limits, rule 5.
pub(super) const BULK_MAX: NonZeroU16 = NonZeroU16::new(1_000).expect("1000 is not zero");

/// The highest rate that can be told from none; a bucket counts in nanoseconds.
pub(super) const RATE_MAX: NonZeroU32 = NonZeroU32::new(1_000_000).expect("a million is not zero");

/// The name of a plan, in lower case wherever it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the contract's own")]
pub enum PlanName {
    Free,
    Starter,
    Klein,
    Standaard,
    Plus,
    Pro,
    Enterprise,
}

impl PlanName {
    /// Every plan, the smallest first.
    pub const ALL: [Self; 7] = [
        Self::Free,
        Self::Starter,
        Self::Klein,
        Self::Standaard,
        Self::Plus,
        Self::Pro,
        Self::Enterprise,
    ];

    /// The plan's name as it is written: `free` to `enterprise`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Klein => "klein",
            Self::Standaard => "standaard",
            Self::Plus => "plus",
            Self::Pro => "pro",
            Self::Enterprise => "enterprise",
        }
    }
}

impl fmt::Display for PlanName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for PlanName {
    type Err = BadPlan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|plan| plan.as_str() == text);
        found.ok_or_else(|| BadPlan::Unknown(text.to_owned()))
    }
}

impl Serialize for PlanName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a plan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimits {
    /// The bundle: calls per billing month, before any grace.
    pub calls_per_month: NonZeroU32,
    /// Calls above the bundle that are served all the same.
    pub grace: u32,
    /// Calls per second, and the size of the bucket.
    pub calls_per_second: NonZeroU32,
    /// Lines per bulk request, at most 1 000; `None` where the plan has no bulk.
    pub bulk_max: Option<NonZeroU16>,
}

impl PlanLimits {
    /// All calls that are served in a billing month: the bundle and its grace.
    #[must_use]
    pub fn allowance(self) -> u64 {
        u64::from(self.calls_per_month.get()) + u64::from(self.grace)
    }
}

/// The numbers that an account brings itself: needed for enterprise, refused for every other plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CustomLimits {
    /// The bundle: calls per billing month.
    pub calls_per_month: Option<NonZeroU32>,
    /// Calls per second.
    pub calls_per_second: Option<NonZeroU32>,
    /// Lines per bulk request; 1 000 when absent.
    pub bulk_max: Option<NonZeroU16>,
}

/// A plan with the numbers that hold for one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    #[serde(rename = "plan")]
    pub(super) name: PlanName,
    #[serde(flatten)]
    pub(super) limits: PlanLimits,
    #[serde(skip)]
    pub(super) endpoints: EndpointSet,
}

/// A plan that does not exist, or numbers that do not belong to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    /// No plan has this name.
    #[error(
        "unknown plan {0:?}; expected free, starter, klein, standaard, plus, pro or enterprise"
    )]
    Unknown(String),
    /// Enterprise without its bundle or its rate.
    #[error("plan \"enterprise\" needs calls per month and calls per second of its own")]
    CustomLimitsMissing,
    /// Own numbers with a plan that has them fixed.
    #[error(
        "plan \"{0}\" has fixed numbers; only enterprise takes calls per month, calls per second or a bulk maximum"
    )]
    CustomLimitsNotAllowed(PlanName),
    /// A rate above what a bucket can count.
    #[error("{0} calls per second are too many; expected 1 to {RATE_MAX}")]
    RateTooHigh(NonZeroU32),
    /// A bulk maximum above what any request may have.
    #[error("bulk maximum {0} is too high; expected 1 to {BULK_MAX}")]
    BulkTooHigh(NonZeroU16),
}

impl Plan {
    /// The plan's name.
    #[must_use]
    pub fn name(self) -> PlanName {
        self.name
    }

    /// What the plan allows.
    #[must_use]
    pub fn limits(self) -> PlanLimits {
        self.limits
    }

    /// Whether the plan has an endpoint; one without lines has no bulk.
    #[must_use]
    pub fn allows(self, endpoint: Endpoint) -> bool {
        self.endpoints.contains(endpoint)
            && (endpoint != Endpoint::Bulk || self.limits.bulk_max.is_some())
    }

    /// The numbers that have to be kept with the account: none where the name says them all.
    #[must_use]
    pub fn custom_limits(self) -> CustomLimits {
        match self.name {
            PlanName::Enterprise => CustomLimits {
                calls_per_month: Some(self.limits.calls_per_month),
                calls_per_second: Some(self.limits.calls_per_second),
                bulk_max: self.limits.bulk_max,
            },
            _ => CustomLimits::default(),
        }
    }
}
