//! What bundles promise: never more than the plan allows, on any number of nodes; nothing lost but what a dying node had in
//! hand; no waiting while something is in hand.

mod credit;
mod model;
pub(crate) mod other_nodes;
mod outage;
pub(crate) mod promises;
mod time;

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::instrument::WithSubscriber;

pub(crate) use super::tests::outage::bundles_outlive_the_server;
use crate::accounts::tests::watch::{LIMIT, Log};
use crate::accounts::tests::{at, plan};
use crate::accounts::{
    AcceptedKeys, AccountRef, AccountStore, KeyDirectory, KeyGrant, NewAccount, PlanName,
    Restrictions,
};
use crate::clock::Clock;
use crate::limits::quota::LeaseTask;
use crate::limits::{QuotaPermit, Quotas, ReserveError, TryReserveError};

/// A node with a running keeper.
pub(crate) struct Node {
    bundles: Arc<Quotas>,
    log: Log,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Node {
    pub(crate) async fn start(ledger: &AccountStore, clock: &Clock) -> Self {
        let bundles = Arc::new(Quotas::new(clock.clone()));
        let directory = crate::accounts::tests::directory(ledger).await;
        let (log, stop) = (Log::default(), CancellationToken::new());
        let (kept, ledger, stopped) = (bundles.clone(), ledger.clone(), stop.clone());
        let keep = async move { kept.run_lease_task(&ledger, &directory, &stopped).await };
        let task = tokio::spawn(keep.with_subscriber(log.subscriber()));
        Self {
            bundles,
            log,
            stop,
            task,
        }
    }

    /// Ends it in order, and returns what was logged.
    pub(crate) async fn stop(self) -> String {
        self.stop.cancel();
        self.task.await.expect("the keeper does not panic");
        self.log.text()
    }

    /// Ends it without giving anything back, as a kill does.
    async fn kill(self) {
        self.task.abort();
        assert!(self.task.await.expect_err("aborted").is_cancelled());
    }

    /// What was logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.text()
    }

    /// Takes a call that is in hand.
    pub(crate) fn try_take(&self, whose: &KeyGrant) -> Result<QuotaPermit, TryReserveError> {
        self.bundles.try_reserve(whose, 1)
    }

    /// How many calls are in hand.
    pub(crate) fn in_hand(&self, whose: &KeyGrant) -> i64 {
        i64::try_from(self.bundles.available(whose)).expect("small")
    }

    /// Takes calls as the service does, but waits as long as the database of a busy machine needs: the service serves on credit
    /// what comes late, and takes for lost what other nodes give back late.
    async fn take(&self, whose: &KeyGrant, calls: u32) -> Result<QuotaPermit, ReserveError> {
        let too_late = tokio::time::sleep(LIMIT);
        self.bundles.reserve_until(whose, calls, too_late).await
    }

    /// Takes and keeps calls, however long that takes.
    pub(crate) async fn use_up(&self, whose: &KeyGrant, calls: u32) -> Result<(), ReserveError> {
        self.take(whose, calls).await.map(QuotaPermit::commit)
    }

    /// Takes and keeps a call as the service does. One that came too late for the database is tried again, as clients do.
    pub(crate) async fn serve(&self, whose: &KeyGrant) -> Result<(), ReserveError> {
        for _ in 0..30 {
            match self.bundles.reserve(whose, 1).await {
                Err(ReserveError::Unavailable) => {}
                said => return said.map(QuotaPermit::commit),
            }
        }
        Err(ReserveError::Unavailable)
    }
}

/// A node whose keeper is moved by hand.
struct Still {
    bundles: Quotas,
    directory: KeyDirectory,
    ledger: AccountStore,
}

impl Still {
    async fn new(ledger: &AccountStore, clock: &Clock) -> Self {
        Self {
            bundles: Quotas::new(clock.clone()),
            directory: crate::accounts::tests::directory(ledger).await,
            ledger: ledger.clone(),
        }
    }

