//! Defines a plan: its name, and the limits of an account that has the plan. The table of all plans is in `plans`.
//!
//! Source: contract.md, section Limits: the plan table and rule 5 (lines per bulk request); decisions.md, section Plans (enterprise
//! accounts have custom limits).

use std::num::{NonZeroU16, NonZeroU32};
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Endpoint, EndpointSet};

/// The maximum number of lines of any bulk request. Source: contract.md, section Limits, rule 5.
pub(super) const BULK_MAX: NonZeroU16 = NonZeroU16::new(1_000).expect("1000 is not zero");

/// The highest rate, in calls per second. The rate limiter counts whole nanoseconds for a call, so rounding could change a higher rate by
/// more than 0.1%.
pub(super) const RATE_MAX: NonZeroU32 = NonZeroU32::new(1_000_000).expect("a million is not zero");

postduif_schema::named_enum! {
    /// The name of a plan, which is always in lower case.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum PlanName {
        Free = "free",
        Starter = "starter",
        Klein = "klein",
        Standaard = "standaard",
        Plus = "plus",
        Pro = "pro",
        Enterprise = "enterprise",
    }
}

impl FromStr for PlanName {
    type Err = BadPlan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_name(text).ok_or_else(|| BadPlan::Unknown(text.to_owned()))
    }
}

/// The limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimits {
    /// The quota: calls per billing period, without grace.
    pub calls_per_month: NonZeroU32,
    /// The grace: calls that are served above the quota.
    pub grace: u32,
    /// Calls per second, and the size of a burst.
    pub calls_per_second: NonZeroU32,
    /// Lines per bulk request, at most 1 000; `None` if the plan has no bulk requests.
    pub bulk_max: Option<NonZeroU16>,
}

impl PlanLimits {
    /// All calls that are served in a billing period: quota and grace.
    pub fn allowance(self) -> u64 {
        u64::from(self.calls_per_month.get()) + u64::from(self.grace)
    }
}

/// The custom limits of an account: required for enterprise, refused for every other plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CustomLimits {
    /// The quota: calls per billing period.
    pub calls_per_month: Option<NonZeroU32>,
    /// Calls per second.
    pub calls_per_second: Option<NonZeroU32>,
    /// Lines per bulk request; 1 000 if absent.
    pub bulk_max: Option<NonZeroU16>,
}

/// A plan with its limits for one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) name: PlanName,
    /// The limits as if the plan had every endpoint, because an account keeps its bulk maximum while its plan has no bulk requests.
    pub(super) limits: PlanLimits,
    pub(super) endpoints: EndpointSet,
}

/// An unknown plan, or custom limits that do not fit the plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    /// No plan has this name.
    #[error(
        "unknown plan {0:?}; expected free, starter, klein, standaard, plus, pro or enterprise"
    )]
    Unknown(String),
    /// Enterprise without a quota or a rate.
    #[error(
        "plan \"enterprise\" has no limits by default; give --calls-per-month and --calls-per-second"
    )]
    CustomLimitsMissing,
    /// Custom limits for a plan with fixed limits.
    #[error(
        "plan \"{0}\" has fixed limits; only enterprise accepts calls per month, calls per second or a bulk maximum"
    )]
    CustomLimitsNotAllowed(PlanName),
    /// A rate above `RATE_MAX`.
    #[error("{0} calls per second are too many; expected 1 to {RATE_MAX}")]
    RateTooHigh(NonZeroU32),
    /// A bulk maximum above `BULK_MAX`.
    #[error("bulk maximum {0} is too high; expected 1 to {BULK_MAX}")]
    BulkTooHigh(NonZeroU16),
}

impl Plan {
    /// The plan's name.
    pub fn name(self) -> PlanName {
        self.name
    }

    /// The limits of the plan.
    pub fn limits(self) -> PlanLimits {
        let has_bulk = self.endpoints.contains(Endpoint::Bulk);
        PlanLimits {
            bulk_max: self.limits.bulk_max.filter(|_| has_bulk),
            ..self.limits
        }
    }

    /// True if the plan has an endpoint. A plan without bulk requests does not have the bulk endpoint.
    #[must_use]
    pub fn allows(self, endpoint: Endpoint) -> bool {
        match endpoint {
            Endpoint::Bulk => self.limits().bulk_max.is_some(),
            _ => self.endpoints.contains(endpoint),
        }
    }

    /// The custom limits to store with the account. They are empty if the plan's name alone determines the limits.
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

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            plan: PlanName,
            #[serde(flatten)]
            limits: PlanLimits,
        }
        let fields = Fields {
            plan: self.name,
            limits: self.limits(),
        };
        fields.serialize(serializer)
    }
}
