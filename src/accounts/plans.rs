//! Holds the table of plans: the plans of the contract, with the changes that the configuration makes.
//!
//! Source: contract.md, section Limits: the plan table, rule 2 (grace) and rule 5 (lines per bulk request); decisions.md, section Plans.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value;

use super::plan::{BULK_MAX, RATE_MAX};
use super::{BadPlan, CustomLimits, Endpoint, EndpointSet, Plan, PlanLimits, PlanName};

/// The grace of paid plans, in percent of the quota.
const GRACE_PERCENT: u8 = 10;

/// The limits of every plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans([PlanTerms; PlanName::ALL.len()]);

/// The limits of one plan. If the calls per month or per second are `None`, each account of the plan has custom limits. If `bulk_max` is
/// `None`, the plan has no bulk requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlanTerms {
    calls_per_month: Option<NonZeroU32>,
    grace_percent: u8,
    calls_per_second: Option<NonZeroU32>,
    bulk_max: Option<NonZeroU16>,
    endpoints: EndpointSet,
}

/// The changes that a configuration makes to one plan. Absent fields keep their default.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanOverride {
    calls_per_month: Option<Value>,
    grace_percent: Option<Value>,
    calls_per_second: Option<Value>,
    /// Lines per bulk request; 0 if the plan has no bulk requests.
    bulk_max: Option<Value>,
    without: Option<Value>,
}

/// An invalid table of plans.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPlans(String);

impl Plans {
    /// The plan of an account with these custom limits.
    ///
    /// # Errors
    /// [`BadPlan`] if enterprise lacks custom limits, if another plan has custom limits, or if the rate or the bulk maximum is too high.
    pub fn resolve(&self, name: PlanName, custom: CustomLimits) -> Result<Plan, BadPlan> {
        if name != PlanName::Enterprise && custom != CustomLimits::default() {
            return Err(BadPlan::CustomLimitsNotAllowed(name));
        }
        let plan_terms = self.0[name as usize];
        let month = custom.calls_per_month.or(plan_terms.calls_per_month);
        let second = custom.calls_per_second.or(plan_terms.calls_per_second);
        let (Some(calls_per_month), Some(calls_per_second)) = (month, second) else {
            return Err(BadPlan::CustomLimitsMissing);
        };
        if calls_per_second > RATE_MAX {
            return Err(BadPlan::RateTooHigh(calls_per_second));
        }
        let bulk_max = custom.bulk_max.or(plan_terms.bulk_max);
        if let Some(bulk_max) = bulk_max.filter(|bulk_max| *bulk_max > BULK_MAX) {
            return Err(BadPlan::BulkTooHigh(bulk_max));
        }
        let grace = u64::from(calls_per_month.get()) * u64::from(plan_terms.grace_percent) / 100;
        let limits = PlanLimits {
            calls_per_month,
            grace: u32::try_from(grace).unwrap_or(u32::MAX),
            calls_per_second,
            bulk_max,
        };
        Ok(Plan {
            name,
            limits,
            endpoints: plan_terms.endpoints,
        })
    }
}

impl PlanTerms {
    fn with_override(self, plan_override: PlanOverride) -> Result<Self, BadPlans> {
        let month = plan_override.calls_per_month;
        let month = number_in("calls_per_month", month, 1..=u32::MAX)?;
        let second = plan_override.calls_per_second;
        let second = number_in("calls_per_second", second, 1..=RATE_MAX.get())?;
        let grace_percent = number_in("grace_percent", plan_override.grace_percent, 0..=100)?;
        let bulk_max = number_in("bulk_max", plan_override.bulk_max, 0..=BULK_MAX.get())?;
        Ok(Self {
            calls_per_month: month.map_or(self.calls_per_month, NonZeroU32::new),
            grace_percent: grace_percent.unwrap_or(self.grace_percent),
            calls_per_second: second.map_or(self.calls_per_second, NonZeroU32::new),
            bulk_max: bulk_max.map_or(self.bulk_max, NonZeroU16::new),
            endpoints: plan_override
                .without
                .map_or(Ok(self.endpoints), |names| endpoints_without(&names))?,
        })
    }
}

/// Parses a limit of a configuration; `None` if the limit is absent.
fn number_in<T: TryFrom<u64> + PartialOrd + fmt::Display>(
    name: &str,
    value: Option<Value>,
    range: RangeInclusive<T>,
) -> Result<Option<T>, BadPlans> {
    let Some(value) = value else { return Ok(None) };
    let number = value.as_u64().and_then(|number| T::try_from(number).ok());
    match number.filter(|number| range.contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(BadPlans(format!(
            "{name} {value} is not valid; expected a whole number from {} to {}",
            range.start(),
            range.end()
        ))),
    }
}

