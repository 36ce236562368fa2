//! `postduif serve`: three listeners, the tasks behind them, and their orderly end.
//!
//! The first SIGTERM or SIGINT tells balancers to send requests elsewhere, for as long as the stop delay, then stops accepting
//! and lets what has begun finish, up to the drain deadline. A further one ends the delay; one that comes later ends the process
//! at once.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, bail};
use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Failure;
use super::account_tasks::Books;
use super::config_reload::{Reader, Reread};
use super::flags::ServiceFlags;
use super::signals::{Hangups, Signals};
use super::systemd::Manager;
use crate::accounts::{KeyDirectory, PlanTable};
use crate::clock::Clock;
use crate::config::{Config, Value};
use crate::http::dispatch;
use crate::http::metrics::Figures;
use crate::http::server;
use crate::http::server::{Limits, Stop};
use crate::http::{Front, admin};
use crate::snapshot::{Live, Reloader};
use crate::state::App;
use crate::state::Gate;
use crate::sync::{Asked, PullFrom, Puller};
use crate::telemetry::LogFilter;
use crate::usage::Usage;
use crate::{accounts, http, limits, notices, snapshot, sync, telemetry, usage};

/// Connections of the admin listener: enough for every tool that asks, however busy the others are.
pub(super) const ADMIN_CONNECTIONS: usize = 64;

/// How long the sandbox waits at the start for the keys of its customers.
const SANDBOX_WAITS: Duration = Duration::from_secs(1);

/// What a signal comes to while what has begun finishes.
const AGAIN: &str = "told to stop again: stopped at once";

pub(super) fn run(flags: &ServiceFlags) -> Result<(), Failure> {
    serve_until_stopped(flags.reader(), Hangup::Rereads, |_| Ok(()))
}

/// What SIGHUP means to a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hangup {
    /// Read the settings again.
    Rereads,
    /// The terminal is gone: end, as the system has it.
    Ends,
}

/// What a service begins with.
struct Begin {
    hangup: Hangup,
    config: Arc<Config>,
    /// What stands in each setting.
    in_force: Vec<Value>,
    read: Reader,
    log: LogFilter,
}

/// Serves by the settings as they are read until told to stop; `ready` is told the live and the sandbox address once both
/// listen.
pub(super) fn serve_until_stopped(
    read: Reader,
    hangup: Hangup,
    ready: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    leave_no_core();
    let (mut config, in_force) = read()?;
    let log = telemetry::start(std::mem::take(&mut config.log), config.log_format);
    let begin = Begin {
        hangup,
        config: Arc::new(config),
        in_force,
        read,
        log,
    };
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(serve(begin, ready));
    // A generation that is just being opened is not waited for.
    runtime.shutdown_background();
    Ok(outcome?)
}

/// A crash writes no memory to a disk: settings, and requests with their keys, are in it. A byte is less than any core has, and
/// ends one that would be piped to a program, which none at all does not. Source: core(5); Linux, fs/coredump.c.
fn leave_no_core() {
    let least = Rlimit {
        current: Some(1),
        maximum: Some(1),
    };
    // Where none at all is what was inherited, it stays.
    setrlimit(Resource::Core, least).ok();
}

