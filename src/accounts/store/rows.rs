//! Reads the columns of database rows. An invalid value is an error that names its column.

use std::fmt::Display;
use std::num::{NonZeroU16, NonZeroU32};
use std::str::FromStr;

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::AccountStoreError;
use crate::accounts::{CustomLimits, Plan, PlanName, Plans, Restrictions};

/// The plan of a row with the columns of `accounts`.
pub(super) fn read_plan(row: &AnyRow, plans: &Plans) -> Result<Plan, AccountStoreError> {
    let name: PlanName = parse_column(row, "plan")?;
    let own = CustomLimits {
        calls_per_month: read_optional_integer(row, "calls_per_month")?.and_then(NonZeroU32::new),
        calls_per_second: read_optional_integer(row, "calls_per_second")?.and_then(NonZeroU32::new),
        bulk_max: read_optional_integer(row, "bulk_max")?.and_then(NonZeroU16::new),
    };
    let plan = plans.resolve(name, own);
    plan.map_err(|error| invalid_column("plan", name.as_str(), error))
}

/// The restrictions of a row with the columns of `keys`.
pub(super) fn read_restrictions(row: &AnyRow) -> Result<Restrictions, AccountStoreError> {
    // An unreadable restriction must be an error, because ignoring it would lift the restriction.
    let per_minute =
        match read_optional_integer(row, "per_address_per_minute")? {
            None => None,
            Some(number) => Some(NonZeroU32::new(number).ok_or_else(|| {
                invalid_column("per_address_per_minute", "0", "expected at least 1")
            })?),
        };
    Ok(Restrictions {
        read_only: match row.try_get("read_only")? {
            0_i64 => false,
            1 => true,
            other => {
                let value = other.to_string();
                return Err(invalid_column("read_only", &value, "expected 0 or 1"));
            }
        },
        origins: parse_column(row, "origins")?,
        networks: parse_column(row, "networks")?,
        per_ip_per_minute: per_minute,
    })
}

/// The columns `calls_per_month`, `calls_per_second` and `bulk_max` of an account with this plan.
pub(super) fn plan_columns(plan: Plan) -> [Option<i64>; 3] {
    let own = plan.custom_limits();
    [
        own.calls_per_month.map(|number| number.get().into()),
        own.calls_per_second.map(|number| number.get().into()),
        own.bulk_max.map(|number| number.get().into()),
    ]
}

pub(super) fn parse_column<T: FromStr<Err: Display>>(
    row: &AnyRow,
    column: &'static str,
) -> Result<T, AccountStoreError> {
    let text: &str = row.try_get(column)?;
    text.parse()
        .map_err(|error| invalid_column(column, text, error))
}

pub(super) fn read_timestamp(
    row: &AnyRow,
    column: &'static str,
) -> Result<Timestamp, AccountStoreError> {
    timestamp_from_seconds(column, row.try_get(column)?)
}

pub(super) fn read_optional_timestamp(
    row: &AnyRow,
    column: &'static str,
) -> Result<Option<Timestamp>, AccountStoreError> {
    let seconds: Option<i64> = row.try_get(column)?;
    seconds
        .map(|at| timestamp_from_seconds(column, at))
        .transpose()
}

fn timestamp_from_seconds(
    column: &'static str,
    seconds: i64,
) -> Result<Timestamp, AccountStoreError> {
    Timestamp::from_second(seconds)
        .map_err(|error| invalid_column(column, &seconds.to_string(), error))
}

/// Truncates a time to whole seconds, which is the precision of timestamps in the database.
pub(super) fn truncate_to_seconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second()).expect("whole seconds of a timestamp are in range")
}

/// Rounds a time up to whole seconds.
pub(super) fn ceil_to_seconds(moment: Timestamp) -> Timestamp {
    let has_fraction = moment.subsec_nanosecond() > 0;
    // A whole second after the last timestamp cannot be stored, so the last timestamp is truncated.
    Timestamp::from_second(moment.as_second() + i64::from(has_fraction))
        .unwrap_or_else(|_| truncate_to_seconds(moment))
}

pub(super) fn read_integer<T: TryFrom<i64>>(
    row: &AnyRow,
    column: &'static str,
) -> Result<T, AccountStoreError> {
    parse_integer(column, row.try_get(column)?)
}

fn read_optional_integer<T: TryFrom<i64>>(
    row: &AnyRow,
    column: &'static str,
) -> Result<Option<T>, AccountStoreError> {
    let value: Option<i64> = row.try_get(column)?;
    value.map(|value| parse_integer(column, value)).transpose()
}

fn parse_integer<T: TryFrom<i64>>(
    column: &'static str,
    value: i64,
) -> Result<T, AccountStoreError> {
    let problem = "the number is out of range";
    T::try_from(value).map_err(|_| invalid_column(column, &value.to_string(), problem))
}

/// Converts a count for the database. A count above 2⁶³ - 1 becomes 2⁶³ - 1.
pub(super) fn to_i64(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn invalid_column(
    column: &'static str,
    value: &str,
    problem: impl Display,
) -> AccountStoreError {
    AccountStoreError::InvalidColumn {
        column,
        value: value.to_owned(),
        problem: problem.to_string(),
    }
}
