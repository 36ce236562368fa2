//! Bundles: leases taken and given back, calls reported as used, and the notices that this calls for, many accounts in one
//! transaction. None of it raises the revision: no key changes with it.

use std::collections::HashMap;
use std::sync::Once;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::{AnyConnection, AssertSqlSafe, Connection};

use super::many_rows::{query_as, values};
use super::rows::{parse, time};
use super::{Ledger, LedgerError};
use crate::accounts::BillingPeriod;
use crate::accounts::lease_size::Demand;
use crate::accounts::{AccountId, Limits};

/// How long the statements of a settlement, and then its commit, may take before the database counts as away. More than another
/// program's write may hold SQLite, and than the statements take on a road of two seconds there and back, so that what is slow
/// is not taken for an outage.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(12);

/// What one node has to settle with the row of one account in one period.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    /// The account.
    pub(crate) account: AccountId,
    /// The period.
    pub(crate) period: BillingPeriod,
    /// What the account's plan allows.
    pub(crate) limits: Limits,
    /// Calls used since the last report.
    pub(crate) used: u64,
    /// Those of them that were in no row when they were served: they are booked as leased too, whatever the plan allows.
    pub(crate) on_credit: u64,
    /// Calls that go back to the row.
    pub(crate) back: u64,
    /// Calls that the row counts as leased and that this node has, in hand or under way.
    pub(crate) own: u64,
    /// Why calls are wanted from the row, if they are.
    pub(crate) demand: Option<Demand>,
    /// Whether a call was refused because the bundle is used up.
    pub(crate) refused: bool,
    /// The highest notice that this node knows to be in the outbox: 0, 80 or 100.
    pub(crate) told: u8,
}

/// What the row says afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    /// Calls that nodes have taken from the row, used or not.
    pub(crate) leased: u64,
    /// Calls that this node has in hand now on top of what it had.
    pub(crate) granted: u64,
    /// The size of lease that was aimed at.
    pub(crate) level: u64,
    /// Calls in the hands of other nodes, or lost with a node that died.
    pub(crate) elsewhere: u64,
    /// The mark that this settlement left for those nodes.
    pub(crate) marked_at: Option<i64>,
    /// The highest notice that is in the outbox: 0, 80 or 100.
    pub(crate) told: u8,
}

/// A wanted row: the account, the start of the period, and the mark.
pub(crate) type Wanted = (AccountId, Timestamp, i64);

/// Why a settlement did not come back settled.
#[derive(Debug)]
pub(crate) enum Unsettled {
    /// Nothing of it has happened.
    Undone(LedgerError),
    /// The answer was lost: all of it has happened, or nothing.
    Unknown(LedgerError),
}

impl Unsettled {
    /// What went wrong.
    pub(crate) fn into_inner(self) -> LedgerError {
        match self {
            Self::Undone(error) | Self::Unknown(error) => error,
        }
    }
}

impl Ledger {
    /// Settles all asks in one transaction; no two are of one account and period. An account that the ledger does not know
    /// gets none.
    pub(crate) async fn settle(
        &self,
        asks: &[Ask],
        now: Timestamp,
    ) -> Result<Vec<Option<Settled>>, Unsettled> {
        let mut connection = self.lend().await.map_err(Unsettled::Undone)?;
        let (error, undone) = match self.transact(&mut connection, asks, now).await {
            Ok(settled) => {
                connection.done();
                return Ok(settled);
            }
            Err(failure) => failure,
        };
        // Where the database has answered nothing is outstanding on the connection, and it may lead to the right server.
        let leads_on = |error: &sqlx::Error| !self.engine.forsakes(error);
        if error.as_ref().is_some_and(leads_on) {
            connection.done();
        }
        let error = error.map_or(LedgerError::NoAnswer(SETTLE_TIMEOUT), LedgerError::from);
        Err(if undone {
            Unsettled::Undone(error)
        } else {
            Unsettled::Unknown(error)
        })
    }