async fn serve(
    begin: Begin,
    ready: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let figures = record_figures().context("recording figures")?;
    let mut signals = Signals::new().context("listening for signals")?;
    let hangups = match begin.hangup {
        Hangup::Rereads => Some(Hangups::new().context("listening for signals")?),
        Hangup::Ends => None,
    };
    let config = &begin.config.clone();
    let (live, asked) = (Arc::new(Live::default()), Asked::default());
    let puller = puller(config, &live, &asked)?;
    // Bound before anything else is done: a port that is taken stops the start at once.
    let public = [
        bind("live", config.listen)?,
        bind("sandbox", config.sandbox_listen)?,
    ];
    let admin = bind("admin", config.admin_listen)?;
    let address = |listener: &TcpListener| {
        listener
            .local_addr()
            .context("asking for the bound address")
    };
    ready([address(&public[0])?, address(&public[1])?])?;
    let (usage, background) = Usage::new();
    let app = Arc::new(App::new(
        gate(config),
        usage,
        live,
        config.request_timeout_s,
    ));
    let plans = PlanTable::of(config.plans.clone());
    let mut books = Books::begin(app.clone(), background, config.clone(), plans.clone());
    // The live and the sandbox door.
    let manager = Manager::of(2);
    let reread = begin.reread(plans, &app, &asked, &manager);
    if let Some(hangups) = hangups {
        tokio::spawn(reread.follow(hangups));
    }
    tokio::spawn(figures.clone().keep_up());
    if let Some(puller) = puller {
        tokio::spawn(puller.follow(app.stopping.clone()));
    }

    // The admin listener answers before there is anything to be ready with, and until the others are done.
    tokio::spawn(serve_admin(
        admin,
        limits("admin", config),
        app.clone(),
        figures,
    ));
    let public = serve_public(public, config, &app, books.tried(), asked, &manager);
    let mut public = pin!(public);
    tokio::select! {
        () = &mut public => bail!("the listeners ended by themselves"),
        error = books.ended() => return Err(error),
        () = signals.next() => {}
    }
    manager.stopping();
    tokio::select! {
        () = leave(&app, config.stop_delay_s) => {}
        () = &mut public => bail!("the listeners ended by themselves"),
        error = books.ended() => return Err(error),
        // Impatience costs what the balancers still send here, not what is in hand.
        () = signals.next() => tracing::info!("told to stop again: not waiting for the balancers any longer"),
    }
    tracing::info!("stopping: what has begun may finish");
    let deadline = Instant::now() + config.drain_deadline_s;
    app.stopping.cancel();
    tokio::select! {
        () = &mut public => {}
        () = signals.next() => bail!(AGAIN),
    }
    tokio::select! {
        () = books.close(deadline) => {}
        () = signals.next() => bail!("told to stop again: the books are left as they are"),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Tells balancers to send requests elsewhere, and waits until they do.
async fn leave(app: &App, delay: Duration) {
    app.leaving.store(true, Ordering::Relaxed);
    if !delay.is_zero() {
        let delay_s = delay.as_secs();
        tracing::info!(
            delay_s,
            "stopping soon: answering on, but not ready any more"
        );
        sleep(delay).await;
    }
}

impl Begin {
    fn reread(self, plans: PlanTable, app: &Arc<App>, asked: &Asked, manager: &Manager) -> Reread {
        Reread {
            read: self.read,
            in_force: self.in_force,
            log: self.log,
            plans,
            app: app.clone(),
            manager: manager.clone(),
            asked: asked.clone(),
        }
    }
}

/// Who takes generations from a bucket, where the settings name one. From then on the data folder is this process's alone to
/// change.
fn puller(config: &Config, live: &Arc<Live>, asked: &Asked) -> anyhow::Result<Option<Puller>> {
    let Some(bucket) = config.generations_from.clone() else {
        return Ok(None);
    };
    let from = PullFrom {
        bucket,
        every: config.generations_poll_s,
        keep: config.generations_keep,
    };
    let puller = Puller::new(config.data.clone(), from, live.clone(), asked.clone());
    let puller = puller.context(
        "generations_from: the data folder has to be writable, and this service's alone",
    )?;
    Ok(Some(puller))
}

/// No key is known yet but the trial key.
fn gate(config: &Config) -> Gate {
    let keys = KeyDirectory::unloaded();
    let keys = if config.trial_key {
        keys.with_trial_key()
    } else {
        keys
    };
    Gate::new(keys, config.trusted_proxy.clone(), Clock::system())
}

/// Before the first figure is made, so that each has its description and is there from the start.
fn record_figures() -> anyhow::Result<Figures> {
    let figures = Figures::record()?;
    http::metrics::begin();
    accounts::metrics::begin();
    limits::metrics::begin();
    usage::metrics::begin();
    notices::metrics::begin();
    snapshot::metrics::begin();
    sync::pull::metrics::begin();
    Ok(figures)
}

fn limits(listener: &'static str, config: &Config) -> Limits {
    Limits {
        listener,
        header_timeout: config.header_timeout_s,
        request_timeout: config.request_timeout_s,
        // The rest of it is for the books.
        drain_deadline: config.drain_deadline_s * 4 / 5,
        max_connections: config.max_connections,
    }
}

/// Serves the live and the sandbox listener until the process stops. They open their doors when the accounts were tried once,
/// the live one when the data folder was looked at too, so that a restart answers no 503 while both are there. The sandbox
/// does not wait long: what it needs is always there.
async fn serve_public(
    [live, sandbox]: [TcpListener; 2],
    config: &Config,
    app: &Arc<App>,
    accounts_tried: CancellationToken,
    asked: Asked,
    manager: &Manager,
) {
    let serve = |name, listener, router| {
        let front = Front::new(router);
        let stop = Stop {
            leaving: app.leaving.clone(),
            now: app.stopping.clone(),
        };
        server::serve(listener, front, limits(name, config), stop)
    };
    let live = async {
        let mut reloader = Reloader::new(config.data.clone(), app.live.clone(), asked.folder);
        reloader.look().await;
        tokio::spawn(reloader.follow(app.stopping.clone()));
        app.stopping
            .run_until_cancelled(accounts_tried.cancelled())
            .await;
        manager.open_one();
        serve("live", live, dispatch::live(app)).await;
    };
    let sandbox = async {
        // Tried or not, it opens.
        timeout(SANDBOX_WAITS, accounts_tried.cancelled())
            .await
            .ok();
        manager.open_one();
        serve("sandbox", sandbox, dispatch::sandbox(app)).await;
    };
    tokio::join!(live, sandbox);
}

/// Serves the admin listener for as long as the process lives.
async fn serve_admin(listener: TcpListener, limits: Limits, app: Arc<App>, figures: Figures) {
    let front = Front::new(admin::router(&app, figures));
    let limits = Limits {
        max_connections: ADMIN_CONNECTIONS,
        ..limits
    };
    server::serve(listener, front, limits, Stop::default()).await;
}

pub(super) fn bind(name: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener =
        server::listen(address).with_context(|| format!("{name} listener: binding {address}"))?;
    let address = listener
        .local_addr()
        .context("asking for the bound address")?;
    tracing::info!(listener = name, %address, "listening");
    Ok(listener)
}