fn endpoints_without(value: &Value) -> Result<EndpointSet, BadPlans> {
    let names: Option<Vec<&str>> = value
        .as_array()
        .and_then(|names| names.iter().map(Value::as_str).collect());
    let names = names.ok_or_else(|| {
        BadPlans(format!(
            "without {value} is not valid; expected a list of endpoints, such as [\"bulk\"]"
        ))
    })?;
    names.into_iter().try_fold(EndpointSet::ALL, |all, name| {
        let endpoint: Endpoint = name
            .parse()
            .map_err(|error| BadPlans(format!("without: {error}")))?;
        Ok(all.without(endpoint))
    })
}

/// Parses the changes to one plan.
fn parse_override(value: Value) -> Result<PlanOverride, BadPlans> {
    if !value.is_object() {
        return Err(BadPlans(format!(
            "{value} is not valid; expected the changes to a plan, such as {{\"calls_per_month\": 1000}}"
        )));
    }
    // Every value of an object is accepted here, so the error is an unknown name, and its text lists the known names.
    serde_json::from_value(value).map_err(|error| BadPlans(error.to_string()))
}

/// The plans of the contract, without changes.
impl Default for Plans {
    fn default() -> Self {
        Self(PlanName::ALL.map(|name| match name {
            PlanName::Free => PlanTerms {
                grace_percent: 0,
                ..plan_terms(500, 3, 0)
            },
            PlanName::Starter => plan_terms(1_000, 5, 25),
            PlanName::Klein => plan_terms(5_000, 10, 100),
            PlanName::Standaard => plan_terms(20_000, 15, 250),
            PlanName::Plus => plan_terms(50_000, 25, 500),
            PlanName::Pro => plan_terms(100_000, 50, 1_000),
            PlanName::Enterprise => plan_terms(0, 0, BULK_MAX.get()),
        }))
    }
}

fn plan_terms(calls_per_month: u32, calls_per_second: u32, bulk_max: u16) -> PlanTerms {
    PlanTerms {
        calls_per_month: NonZeroU32::new(calls_per_month),
        grace_percent: GRACE_PERCENT,
        calls_per_second: NonZeroU32::new(calls_per_second),
        bulk_max: NonZeroU16::new(bulk_max),
        endpoints: EndpointSet::ALL,
    }
}

