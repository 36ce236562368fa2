//! `postduif index watch`: applies the deliveries that appear in a folder, in the order of their periods.
//!
//! Events of the file system trigger a scan of the folder. A poll finds changes for which no event was sent. One blocking task
//! scans the folder and applies deliveries; another task publishes.

mod archive_dir;
mod args;
mod backoff;
mod fetch_task;
mod file_state;
mod findings_log;
mod inbox;
mod metrics;
mod order;
mod processor;
mod publisher;
mod register_fault;
mod rejection;
mod stamp;
mod summary;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use notify::{RecursiveMode, Watcher as _};
use postduif_indexer::check_csv_tables;
use postduif_schema::NoProgress;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::delivery_indexer::{DataFolderIndexer, DeliveryIndexer, UnusableRegister};
use super::{fetch, publish};
use crate::cli::CommandError;
use crate::cli::main_panic::exit_on_main_panic;
use crate::cli::runtimes::new_two_thread_runtime;
use crate::cli::serve::{bind_listener, listener_limits};
use crate::cli::signals::TerminationSignals;
use crate::config::Config;
use crate::http::metrics::Metrics;
use crate::http::server::{self, ListenerLimits};
use crate::http::{HttpService, admin};
use crate::sync::BucketError;
use crate::telemetry;
pub(super) use args::WatchArgs;
use fetch_task::FetchTask;
use file_state::SettleTimes;
use inbox::Inbox;
use processor::{InboxProcessor, WatchOutcome};
use publisher::Publisher;
use summary::RunSummary;

/// Delay between an event and the scan that it triggers. Events come in bursts, and one scan is enough for a burst.
const EVENT_DEBOUNCE: Duration = Duration::from_millis(50);

/// With `--once`, the maximum number of waits in a row for files that are still settling. After that, such files stay in the inbox.
const MAX_ONCE_WAITS: u32 = 3;

pub(super) fn run(args: WatchArgs, mut config: Config) -> Result<(), CommandError> {
    // Set the priority before any other thread starts, because a thread inherits the priority of the thread that starts it.
    rustix::process::nice(args.nice).context("setting the priority (--nice)")?;
    telemetry::init(std::mem::take(&mut config.log), config.log_format);
    exit_on_main_panic();
    // Install the recorder before the first metric is registered.
    let metrics = args.admin_listen.map(|_| Metrics::install());
    let metrics = metrics.transpose().context("recording metrics")?;
    let processor = open_processor(&args, &config)?;
    let fetch_task = open_fetch_task(&args, &config)?;
    let publisher = args.publish_to.as_ref().map(|url| {
        let to = publish::default_publisher(url)?;
        Ok::<_, BucketError>(Publisher::new(to, config.data.clone()))
    });
    let publisher = publisher.transpose()?;
    let runtime = new_two_thread_runtime()?;
    let outcome = runtime.block_on(async {
        let stop = WatchStopTokens::from_signals()?;
        if let (Some(addr), Some(metrics)) = (args.admin_listen, metrics) {
            let listener = bind_listener("admin", addr)?;
            tokio::spawn(serve_metrics(listener, &config, metrics));
        }
        let fetch_error = match fetch_task {
            Some(task) if args.once => stop
                .graceful
                .run_until_cancelled(run_once(task))
                .await
                .transpose()?
                .flatten(),
            Some(task) => {
                // The task is dropped with the runtime. The next start resumes an unfinished download.
                tokio::spawn(task.run());
                None
            }
            None => None,
        };
        let summary = match publisher {
            None => watch(processor, &args, &stop, &Notify::new()).await,
            Some(publisher) => watch_and_publish(processor, publisher, &args, &stop).await,
        };
        summary.map(|summary| RunSummary {
            fetch_error,
            ..summary
        })
    });
    // Do not wait for the current delivery after a second signal. The next start finishes the delivery.
    runtime.shutdown_background();
    let summary = outcome?;
    if args.once {
        summary.into_result()
    } else {
        Ok(())
    }
}

/// Fetches once, in a separate task, so that a panic is reported as the error of the fetch.
async fn run_once(task: FetchTask) -> anyhow::Result<Option<String>> {
    let fetch = AbortOnDropHandle::new(tokio::spawn(task.run_once()));
    fetch.await.context("fetching")
}

fn open_fetch_task(args: &WatchArgs, config: &Config) -> Result<Option<FetchTask>, CommandError> {
    if !args.fetch {
        if args.fetch_options.has_source() {
            let error = anyhow!("the URLs of deliveries have no effect without --fetch");
            return Err(CommandError::Usage(error));
        }
        return Ok(None);
    }
    let fetcher = args
        .fetch_options
        .build_fetcher(&args.inbox, &config.data)?;
    Ok(Some(FetchTask::new(fetcher)))
}

fn open_processor(
    args: &WatchArgs,
    config: &Config,
) -> Result<InboxProcessor<DataFolderIndexer>, CommandError> {
    metrics::register();
    fetch::metrics::register();
    let settle_times = SettleTimes {
        settle: Duration::from_secs(args.settle),
        reject_after: Duration::from_secs(args.reject_after),
        use_file_times: args.once,
    };
    let inbox = Inbox::open(&args.inbox, settle_times)?;
    // Read the given CSV files, so that a mistake in them is found at the start.
    let checked = check_csv_tables(args.municipalities.as_deref(), args.po_boxes.as_deref());
    checked.map_err(|error| CommandError::Refused(error.into()))?;
    let indexer = DataFolderIndexer {
        data: config.data.clone(),
        municipalities: args.municipalities.clone(),
        po_boxes: args.po_boxes.clone(),
        accept_fewer: false,
        accept_unknown_municipalities: args.accept_unknown_municipalities,
        rejection_limit: args.rejection.limit(),
        progress: Box::new(NoProgress),
        unusable_register: UnusableRegister::default(),
    };
    let processor = InboxProcessor::new(indexer, inbox, &args.inbox, args.keep);
    Ok(processor.with_context(|| args.inbox.display().to_string())?)
}

