//! Plans and their numbers.
//!
//! Source: contract.md, Limits: the plan table and rule 5 (lines per bulk request); decisions.md, Plans (enterprise accounts
//! carry their own numbers).

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The most lines that any bulk request may have. Source: contract.md, Limits, rule 5.
pub(super) const BULK_MAX: NonZeroU16 = NonZeroU16::new(1_000).expect("1000 is not zero");

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

    /// The numbers of the contract's table; enterprise has none of its own.
    fn limits(self) -> Option<Limits> {
        match self {
            Self::Free => limits(500, 3, 0).map(|limits| Limits { grace: 0, ..limits }),
            Self::Starter => limits(1_000, 5, 25),
            Self::Klein => limits(5_000, 10, 100),
            Self::Standaard => limits(20_000, 15, 250),
            Self::Plus => limits(50_000, 25, 500),
            Self::Pro => limits(100_000, 50, 1_000),
            Self::Enterprise => None,
        }
    }
}

fn limits(calls_per_month: u32, calls_per_second: u32, bulk_max: u16) -> Option<Limits> {
    Some(Limits {
        calls_per_month: NonZeroU32::new(calls_per_month)?,
        grace: calls_per_month / 10,
        calls_per_second: NonZeroU32::new(calls_per_second)?,
        bulk_max: NonZeroU16::new(bulk_max),
    })
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
pub struct Limits {
    /// The bundle: calls per billing month, before any grace.
    pub calls_per_month: NonZeroU32,
    /// Calls above the bundle that are served all the same.
    pub grace: u32,
    /// Calls per second, and the size of the bucket.
    pub calls_per_second: NonZeroU32,
    /// Lines per bulk request, at most 1 000; `None` where the plan has no bulk.
    pub bulk_max: Option<NonZeroU16>,
}

impl Limits {
    /// All calls that are served in a billing month: the bundle and its grace.
    #[must_use]
    pub fn allowance(self) -> u64 {
        u64::from(self.calls_per_month.get()) + u64::from(self.grace)
    }
}

/// The numbers that an account brings itself: needed for enterprise, refused for every other plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnNumbers {
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
    name: PlanName,
    #[serde(flatten)]
    limits: Limits,
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
    NumbersMissing,
    /// Own numbers with a plan that has them fixed.
    #[error(
        "plan \"{0}\" has fixed numbers; only enterprise takes calls per month, calls per second or a bulk maximum"
    )]
    NumbersFixed(PlanName),
    /// A bulk maximum above what any request may have.
    #[error("bulk maximum {0} is too high; expected 1 to {BULK_MAX}")]
    BulkTooHigh(NonZeroU16),
}

impl Plan {
    /// Joins a plan's name with the account's own numbers.
    ///
    /// # Errors
    /// [`BadPlan`] when enterprise lacks its numbers, another plan brings some, or the bulk maximum is above 1 000.
    pub fn new(name: PlanName, own: OwnNumbers) -> Result<Self, BadPlan> {
        let limits = match name.limits() {
            Some(fixed) if own == OwnNumbers::default() => fixed,
            Some(_) => return Err(BadPlan::NumbersFixed(name)),
            None => enterprise(own)?,
        };
        Ok(Self { name, limits })
    }

    /// The plan's name.
    #[must_use]
    pub fn name(self) -> PlanName {
        self.name
    }

    /// What the plan allows.
    #[must_use]
    pub fn limits(self) -> Limits {
        self.limits
    }

    /// The numbers that have to be kept with the account: none where the name says them all.
    #[must_use]
    pub fn own(self) -> OwnNumbers {
        match self.name {
            PlanName::Enterprise => OwnNumbers {
                calls_per_month: Some(self.limits.calls_per_month),
                calls_per_second: Some(self.limits.calls_per_second),
                bulk_max: self.limits.bulk_max,
            },
            _ => OwnNumbers::default(),
        }
    }
}

fn enterprise(own: OwnNumbers) -> Result<Limits, BadPlan> {
    let (Some(calls_per_month), Some(calls_per_second)) =
        (own.calls_per_month, own.calls_per_second)
    else {
        return Err(BadPlan::NumbersMissing);
    };
    let bulk_max = own.bulk_max.unwrap_or(BULK_MAX);
    if bulk_max > BULK_MAX {
        return Err(BadPlan::BulkTooHigh(bulk_max));
    }
    Ok(Limits {
        calls_per_month,
        grace: calls_per_month.get() / 10,
        calls_per_second,
        bulk_max: Some(bulk_max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(month: u32, second: u32, bulk: u16) -> OwnNumbers {
        OwnNumbers {
            calls_per_month: NonZeroU32::new(month),
            calls_per_second: NonZeroU32::new(second),
            bulk_max: NonZeroU16::new(bulk),
        }
    }

    #[test]
    fn plans_have_the_numbers_of_the_contract() {
        #[track_caller]
        fn case(name: &str, own: OwnNumbers, expected: (u32, u32, u16)) {
            let plan = Plan::new(name.parse().expect("a plan"), own).expect("the numbers fit");
            let limits = plan.limits();
            let bulk = limits.bulk_max.map_or(0, NonZeroU16::get);
            assert_eq!(
                (
                    limits.calls_per_month.get(),
                    limits.calls_per_second.get(),
                    bulk
                ),
                expected,
                "{name}"
            );
            assert_eq!(
                Plan::new(plan.name(), plan.own()),
                Ok(plan),
                "{name}: own numbers rebuild the plan"
            );
        }
        let none = OwnNumbers::default();
        case("free", none, (500, 3, 0));
        case("starter", none, (1_000, 5, 25));
        case("klein", none, (5_000, 10, 100));
        case("standaard", none, (20_000, 15, 250));
        case("plus", none, (50_000, 25, 500));
        case("pro", none, (100_000, 50, 1_000));
        case(
            "enterprise",
            own(5_000_000, 200, 0),
            (5_000_000, 200, 1_000),
        );
        case(
            "enterprise",
            own(5_000_000, 200, 800),
            (5_000_000, 200, 800),
        );
    }

    #[test]
    fn plans_that_do_not_fit_are_refused() {
        #[track_caller]
        fn case(name: PlanName, own: OwnNumbers, expected: BadPlan) {
            assert_eq!(Plan::new(name, own), Err(expected));
        }
        let too_high = NonZeroU16::new(1_001).expect("not zero");
        case(
            PlanName::Enterprise,
            own(0, 200, 0),
            BadPlan::NumbersMissing,
        );
        case(
            PlanName::Enterprise,
            own(5_000, 0, 0),
            BadPlan::NumbersMissing,
        );
        case(
            PlanName::Enterprise,
            own(5_000, 200, 1_001),
            BadPlan::BulkTooHigh(too_high),
        );
        case(
            PlanName::Pro,
            own(5_000, 0, 0),
            BadPlan::NumbersFixed(PlanName::Pro),
        );
        case(
            PlanName::Free,
            own(0, 0, 5),
            BadPlan::NumbersFixed(PlanName::Free),
        );
        assert_eq!(
            "Pro".parse::<PlanName>(),
            Err(BadPlan::Unknown("Pro".to_owned()))
        );
    }
}