/// Parses changes to the contract's plans from a JSON object of plans. An empty text changes nothing.
impl FromStr for Plans {
    type Err = BadPlans;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut plans = Self::default();
        if text.is_empty() {
            return Ok(plans);
        }
        let changes: BTreeMap<String, Value> = serde_json::from_str(text).map_err(|error| {
            let place = match error.is_data() {
                true => "the text".to_owned(),
                false => format!("line {}, column {}", error.line(), error.column()),
            };
            BadPlans(format!(
                "{place} is not valid; expected JSON such as {{\"free\": {{\"calls_per_month\": 1000}}}}, or tables in the file"
            ))
        })?;
        for (name, change) in changes {
            let plan: PlanName = name
                .parse()
                .map_err(|error: BadPlan| BadPlans(error.to_string()))?;
            let terms = &mut plans.0[plan as usize];
            *terms = parse_override(change)
                .and_then(|change| terms.with_override(change))
                .map_err(|BadPlans(mistake)| BadPlans(format!("{plan}: {mistake}")))?;
        }
        Ok(plans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(month: u32, second: u32, bulk: u16) -> CustomLimits {
        CustomLimits {
            calls_per_month: NonZeroU32::new(month),
            calls_per_second: NonZeroU32::new(second),
            bulk_max: NonZeroU16::new(bulk),
        }
    }

    #[test]
    fn plans_have_the_numbers_of_the_contract() {
        #[track_caller]
        fn case(name: &str, own: CustomLimits, expected: (u32, u64, u32, u16)) {
            let plans = Plans::default();
            let plan = plans
                .resolve(name.parse().expect("a plan"), own)
                .expect("valid limits");
            let limits = plan.limits();
            let bulk = limits.bulk_max.map_or(0, NonZeroU16::get);
            let (month, second) = (limits.calls_per_month.get(), limits.calls_per_second.get());
            assert_eq!(
                (month, limits.allowance(), second, bulk),
                expected,
                "{name}"
            );
            assert_eq!(
                plans.resolve(plan.name(), plan.custom_limits()),
                Ok(plan),
                "{name}: custom limits rebuild the plan"
            );
            for endpoint in Endpoint::ALL {
                assert_eq!(
                    plan.allows(endpoint),
                    endpoint != Endpoint::Bulk || bulk > 0
                );
            }
        }
        let none = CustomLimits::default();
        case("free", none, (500, 500, 3, 0));
        case("starter", none, (1_000, 1_100, 5, 25));
        case("klein", none, (5_000, 5_500, 10, 100));
        case("standaard", none, (20_000, 22_000, 15, 250));
        case("plus", none, (50_000, 55_000, 25, 500));
        case("pro", none, (100_000, 110_000, 50, 1_000));
        let big = (5_000_000, 5_500_000, 200, 1_000);
        case("enterprise", own(5_000_000, 200, 0), big);
        let odd = (19, 20, 200, 800);
        case("enterprise", own(19, 200, 800), odd);
        let most = u64::from(u32::MAX);
        let all = (u32::MAX, most + most / 10, 1, 1_000);
        case("enterprise", own(u32::MAX, 1, 0), all);
    }

    #[test]
    fn plans_that_do_not_fit_are_refused() {
        #[track_caller]
        fn case(name: PlanName, own: CustomLimits, expected: BadPlan) {
            assert_eq!(Plans::default().resolve(name, own), Err(expected));
        }
        let too_high = NonZeroU16::new(1_001).expect("not zero");
        let missing = || BadPlan::CustomLimitsMissing;
        case(PlanName::Enterprise, own(0, 200, 0), missing());
        case(PlanName::Enterprise, own(5_000, 0, 0), missing());
        let high = BadPlan::BulkTooHigh(too_high);
        case(PlanName::Enterprise, own(5_000, 200, 1_001), high);
        let fast = NonZeroU32::new(1_000_001).expect("not zero");
        let high = BadPlan::RateTooHigh(fast);
        case(PlanName::Enterprise, own(5_000, fast.get(), 0), high);
        let fixed = BadPlan::CustomLimitsNotAllowed;
        case(PlanName::Pro, own(5_000, 0, 0), fixed(PlanName::Pro));
        case(PlanName::Free, own(0, 0, 5), fixed(PlanName::Free));
        let unknown = BadPlan::Unknown("Pro".to_owned());
        assert_eq!("Pro".parse::<PlanName>(), Err(unknown));
    }

    #[test]
    fn a_configuration_changes_only_the_limits_that_it_names() {
        let text = r#"{"free": {"calls_per_month": 750, "bulk_max": 10, "grace_percent": 2},
            "klein": {"without": ["reverse", "bulk"]}, "enterprise": {"calls_per_second": 100}}"#;
        let plans: Plans = text.parse().expect("the configuration is valid");
        let none = CustomLimits::default();
        let plan = |name| plans.resolve(name, none).expect("fixed numbers");
        let free = plan(PlanName::Free).limits();
        assert_eq!((free.allowance(), free.calls_per_second.get()), (765, 3));
        assert_eq!(free.bulk_max, NonZeroU16::new(10));
        let klein = plan(PlanName::Klein);
        let has = [Endpoint::Lookup, Endpoint::Reverse, Endpoint::Bulk].map(|it| klein.allows(it));
        assert_eq!(has, [true, false, false]);
        assert_eq!(klein.limits().bulk_max, None);
        let shown = serde_json::to_value(klein).expect("JSON");
        assert_eq!(shown["bulkMax"], Value::Null);
        assert_eq!(klein.limits().allowance(), 5_500);
        assert_eq!(
            plan(PlanName::Pro),
            Plans::default()
                .resolve(PlanName::Pro, none)
                .expect("fixed")
        );
        let enterprise = plans.resolve(PlanName::Enterprise, own(1_000, 0, 0));
        let enterprise = enterprise.expect("the rate is configured, the quota is custom");
        assert_eq!(enterprise.limits().calls_per_second.get(), 100);
        assert_eq!("".parse(), Ok(Plans::default()));
    }

    #[test]
    fn the_error_for_an_invalid_configuration_says_where_it_is() {
        #[track_caller]
        fn case(text: &str, expected: &str) {
            let BadPlans(mistake) = text
                .parse::<Plans>()
                .expect_err("the configuration is invalid");
            assert!(mistake.contains(expected), "{mistake}");
        }
        case("free", "line 1");
        case(r#"{"gold": {}}"#, r#"unknown plan "gold""#);
        case("free", r#"expected JSON such as {"free""#);
        case("[]", "the text is not valid; expected JSON such as");
        case(
            r#"{"free": 5}"#,
            "free: 5 is not valid; expected the changes to a plan, such as",
        );
        case(
            r#"{"free": {"without": "bulk"}}"#,
            r#"free: without "bulk" is not valid; expected a list of endpoints"#,
        );
        case(r#"{"free": {"calls": 1}}"#, "unknown field `calls`");
        for (limit, value, range) in [
            ("calls_per_month", "0", "1 to 4294967295"),
            ("calls_per_month", "99999999999", "1 to 4294967295"),
            ("calls_per_month", "1.5", "1 to 4294967295"),
            ("bulk_max", "1001", "0 to 1000"),
            ("bulk_max", "-1", "0 to 1000"),
            ("grace_percent", "101", "0 to 100"),
            ("grace_percent", r#""10""#, "0 to 100"),
            ("calls_per_second", "2000000000", "1 to 1000000"),
        ] {
            let expected =
                format!("pro: {limit} {value} is not valid; expected a whole number from {range}");
            case(&format!(r#"{{"pro": {{"{limit}": {value}}}}}"#), &expected);
        }
        let unknown = r#"{"pro": {"without": ["lookups"]}}"#;
        case(unknown, r#"pro: without: unknown endpoint "lookups""#);
    }
}
