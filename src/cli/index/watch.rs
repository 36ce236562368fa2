//! `postduif index watch`: deliveries are put into a folder, and are served soon after.
//!
//! The file system's events make it quick; a poll finds what they miss. What can be done is done in the order of the
//! deliveries' periods; all else waits, and says so.

mod archive_dir;
mod deferred;
mod inbox;
mod metrics;
mod order;
mod processor;
mod publisher;
mod rejection;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::{BucketError, BucketUrl};
use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use notify::{RecursiveMode, Watcher as _};
use postduif_schema::NoProgress;
use tokio::runtime;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::CommandError;
use super::delivery_indexer::{DataFolderIndexer, DeliveryIndexer};
use super::publish;
use crate::cli::serve::{MAX_ADMIN_CONNECTIONS, bind_listener};
use crate::cli::signals::TerminationSignals;
use crate::config::Config;
use crate::http::metrics::Metrics;
use crate::http::server;
use crate::http::server::ListenerLimits;
use crate::http::{HttpService, admin};
use crate::telemetry;
use inbox::{Inbox, SettleTimes};
use processor::{InboxProcessor, RunSummary, WatchOutcome};
use publisher::Publisher;

/// Events come in crowds; a look waits until the crowd has passed.
const EVENT_DEBOUNCE: Duration = Duration::from_millis(250);

/// How often `--once` waits for files that were changed a moment ago.
const MAX_ONCE_WAITS: u32 = 3;

/// `postduif index watch …`
#[derive(Debug, Args)]
#[command(after_help = "\
Put a delivery into the inbox under a name that ends in .zip, best by renaming it when it is whole.
Hidden files and names such as day.zip.part are left alone. What is done with is moved:

  applied/   with NAME.report.json: applied, or in the register already
  rejected/  with NAME.reason.txt: what happened, what it means, what to do

Mutations are applied in the order of their periods. One that comes too early waits in the inbox until
the missing one has come. A stand that is newer than the register rebuilds it. One that is not is a
repeat: the register has it already, or is newer. A stand of another area is rejected.
After a failure that is not the delivery's, such as a full disk, it stays and is tried again. A stand
that cannot be built now and what cannot be moved are tried again half an hour later; the others go on.
Links are rejected, folders are left alone.
No delivery is ever deleted: empty applied/ and rejected/ as you see fit.

After `postduif index rollback` the earlier generation is served until the next delivery is applied. To
go on serving it, stop watching, or keep deliveries out of the inbox.

With --publish-to every generation that comes to be served is published to a bucket as well, as with `postduif index
publish`. When that fails, deliveries are applied all the same, and it is tried again.

SIGTERM or Ctrl-C: the delivery at hand is finished first. A second one stops at once, which does no
harm either: the next start goes on where this one stopped.

Exit codes: 0 told to stop; or with --once: nothing is left to do
            1 failed; with --once: something failed and is still in the inbox, or is not published
            2 refused; with --once: something was rejected, or waits for one that is missing")]
pub(super) struct WatchArgs {
    /// The folder that deliveries are put into
    #[arg(long, value_name = "DIR")]
    inbox: PathBuf,
    /// Do what can be done now, then end: for cron
    #[arg(long)]
    once: bool,
    /// Seconds between two looks at the inbox when no event comes
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    poll: u64,
    /// Seconds that a file must not have been written to before it is opened; one that was renamed into the inbox later needs none
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    settle: u64,
    /// Seconds that a file that does not open or proves damaged must not have changed before it is rejected
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(0..=604_800))]
    patience: u64,
    /// How many of the newest generations stay; the one that is served always does
    #[arg(long, default_value_t = 7)]
    keep: usize,
    /// How far requests of a service on this machine go first: 0 not at all, 19 in everything
    #[arg(long, value_name = "NICE", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=19))]
    nice: i32,
    /// Address and port for health and figures; none if not given
    #[arg(long, value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
    /// Publish what is served to this bucket, at once and after each delivery: s3://bucket/prefix or file:///folder
    #[arg(long, value_name = "URL")]
    publish_to: Option<BucketUrl>,
    /// Ranges of post-office boxes, for rebuilds: postcode,from,to,city,municipality,province
    #[arg(long, value_name = "CSV")]
    po_boxes: Option<PathBuf>,
    /// Municipalities, in place of the table that there is: code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    municipalities: Option<PathBuf>,
}

