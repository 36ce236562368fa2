//! Bundles: leases taken and given back, calls reported as used, and the notices that this calls for, many accounts in one
//! transaction. None of it raises the revision: no key changes with it.

use std::collections::HashMap;
use std::sync::Once;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::{AnyConnection, AssertSqlSafe, Connection};

use super::many_rows::{query_as, values_placeholders};
use super::rows::{parse_column, parse_timestamp};
use super::{AccountStore, AccountStoreError};
use crate::accounts::BillingPeriod;
use crate::accounts::lease_size::LeaseDemand;
use crate::accounts::{AccountId, PlanLimits};

/// How long the statements of a settlement, and then its commit, may take before the database counts as away. More than another
/// program's write may hold SQLite, and than the statements take on a road of two seconds there and back, so that what is slow
/// is not taken for an outage.
const LEASE_TIMEOUT: Duration = Duration::from_secs(12);

/// What one node has to settle with the row of one account in one period.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRequest {
    /// The account.
    pub(crate) account_id: AccountId,
    /// The period.
    pub(crate) period: BillingPeriod,
    /// What the account's plan allows.
    pub(crate) limits: PlanLimits,
    /// Calls used since the last report.
    pub(crate) used: u64,
    /// Those of them that were in no row when they were served: they are booked as leased too, whatever the plan allows.
    pub(crate) used_on_credit: u64,
    /// Calls that go back to the row.
    pub(crate) returned: u64,
    /// Calls that the row counts as leased and that this node has, in hand or under way.
    pub(crate) outstanding: u64,
    /// Why calls are wanted from the row, if they are.
    pub(crate) demand: Option<LeaseDemand>,
    /// Whether a call was refused because the bundle is used up.
    pub(crate) any_refused: bool,
    /// The highest notice that this node knows to be in the outbox: 0, 80 or 100.
    pub(crate) notified_percent: u8,
}

/// What the row says afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeaseResult {
    /// Calls that nodes have taken from the row, used or not.
    pub(crate) leased: u64,
    /// Calls that this node has in hand now on top of what it had.
    pub(crate) granted: u64,
    /// The size of lease that was aimed at.
    pub(crate) target_size: u64,
    /// Calls in the hands of other nodes, or lost with a node that died.
    pub(crate) on_other_nodes: u64,
    /// The mark that this settlement left for those nodes.
    pub(crate) recall_marked_at: Option<i64>,
    /// The highest notice that is in the outbox: 0, 80 or 100.
    pub(crate) notified_percent: u8,
}

/// A wanted row: the account, the start of the period, and the mark.
pub(crate) type RecallMark = (AccountId, Timestamp, i64);

/// Why a settlement did not come back settled.
#[derive(Debug)]
pub(crate) enum LeaseError {
    /// Nothing of it has happened.
    NotApplied(AccountStoreError),
    /// The answer was lost: all of it has happened, or nothing.
    InDoubt(AccountStoreError),
}

impl LeaseError {
    /// What went wrong.
    pub(crate) fn into_inner(self) -> AccountStoreError {
        match self {
            Self::NotApplied(error) | Self::InDoubt(error) => error,
        }
    }
}

impl AccountStore {
    /// Settles all asks in one transaction; no two are of one account and period. An account that the ledger does not know
    /// gets none.
    pub(crate) async fn settle_leases(
        &self,
        requests: &[LeaseRequest],
        now: Timestamp,
    ) -> Result<Vec<Option<LeaseResult>>, LeaseError> {
        let mut connection = self.acquire().await.map_err(LeaseError::NotApplied)?;
        let (error, not_applied) = match self.run_transaction(&mut connection, requests, now).await
        {
            Ok(settled) => {
                connection.release();
                return Ok(settled);
            }
            Err(failure) => failure,
        };
        // Where the database has answered nothing is outstanding on the connection, and it may lead to the right server.
        let is_usable = |error: &sqlx::Error| !self.engine.invalidates_connection(error);
        if error.as_ref().is_some_and(is_usable) {
            connection.release();
        }
        let error = error.map_or(
            AccountStoreError::Timeout(LEASE_TIMEOUT),
            AccountStoreError::from,
        );
        Err(if not_applied {
            LeaseError::NotApplied(error)
        } else {
            LeaseError::InDoubt(error)
        })
    }