/// Watches the inbox and publishes new generations. With `--once`, publishes after the last delivery; otherwise watches and
/// publishes at the same time.
async fn watch_and_publish<I: DeliveryIndexer + 'static>(
    processor: InboxProcessor<I>,
    mut publisher: Publisher,
    args: &WatchArgs,
    stop: &WatchStopTokens,
) -> anyhow::Result<RunSummary> {
    let generation_changed = Arc::new(Notify::new());
    if !args.once {
        let poll = Duration::from_secs(args.poll);
        // The task is dropped with the runtime. Nodes do not see an unfinished publication, and the next start continues it.
        let publishing = tokio::spawn(publisher.run(generation_changed.clone(), poll));
        return fail_if_publishing_ends(
            publishing,
            watch(processor, args, stop, &generation_changed),
        )
        .await;
    }
    let mut summary = watch(processor, args, stop, &generation_changed).await?;
    summary.publish_error = tokio::select! {
        error = publisher.publish_or_check() => error,
        () = stop.graceful.cancelled() => Some("stopped before the generation was published".to_owned()),
    };
    Ok(summary)
}

/// Waits until `watching` ends. Returns an error if `publishing` ends first, so that the process ends and a restart runs both tasks
/// again.
async fn fail_if_publishing_ends<T>(
    publishing: JoinHandle<()>,
    watching: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    tokio::select! {
        result = watching => result,
        ended = publishing => {
            ended.context("running the publisher")?;
            bail!("the publisher ended unexpectedly")
        }
    }
}

/// Processes deliveries until `stop` is cancelled. With `--once`, also stops when there is nothing more to do.
async fn watch<I: DeliveryIndexer + 'static>(
    mut processor: InboxProcessor<I>,
    args: &WatchArgs,
    stop: &WatchStopTokens,
    generation_changed: &Notify,
) -> anyhow::Result<RunSummary> {
    let inbox_changed = Arc::new(Notify::new());
    let _watcher = watch_events(&args.inbox, &inbox_changed).inspect_err(
        |error| tracing::warn!(%error, "no file system events for the inbox; polling only"),
    );
    tracing::info!(inbox = %args.inbox.display(), once = args.once, "watching the inbox");
    let poll = Duration::from_secs(args.poll);
    let mut waits = 0;
    loop {
        let outcome;
        (processor, outcome) = process_blocking(processor, stop).await?;
        fetch::metrics::update(&args.inbox);
        let settling = processor.is_settling() && waits < MAX_ONCE_WAITS;
        let pause = match outcome {
            _ if stop.graceful.is_cancelled() => break,
            WatchOutcome::Progressed => {
                waits = 0;
                generation_changed.notify_one();
                continue;
            }
            WatchOutcome::Idle(_) if args.once && !settling => break,
            WatchOutcome::Idle(next) => next.map_or(poll, |next| next.min(poll)),
        };
        waits += 1;
        tokio::select! {
            () = stop.graceful.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
            () = inbox_changed.notified(), if !args.once => tokio::time::sleep(EVENT_DEBOUNCE).await,
        }
    }
    tracing::info!("stopped");
    Ok(processor.summary())
}

/// Runs one pass of the processor on a blocking thread. After a second signal, returns without waiting for the end of the pass.
async fn process_blocking<I: DeliveryIndexer + 'static>(
    mut processor: InboxProcessor<I>,
    stop: &WatchStopTokens,
) -> anyhow::Result<(InboxProcessor<I>, WatchOutcome)> {
    let pass = tokio::task::spawn_blocking(move || {
        let outcome = processor.process_once(Instant::now());
        (processor, outcome)
    });
    tokio::select! {
        processed = pass => processed.context("processing a delivery"),
        () = stop.immediate.cancelled() => bail!("stopped by a second signal; the next start finishes the current delivery"),
    }
}

/// Tokens that signals cancel.
#[derive(Default)]
struct WatchStopTokens {
    /// Cancelled by the first signal.
    graceful: CancellationToken,
    /// Cancelled by the second signal.
    immediate: CancellationToken,
}

impl WatchStopTokens {
    fn from_signals() -> anyhow::Result<Self> {
        let stop = Self::default();
        let mut signals = TerminationSignals::new().context("listening for signals")?;
        let (graceful, immediate) = (stop.graceful.clone(), stop.immediate.clone());
        tokio::spawn(async move {
            signals.next().await;
            tracing::info!("stopping after the current delivery");
            graceful.cancel();
            signals.next().await;
            immediate.cancel();
        });
        Ok(stop)
    }
}

/// Notifies `changed` of every change in the inbox. Reads do not count as changes.
fn watch_events(inbox: &Path, changed: &Arc<Notify>) -> notify::Result<notify::RecommendedWatcher> {
    let changed = changed.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            changed.notify_one();
        }
    })?;
    watcher.watch(inbox, RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

fn serve_metrics(
    listener: tokio::net::TcpListener,
    config: &Config,
    metrics: Metrics,
) -> impl Future<Output = ()> + use<> {
    let limits = ListenerLimits {
        drain_deadline: Duration::ZERO,
        ..listener_limits("admin", config).for_admin()
    };
    let service = HttpService::new(admin::metrics_router(metrics));
    server::serve(listener, service, limits, server::ShutdownSignal::default())
}

#[cfg(test)]
mod tests;
