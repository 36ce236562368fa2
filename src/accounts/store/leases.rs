//! Settles leases. For many accounts in one transaction, a settlement reports usage, returns and leases calls, and creates due notices. It
//! does not raise the revision, because it changes no key.

use std::collections::HashMap;
use std::sync::Once;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::account_store::AccountStore;
use super::batch_statements::{query_rows, values_placeholders};
use super::error::{AccountStoreError, TransactionError};
use super::rows::{parse_column, read_timestamp, to_i64};
use crate::accounts::{LeaseRequest, LeaseResult, PlanLimits, RecallMark};

/// The time limit for the statements of a settlement, and again for the commit. When a limit passes, the database counts as unavailable. The
/// limit is long enough for two delays of a slow database: SQLite locked by a write of another program, and round trips of two seconds.
const LEASE_TIMEOUT: Duration = Duration::from_secs(12);

/// Settles all requests in one transaction. No two requests may have the same account and period. The result for an account that the
/// database does not know is `None`.
pub(crate) async fn settle_leases(
    store: &AccountStore,
    requests: &[LeaseRequest],
    now: Timestamp,
) -> Result<Vec<Option<LeaseResult>>, TransactionError> {
    let work = async |connection: &mut AnyConnection| {
        let mut rows = record_usage(connection, requests).await?;
        grant_leases(connection, requests, &mut rows).await?;
        // Only other nodes can return calls. If there is only one node, missing calls were lost with an earlier process.
        if store.is_shared {
            mark_recalls(connection, requests, &mut rows, now).await?;
        }
        insert_notices(connection, requests, &mut rows, now).await?;
        let into_result = |row: Option<QuotaRow>| row.map(|row| row.result);
        Ok(rows.into_iter().map(into_result).collect())
    };
    store.run_transaction(LEASE_TIMEOUT, work).await
}

/// The recall marks that are newer than `since`. Unreadable rows are logged once and skipped.
pub(crate) async fn recall_marks(
    store: &AccountStore,
    since: Timestamp,
) -> Result<Vec<RecallMark>, AccountStoreError> {
    static UNREADABLE: Once = Once::new();
    if !store.is_shared {
        return Ok(Vec::new());
    }
    let select = "SELECT account_id, period_start, wanted_at FROM bundles WHERE wanted_at > $1 AND wanted_at > 0";
    let read_mark = |row: AnyRow| {
        Ok::<_, AccountStoreError>(RecallMark {
            account_id: parse_column(&row, "account_id")?,
            period_start: read_timestamp(&row, "period_start")?,
            marked_at: row.try_get("wanted_at")?,
        })
    };
    let select = sqlx::query(select)
        .bind(since.as_millisecond())
        .map(read_mark);
    let marks = store
        .with_connection(async |connection| Ok(select.fetch_all(connection).await?))
        .await?;
    let log_unreadable = |error: &AccountStoreError| {
        UNREADABLE.call_once(|| {
            tracing::error!(%error, "cannot read a row of table bundles; its unused calls stay on this node when other nodes need them");
        });
    };
    let marks = marks.into_iter();
    Ok(marks
        .filter_map(|mark| mark.inspect_err(log_unreadable).ok())
        .collect())
}

/// A row of the table `bundles` that a settlement has read in its transaction.
struct QuotaRow {
    result: LeaseResult,
    used: u64,
}

/// Inserts missing rows, adds the used calls, takes back the returned calls, and reads the rows. Locks the rows in the order of their
/// accounts, so that two nodes never deadlock.
async fn record_usage(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
) -> Result<Vec<Option<QuotaRow>>, AccountStoreError> {
    // A failover may have lost the row that calls return to. The new row then begins at 0, so that `leased` is never negative.
    let statement = format!(
        "INSERT INTO bundles (account_id, period_start, leased, used) \
         SELECT column1, column2, CASE WHEN column3 > 0 OR EXISTS \
         (SELECT 1 FROM bundles WHERE account_id = column1 AND period_start = column2) THEN column3 ELSE 0 END, column4 \
         FROM (VALUES {}) AS requests \
         WHERE EXISTS (SELECT 1 FROM accounts WHERE id = column1) ORDER BY column1, column2 \
         ON CONFLICT (account_id, period_start) DO UPDATE SET used = bundles.used + excluded.used, \
         leased = CASE WHEN bundles.leased + excluded.leased > 0 THEN bundles.leased + excluded.leased ELSE 0 END \
         RETURNING account_id, period_start, leased, used",
        values_placeholders(requests.len(), 1, 3)
    );
    let mut insert = query_rows(statement, requests.len());
    for request in requests {
        insert = insert
            .bind(request.account_id.to_string())
            .bind(request.period.start().as_second())
            .bind(to_i64(request.used_on_credit) - to_i64(request.returned))
            .bind(to_i64(request.used));
    }
    let rows: Vec<(String, i64, i64, i64)> = insert.fetch_all(connection).await?;
    let mut found: HashMap<_, _> = rows
        .into_iter()
        .map(|(account, start, leased, used)| ((account, start), (leased, used)))
        .collect();
    let mut row = |request: &LeaseRequest| {
        let (leased, used) = found.remove(&row_key(request))?;
        let result = LeaseResult {
            leased: to_u64(leased),
            granted: 0,
            target_size: 0,
            on_other_nodes: 0,
            recall_marked_at: None,
            notified_percent: request.notified_percent,
        };
        let used = to_u64(used);
        Some(QuotaRow { result, used })
    };
    Ok(requests.iter().map(&mut row).collect())
}

