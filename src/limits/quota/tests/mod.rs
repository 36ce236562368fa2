//! Tests quotas. They never grant more than the plan allows, on any number of nodes. Only the unused calls of a dying node are lost. No
//! call waits while the local lease has calls.

mod credit;
mod model;
pub(crate) mod other_nodes;
mod outage;
pub(crate) mod store_tests;
mod time;

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::instrument::WithSubscriber;

use crate::accounts::tests::watch::{LIMIT, Log};
use crate::accounts::tests::{plan, sqlite, test_time};
use crate::accounts::{
    AcceptedKeys, AccountRef, AccountStore, KeyDirectory, KeyGrant, NewAccount, PlanName,
    Restrictions, create_account,
};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use crate::limits::quota::LeaseTask;
use crate::limits::{QuotaPermit, QuotaRefusal, Quotas};
pub(crate) use outage::quotas_survive_a_server_restart;

/// Why a reservation was refused, without the time after which a client may retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Pending,
    Exhausted,
    Unavailable,
}

impl From<QuotaRefusal> for Refusal {
    fn from(refusal: QuotaRefusal) -> Self {
        match refusal {
            QuotaRefusal::Pending => Self::Pending,
            QuotaRefusal::Exhausted { retry_after_s } => {
                assert!(retry_after_s > 0, "a client waits at least a second");
                Self::Exhausted
            }
            QuotaRefusal::Unavailable => Self::Unavailable,
        }
    }
}

/// A node with a running lease task.
pub(crate) struct Node {
    quotas: Arc<Quotas>,
    log: Log,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Node {
    pub(crate) async fn start(store: &AccountStore, clock: &Clock) -> Self {
        let quotas = Arc::new(Quotas::new(clock.clone()));
        let directory = crate::accounts::tests::directory(store).await;
        let (log, stop) = (Log::default(), CancellationToken::new());
        let (shared, store, stopped) = (quotas.clone(), store.clone(), stop.clone());
        let work = async move {
            LeaseTask::new(&shared, &store, &directory)
                .run(&stopped)
                .await;
        };
        let task = tokio::spawn(work.with_subscriber(log.subscriber()));
        Self {
            quotas,
            log,
            stop,
            task,
        }
    }

    /// Stops the node in an orderly way, and returns its log.
    pub(crate) async fn stop(self) -> String {
        self.stop.cancel();
        self.task.await.expect("the lease task does not panic");
        self.log.text()
    }

    /// Ends the node without returning calls, like a kill.
    async fn kill(self) {
        self.task.abort();
        assert!(self.task.await.expect_err("aborted").is_cancelled());
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        self.log.text()
    }

    /// Reserves a call of the local lease.
    pub(crate) fn try_reserve(&self, grant: &KeyGrant) -> Result<QuotaPermit, Refusal> {
        self.quotas.try_reserve(grant, 1).map_err(Refusal::from)
    }

    /// Unused calls of the local lease.
    pub(crate) fn available(&self, grant: &KeyGrant) -> i64 {
        i64::try_from(self.quotas.available(grant)).expect("small")
    }

    /// Reserves calls like the service, but waits as long as the database of a busy machine needs. The service itself waits only three
    /// seconds, then grants credit and stops waiting for calls of other nodes.
    async fn reserve(&self, grant: &KeyGrant, calls: u32) -> Result<QuotaPermit, Refusal> {
        let deadline = tokio::time::sleep(LIMIT);
        let outcome = self.quotas.reserve_until(grant, calls, deadline).await;
        outcome.map_err(Refusal::from)
    }

    /// Reserves and commits calls, without the time limit of the service.
    pub(crate) async fn use_up(&self, grant: &KeyGrant, calls: u32) -> Result<(), Refusal> {
        self.reserve(grant, calls).await.map(QuotaPermit::commit)
    }

    /// Reserves and commits a call like the service. Retries if the database was too slow, like a client.
    pub(crate) async fn serve(&self, grant: &KeyGrant) -> Result<(), Refusal> {
        for _ in 0..30 {
            match self.quotas.reserve(grant, 1).await.map_err(Refusal::from) {
                Err(Refusal::Unavailable) => {}
                result => return result.map(QuotaPermit::commit),
            }
        }
        Err(Refusal::Unavailable)
    }
}

/// A node whose lease task runs only when a test calls it.
struct ManualNode {
    quotas: Quotas,
    directory: KeyDirectory,
    store: AccountStore,
}

impl ManualNode {
    async fn new(store: &AccountStore, clock: &Clock) -> Self {
        Self {
            quotas: Quotas::new(clock.clone()),
            directory: crate::accounts::tests::directory(store).await,
            store: store.clone(),
        }
    }

    fn lease_task(&self) -> LeaseTask<'_> {
        LeaseTask::new(&self.quotas, &self.store, &self.directory)
    }

