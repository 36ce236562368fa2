//! What works behind the listeners with the accounts database: keys that are followed, calls that are leased, usage that is put
//! away, notices that are sent. It begins when the database is there, and ends after the last request.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::account_store;
use super::outcome::in_full;
use crate::accounts;
use crate::accounts::{Ledger, LedgerError, PlanTable};
use crate::config::Config;
use crate::notices;
use crate::notices::Mailer;
use crate::state::App;
use crate::usage;

/// How long the database may take to be opened and to tell its keys.
const OPEN_PATIENCE: Duration = Duration::from_secs(15);

/// How long a database that did not answer is left alone before it is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long open connections may take to be closed.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

/// The request log's folder in the data folder.
pub(super) const REQUEST_LOG: &str = "requests";

/// What works with the accounts database, under way.
pub(super) struct Books {
    /// Cancelled after the last request, so that what it used is put away too.
    closing: CancellationToken,
    /// Cancelled when the database was tried once.
    tried: CancellationToken,
    work: JoinHandle<anyhow::Result<()>>,
}

impl Books {
    /// Begins as soon as the database is there.
    pub(super) fn begin(
        app: Arc<App>,
        usage: usage::Background,
        config: Arc<Config>,
        plans: PlanTable,
    ) -> Self {
        let [closing, tried] = [(); 2].map(|()| CancellationToken::new());
        let work = tokio::spawn(keep(
            app,
            usage,
            config,
            plans,
            closing.clone(),
            tried.clone(),
        ));
        Self {
            closing,
            tried,
            work,
        }
    }

    /// Cancelled when the database was tried once: from then on keys are known, or nobody can tell when they will be.
    pub(super) fn tried(&self) -> CancellationToken {
        self.tried.clone()
    }

    /// Waits for an end that nobody asked for: a database that is not fit for use, or a fault of ours.
    pub(super) async fn ended(&mut self) -> anyhow::Error {
        match (&mut self.work).await {
            Ok(Err(error)) => error,
            Ok(Ok(())) => anyhow::anyhow!("the books ended by themselves"),
            Err(error) => anyhow::Error::from(error).context("keeping the books"),
        }
    }

    /// Puts away what is left and gives back what is in hand, up to the deadline.
    pub(super) async fn close(self, deadline: Instant) {
        self.closing.cancel();
        match timeout_at(deadline, self.work).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => tracing::error!("{}", in_full(&error)),
            Ok(Err(error)) => tracing::error!(%error, "keeping the books failed"),
            Err(_) => tracing::warn!("drain deadline has passed; the books are left as they are"),
        }
    }
}

async fn keep(
    app: Arc<App>,
    usage: usage::Background,
    config: Arc<Config>,
    plans: PlanTable,
    closing: CancellationToken,
    tried: CancellationToken,
) -> anyhow::Result<()> {
    let opened = closing.run_until_cancelled(open(&app, &config, &plans, &tried));
    let Some(ledger) = opened.await.transpose()? else {
        return Ok(());
    };
    let gate = &app.gate;
    let folder = config.data.path().join(REQUEST_LOG);
    let clock = || gate.clock.clone();
    tokio::join!(
        gate.keys.watch(&ledger, accounts::POLL_INTERVAL, &closing),
        gate.bundles.keep(&ledger, &gate.keys, &closing),
        usage.run(ledger.clone(), folder, clock(), closing.clone()),
        notices::run(ledger.clone(), mailer(&config), clock(), closing.clone()),
        closing.run_until_cancelled(sweep(&app)),
    );
    // What still hangs is cut with the process.
    timeout(CLOSE_PATIENCE, ledger.close()).await.ok();
    Ok(())
}

fn mailer(config: &Config) -> Option<Mailer> {
    let server = config.smtp_url.clone()?;
    Some(Mailer::new(server, config.mail_from.clone()?))
}

/// Opens the accounts and reads the keys. A database server that does not answer is tried until it does, while the sandbox is
/// served all the same; what people have to mend ends the start, and later on is told whenever it changes.
async fn open(
    app: &App,
    config: &Config,
    plans: &PlanTable,
    tried: &CancellationToken,
) -> anyhow::Result<Ledger> {
    let mut told = String::new();
    loop {
        let error = match timeout(OPEN_PATIENCE, try_open(app, config, plans)).await {
            Ok(Ok(ledger)) => {
                if !told.is_empty() {
                    tracing::info!("accounts database is there");
                }
                crate::limits::metrics::database_away(false);
                tried.cancel();
                return Ok(ledger);
            }
            Ok(Err(error)) if !error.is_away() && !tried.is_cancelled() => {
                let error = account_store::with_file(error.into(), config);
                return Err(error.context("opening the accounts"));
            }
            Ok(Err(error)) => format!("{:#}", anyhow::Error::from(error)),
            Err(elapsed) => elapsed.to_string(),
        };
        tried.cancel();
        crate::limits::metrics::database_away(true);
        if told != error {
            tracing::error!(
                error,
                "accounts database is away; only the sandbox is served until it is there"
            );
            told = error;
        }
        sleep(TRY_AGAIN_AFTER).await;
    }
}

async fn try_open(app: &App, config: &Config, plans: &PlanTable) -> Result<Ledger, LedgerError> {
    let ledger = account_store::open(config).await?.with_plans(plans.clone());
    app.gate.keys.refresh(&ledger).await?;
    Ok(ledger)
}

/// Drops the buckets of keys that are not used.
async fn sweep(app: &App) {
    let mut ticks = interval(crate::limits::SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.gate.rates.sweep();
    }
}