pub(super) fn run(args: WatchArgs, mut config: Config) -> Result<(), CommandError> {
    // Before there is any other thread: each takes it over from the one that starts it.
    rustix::process::nice(args.nice).context("lowering the priority")?;
    telemetry::init(std::mem::take(&mut config.log), config.log_format);
    // Before the first figure.
    let metrics = args.admin_listen.map(|_| Metrics::install());
    let figures = metrics.transpose().context("recording figures")?;
    let processor = open_processor(&args, &config)?;
    let publisher = args.publish_to.as_ref().map(|url| {
        let to = publish::default_target(url)?;
        Ok::<_, BucketError>(Publisher::new(to, config.data.clone()))
    });
    let publisher = publisher.transpose()?;
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(async {
        let stop = WatchStopTokens::from_signals()?;
        if let (Some(addr), Some(figures)) = (args.admin_listen, figures) {
            let listener = bind_listener("admin", addr)?;
            tokio::spawn(serve_metrics(listener, &config, figures));
        }
        match publisher {
            None => watch(processor, &args, &stop, &Notify::new()).await,
            Some(publisher) => watch_and_publish(processor, publisher, &args, &stop).await,
        }
    });
    // A delivery that is cut short by a second signal is not waited for: the next start finishes it.
    runtime.shutdown_background();
    let summary = outcome?;
    if args.once {
        once_result(&summary)
    } else {
        Ok(())
    }
}

fn open_processor(
    args: &WatchArgs,
    config: &Config,
) -> Result<InboxProcessor<DataFolderIndexer>, CommandError> {
    metrics::begin();
    let settle_times = SettleTimes {
        settle: Duration::from_secs(args.settle),
        reject_after: Duration::from_secs(args.patience),
        use_file_times: args.once,
    };
    let inbox = Inbox::open(&args.inbox, settle_times).map_err(CommandError::Refused)?;
    let indexer = DataFolderIndexer {
        data: config.data.clone(),
        municipalities: args.municipalities.clone(),
        po_boxes: args.po_boxes.clone(),
        accept_fewer: false,
        progress: Box::new(NoProgress),
    };
    let processor = InboxProcessor::new(indexer, inbox, &args.inbox, args.keep);
    Ok(processor.with_context(|| args.inbox.display().to_string())?)
}

/// How `--once` ends.
fn once_result(summary: &RunSummary) -> Result<(), CommandError> {
    let (failing, rejected, waiting) = (&summary.failing, &summary.rejected, &summary.waiting);
    let unpublished: Vec<String> = summary.publish_error.iter().cloned().collect();
    let failed = format_groups(&[
        ("still in the inbox", failing),
        ("not published", &unpublished),
    ]);
    if !failed.is_empty() {
        return Err(CommandError::Failed(anyhow!(failed)));
    }
    let refused = [("rejected", rejected), ("waits in the inbox", waiting)];
    match format_groups(&refused) {
        nothing if nothing.is_empty() => Ok(()),
        refused => Err(CommandError::Refused(anyhow!(refused))),
    }
}

/// What there is of each kind.
fn format_groups(groups: &[(&str, &Vec<String>)]) -> String {
    let some = groups.iter().filter(|(_, which)| !which.is_empty());
    let parts = some.map(|(what, which)| format!("{what}: {}", which.join("; ")));
    parts.collect::<Vec<_>>().join("; ")
}

/// The same with somebody beside it who publishes what comes of it; with `--once` after it.
async fn watch_and_publish<W: DeliveryIndexer + 'static>(
    processor: InboxProcessor<W>,
    mut publisher: Publisher,
    args: &WatchArgs,
    stop: &WatchStopTokens,
) -> anyhow::Result<RunSummary> {
    let generation_changed = Arc::new(Notify::new());
    if !args.once {
        let poll = Duration::from_secs(args.poll);
        // It ends with the runtime: what is half-way is not seen, and the next start goes on with it.
        let publishing = tokio::spawn(publisher.run(generation_changed.clone(), poll));
        return fail_if_publishing_ends(
            publishing,
            watch(processor, args, stop, &generation_changed),
        )
        .await;
    }
    let mut summary = watch(processor, args, stop, &generation_changed).await?;
    let publish_error = tokio::select! {
        failure = publisher.publish_or_check() => failure,
        () = stop.graceful.cancelled() => Some("told to stop".to_owned()),
    };
    summary.publish_error = publish_error;
    Ok(summary)
}