    /// Where it fails it returns what was said, if anything, and whether nothing of it has happened.
    async fn transact(
        &self,
        connection: &mut AnyConnection,
        asks: &[Ask],
        now: Timestamp,
    ) -> Result<Vec<Option<Settled>>, (Option<sqlx::Error>, bool)> {
        let settling = async {
            let mut transaction = connection.begin_with(self.engine.begin()).await?;
            let mut rows = report(&mut transaction, asks).await?;
            lease(&mut transaction, asks, &mut rows).await?;
            // Of one node alone nothing is elsewhere: what is missing died with it, and comes back from nowhere.
            if self.shared {
                want(&mut transaction, asks, &mut rows, now).await?;
            }
            notify(&mut transaction, asks, &mut rows, now).await?;
            Ok((transaction, rows))
        };
        let settling = within(settling).await;
        let (transaction, rows) = settling.map_err(|error| (error, true))?;
        // A commit that has begun has all the time it needs: were it given up, nobody could tell what became of it.
        let committed = within(transaction.commit()).await;
        committed.map_err(|error| {
            let undid = |error: &sqlx::Error| self.engine.surely_undid(error);
            let undone = error.as_ref().is_some_and(undid);
            (error, undone)
        })?;
        let settled = |row: Option<Row>| row.map(|row| row.settled);
        Ok(rows.into_iter().map(settled).collect())
    }

    /// The rows that a node has waited for since a moment. Rows that cannot be read are told once, and hold up no other.
    pub(crate) async fn wanted(&self, since: Timestamp) -> Result<Vec<Wanted>, LedgerError> {
        static UNREADABLE: Once = Once::new();
        if !self.shared {
            return Ok(Vec::new());
        }
        let select = "SELECT account_id, period_start, wanted_at FROM bundles WHERE wanted_at > $1 AND wanted_at > 0";
        let mut connection = self.lend().await?;
        let rows = sqlx::query_as(select)
            .bind(since.as_millisecond())
            .fetch_all(&mut *connection)
            .await;
        let rows: Vec<(String, i64, i64)> = connection.after(rows, self.engine)?;
        let read = |(account, start, at): (String, i64, i64)| -> Result<Wanted, LedgerError> {
            Ok((
                parse("account_id", &account)?,
                time("period_start", start)?,
                at,
            ))
        };
        let told = |error: &LedgerError| {
            UNREADABLE.call_once(|| {
                tracing::error!(%error, "a row of bundles cannot be read; its calls are not given back when other nodes want them");
            });
        };
        let rows = rows.into_iter().map(read);
        Ok(rows.filter_map(|row| row.inspect_err(told).ok()).collect())
    }

    /// Whether the database is there and takes writes: writes nothing.
    pub(crate) async fn probe(&self) -> Result<(), LedgerError> {
        let mut connection = self.lend().await?;
        let written = sqlx::query("UPDATE revision SET number = number WHERE only_row = 0")
            .execute(&mut *connection)
            .await;
        connection.after(written, self.engine).map(drop)
    }
}

/// An answer in time, or the error that came instead of it, or none.
async fn within<T>(
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, Option<sqlx::Error>> {
    match tokio::time::timeout(SETTLE_TIMEOUT, work).await {
        Ok(answer) => answer.map_err(Some),
        Err(_) => Err(None),
    }
}

/// A row as this transaction sees it and will leave it.
struct Row {
    settled: Settled,
    used: u64,
}

/// Makes the rows that are missing, books what was used and given back, and reads what stands there. The rows are locked in the
/// order of their accounts, so that two nodes never wait for each other.
async fn report(
    connection: &mut AnyConnection,
    asks: &[Ask],
) -> Result<Vec<Option<Row>>, sqlx::Error> {
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
        values(asks.len(), 1, 3)
    );
    let mut report = query_as(statement, asks.len());
    for ask in asks {
        report = report
            .bind(ask.account.to_string())
            .bind(ask.period.start().as_second())
            .bind(whole(ask.on_credit) - whole(ask.back))
            .bind(whole(ask.used));
    }
    let rows: Vec<(String, i64, i64, i64)> = report.fetch_all(connection).await?;
    let mut found: HashMap<_, _> = rows
        .into_iter()
        .map(|(account, start, leased, used)| ((account, start), (leased, used)))
        .collect();
    let mut row = |ask: &Ask| {
        let (leased, used) = found.remove(&named(ask))?;
        let settled = Settled {
            leased: count(leased),
            granted: 0,
            level: 0,
            elsewhere: 0,
            marked_at: None,
            told: ask.told,
        };
        let used = count(used);
        Some(Row { settled, used })
    };
    Ok(asks.iter().map(&mut row).collect())
}

