//! Runs the background tasks of accounts. They refresh keys, lease calls, write usage, send notices, and drop the rate limits of
//! unused keys. The tasks start as soon as the database is open, and stop after the last request.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::account_store;
use super::outcome::{full_message, with_advice};
use crate::accounts::{self, AccountStore, AccountStoreError, CurrentPlans};
use crate::config::Config;
use crate::limits::{self, LeaseTask};
use crate::notices::{self, Mailer};
use crate::state::App;
use crate::usage;

/// Maximum time to open the database and read the keys. After that, the attempt counts as failed.
const OPEN_TIMEOUT: Duration = Duration::from_secs(15);

/// Delay between attempts to open the database.
const OPEN_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Maximum time to close the database connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The folder of the request log, below the data folder.
pub(super) const REQUEST_LOG_DIR: &str = "requests";

/// The running background tasks.
pub(super) struct AccountTasks {
    /// Cancelled after the last request, so that the usage of that request is written too.
    shutdown: CancellationToken,
    /// Cancelled when the first attempt to open the database has succeeded or failed. The start of the service waits for this attempt,
    /// but not for later ones.
    pub(super) first_attempt_done: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
}

impl AccountTasks {
    /// Starts the tasks. They wait until the database is open.
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

    /// Waits until the tasks fail, and returns the error. They fail if the database cannot be used or postduif has a bug.
    pub(super) async fn wait_for_failure(&mut self) -> anyhow::Error {
        match (&mut self.task).await {
            Ok(Err(error)) => error,
            Ok(Ok(())) => anyhow::anyhow!("the account tasks ended unexpectedly"),
            Err(error) => anyhow::Error::from(error).context("running the account tasks"),
        }
    }

    /// Writes the remaining usage and returns leased calls. Gives up at the deadline.
    pub(super) async fn shut_down(self, deadline: Instant) {
        self.shutdown.cancel();
        match timeout_at(deadline, self.task).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => tracing::error!("{}", full_message(&error)),
            Ok(Err(error)) => tracing::error!(%error, "account tasks failed"),
            Err(_) => tracing::warn!(
                "drain deadline passed before usage was written and leases were returned"
            ),
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
    app.account_reports.set_store(store.clone());
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
    // If closing takes too long, go on: the end of the process closes the connections too.
    timeout(CLOSE_TIMEOUT, store.close()).await.ok();
    Ok(())
}

fn new_mailer(config: &Config) -> Option<Mailer> {
    let server = config.smtp_url.clone()?;
    Some(Mailer::new(server, config.mail_from.clone()?))
}

/// Opens the accounts database and reads the keys. If the database does not answer, is locked or has no room, tries again; meanwhile the
/// service serves the sandbox. If the first attempt fails with an error that the operator must fix, the process ends. If a later attempt fails with
/// such an error, the error is logged, and opening the database is tried again.
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
                    tracing::info!("accounts database is available");
                }
                limits::metrics::DATABASE_UNAVAILABLE.set_flag(false);
                first_attempt_done.cancel();
                return Ok(store);
            }
            Ok(Err(error)) if !error.is_transient() && !first_attempt_done.is_cancelled() => {
                let error = account_store::with_file_context(error.into(), config);
                return Err(error.context("opening the accounts database"));
            }
            Ok(Err(error)) => with_advice(&account_store::with_file_context(error.into(), config)),
            Err(elapsed) => elapsed.to_string(),
        };
        first_attempt_done.cancel();
        limits::metrics::DATABASE_UNAVAILABLE.set_flag(true);
        if last_error != error {
            tracing::error!(
                error,
                "accounts database is unavailable; serving only the sandbox until it is available, and trying again every second"
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

/// Removes the rate limits of unused keys from memory.
async fn sweep_rates(app: &App) {
    let mut ticks = interval(limits::RATE_SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.access.rate_limiter.sweep();
    }
}
