//! Answers `GET /v1/account`: the plan, this month's calls, the keys and the refusals of the key's account.
//!
//! The numbers come from the database, to which every node writes once a second. Keys are masked, and no e-mail address is shown.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;

use super::Envelope;
use crate::accounts::{
    BillingPeriod, Environment, KeyId, KeyRecord, PlanLimits, PlanName, RefusalReasonRecord,
    RefusalRecord, Restrictions, UsageRecord,
};
use crate::http::{AccountRequest, JsonResponse};

/// Shows the account of the key.
pub(crate) fn show(request: &AccountRequest<'_>) -> JsonResponse {
    let data = AccountView::from_request(request);
    JsonResponse::new(&Envelope { data }).without_caching()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView<'a> {
    plan: PlanName,
    limits: PlanLimits,
    month: MonthView,
    usage: Vec<DayUsage<'a>>,
    keys: Vec<KeyDetails<'a>>,
    refusals: RefusalsView<'a>,
}

impl<'a> AccountView<'a> {
    fn from_request(request: &'a AccountRequest<'_>) -> Self {
        let (plan, report) = (request.grant.plan, &request.report);
        let details = |key| KeyDetails::new(key, request.grant.key_id);
        Self {
            plan: plan.name(),
            limits: plan.limits(),
            month: MonthView::new(request.period, plan.limits(), report.calls_used),
            usage: DayUsage::from_records(&report.usage),
            keys: report.keys.iter().map(details).collect(),
            refusals: RefusalsView {
                by_reason: &report.refusals_by_reason,
                last: &report.refusals,
            },
        }
    }
}

/// The current billing period.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MonthView {
    start: Timestamp,
    end: Timestamp,
    calls_used: u64,
    /// Calls left in the quota, without the grace.
    calls_remaining: u64,
}

impl MonthView {
    fn new(period: BillingPeriod, limits: PlanLimits, calls_used: u64) -> Self {
        let quota = u64::from(limits.calls_per_month.get());
        Self {
            start: period.start(),
            end: period.end(),
            calls_used,
            calls_remaining: quota.saturating_sub(calls_used),
        }
    }
}

/// The calls of one day and endpoint, in the form of `usage export`.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct DayUsage<'a> {
    day: Date,
    endpoint: &'a str,
    calls: u64,
    lines: u64,
    errors: u64,
}

impl<'a> DayUsage<'a> {
    /// Adds up the records of each day and endpoint, over all status classes. The records must be sorted by day and endpoint.
    fn from_records(records: &'a [UsageRecord]) -> Vec<Self> {
        let groups =
            records.chunk_by(|one, other| (one.day, &one.endpoint) == (other.day, &other.endpoint));
        let sum = |group: &'a [UsageRecord]| Self {
            day: group[0].day,
            endpoint: &group[0].endpoint,
            calls: group.iter().map(|record| record.counts.calls).sum(),
            lines: group.iter().map(|record| record.counts.lines).sum(),
            errors: group
                .iter()
                .filter(|record| record.status_class >= 4)
                .map(|record| record.counts.calls)
                .sum(),
        };
        groups.map(sum).collect()
    }
}

/// A key, in the form of `keys list`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyDetails<'a> {
    id: KeyId,
    hint: String,
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
            hint: key.masked_key(),
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::accounts::UsageCounts;

    #[test]
    fn usage_is_one_row_for_each_day_and_endpoint() {
        let [monday, tuesday] = [date(2026, 11, 23), date(2026, 11, 24)];
        let record = |day, endpoint: &str, status_class, calls, lines| UsageRecord {
            day,
            endpoint: endpoint.to_owned(),
            status_class,
            counts: UsageCounts { calls, lines },
        };
        let records = [
            record(monday, "bulk", 2, 2, 50),
            record(monday, "lookup", 2, 5, 5),
            record(monday, "lookup", 3, 1, 1),
            record(monday, "lookup", 4, 3, 2),
            record(monday, "lookup", 5, 1, 0),
            record(tuesday, "lookup", 2, 7, 7),
        ];
        let row = |day, endpoint, calls, lines, errors| DayUsage {
            day,
            endpoint,
            calls,
            lines,
            errors,
        };
        assert_eq!(
            DayUsage::from_records(&records),
            [
                row(monday, "bulk", 2, 50, 0),
                row(monday, "lookup", 10, 8, 4),
                row(tuesday, "lookup", 7, 7, 0),
            ]
        );
        assert_eq!(DayUsage::from_records(&[]), []);
    }
}