/// Grants the demanded leases. The rows are locked, so the sizes are exact. The condition on `leased` is a second safeguard.
async fn grant_leases(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
) -> Result<(), AccountStoreError> {
    let mut wanted = HashMap::new();
    for (request, row) in requests.iter().zip(rows) {
        let (Some(demand), Some(row)) = (request.demand, row) else {
            continue;
        };
        let free = request.limits.allowance().saturating_sub(row.result.leased);
        row.result.target_size = demand.target_size(request.limits, free);
        let calls = demand.lease_size(request.limits, free);
        if calls > 0 {
            wanted.insert(row_key(request), (calls, request.limits.allowance(), row));
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "UPDATE bundles SET leased = leased + column3 FROM (VALUES {}) AS requests \
         WHERE account_id = column1 AND period_start = column2 AND leased + column3 <= column4 \
         RETURNING account_id, period_start, leased",
        values_placeholders(wanted.len(), 1, 3)
    );
    let mut lease = query_rows(statement, wanted.len());
    for ((account, start), (calls, allowance, _)) in &wanted {
        lease = lease
            .bind(account.clone())
            .bind(*start)
            .bind(to_i64(*calls))
            .bind(to_i64(*allowance));
    }
    let leased: Vec<(String, i64, i64)> = lease.fetch_all(connection).await?;
    for (account, start, leased) in leased {
        if let Some((calls, _, row)) = wanted.get_mut(&(account, start)) {
            row.result.leased = to_u64(leased);
            row.result.granted = *calls;
        }
    }
    Ok(())
}

/// Computes the unused calls of other nodes, and marks the rows from which this node needs more calls. The other nodes then return the
/// calls that they can spare.
async fn mark_recalls(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
    now: Timestamp,
) -> Result<(), AccountStoreError> {
    let mut wanted = Vec::new();
    for (request, row) in requests.iter().zip(rows) {
        let Some(row) = row else { continue };
        let used_or_on_this_node = row.used + request.outstanding + row.result.granted;
        row.result.on_other_nodes = row.result.leased.saturating_sub(used_or_on_this_node);
        let short = request
            .demand
            .is_some_and(|demand| demand.is_unmet_by(row.result.granted));
        if short && row.result.on_other_nodes > 0 {
            row.result.recall_marked_at = Some(now.as_millisecond());
            wanted.push(request);
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "UPDATE bundles SET wanted_at = column3 FROM (VALUES {}) AS requests \
         WHERE account_id = column1 AND period_start = column2",
        values_placeholders(wanted.len(), 1, 2)
    );
    let mut mark = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for request in wanted {
        let (account, start) = row_key(request);
        mark = mark.bind(account).bind(start).bind(now.as_millisecond());
    }
    mark.execute(connection).await?;
    Ok(())
}

/// Inserts due notices that are not known to be in the outbox. The primary key of the table prevents duplicates.
async fn insert_notices(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
    now: Timestamp,
) -> Result<(), AccountStoreError> {
    let mut due = Vec::new();
    for (request, row) in requests.iter().zip(rows) {
        let Some(row) = row else { continue };
        for percent in [80, 100] {
            if request.notified_percent < percent
                && (request.any_refused || is_reached(percent, row.used, request.limits))
            {
                row.result.notified_percent = percent;
                due.push((request, percent));
            }
        }
    }
    if due.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "INSERT INTO notices (account_id, period_start, percent, period_end, bundle, created_at, not_before, attempts) \
         SELECT column1, column2, column3, column4, column5, column6, column6, 0 FROM (VALUES {}) AS rows \
         WHERE true ON CONFLICT (account_id, period_start, percent) DO NOTHING",
        values_placeholders(due.len(), 1, 5)
    );
    let mut insert = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for (request, percent) in due {
        insert = insert
            .bind(request.account_id.to_string())
            .bind(request.period.start().as_second())
            .bind(i64::from(percent))
            .bind(request.period.end().as_second())
            .bind(i64::from(request.limits.calls_per_month.get()))
            .bind(now.as_second());
    }
    insert.execute(connection).await?;
    Ok(())
}

/// True if this percentage of the quota is used.
fn is_reached(percent: u8, used: u64, limits: PlanLimits) -> bool {
    let quota = u128::from(limits.calls_per_month.get());
    u128::from(used) * 100 >= quota * u128::from(percent)
}

fn row_key(request: &LeaseRequest) -> (String, i64) {
    (
        request.account_id.to_string(),
        request.period.start().as_second(),
    )
}

/// Converts a count from the database. Only a manual change of the database can make it negative; a negative count becomes 0.
fn to_u64(calls: i64) -> u64 {
    u64::try_from(calls).unwrap_or(0)
}