    /// Where it fails it returns what was said, if anything, and whether nothing of it has happened.
    async fn run_transaction(
        &self,
        connection: &mut AnyConnection,
        requests: &[LeaseRequest],
        now: Timestamp,
    ) -> Result<Vec<Option<LeaseResult>>, (Option<sqlx::Error>, bool)> {
        let work = async {
            let mut transaction = connection.begin_with(self.engine.begin_statement()).await?;
            let mut rows = record_usage(&mut transaction, requests).await?;
            grant_leases(&mut transaction, requests, &mut rows).await?;
            // Of one node alone nothing is elsewhere: what is missing died with it, and comes back from nowhere.
            if self.is_shared {
                mark_recalls(&mut transaction, requests, &mut rows, now).await?;
            }
            insert_notices(&mut transaction, requests, &mut rows, now).await?;
            Ok((transaction, rows))
        };
        let settling = with_timeout(work).await;
        let (transaction, rows) = settling.map_err(|error| (error, true))?;
        // A commit that has begun has all the time it needs: were it given up, nobody could tell what became of it.
        let committed = with_timeout(transaction.commit()).await;
        committed.map_err(|error| {
            let was_rolled_back = |error: &sqlx::Error| self.engine.was_rolled_back(error);
            let not_applied = error.as_ref().is_some_and(was_rolled_back);
            (error, not_applied)
        })?;
        let into_result = |row: Option<QuotaRow>| row.map(|row| row.result);
        Ok(rows.into_iter().map(into_result).collect())
    }

    /// The rows that a node has waited for since a moment. Rows that cannot be read are told once, and hold up no other.
    pub(crate) async fn wanted(
        &self,
        since: Timestamp,
    ) -> Result<Vec<RecallMark>, AccountStoreError> {
        static UNREADABLE: Once = Once::new();
        if !self.is_shared {
            return Ok(Vec::new());
        }
        let select = "SELECT account_id, period_start, wanted_at FROM bundles WHERE wanted_at > $1 AND wanted_at > 0";
        let mut connection = self.acquire().await?;
        let rows = sqlx::query_as(select)
            .bind(since.as_millisecond())
            .fetch_all(&mut *connection)
            .await;
        let rows: Vec<(String, i64, i64)> = connection.release_after(rows, self.engine)?;
        let read =
            |(account, start, at): (String, i64, i64)| -> Result<RecallMark, AccountStoreError> {
                Ok((
                    parse_column("account_id", &account)?,
                    parse_timestamp("period_start", start)?,
                    at,
                ))
            };
        let log_unreadable = |error: &AccountStoreError| {
            UNREADABLE.call_once(|| {
                tracing::error!(%error, "a row of bundles cannot be read; its calls are not given back when other nodes want them");
            });
        };
        let rows = rows.into_iter().map(read);
        Ok(rows
            .filter_map(|row| row.inspect_err(log_unreadable).ok())
            .collect())
    }

    /// Whether the database is there and takes writes: writes nothing.
    pub(crate) async fn probe(&self) -> Result<(), AccountStoreError> {
        let mut connection = self.acquire().await?;
        let written = sqlx::query("UPDATE revision SET number = number WHERE only_row = 0")
            .execute(&mut *connection)
            .await;
        connection.release_after(written, self.engine).map(drop)
    }
}