/// Works as long as there is somebody beside it, who has no end of his own: whoever restarts this starts both.
async fn fail_if_publishing_ends<T>(
    publishing: JoinHandle<()>,
    watching: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    tokio::select! {
        done = watching => done,
        ended = publishing => {
            ended.context("publishing panicked")?;
            bail!("publishing ended")
        }
    }
}

/// Works until told to stop, or with `--once` until there is nothing more to do.
async fn watch<W: DeliveryIndexer + 'static>(
    mut processor: InboxProcessor<W>,
    args: &WatchArgs,
    stop: &WatchStopTokens,
    generation_changed: &Notify,
) -> anyhow::Result<RunSummary> {
    let inbox_changed = Arc::new(Notify::new());
    let _watcher = watch_events(&args.inbox, &inbox_changed).inspect_err(
        |error| tracing::warn!(%error, "no events from the inbox; it is polled alone"),
    );
    tracing::info!(inbox = %args.inbox.display(), once = args.once, "watching");
    let poll = Duration::from_secs(args.poll);
    let mut waits = 0;
    loop {
        let outcome;
        (processor, outcome) = process_blocking(processor, stop).await?;
        let settling = processor.summary().settling > 0 && waits < MAX_ONCE_WAITS;
        let pause = match outcome {
            _ if stop.graceful.is_cancelled() => break,
            WatchOutcome::Progressed => {
                waits = 0;
                generation_changed.notify_one();
                continue;
            }
            WatchOutcome::Idle(_) if args.once && !settling => break,
            WatchOutcome::Idle(rest) => rest.map_or(poll, |rest| rest.min(poll)),
        };
        waits += 1;
        tokio::select! {
            () = stop.graceful.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
            () = inbox_changed.notified(), if !args.once => tokio::time::sleep(EVENT_DEBOUNCE).await,
        }
    }
    tracing::info!("stopped");
    Ok(processor.into_summary())
}

/// One look on a thread of its own, which a second signal does not wait for.
async fn process_blocking<W: DeliveryIndexer + 'static>(
    mut processor: InboxProcessor<W>,
    stop: &WatchStopTokens,
) -> anyhow::Result<(InboxProcessor<W>, WatchOutcome)> {
    let pass = tokio::task::spawn_blocking(move || {
        let outcome = processor.process_once(Instant::now());
        (processor, outcome)
    });
    tokio::select! {
        looked = pass => looked.context("working on a delivery panicked"),
        () = stop.immediate.cancelled() => bail!("told to stop a second time: the delivery at hand is left unfinished"),
    }
}

/// What the signals say.
struct WatchStopTokens {
    graceful: CancellationToken,
    immediate: CancellationToken,
}

impl WatchStopTokens {
    fn from_signals() -> anyhow::Result<Self> {
        let stop = Self {
            graceful: CancellationToken::new(),
            immediate: CancellationToken::new(),
        };
        let mut signals = TerminationSignals::new().context("listening for signals")?;
        let (graceful, immediate) = (stop.graceful.clone(), stop.immediate.clone());
        tokio::spawn(async move {
            signals.next().await;
            tracing::info!("stopping: the delivery at hand is finished");
            graceful.cancel();
            signals.next().await;
            immediate.cancel();
        });
        Ok(stop)
    }
}

/// Reading makes events too; those are no hint.
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
        listener: "admin",
        header_timeout: config.header_timeout_s,
        request_timeout: config.request_timeout_s,
        drain_deadline: Duration::ZERO,
        max_connections: MAX_ADMIN_CONNECTIONS,
    };
    let service = HttpService::new(admin::metrics_router(metrics));
    server::serve(listener, service, limits, server::ShutdownSignal::default())
}

#[cfg(test)]
mod tests;