    fn try_reserve(&self, grant: &KeyGrant, calls: u32) -> Result<QuotaPermit, Refusal> {
        self.quotas.try_reserve(grant, calls).map_err(Refusal::from)
    }

    /// Reserves calls as if the database did not answer for three seconds.
    async fn reserve_until_timeout(
        &self,
        grant: &KeyGrant,
        calls: u32,
    ) -> Result<QuotaPermit, Refusal> {
        let outcome = self.quotas.reserve_until(grant, calls, async {}).await;
        outcome.map_err(Refusal::from)
    }

    /// Reserves calls, and runs the lease task.
    async fn reserve(&self, grant: &KeyGrant, calls: u32) -> Result<QuotaPermit, Refusal> {
        self.reserve_among(grant, calls, &[]).await
    }

    async fn is_exhausted(&self, grant: &KeyGrant, calls: u32) -> bool {
        self.reserve(grant, calls).await.err() == Some(Refusal::Exhausted)
    }

    /// Reserves calls, and runs the lease tasks of this node and of other nodes for three seconds.
    async fn reserve_among(
        &self,
        grant: &KeyGrant,
        calls: u32,
        others: &[&Self],
    ) -> Result<QuotaPermit, Refusal> {
        match self.try_reserve(grant, calls) {
            Err(Refusal::Pending) => {}
            result => return result,
        }
        // The waiting call and the lease task share this future, so the lease task is passed as the deadline.
        let mut own_task = self.lease_task();
        let lease_tasks = async {
            tokio::task::yield_now().await;
            own_task.refill().await;
            for _ in 0..3 {
                tokio::task::yield_now().await;
                for other in others {
                    other.lease_task().tick().await;
                }
                if !others.is_empty() {
                    own_task.tick().await;
                }
            }
            tokio::task::yield_now().await;
        };
        let outcome = self.quotas.reserve_until(grant, calls, lease_tasks).await;
        let result = outcome.map_err(Refusal::from);
        assert_ne!(
            result.as_ref().err(),
            Some(&Refusal::Pending),
            "a call that waited has a result"
        );
        result
    }
}

/// A new store with an account that has a plan, and the grant of its live key.
async fn new_account(name: PlanName) -> (TempDir, AccountStore, KeyGrant) {
    let (folder, store) = sqlite::new_store().await;
    let grant = account(&store, "kees@example.nl", name).await;
    (folder, store, grant)
}

/// Creates an account with a plan, and returns the grant of its live key.
pub(crate) async fn account(store: &AccountStore, email: &str, name: PlanName) -> KeyGrant {
    let new = NewAccount {
        email: email.parse().expect("an address"),
        plan: plan(name),
        restrictions: Restrictions::default(),
    };
    let opened = expect_ok(create_account(store, new, test_time(0))).await;
    crate::accounts::tests::directory(store)
        .await
        .authenticate(
            opened.live_key.reveal().as_bytes(),
            AcceptedKeys::Live,
            &crate::accounts::tests::client(),
        )
        .expect("the key is live")
        .as_ref()
        .clone()
}

/// The grant after its account has moved to another plan.
fn with_plan(grant: &KeyGrant, name: PlanName) -> KeyGrant {
    KeyGrant {
        plan: plan(name),
        ..grant.clone()
    }
}

/// The leased and used calls of an account in the period that begins at `start`; zeros if there is no row.
pub(crate) async fn row(store: &AccountStore, grant: &KeyGrant, start: Timestamp) -> (i64, i64) {
    expect_ok(
        sqlx::query_as(
            "SELECT leased, used FROM bundles WHERE account_id = $1 AND period_start = $2",
        )
        .bind(grant.account_id.to_string())
        .bind(start.as_second())
        .fetch_optional(store.pool()),
    )
    .await
    .unwrap_or_default()
}

/// The percentages of an account's notices in all periods.
async fn notices(store: &AccountStore, grant: &KeyGrant) -> Vec<i64> {
    sqlx::query_scalar(
        "SELECT percent FROM notices WHERE account_id = $1 ORDER BY period_start, percent",
    )
    .bind(grant.account_id.to_string())
    .fetch_all(store.pool())
    .await
    .expect("the store answers")
}

/// Waits until the account's row fulfils a condition.
pub(crate) async fn until_row(
    store: &AccountStore,
    grant: &KeyGrant,
    start: Timestamp,
    is_met: impl Fn((i64, i64)) -> bool,
) {
    let began = Instant::now();
    loop {
        let (leased, used) = row(store, grant, start).await;
        if is_met((leased, used)) {
            return;
        }
        assert!(
            began.elapsed() < LIMIT,
            "waited without success: {leased} leased, {used} used"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn account_ref(grant: &KeyGrant) -> AccountRef {
    AccountRef::Id(grant.account_id)
}
