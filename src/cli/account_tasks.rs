//! What works behind the listeners with the accounts database: keys that are followed, calls that are leased, usage that is put
//! away, notices that are sent. It begins when the database is there, and ends after the last request.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::account_store;
use super::outcome::full_message;
use crate::accounts;
use crate::accounts::{AccountStore, AccountStoreError, CurrentPlans};
use crate::config::Config;
use crate::limits::LeaseTask;
use crate::notices;
use crate::notices::Mailer;
use crate::state::App;
use crate::usage;

/// How long the database may take to be opened and to tell its keys.
const OPEN_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a database that did not answer is left alone before it is tried again.
const OPEN_RETRY_DELAY: Duration = Duration::from_secs(1);

/// How long open connections may take to be closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The request log's folder in the data folder.
pub(super) const REQUEST_LOG_DIR: &str = "requests";

/// What works with the accounts database, under way.
pub(super) struct AccountTasks {
    /// Cancelled after the last request, so that what it used is put away too.
    shutdown: CancellationToken,
    /// Cancelled when the database was tried once.
    first_attempt_done: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
}

impl AccountTasks {
    /// Begins as soon as the database is there.
    pub(super) fn spawn(
        app: Arc<App>,
        usage: usage::UsageTasks,
        config: Arc<Config>,
        plans: CurrentPlans,
    ) -> Self {
        let [shutdown, first_attempt_done] = [(); 2].map(|()| CancellationToken::new());
        let task = tokio::spawn(run_tasks(
            app,
            usage,
            config,
            plans,
            shutdown.clone(),
            first_attempt_done.clone(),
        ));
        Self {
            shutdown,
            first_attempt_done,
            task,
        }
    }

    /// Cancelled when the database was tried once: from then on keys are known, or nobody can tell when they will be.
    pub(super) fn first_attempt_done(&self) -> CancellationToken {
        self.first_attempt_done.clone()
    }

    /// Waits for an end that nobody asked for: a database that is not fit for use, or a fault of ours.
    pub(super) async fn wait_for_failure(&mut self) -> anyhow::Error {
        match (&mut self.task).await {
            Ok(Err(error)) => error,
            Ok(Ok(())) => anyhow::anyhow!("the books ended by themselves"),
            Err(error) => anyhow::Error::from(error).context("keeping the books"),
        }
    }

    /// Puts away what is left and gives back what is in hand, up to the deadline.
    pub(super) async fn shut_down(self, deadline: Instant) {
        self.shutdown.cancel();
        match timeout_at(deadline, self.task).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => tracing::error!("{}", full_message(&error)),
            Ok(Err(error)) => tracing::error!(%error, "keeping the books failed"),
            Err(_) => tracing::warn!("drain deadline has passed; the books are left as they are"),
        }
    }
}

async fn run_tasks(
    app: Arc<App>,
    usage: usage::UsageTasks,
    config: Arc<Config>,
    plans: CurrentPlans,
    shutdown: CancellationToken,
    first_attempt_done: CancellationToken,
) -> anyhow::Result<()> {
    let opened =
        shutdown.run_until_cancelled(open_with_retry(&app, &config, &plans, &first_attempt_done));
    let Some(store) = opened.await.transpose()? else {
        return Ok(());
    };
    let access_control = &app.access;
    let folder = config.data.path().join(REQUEST_LOG_DIR);
    let clock = || access_control.clock.clone();
    tokio::join!(
        access_control
            .keys
            .watch(&store, accounts::KEY_POLL_INTERVAL, &shutdown),
        LeaseTask::new(&access_control.quotas, &store, &access_control.keys).run(&shutdown),
        usage.run(store.clone(), folder, clock(), shutdown.clone()),
        notices::run(
            store.clone(),
            new_mailer(&config),
            clock(),
            shutdown.clone()
        ),
        shutdown.run_until_cancelled(sweep_rates(&app)),
    );
    // What still hangs is cut with the process.
    timeout(CLOSE_TIMEOUT, store.close()).await.ok();
    Ok(())
}

fn new_mailer(config: &Config) -> Option<Mailer> {
    let server = config.smtp_url.clone()?;
    Some(Mailer::new(server, config.mail_from.clone()?))
}

/// Opens the accounts and reads the keys. A database server that does not answer is tried until it does, while the sandbox is
/// served all the same; what people have to mend ends the start, and later on is told whenever it changes.
async fn open_with_retry(
    app: &App,
    config: &Config,
    plans: &CurrentPlans,
    first_attempt_done: &CancellationToken,
) -> anyhow::Result<AccountStore> {
    let mut last_error = String::new();
    loop {
        let error = match timeout(OPEN_TIMEOUT, try_open(app, config, plans)).await {
            Ok(Ok(store)) => {
                if !last_error.is_empty() {
                    tracing::info!("accounts database is there");
                }
                crate::limits::metrics::set_database_unavailable(false);
                first_attempt_done.cancel();
                return Ok(store);
            }
            Ok(Err(error)) if !error.is_transient() && !first_attempt_done.is_cancelled() => {
                let error = account_store::with_file_context(error.into(), config);
                return Err(error.context("opening the accounts"));
            }
            Ok(Err(error)) => format!("{:#}", anyhow::Error::from(error)),
            Err(elapsed) => elapsed.to_string(),
        };
        first_attempt_done.cancel();
        crate::limits::metrics::set_database_unavailable(true);
        if last_error != error {
            tracing::error!(
                error,
                "accounts database is away; only the sandbox is served until it is there"
            );
            last_error = error;
        }
        sleep(OPEN_RETRY_DELAY).await;
    }
}

async fn try_open(
    app: &App,
    config: &Config,
    plans: &CurrentPlans,
) -> Result<AccountStore, AccountStoreError> {
    let store = account_store::open(config).await?.with_plans(plans.clone());
    app.access.keys.refresh(&store).await?;
    Ok(store)
}

/// Drops the buckets of keys that are not used.
async fn sweep_rates(app: &App) {
    let mut ticks = interval(crate::limits::RATE_SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.access.rate_limiter.sweep();
    }
}
