//! `postduif serve`: three listeners, the tasks behind them, and their orderly end.
//!
//! The first SIGTERM or SIGINT stops accepting and lets what has begun finish, up to the drain deadline; the second ends the
//! process at once.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::background::Background;
use super::flags::ServiceFlags;
use super::{Failure, ledger};
use crate::access::{self, Clock, KeyDirectory, Ledger};
use crate::api::{Front, admin};
use crate::config::Config;
use crate::index::{Live, Reloader};
use crate::server::{self, Limits};
use crate::state::App;
use crate::usage::Usage;
use crate::{router, telemetry};

/// Connections of the admin listener: enough for every tool that asks, however busy the others are.
const ADMIN_CONNECTIONS: usize = 64;

/// Nothing there takes longer than writing out the figures.
const ADMIN_TIMEOUT: Duration = Duration::from_secs(10);

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
    // Bound before anything else is done: a port that is taken stops the start at once.
    let live = bind("live", config.listen).await?;
    let sandbox = bind("sandbox", config.sandbox_listen).await?;
    let admin = bind("admin", config.admin_listen).await?;
    let address = |listener: &TcpListener| {
        listener
            .local_addr()
            .context("asking for the bound address")
    };
    ready([address(&live)?, address(&sandbox)?])?;
    let ledger = ledger::open(config).await.context("opening the accounts")?;
    let keys = KeyDirectory::load(&ledger)
        .await
        .context("loading the keys")?;
    let app = Arc::new(App::new(keys, Arc::new(Live::default())));
    tokio::spawn(follow_keys(app.clone(), ledger.clone()));
    tokio::spawn(fold_figures(figures.clone()));
    let (_usage, counting) = Usage::new();
    let background = Background::start(counting, config, &ledger, &Clock::system(), &app.stopping);

    // The admin listener answers before there is anything to be ready with, and until the others are done.
    tokio::spawn(serve_admin(admin, limits(config), app.clone(), figures));
    let mut public = pin!(serve_public([live, sandbox], config, &app));
    tokio::select! {
        () = &mut public => bail!("the listeners ended by themselves"),
        () = signals.next() => tracing::info!("stopping: what has begun may finish"),
    }
    app.stopping.cancel();
    tokio::select! {
        () = &mut public => {}
        () = signals.next() => bail!("told to stop a second time: stopped at once"),
    }
    background.finish().await;
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

fn limits(config: &Config) -> Limits {
    Limits {
        header_timeout: config.header_timeout_s,
        drain_deadline: config.drain_deadline_s,
        max_connections: config.max_connections,
    }
}

/// Serves the live and the sandbox listener until the process stops. They open their doors when the data folder has been
/// looked at once, so that a restart answers no 503 while a generation is there.
async fn serve_public([live, sandbox]: [TcpListener; 2], config: &Config, app: &Arc<App>) {
    let mut reloader = Reloader::new(config.data.clone(), app.live.clone());
    reloader.look().await;
    tokio::spawn(reloader.follow(app.stopping.clone()));
    let serve = |listener, router| {
        let front = Front::new(router, config.request_timeout_s);
        server::serve(listener, front, limits(config), app.stopping.clone())
    };
    tokio::join!(
        serve(live, router::live(app)),
        serve(sandbox, router::sandbox(app))
    );
}

/// Serves the admin listener for as long as the process lives.
async fn serve_admin(
    listener: TcpListener,
    limits: Limits,
    app: Arc<App>,
    figures: PrometheusHandle,
) {
    let front = Front::new(admin::router(&app, figures), ADMIN_TIMEOUT);
    let limits = Limits {
        max_connections: ADMIN_CONNECTIONS,
        ..limits
    };
    server::serve(listener, front, limits, CancellationToken::new()).await;
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
