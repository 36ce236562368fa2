//! What works behind the listeners with the accounts database: keys that are followed, calls that are leased, usage that is put
//! away, notices that are sent. It begins when the database is there, and ends after the last request.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::ledger;
use crate::access::{self, Ledger};
use crate::config::Config;
use crate::notices::{self, Mailer};
use crate::state::App;
use crate::usage;

/// How long a database that did not answer at the start is left alone before it is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The request log's folder in the data folder.
const REQUEST_LOG: &str = "requests";

/// Opens the accounts. None where a database server does not answer: the sandbox is served all the same, and everything else
/// as soon as it is there.
pub(super) async fn open(config: &Config) -> anyhow::Result<Option<Ledger>> {
    match ledger::open(config).await {
        Ok(ledger) => Ok(Some(ledger)),
        Err(error) if error.is_away() => {
            let error = format!("{:#}", anyhow::Error::from(error));
            tracing::error!(
                error,
                "accounts database is away; only the sandbox is served until it is there"
            );
            Ok(None)
        }
        Err(error) => Err(error).context("opening the accounts"),
    }
}

/// What works with the accounts database, under way.
pub(super) struct Books {
    /// Cancelled after the last request, so that what it used is put away too.
    closing: CancellationToken,
    work: JoinHandle<()>,
}

impl Books {
    /// Begins with this ledger, or when there is one.
    pub(super) fn begin(
        app: Arc<App>,
        ledger: Option<Ledger>,
        usage: usage::Background,
        config: Arc<Config>,
    ) -> Self {
        let closing = CancellationToken::new();
        let work = tokio::spawn(keep(app, ledger, usage, config, closing.clone()));
        Self { closing, work }
    }

    /// Puts away what is left and gives back what is in hand; takes the drain deadline at most, whatever the database does.
    pub(super) async fn close(self) {
        self.closing.cancel();
        if let Err(error) = self.work.await {
            tracing::error!(%error, "keeping the books failed");
        }
    }
}

async fn keep(
    app: Arc<App>,
    ledger: Option<Ledger>,
    usage: usage::Background,
    config: Arc<Config>,
    closing: CancellationToken,
) {
    let opened = async {
        match ledger {
            Some(ledger) => ledger,
            None => when_there(&config).await,
        }
    };
    let Some(ledger) = closing.run_until_cancelled(opened).await else {
        return;
    };
    let gate = &app.gate;
    let folder = config.data.path().join(REQUEST_LOG);
    let clock = || gate.clock.clone();
    let work = async {
        tokio::join!(
            gate.keys.watch(&ledger, access::POLL_INTERVAL, &closing),
            gate.bundles.keep(&ledger, &gate.keys, &closing),
            usage.run(ledger.clone(), folder, clock(), closing.clone()),
            notices::run(ledger.clone(), mailer(&config), clock(), closing.clone()),
            closing.run_until_cancelled(sweep(&app)),
        );
        ledger.close().await;
    };
    let too_long = async {
        closing.cancelled().await;
        sleep(config.drain_deadline_s).await;
    };
    tokio::select! {
        () = work => {}
        () = too_long => tracing::warn!("drain deadline has passed; the books are left as they are"),
    }
}

fn mailer(config: &Config) -> Option<Mailer> {
    let server = config.smtp_url.clone()?;
    Some(Mailer::new(server, config.mail_from.clone()?))
}

/// Tries until the database answers.
async fn when_there(config: &Config) -> Ledger {
    loop {
        sleep(TRY_AGAIN_AFTER).await;
        match ledger::open(config).await {
            Ok(ledger) => {
                tracing::info!("accounts database is there");
                return ledger;
            }
            Err(error) => tracing::debug!(%error, "accounts database is still away"),
        }
    }
}

/// Drops the buckets of keys that are not used.
async fn sweep(app: &App) {
    let mut ticks = interval(access::SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.gate.rates.sweep();
    }
}
