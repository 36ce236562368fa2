//! Converts database rows. An invalid value is an error that names its column.

use std::num::{NonZeroU16, NonZeroU32};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::AccountStoreError;
use crate::accounts::{CustomLimits, KeyDigest, KeyGrant, Plan, PlanName, Plans, Restrictions};

/// Defines a struct that is read from a database row: each field from the column of the same name. The fields after `+` are rows
/// themselves, and read their columns from the same database row.
///
/// sqlx has a derive macro for this. That macro compiles sqlx and both of its drivers a second time, for the build.
macro_rules! row_type {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident { $($column:ident: $type:ty,)* } $(+ { $($part:ident: $part_type:ty),* })?
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($column: $type,)*
            $($($part: $part_type,)*)?
        }

        impl<'row> sqlx::FromRow<'row, sqlx::any::AnyRow> for $name {
            fn from_row(row: &'row sqlx::any::AnyRow) -> sqlx::Result<Self> {
                Ok(Self {
                    $($column: sqlx::Row::try_get(row, stringify!($column))?,)*
                    $($($part: sqlx::FromRow::from_row(row)?,)*)?
                })
            }
        }
    };
}

pub(super) use row_type;

row_type! {
    pub(super) struct PlanColumns {
        plan: String,
        calls_per_month: Option<i64>,
        calls_per_second: Option<i64>,
        bulk_max: Option<i64>,
    }
}

row_type! {
    pub(super) struct RestrictionColumns {
        read_only: i64,
        origins: String,
        networks: String,
        per_address_per_minute: Option<i64>,
    }
}

row_type! {
    /// A row that the directory reads: a key with a changed grant.
    pub(crate) struct ChangedKeyRow {
        digest: String,
        revoked_at: Option<i64>,
        expires_at: Option<i64>,
        id: String,
        account_id: String,
        tag: String,
        environment: String,
        account_created_at: i64,
    } + { restrictions: RestrictionColumns, plan: PlanColumns }
}

impl PlanColumns {
    pub(super) fn to_plan(&self, plans: &Plans) -> Result<Plan, AccountStoreError> {
        let name: PlanName = parse_column("plan", &self.plan)?;
        let own = CustomLimits {
            calls_per_month: parse_integer::<u32>("calls_per_month", self.calls_per_month)?
                .and_then(NonZeroU32::new),
            calls_per_second: parse_integer::<u32>("calls_per_second", self.calls_per_second)?
                .and_then(NonZeroU32::new),
            bulk_max: parse_integer::<u16>("bulk_max", self.bulk_max)?.and_then(NonZeroU16::new),
        };
        let plan = plans.resolve(name, own);
        plan.map_err(|_| invalid_column("plan", &self.plan))
    }
}

impl TryFrom<RestrictionColumns> for Restrictions {
    type Error = AccountStoreError;

    fn try_from(row: RestrictionColumns) -> Result<Self, AccountStoreError> {
        // An unreadable restriction must be an error, because ignoring it would lift the restriction.
        let per_minute = row.per_address_per_minute.map(|number| {
            let natural = u32::try_from(number).ok().and_then(NonZeroU32::new);
            natural.ok_or_else(|| invalid_column("per_address_per_minute", &number.to_string()))
        });
        Ok(Self {
            read_only: match row.read_only {
                0 => false,
                1 => true,
                other => return Err(invalid_column("read_only", &other.to_string())),
            },
            origins: parse_column("origins", &row.origins)?,
            networks: parse_column("networks", &row.networks)?,
            per_ip_per_minute: per_minute.transpose()?,
        })
    }
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

impl ChangedKeyRow {
    /// The key's digest. An error does not quote the digest, because errors are logged.
    pub(crate) fn digest(&self) -> Result<KeyDigest, AccountStoreError> {
        KeyDigest::from_hex(&self.digest).ok_or_else(|| invalid_column("digest", "…"))
    }

    /// The grant of the key; `None` if it is revoked.
    pub(crate) fn into_grant(self, plans: &Plans) -> Result<Option<KeyGrant>, AccountStoreError> {
        if self.revoked_at.is_some() {
            return Ok(None);
        }
        Ok(Some(KeyGrant {
            key_id: parse_column("id", &self.id)?,
            account_id: parse_column("account_id", &self.account_id)?,
            tag: parse_column("tag", &self.tag)?,
            environment: parse_column("environment", &self.environment)?,
            plan: self.plan.to_plan(plans)?,
            billing_anchor: parse_timestamp("created_at", self.account_created_at)?
                .to_zoned(TimeZone::UTC)
                .date(),
            restrictions: self.restrictions.try_into()?,
            expires_at: parse_optional_timestamp("expires_at", self.expires_at)?,
        }))
    }
}

pub(super) fn parse_column<T: std::str::FromStr>(
    column: &'static str,
    text: &str,
) -> Result<T, AccountStoreError> {
    text.parse().map_err(|_| invalid_column(column, text))
}

pub(super) fn parse_timestamp(
    column: &'static str,
    seconds: i64,
) -> Result<Timestamp, AccountStoreError> {
    Timestamp::from_second(seconds).map_err(|_| invalid_column(column, &seconds.to_string()))
}

pub(super) fn parse_optional_timestamp(
    column: &'static str,
    seconds: Option<i64>,
) -> Result<Option<Timestamp>, AccountStoreError> {
    seconds.map(|at| parse_timestamp(column, at)).transpose()
}

/// Truncates a time to whole seconds, which is the precision of timestamps in the database.
pub(super) fn truncate_to_seconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second()).expect("whole seconds of a timestamp are in range")
}

pub(super) fn parse_integer<T: TryFrom<i64>>(
    column: &'static str,
    value: Option<i64>,
) -> Result<Option<T>, AccountStoreError> {
    let read =
        |value: i64| T::try_from(value).map_err(|_| invalid_column(column, &value.to_string()));
    value.map(read).transpose()
}

/// Converts a count for the database. The result is at most 2⁶³ - 1.
pub(super) fn to_i64(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn invalid_column(column: &'static str, value: &str) -> AccountStoreError {
    AccountStoreError::InvalidColumn {
        column,
        value: value.to_owned(),
    }
}
