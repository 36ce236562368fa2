//! Answers `GET /v1/account`: the plan, this month's calls, the keys and the refusals of the key's account.
//!
//! The numbers come from the database, to which every node writes its counts once a second. Keys are masked, and no e-mail address is
//! shown.

use jiff::Timestamp;
use serde::Serialize;

use super::Envelope;
use crate::accounts::{
    AccountReport, BillingPeriod, Environment, KeyGrant, KeyId, KeyRecord, PlanLimits, PlanName,
    RefusalReasonRecord, RefusalRecord, Restrictions, UsageRecord,
};
use crate::http::JsonResponse;

/// Shows the account of the key.
pub(crate) fn show(
    grant: &KeyGrant,
    period: BillingPeriod,
    report: &AccountReport,
) -> JsonResponse {
    let limits = grant.plan.limits();
    let quota = u64::from(limits.calls_per_month.get());
    let keys = report.keys.iter();
    let data = AccountView {
        plan: grant.plan.name(),
        limits,
        month: MonthView {
            start: period.start(),
            end: period.end(),
            calls_used: report.calls_used,
            calls_remaining: quota.saturating_sub(report.calls_used),
        },
        usage: &report.usage,
        keys: keys.map(|key| KeyDetails::new(key, grant.key_id)).collect(),
        refusals: RefusalsView {
            by_reason: &report.refusals_by_reason,
            last: &report.refusals,
        },
    };
    JsonResponse::new(&Envelope { data }).without_caching()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView<'a> {
    plan: PlanName,
    limits: PlanLimits,
    month: MonthView,
    /// The fields are those of `postduif usage export --json`, except the account.
    usage: &'a [UsageRecord],
    keys: Vec<KeyDetails<'a>>,
    refusals: RefusalsView<'a>,
}

/// The current billing period.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MonthView {
    start: Timestamp,
    end: Timestamp,
    calls_used: u64,
    /// Calls left in the quota. The grace, which is the number of calls allowed beyond the quota, is not counted.
    calls_remaining: u64,
}

/// A key, with the fields that `postduif keys list` shows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyDetails<'a> {
    id: KeyId,
    hint: &'a str,
    environment: Environment,
    #[serde(flatten)]
    restrictions: &'a Restrictions,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    /// True if the request was made with this key.
    is_own: bool,
}

impl<'a> KeyDetails<'a> {
    fn new(key: &'a KeyRecord, own: KeyId) -> Self {
        Self {
            id: key.id,
            hint: &key.hint,
            environment: key.environment,
            restrictions: &key.restrictions,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            is_own: key.id == own,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RefusalsView<'a> {
    by_reason: &'a [RefusalReasonRecord],
    last: &'a [RefusalRecord],
}