/// An answer in time, or the error that came instead of it, or none.
async fn with_timeout<T>(
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, Option<sqlx::Error>> {
    match tokio::time::timeout(LEASE_TIMEOUT, work).await {
        Ok(answer) => answer.map_err(Some),
        Err(_) => Err(None),
    }
}

/// A row as this transaction sees it and will leave it.
struct QuotaRow {
    result: LeaseResult,
    used: u64,
}

/// Makes the rows that are missing, books what was used and given back, and reads what stands there. The rows are locked in the
/// order of their accounts, so that two nodes never wait for each other.
async fn record_usage(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
) -> Result<Vec<Option<QuotaRow>>, sqlx::Error> {
    // Calls that go back to a row which a failover lost are in no row.
    let statement = format!(
        "INSERT INTO bundles (account_id, period_start, leased, used) \
         SELECT column1, column2, CASE WHEN column3 > 0 OR EXISTS \
         (SELECT 1 FROM bundles WHERE account_id = column1 AND period_start = column2) THEN column3 ELSE 0 END, column4 \
         FROM (VALUES {}) AS asks \
         WHERE EXISTS (SELECT 1 FROM accounts WHERE id = column1) ORDER BY column1, column2 \
         ON CONFLICT (account_id, period_start) DO UPDATE SET used = bundles.used + excluded.used, \
         leased = CASE WHEN bundles.leased + excluded.leased > 0 THEN bundles.leased + excluded.leased ELSE 0 END \
         RETURNING account_id, period_start, leased, used",
        values_placeholders(requests.len(), 1, 3)
    );
    let mut report = query_as(statement, requests.len());
    for request in requests {
        report = report
            .bind(request.account_id.to_string())
            .bind(request.period.start().as_second())
            .bind(to_i64(request.used_on_credit) - to_i64(request.returned))
            .bind(to_i64(request.used));
    }
    let rows: Vec<(String, i64, i64, i64)> = report.fetch_all(connection).await?;
    let mut found: HashMap<_, _> = rows
        .into_iter()
        .map(|(account, start, leased, used)| ((account, start), (leased, used)))
        .collect();
    let mut row = |request: &LeaseRequest| {
        let (leased, used) = found.remove(&row_key(request))?;
        let settled = LeaseResult {
            leased: to_u64(leased),
            granted: 0,
            target_size: 0,
            on_other_nodes: 0,
            recall_marked_at: None,
            notified_percent: request.notified_percent,
        };
        let used = to_u64(used);
        Some(QuotaRow {
            result: settled,
            used,
        })
    };
    Ok(requests.iter().map(&mut row).collect())
}

/// Takes leases where they are wanted. How many calls is settled by rows that are locked; the condition holds all the same.
async fn grant_leases(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
) -> Result<(), sqlx::Error> {
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
        "UPDATE bundles SET leased = leased + column3 FROM (VALUES {}) AS asks \
         WHERE account_id = column1 AND period_start = column2 AND leased + column3 <= column4 \
         RETURNING account_id, period_start, leased",
        values_placeholders(wanted.len(), 1, 3)
    );
    let mut lease = query_as(statement, wanted.len());
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

/// Sees what other nodes hold, and marks the rows whose calls are waited for: those nodes then give back what they can spare.
async fn mark_recalls(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let mut wanted = Vec::new();
    for (request, row) in requests.iter().zip(rows) {
        let Some(row) = row else { continue };
        let here = row.used + request.outstanding + row.result.granted;
        row.result.on_other_nodes = row.result.leased.saturating_sub(here);
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
        "UPDATE bundles SET wanted_at = column3 FROM (VALUES {}) AS asks \
         WHERE account_id = column1 AND period_start = column2",
        values_placeholders(wanted.len(), 1, 2)
    );
    let mut mark = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for request in wanted {
        let (account, start) = row_key(request);
        mark = mark.bind(account).bind(start).bind(now.as_millisecond());
    }
    mark.execute(connection).await.map(drop)
}

/// Puts the notices into the outbox that are due and not known to be there; the table keeps each single.
async fn insert_notices(
    connection: &mut AnyConnection,
    requests: &[LeaseRequest],
    rows: &mut [Option<QuotaRow>],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
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
         SELECT column1, column2, column3, column4, column5, column6, column6, 0 FROM (VALUES {}) AS due \
         WHERE true ON CONFLICT (account_id, period_start, percent) DO NOTHING",
        values_placeholders(due.len(), 1, 5)
    );
    let mut insert = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for (ask, percent) in due {
        insert = insert
            .bind(ask.account_id.to_string())
            .bind(ask.period.start().as_second())
            .bind(i64::from(percent))
            .bind(ask.period.end().as_second())
            .bind(i64::from(ask.limits.calls_per_month.get()))
            .bind(now.as_second());
    }
    insert.execute(connection).await.map(drop)
}

/// Whether so many percent of the bundle are used.
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

/// Calls as the database counts them.
fn to_i64(calls: u64) -> i64 {
    i64::try_from(calls).unwrap_or(i64::MAX)
}

/// A count that nobody can have made negative counts as none.
fn to_u64(calls: i64) -> u64 {
    u64::try_from(calls).unwrap_or(0)
}
