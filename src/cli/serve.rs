//! `postduif serve`: three listeners, the background tasks, and the shutdown.
//!
//! On the first SIGTERM or SIGINT the service reports not ready for the stop delay, then stops accepting connections and
//! finishes requests, up to the drain deadline. A signal during the delay ends the delay; a later one ends the process at once.

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
use super::data_path::DataFolderUse;
use super::flags::ServiceFlags;
use super::main_panic::exit_on_main_panic;
use super::signals::{SighupSignal, TerminationSignals};
use super::systemd::SystemdNotifier;
use crate::accounts::{CurrentPlans, KeyDirectory};
use crate::clock::Clock;
use crate::config::{Config, SettingValue};
use crate::http::dispatch;
use crate::http::metrics::Metrics;
use crate::http::server;
use crate::http::server::{ListenerLimits, ShutdownSignal, WhenFull};
use crate::http::{HttpService, admin};
use crate::snapshot::{CurrentSnapshot, Reloader};
use crate::state::{AccessControl, App, ResponseOptions};
use crate::sync::{PullConfig, Puller, ReloadTriggers};
use crate::telemetry::LogFilterHandle;
use crate::telemetry::traces::TraceExport;
use crate::usage::UsageRecorder;
use crate::{accounts, http, limits, notices, snapshot, sync, telemetry, usage};

/// Maximum time that the sandbox waits for keys at the start.
const SANDBOX_START_TIMEOUT: Duration = Duration::from_secs(1);

/// The error after a second signal while requests finish.
const STOPPED_AGAIN: &str = "second signal: stopped without finishing requests";

pub(super) fn run(flags: &ServiceFlags) -> Result<(), CommandError> {
    limit_core_dumps();
    flags.prepare_data_folder(&flags.load_config()?, DataFolderUse::Required)?;
    serve_until_stopped(flags.config_loader(), OnSighup::ReloadConfig, |_| Ok(()))
}

/// What SIGHUP does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnSighup {
    /// Read the settings again.
    ReloadConfig,
    /// End the process, as by default: the terminal was closed.
    Exit,
}

/// The settings of a service, and how to reload them.
struct ServeOptions {
    on_sighup: OnSighup,
    config: Arc<Config>,
    /// The text of each setting.
    current_values: Vec<SettingValue>,
    load_config: ConfigLoader,
    log_filter: LogFilterHandle,
}

