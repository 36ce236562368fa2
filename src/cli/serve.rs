//! `postduif serve`: three listeners, the tasks behind them, and their orderly end.
//!
//! The first SIGTERM or SIGINT stops accepting and lets what has begun finish, up to the drain deadline; the second ends the
//! process at once.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::flags::ServiceFlags;
use super::{Failure, ledger};
use crate::access::{self, KeyDirectory, Ledger};
use crate::api::{Front, admin};
use crate::config::Config;
use crate::index::{Live, Reloader};
use crate::server::{self, Limits};
use crate::state::App;
use crate::{router, telemetry};

/// Connections of the admin listener: enough for every tool that asks, however busy the others are.
const ADMIN_CONNECTIONS: usize = 64;

pub(super) fn run(flags: &ServiceFlags) -> Result<(), Failure> {
    serve_until_stopped(flags.config()?, |_| Ok(()))
}

/// Serves until told to stop; `ready` is told the live and the sandbox address once both listen.
pub(super) fn serve_until_stopped(
    mut config: Config,
    ready: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    telemetry::start(std::mem::take(&mut config.log), config.log_format);
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(serve(&config, ready));
    // A generation that is just being opened is not waited for.
    runtime.shutdown_background();
    Ok(outcome?)
}

async fn serve(
    config: &Config,
    ready: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let figures = admin::record_metrics().context("recording figures")?;
    let mut signals = Signals::new().context("listening for signals")?;
    let listeners = Listeners::bind(config).await?;
    ready(listeners.addresses()?)?;
    let ledger = ledger::open(config).await.context("opening the accounts")?;
    let keys = KeyDirectory::load(&ledger)
        .await
        .context("loading the keys")?;
    let app = Arc::new(App::new(keys, Arc::new(Live::default())));
    tokio::spawn(follow_keys(app.clone(), ledger.clone()));
    tokio::spawn(fold_figures(figures.clone()));

    let (public, admin) = listeners.into_services(config, &app, figures);
    let mut public = pin!(public);
    // Answers before there is anything to be ready with, and until the others are done.
    tokio::spawn(admin);
    tokio::select! {
        () = &mut public => bail!("the listeners ended by themselves"),
        () = signals.next() => tracing::info!("stopping: what has begun may finish"),
    }
    app.stopping.cancel();
    tokio::select! {
        () = &mut public => {}
        () = signals.next() => bail!("told to stop a second time: stopped at once"),
    }
    ledger.close().await;
    tracing::info!("stopped");
    Ok(())
}

async fn follow_keys(app: Arc<App>, ledger: Ledger) {
    app.keys
        .watch(&ledger, access::POLL_INTERVAL, &app.stopping)
        .await;
}

async fn fold_figures(figures: PrometheusHandle) {
    let mut ticks = tokio::time::interval(admin::UPKEEP_INTERVAL);
    loop {
        ticks.tick().await;
        figures.run_upkeep();
    }
}

/// The sockets, bound before anything else is done: a port that is taken stops the start at once.
struct Listeners {
    live: TcpListener,
    sandbox: TcpListener,
    admin: TcpListener,
}

impl Listeners {
    async fn bind(config: &Config) -> anyhow::Result<Self> {
        Ok(Self {
            live: bind("live", config.listen).await?,
            sandbox: bind("sandbox", config.sandbox_listen).await?,
            admin: bind("admin", config.admin_listen).await?,
        })
    }

    /// Where the live and the sandbox listener are, now that a port 0 has become a real one.
    fn addresses(&self) -> anyhow::Result<[SocketAddr; 2]> {
        let address = |listener: &TcpListener| {
            listener
                .local_addr()
                .context("asking for the bound address")
        };
        Ok([address(&self.live)?, address(&self.sandbox)?])
    }

    /// The two public listeners as one future, and the admin listener. The public ones open their doors when the data folder
    /// has been looked at, so that a restart answers no 503 while a generation is there.
    fn into_services(
        self,
        config: &Config,
        app: &Arc<App>,
        figures: PrometheusHandle,
    ) -> (impl Future<Output = ()>, impl Future<Output = ()> + use<>) {
        let limits = Limits {
            header_timeout: config.header_timeout_s,
            drain_deadline: config.drain_deadline_s,
            max_connections: config.max_connections,
        };
        let front = |router| Front::new(router, config.request_timeout_s);
        let mut reloader = Reloader::new(config.data.clone(), app.live.clone());
        let stop = app.stopping.clone();
        let live = server::serve(self.live, front(router::live(app)), limits, stop.clone());
        let sandbox = server::serve(
            self.sandbox,
            front(router::sandbox(app)),
            limits,
            stop.clone(),
        );
        let public = async move {
            reloader.look().await;
            tokio::spawn(reloader.follow(stop));
            tokio::join!(live, sandbox);
        };
        let limits = Limits {
            max_connections: ADMIN_CONNECTIONS,
            ..limits
        };
        let admin = server::serve(
            self.admin,
            front(admin::router(app, figures)),
            limits,
            CancellationToken::new(),
        );
        (public, admin)
    }
}

async fn bind(name: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("{name} listener: binding {address}"))?;
    let address = listener
        .local_addr()
        .context("asking for the bound address")?;
    tracing::info!(listener = name, %address, "listening");
    Ok(listener)
}

/// The two signals that ask a process to stop.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
