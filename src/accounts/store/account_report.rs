//! Loads the report of an account for its holder: keys, the calls of a billing period, and refused requests.
//!
//! One connection reads the whole report within a time limit: any client with a live key can request a report, and must not keep the
//! database busy.

use std::time::Duration;

use sqlx::AnyConnection;

use super::account_store::AccountStore;
use super::connection::with_timeout;
use super::error::AccountStoreError;
use super::keys::{KeyRecord, read_keys};
use super::refusals::{
    RefusalReasonRecord, RefusalRecord, count_refusals_by_reason, find_refusals,
};
use super::usage::{UsageFilter, UsageRecord, read_usage};
use crate::accounts::{AccountId, BillingPeriod};

/// How long loading a report may take before the database counts as unavailable.
const REPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of refusals in a report. Earlier refusals are left out.
const MAX_REFUSALS: u16 = 20;

/// The report of an account in one billing period, with the calls that all nodes have reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountReport {
    /// All keys, including revoked ones, in the order of their creation.
    pub keys: Vec<KeyRecord>,
    /// Calls charged to the quota.
    pub calls_used: u64,
    /// The usage by day and endpoint.
    pub usage: Vec<UsageRecord>,
    /// The refusals by reason, the most frequent first.
    pub refusals_by_reason: Vec<RefusalReasonRecord>,
    /// The last refusals, at most 20, the latest first.
    pub refusals: Vec<RefusalRecord>,
}

/// Loads the report of an account for its holder.
///
/// # Errors
/// If the database fails or does not answer in time.
pub async fn load_account_report(
    store: &AccountStore,
    account: AccountId,
    period: BillingPeriod,
) -> Result<AccountReport, AccountStoreError> {
    let report =
        async |connection: &mut AnyConnection| read_report(connection, account, period).await;
    with_timeout(REPORT_TIMEOUT, store.with_connection(report)).await
}

async fn read_report(
    connection: &mut AnyConnection,
    account: AccountId,
    period: BillingPeriod,
) -> Result<AccountReport, AccountStoreError> {
    let first = period.first_day();
    Ok(AccountReport {
        keys: read_keys(&mut *connection, Some(account)).await?,
        calls_used: find_calls_used(connection, account, period).await?,
        usage: read_usage(&mut *connection, UsageFilter::Account(account), first).await?,
        refusals_by_reason: count_refusals_by_reason(connection, account, first).await?,
        refusals: find_refusals(connection, account, first, MAX_REFUSALS).await?,
    })
}

/// The calls that all nodes have reported. A period without calls has no row.
async fn find_calls_used(
    connection: &mut AnyConnection,
    account: AccountId,
    period: BillingPeriod,
) -> Result<u64, AccountStoreError> {
    let select = "SELECT used FROM bundles WHERE account_id = $1 AND period_start = $2";
    let used: Option<i64> = sqlx::query_scalar(select)
        .bind(account.to_string())
        .bind(period.start().as_second())
        .fetch_optional(connection)
        .await?;
    // Only a manual change of the database can make the number negative. A negative number counts as 0.
    Ok(used.map_or(0, |used| u64::try_from(used).unwrap_or(0)))
}
