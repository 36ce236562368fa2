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

use super::CommandError;
use super::account_tasks::AccountTasks;
use super::config_reload::{ConfigLoader, ConfigReload};
use super::flags::ServiceFlags;
use super::signals::{SighupSignal, TerminationSignals};
use super::systemd::SystemdNotifier;
use crate::accounts::{CurrentPlans, KeyDirectory};
use crate::clock::Clock;
use crate::config::{Config, SettingValue};
use crate::http::dispatch;
use crate::http::metrics::Metrics;
use crate::http::server;
use crate::http::server::{ListenerLimits, ShutdownSignal};
use crate::http::{HttpService, admin};
use crate::snapshot::{CurrentSnapshot, Reloader};
use crate::state::AccessControl;
use crate::state::App;
use crate::sync::{PullConfig, Puller, ReloadTriggers};
use crate::telemetry::LogFilterHandle;
use crate::usage::UsageRecorder;
use crate::{accounts, http, limits, notices, snapshot, sync, telemetry, usage};

/// Connections of the admin listener: enough for every tool that asks, however busy the others are.
pub(super) const MAX_ADMIN_CONNECTIONS: usize = 64;

/// How long the sandbox waits at the start for the keys of its customers.
const SANDBOX_START_TIMEOUT: Duration = Duration::from_secs(1);

/// What a signal comes to while what has begun finishes.
const STOPPED_AGAIN: &str = "told to stop again: stopped at once";

pub(super) fn run(flags: &ServiceFlags) -> Result<(), CommandError> {
    serve_until_stopped(flags.config_loader(), OnSighup::ReloadConfig, |_| Ok(()))
}

/// What SIGHUP means to a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnSighup {
    /// Read the settings again.
    ReloadConfig,
    /// The terminal is gone: end, as the system has it.
    Exit,
}

/// What a service begins with.
struct ServeOptions {
    on_sighup: OnSighup,
    config: Arc<Config>,
    /// What stands in each setting.
    current_values: Vec<SettingValue>,
    load_config: ConfigLoader,
    log_filter: LogFilterHandle,
}