/// Serves until a signal. `on_listening` is called with the IPs and ports of the live and the sandbox listener once both
/// listen.
pub(super) fn serve_until_stopped(
    load_config: ConfigLoader,
    on_sighup: OnSighup,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> Result<(), CommandError> {
    let (mut config, current_values) = load_config()?;
    let log_filter = telemetry::init(std::mem::take(&mut config.log), config.log_format);
    exit_on_main_panic();
    let traces = TraceExport::start().map_err(|error| CommandError::Usage(error.into()))?;
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
    // Does not wait for a generation that is being opened.
    runtime.shutdown_background();
    traces.shut_down();
    Ok(outcome?)
}

/// Limits core dumps to 1 byte: memory holds passwords and API keys. A limit of 0 would not stop piped dumps. Source:
/// core(5); Linux, fs/coredump.c.
pub(super) fn limit_core_dumps() {
    let limit = Rlimit {
        current: Some(1),
        maximum: Some(1),
    };
    // Fails if the inherited limit is 0, which then stays.
    setrlimit(Resource::Core, limit).ok();
}

async fn serve(
    options: ServeOptions,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let metrics = register_metrics().context("recording metrics")?;
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
    // The listeners are bound first, so that a port in use ends the start at once.
    let public = [
        bind_listener("live", config.listen)?,
        bind_listener("sandbox", config.sandbox_listen)?,
    ];
    let admin = bind_listener("admin", config.admin_listen)?;
    let local_addr =
        |listener: &TcpListener| listener.local_addr().context("reading the bound address");
    on_listening([local_addr(&public[0])?, local_addr(&public[1])?])?;
    let (usage, usage_tasks) = UsageRecorder::new();
    let mut app = App::new(
        new_access_control(config),
        usage,
        live,
        config.request_timeout_s,
    );
    app.pull_status = puller.as_ref().map(Puller::status);
    app.response_options = ResponseOptions {
        compress: config.compress_responses,
        server_timing: config.server_timing,
    };
    let app = Arc::new(app);
    let plans = CurrentPlans::new(config.plans.clone());
    let mut account_tasks =
        AccountTasks::spawn(app.clone(), usage_tasks, config.clone(), plans.clone());
    // The two listeners that must become ready are the live and the sandbox listener.
    let systemd = SystemdNotifier::new(2);
    let config_reload = options.into_config_reload(plans, &app, &triggers, &systemd);
    if let Some(sighup) = sighup {
        tokio::spawn(config_reload.run(sighup));
    }
    tokio::spawn(metrics.clone().run_upkeep());
    if let Some(puller) = puller {
        tokio::spawn(puller.run(app.stopping.clone()));
    }

    // The admin listener answers before the service is ready, and until the other listeners have ended.
    tokio::spawn(serve_admin(
        admin,
        listener_limits("admin", config).for_admin(),
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
        () = &mut public => bail!("the listeners ended unexpectedly"),
        error = account_tasks.wait_for_failure() => return Err(error),
        () = signals.next() => {}
    }
    systemd.notify_stopping();
    tokio::select! {
        () = wait_for_load_balancers(&app, config.stop_delay_s) => {}
        () = &mut public => bail!("the listeners ended unexpectedly"),
        error = account_tasks.wait_for_failure() => return Err(error),
        // Skips only the stop delay; requests are still finished.
        () = signals.next() => tracing::info!("second signal: skipping the stop delay"),
    }
    tracing::info!("stopping: finishing requests");
    let deadline = Instant::now() + config.drain_deadline_s;
    app.stopping.cancel();
    tokio::select! {
        () = &mut public => {}
        () = signals.next() => bail!(STOPPED_AGAIN),
    }
    tokio::select! {
        () = account_tasks.shut_down(deadline) => {}
        () = signals.next() => bail!("second signal: stopped before usage was written and leases were returned"),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Reports not ready, and waits until load balancers send requests elsewhere.
async fn wait_for_load_balancers(app: &App, delay: Duration) {
    app.draining.store(true, Ordering::Relaxed);
    if !delay.is_zero() {
        let delay_s = delay.as_secs();
        tracing::info!(delay_s, "stop delay: reporting not ready, still answering");
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

/// Opens the puller if the settings name a bucket. The puller locks the data folder against other writers.
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
        "generations_from: the data folder must be writable, and no other process may write to it",
    )?;
    Ok(Some(puller))
}

/// The access control of a start: it has only the built-in keys until the keys are read.
fn new_access_control(config: &Config) -> AccessControl {
    let keys = KeyDirectory::new_unloaded();
    keys.set_trial_key_enabled(config.trial_key);
    keys.set_public_live_key_enabled(config.public_live_key);
    AccessControl::new(keys, config.trusted_proxy.clone(), Clock::system())
}

/// Called before the first metric is recorded, so that each has its description and an initial value.
fn register_metrics() -> anyhow::Result<Metrics> {
    let metrics = Metrics::install()?;
    http::metrics::register();
    accounts::metrics::register();
    limits::metrics::register();
    usage::metrics::register();
    notices::metrics::register();
    snapshot::metrics::register();
    sync::pull::metrics::register();
    Ok(metrics)
}

pub(super) fn listener_limits(listener: &'static str, config: &Config) -> ListenerLimits {
    ListenerLimits {
        listener,
        header_timeout: config.header_timeout_s,
        request_timeout: config.request_timeout_s,
        // The last fifth of the drain deadline is for the account tasks.
        drain_deadline: config.drain_deadline_s * 4 / 5,
        max_connections: config.max_connections,
        when_full: WhenFull::Wait,
    }
}

/// Serves the live and the sandbox listener until the process stops. Both accept connections after the first attempt to open
/// the accounts database. The live listener also waits until the data folder was read, so that a restart does not answer 503.
/// The sandbox waits only a short time, because it needs no database.
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
            config.suggestion_cache_mb << 20,
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
        // After the timeout the sandbox accepts connections even without the keys of the database.
        timeout(SANDBOX_START_TIMEOUT, first_attempt_done.cancelled())
            .await
            .ok();
        systemd.mark_listener_ready();
        serve("sandbox", sandbox, dispatch::sandbox_routes(app)).await;
    };
    tokio::join!(live, sandbox);
}

/// Serves the admin listener until the process ends.
async fn serve_admin(
    listener: TcpListener,
    limits: ListenerLimits,
    app: Arc<App>,
    metrics: Metrics,
) {
    let service = HttpService::new(admin::router(&app, metrics));
    server::serve(listener, service, limits, ShutdownSignal::default()).await;
}

pub(super) fn bind_listener(name: &str, addr: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener =
        server::listen(addr).with_context(|| format!("{name} listener: binding {addr}"))?;
    let addr = listener.local_addr().context("reading the bound address")?;
    tracing::info!(listener = name, %addr, "listening");
    Ok(listener)
}