/// Takes leases where they are wanted. How many calls is settled by rows that are locked; the condition holds all the same.
async fn lease(
    connection: &mut AnyConnection,
    asks: &[Ask],
    rows: &mut [Option<Row>],
) -> Result<(), sqlx::Error> {
    let mut wanted = HashMap::new();
    for (ask, row) in asks.iter().zip(rows) {
        let (Some(demand), Some(row)) = (ask.demand, row) else {
            continue;
        };
        let free = ask.limits.allowance().saturating_sub(row.settled.leased);
        row.settled.level = demand.level(ask.limits, free);
        let calls = demand.lease(ask.limits, free);
        if calls > 0 {
            wanted.insert(named(ask), (calls, ask.limits.allowance(), row));
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "UPDATE bundles SET leased = leased + column3 FROM (VALUES {}) AS asks \
         WHERE account_id = column1 AND period_start = column2 AND leased + column3 <= column4 \
         RETURNING account_id, period_start, leased",
        values(wanted.len(), 1, 3)
    );
    let mut lease = query_as(statement, wanted.len());
    for ((account, start), (calls, allowance, _)) in &wanted {
        lease = lease
            .bind(account.clone())
            .bind(*start)
            .bind(whole(*calls))
            .bind(whole(*allowance));
    }
    let leased: Vec<(String, i64, i64)> = lease.fetch_all(connection).await?;
    for (account, start, leased) in leased {
        if let Some((calls, _, row)) = wanted.get_mut(&(account, start)) {
            row.settled.leased = count(leased);
            row.settled.granted = *calls;
        }
    }
    Ok(())
}

/// Sees what other nodes hold, and marks the rows whose calls are waited for: those nodes then give back what they can spare.
async fn want(
    connection: &mut AnyConnection,
    asks: &[Ask],
    rows: &mut [Option<Row>],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let mut wanted = Vec::new();
    for (ask, row) in asks.iter().zip(rows) {
        let Some(row) = row else { continue };
        let here = row.used + ask.own + row.settled.granted;
        row.settled.elsewhere = row.settled.leased.saturating_sub(here);
        let short = ask
            .demand
            .is_some_and(|demand| demand.is_short(row.settled.granted));
        if short && row.settled.elsewhere > 0 {
            row.settled.marked_at = Some(now.as_millisecond());
            wanted.push(ask);
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let statement = format!(
        "UPDATE bundles SET wanted_at = column3 FROM (VALUES {}) AS asks \
         WHERE account_id = column1 AND period_start = column2",
        values(wanted.len(), 1, 2)
    );
    let mut mark = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for ask in wanted {
        let (account, start) = named(ask);
        mark = mark.bind(account).bind(start).bind(now.as_millisecond());
    }
    mark.execute(connection).await.map(drop)
}

/// Puts the notices into the outbox that are due and not known to be there; the table keeps each single.
async fn notify(
    connection: &mut AnyConnection,
    asks: &[Ask],
    rows: &mut [Option<Row>],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let mut due = Vec::new();
    for (ask, row) in asks.iter().zip(rows) {
        let Some(row) = row else { continue };
        for percent in [80, 100] {
            if ask.told < percent && (ask.refused || reached(percent, row.used, ask.limits)) {
                row.settled.told = percent;
                due.push((ask, percent));
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
        values(due.len(), 1, 5)
    );
    let mut insert = sqlx::query(AssertSqlSafe(statement)).persistent(false);
    for (ask, percent) in due {
        insert = insert
            .bind(ask.account.to_string())
            .bind(ask.period.start().as_second())
            .bind(i64::from(percent))
            .bind(ask.period.end().as_second())
            .bind(i64::from(ask.limits.calls_per_month.get()))
            .bind(now.as_second());
    }
    insert.execute(connection).await.map(drop)
}

/// Whether so many percent of the bundle are used.
fn reached(percent: u8, used: u64, limits: Limits) -> bool {
    let bundle = u128::from(limits.calls_per_month.get());
    u128::from(used) * 100 >= bundle * u128::from(percent)
}

fn named(ask: &Ask) -> (String, i64) {
    (ask.account.to_string(), ask.period.start().as_second())
}

/// Calls as the database counts them.
fn whole(calls: u64) -> i64 {
    i64::try_from(calls).unwrap_or(i64::MAX)
}

/// A count that nobody can have made negative counts as none.
fn count(calls: i64) -> u64 {
    u64::try_from(calls).unwrap_or(0)
}