/// Serves by the settings as they are read until told to stop; `ready` is told the live and the sandbox address once both
/// listen.
pub(super) fn serve_until_stopped(
    load_config: ConfigLoader,
    on_sighup: OnSighup,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> Result<(), CommandError> {
    limit_core_dumps();
    let (mut config, current_values) = load_config()?;
    let log_filter = telemetry::init(std::mem::take(&mut config.log), config.log_format);
    let options = ServeOptions {
        on_sighup,
        config: Arc::new(config),
        current_values,
        load_config,
        log_filter,
    };
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(serve(options, on_listening));
    // A generation that is just being opened is not waited for.
    runtime.shutdown_background();
    Ok(outcome?)
}

/// A crash writes no memory to a disk: settings, and requests with their keys, are in it. A byte is less than any core has, and
/// ends one that would be piped to a program, which none at all does not. Source: core(5); Linux, fs/coredump.c.
fn limit_core_dumps() {
    let limit = Rlimit {
        current: Some(1),
        maximum: Some(1),
    };
    // Where none at all is what was inherited, it stays.
    setrlimit(Resource::Core, limit).ok();
}

async fn serve(
    options: ServeOptions,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let metrics = register_metrics().context("recording figures")?;
    let mut signals = TerminationSignals::new().context("listening for signals")?;
    let sighup = match options.on_sighup {
        OnSighup::ReloadConfig => Some(SighupSignal::new().context("listening for signals")?),
        OnSighup::Exit => None,
    };
    let config = &options.config.clone();
    let (live, triggers) = (
        Arc::new(CurrentSnapshot::default()),
        ReloadTriggers::default(),
    );
    let puller = open_puller(config, &live, &triggers)?;
    // Bound before anything else is done: a port that is taken stops the start at once.
    let public = [
        bind_listener("live", config.listen)?,
        bind_listener("sandbox", config.sandbox_listen)?,
    ];
    let admin = bind_listener("admin", config.admin_listen)?;
    let local_addr = |listener: &TcpListener| {
        listener
            .local_addr()
            .context("asking for the bound address")
    };
    on_listening([local_addr(&public[0])?, local_addr(&public[1])?])?;
    let (usage, background) = UsageRecorder::new();
    let mut app = App::new(
        new_access_control(config),
        usage,
        live,
        config.request_timeout_s,
    );
    app.pull_status = puller.as_ref().map(Puller::status);
    let app = Arc::new(app);
    let plans = CurrentPlans::new(config.plans.clone());
    let mut account_tasks =
        AccountTasks::spawn(app.clone(), background, config.clone(), plans.clone());
    // The live and the sandbox door.
    let systemd = SystemdNotifier::new(2);
    let config_reload = options.into_config_reload(plans, &app, &triggers, &systemd);
    if let Some(hangups) = sighup {
        tokio::spawn(config_reload.run(hangups));
    }
    tokio::spawn(metrics.clone().run_upkeep());
    if let Some(puller) = puller {
        tokio::spawn(puller.run(app.stopping.clone()));
    }

    // The admin listener answers before there is anything to be ready with, and until the others are done.
    tokio::spawn(serve_admin(
        admin,
        listener_limits("admin", config),
        app.clone(),
        metrics,
    ));
    let public = serve_public(
        public,
        config,
        &app,
        account_tasks.first_attempt_done(),
        triggers,
        &systemd,
    );
    let mut public = pin!(public);
    tokio::select! {
        () = &mut public => bail!("the listeners ended by themselves"),
        error = account_tasks.wait_for_failure() => return Err(error),
        () = signals.next() => {}
    }
    systemd.notify_stopping();
    tokio::select! {
        () = wait_for_load_balancers(&app, config.stop_delay_s) => {}
        () = &mut public => bail!("the listeners ended by themselves"),
        error = account_tasks.wait_for_failure() => return Err(error),
        // Impatience costs what the balancers still send here, not what is in hand.
        () = signals.next() => tracing::info!("told to stop again: not waiting for the balancers any longer"),
    }
    tracing::info!("stopping: what has begun may finish");
    let deadline = Instant::now() + config.drain_deadline_s;
    app.stopping.cancel();
    tokio::select! {
        () = &mut public => {}
        () = signals.next() => bail!(STOPPED_AGAIN),
    }
    tokio::select! {
        () = account_tasks.shut_down(deadline) => {}
        () = signals.next() => bail!("told to stop again: the books are left as they are"),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Tells balancers to send requests elsewhere, and waits until they do.
async fn wait_for_load_balancers(app: &App, delay: Duration) {
    app.draining.store(true, Ordering::Relaxed);
    if !delay.is_zero() {
        let delay_s = delay.as_secs();
        tracing::info!(
            delay_s,
            "stopping soon: answering on, but not ready any more"
        );
        sleep(delay).await;
    }
}

impl ServeOptions {
    fn into_config_reload(
        self,
        plans: CurrentPlans,
        app: &Arc<App>,
        triggers: &ReloadTriggers,
        systemd: &SystemdNotifier,
    ) -> ConfigReload {
        ConfigReload {
            load_config: self.load_config,
            current_values: self.current_values,
            log_filter: self.log_filter,
            plans,
            app: app.clone(),
            systemd: systemd.clone(),
            triggers: triggers.clone(),
        }
    }
}

/// Who takes generations from a bucket, where the settings name one. From then on the data folder is this process's alone to
/// change.
fn open_puller(
    config: &Config,
    live: &Arc<CurrentSnapshot>,
    triggers: &ReloadTriggers,
) -> anyhow::Result<Option<Puller>> {
    let Some(bucket) = config.generations_from.clone() else {
        return Ok(None);
    };
    let from = PullConfig {
        bucket,
        interval: config.generations_poll_s,
        keep_generations: config.generations_keep,
    };
    let puller = Puller::new(config.data.clone(), from, live.clone(), triggers.clone());
    let puller = puller.context(
        "generations_from: the data folder has to be writable, and this service's alone",
    )?;
    Ok(Some(puller))
}

/// No key is known yet but the trial key.
fn new_access_control(config: &Config) -> AccessControl {
    let keys = KeyDirectory::new_unloaded();
    let keys = if config.trial_key {
        keys.with_trial_key()
    } else {
        keys
    };
    AccessControl::new(keys, config.trusted_proxy.clone(), Clock::system())
}

/// Before the first figure is made, so that each has its description and is there from the start.
fn register_metrics() -> anyhow::Result<Metrics> {
    let metrics = Metrics::install()?;
    http::metrics::register();
    accounts::metrics::init();
    limits::metrics::begin();
    usage::metrics::begin();
    notices::metrics::begin();
    snapshot::metrics::register();
    sync::pull::metrics::register();
    Ok(metrics)
}

fn listener_limits(listener: &'static str, config: &Config) -> ListenerLimits {
    ListenerLimits {
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
    first_attempt_done: CancellationToken,
    triggers: ReloadTriggers,
    systemd: &SystemdNotifier,
) {
    let serve = |name, listener, router| {
        let service = HttpService::new(router);
        let stop = ShutdownSignal {
            draining: app.draining.clone(),
            stop_accepting: app.stopping.clone(),
        };
        server::serve(listener, service, listener_limits(name, config), stop)
    };
    let live = async {
        let mut reloader = Reloader::new(
            config.data.clone(),
            app.current_snapshot.clone(),
            triggers.data_folder,
        );
        reloader.reload_if_changed().await;
        tokio::spawn(reloader.run(app.stopping.clone()));
        app.stopping
            .run_until_cancelled(first_attempt_done.cancelled())
            .await;
        systemd.mark_listener_ready();
        serve("live", live, dispatch::live_routes(app)).await;
    };
    let sandbox = async {
        // Tried or not, it opens.
        timeout(SANDBOX_START_TIMEOUT, first_attempt_done.cancelled())
            .await
            .ok();
        systemd.mark_listener_ready();
        serve("sandbox", sandbox, dispatch::sandbox_routes(app)).await;
    };
    tokio::join!(live, sandbox);
}

/// Serves the admin listener for as long as the process lives.
async fn serve_admin(
    listener: TcpListener,
    limits: ListenerLimits,
    app: Arc<App>,
    metrics: Metrics,
) {
    let service = HttpService::new(admin::router(&app, metrics));
    let limits = ListenerLimits {
        max_connections: MAX_ADMIN_CONNECTIONS,
        ..limits
    };
    server::serve(listener, service, limits, ShutdownSignal::default()).await;
}

pub(super) fn bind_listener(name: &str, addr: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener =
        server::listen(addr).with_context(|| format!("{name} listener: binding {addr}"))?;
    let addr = listener
        .local_addr()
        .context("asking for the bound address")?;
    tracing::info!(listener = name, %addr, "listening");
    Ok(listener)
}
