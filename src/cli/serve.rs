//! `postduif serve`: runs three listeners and the background tasks until a signal, and then shuts down.
//!
//! After the first SIGTERM or SIGINT, the service reports that it is not ready, and still answers during the stop delay. It then
//! stops accepting connections, and finishes requests until the drain deadline. A second signal during the stop delay ends the
//! delay. A signal after the delay ends the process at once.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, bail};
use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::CommandError;
use super::account_store;
use super::account_tasks::AccountTasks;
use super::config_reload::{ConfigLoader, ConfigReload};
use super::data_path::DataFolderUse;
use super::flags::ServiceFlags;
use super::main_panic::exit_on_main_panic;
use super::runtimes::new_service_runtime;
use super::signals::{self, TerminationSignals};
use super::systemd::SystemdNotifier;
use crate::accounts::{CurrentPlans, KeyDirectory};
use crate::clock::Clock;
use crate::config::{Config, SettingValue, unknown_variables};
use crate::http::dispatch;
use crate::http::metrics::Metrics;
use crate::http::server::{self, ListenerLimits, ShutdownSignal, WhenFull};
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

/// The error for a second signal that arrives while the service finishes requests.
const STOPPED_AGAIN: &str = "second signal: stopped without finishing requests";

pub(super) fn run(flags: &ServiceFlags) -> Result<(), CommandError> {
    limit_core_dumps();
    flags.prepare_data_folder(&flags.load_config()?, DataFolderUse::Required)?;
    serve_until_stopped(flags.config_loader(), OnSighup::ReloadConfig, |_| Ok(()))
}

/// The effect of SIGHUP.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnSighup {
    /// Read the settings again.
    ReloadConfig,
    /// End the process, as the system does by default when the terminal is closed.
    Exit,
}

/// The settings of a service, and how to reload them.
struct ServeOptions {
    on_sighup: OnSighup,
    config: Arc<Config>,
    /// The settings in effect, in the order of the settings table. A reload compares them with the new ones.
    current_values: Vec<SettingValue>,
    load_config: ConfigLoader,
    log_filter: LogFilterHandle,
}

/// Serves until a signal. Calls `on_listening` with the IPs and ports of the live and the sandbox listener after both are bound.
pub(super) fn serve_until_stopped(
    load_config: ConfigLoader,
    on_sighup: OnSighup,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> Result<(), CommandError> {
    let (mut config, current_values) = load_config()?;
    let log_filter = telemetry::init(std::mem::take(&mut config.log), config.log_format);
    exit_on_main_panic();
    for variable in unknown_variables() {
        tracing::warn!("ignoring an environment variable: {variable}");
    }
    let traces = TraceExport::start().map_err(|error| CommandError::Usage(error.into()))?;
    let options = ServeOptions {
        on_sighup,
        config: Arc::new(config),
        current_values,
        load_config,
        log_filter,
    };
    let runtime = new_service_runtime()?;
    let outcome = runtime.block_on(serve(options, on_listening));
    // Do not wait for blocking work, such as opening a generation.
    runtime.shutdown_background();
    traces.shut_down();
    outcome.map_err(|error| CommandError::new(account_store::is_damaged(&error), error))
}

/// Limits core dumps to 1 byte, because memory holds passwords and API keys. With a limit of 0, Linux would still pipe a dump to
/// a program. Source: core(5); Linux, fs/coredump.c.
pub(super) fn limit_core_dumps() {
    let limit = Rlimit {
        current: Some(1),
        maximum: Some(1),
    };
    // This fails if the inherited limit is 0. The limit then stays 0.
    setrlimit(Resource::Core, limit).ok();
}

async fn serve(
    options: ServeOptions,
    on_listening: impl FnOnce([SocketAddr; 2]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let metrics = register_metrics().context("recording metrics")?;
    let mut signals = TerminationSignals::new().context("listening for signals")?;
    let sighup = match options.on_sighup {
        OnSighup::ReloadConfig => Some(signals::sighup().context("listening for signals")?),
        OnSighup::Exit => None,
    };
    let config = &options.config.clone();
    let (live, triggers) = (
        Arc::new(CurrentSnapshot::default()),
        ReloadTriggers::default(),
    );
    let puller = open_puller(config, &live, &triggers)?;
    // Bind the listeners first, so that the start fails at once if a port is in use.
    let public = [
        bind_listener("live", config.listen)?,
        bind_listener("sandbox", config.sandbox_listen)?,
    ];
    let admin_listener = bind_listener("admin", config.admin_listen)?;
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
    // Two listeners must become ready: the live and the sandbox listener.
    let systemd = SystemdNotifier::new(2);
    let config_reload = options.into_config_reload(plans, &app, &triggers, &systemd);
    if let Some(sighup) = sighup {
        tokio::spawn(config_reload.run(sighup));
    }
    tokio::spawn(metrics.clone().run_upkeep());
    if let Some(puller) = puller {
        tokio::spawn(puller.run(app.stopping.clone()));
    }

    // The admin listener answers before the service is ready, and until the process ends.
    tokio::spawn(server::serve(
        admin_listener,
        HttpService::new(admin::router(&app, metrics)),
        listener_limits("admin", config).for_admin(),
        ShutdownSignal::default(),
    ));
    let public = serve_public(
        public,
        config,
        &app,
        account_tasks.first_attempt_done.clone(),
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
        // The second signal skips only the stop delay. Requests are still finished.
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

/// Creates the puller if the settings name a bucket. The puller locks the data folder, so that no other process writes to it.
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

/// Creates the access control. Until the keys of the database are read, only the built-in keys are known.
fn new_access_control(config: &Config) -> AccessControl {
    let keys = KeyDirectory::new_unloaded();
    keys.set_trial_key_enabled(config.trial_key);
    keys.set_public_live_key_enabled(config.public_live_key);
    AccessControl::new(keys, config.trusted_proxy.clone(), Clock::system())
}

/// Registers all metrics. Must be called before the first metric is recorded, so that each has its description and an initial value.
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
        // The last fifth of the time until the drain deadline is left to the account tasks.
        drain_deadline: config.drain_deadline_s * 4 / 5,
        max_connections: config.max_connections,
        when_full: WhenFull::Wait,
    }
}

/// Serves the live and the sandbox listener until the process stops. The live listener accepts connections after the data folder
/// was read and opening the accounts database was tried once. So the service does not answer 503 after a restart. The sandbox
/// listener also waits for that attempt, but only for [`SANDBOX_START_TIMEOUT`], because the sandbox needs no database.
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
        // After the timeout, the sandbox accepts connections even if the keys of the database were not read.
        timeout(SANDBOX_START_TIMEOUT, first_attempt_done.cancelled())
            .await
            .ok();
        systemd.mark_listener_ready();
        serve("sandbox", sandbox, dispatch::sandbox_routes(app)).await;
    };
    tokio::join!(live, sandbox);
}

pub(super) fn bind_listener(name: &str, addr: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener =
        server::listen(addr).with_context(|| format!("{name} listener: binding {addr}"))?;
    let addr = listener.local_addr().context("reading the bound address")?;
    tracing::info!(listener = name, %addr, "listening");
    Ok(listener)
}