    fn keeper(&self) -> LeaseTask<'_> {
        LeaseTask::new(&self.bundles, &self.ledger, &self.directory)
    }

    /// Takes calls, with the keeper at hand.
    async fn take(&self, whose: &KeyGrant, calls: u32) -> Result<QuotaPermit, TryReserveError> {
        self.take_among(whose, calls, &[]).await
    }

    /// Takes calls, with the keepers of other nodes at hand too: they have three seconds.
    async fn take_among(
        &self,
        whose: &KeyGrant,
        calls: u32,
        others: &[&Self],
    ) -> Result<QuotaPermit, TryReserveError> {
        match self.bundles.try_reserve(whose, calls) {
            Err(TryReserveError::Pending) => {}
            said => return said,
        }
        // A call that waits is heard of by the keeper; this one cannot wait and be the keeper at the same time.
        let mut keeper = self.keeper();
        let keepers = async {
            tokio::task::yield_now().await;
            keeper.refill().await;
            for _ in 0..3 {
                tokio::task::yield_now().await;
                for other in others {
                    other.keeper().tick().await;
                }
                if !others.is_empty() {
                    keeper.tick().await;
                }
            }
            tokio::task::yield_now().await;
        };
        let taken = self.bundles.reserve_until(whose, calls, keepers).await;
        taken.map_err(|refused| match refused {
            ReserveError::Exhausted => TryReserveError::Exhausted,
            ReserveError::Unavailable => TryReserveError::Pending,
        })
    }
}

/// An account on a plan, and what its live key opens.
pub(crate) async fn account(ledger: &AccountStore, email: &str, name: PlanName) -> KeyGrant {
    let new = NewAccount {
        email: email.parse().expect("an address"),
        plan: plan(name),
        restrictions: Restrictions::default(),
    };
    let opened = ledger.create_account(new, at(0)).await.expect("it is new");
    crate::accounts::tests::directory(ledger)
        .await
        .authenticate(
            opened.live_key.reveal().as_bytes(),
            AcceptedKeys::Live,
            &crate::accounts::tests::server(),
        )
        .expect("the key is live")
        .as_ref()
        .clone()
}

/// The same account on another plan.
fn on(whose: &KeyGrant, name: PlanName) -> KeyGrant {
    KeyGrant {
        plan: plan(name),
        ..whose.clone()
    }
}

/// Leased and used in an account's period that ends at `reset`; zeros where there is no row.
pub(crate) async fn row(ledger: &AccountStore, whose: &KeyGrant, start: Timestamp) -> (i64, i64) {
    sqlx::query_as("SELECT leased, used FROM bundles WHERE account_id = $1 AND period_start = $2")
        .bind(whose.account_id.to_string())
        .bind(start.as_second())
        .fetch_optional(ledger.pool())
        .await
        .expect("the ledger answers")
        .unwrap_or_default()
}

/// The percents of an account's notices, over all periods.
async fn notices(ledger: &AccountStore, whose: &KeyGrant) -> Vec<i64> {
    sqlx::query_scalar(
        "SELECT percent FROM notices WHERE account_id = $1 ORDER BY period_start, percent",
    )
    .bind(whose.account_id.to_string())
    .fetch_all(ledger.pool())
    .await
    .expect("the ledger answers")
}

/// Waits until the database says so.
pub(crate) async fn until_row(
    ledger: &AccountStore,
    whose: &KeyGrant,
    start: Timestamp,
    holds: impl Fn((i64, i64)) -> bool,
) {
    let began = Instant::now();
    loop {
        let (leased, used) = row(ledger, whose, start).await;
        if holds((leased, used)) {
            return;
        }
        assert!(
            began.elapsed() < LIMIT,
            "waited in vain; {leased} leased, {used} used"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn account_ref(whose: &KeyGrant) -> AccountRef {
    AccountRef::Id(whose.account_id)
}
