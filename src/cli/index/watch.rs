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
use postduif_schema::Silent;
use tokio::runtime;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Failure;
use super::delivery_indexer::{Indexer, Worker};
use super::publish;
use crate::cli::serve::{ADMIN_CONNECTIONS, bind};
use crate::cli::signals::Signals;
use crate::config::Config;
use crate::http::metrics::Figures;
use crate::http::server;
use crate::http::server::Limits;
use crate::http::{Front, admin};
use crate::telemetry;
use inbox::{Inbox, Patience};
use processor::{Desk, Left, Step};
use publisher::Publisher;

/// Events come in crowds; a look waits until the crowd has passed.
const CROWD: Duration = Duration::from_millis(250);

/// How often `--once` waits for files that were changed a moment ago.
const ONCE_WAITS: u32 = 3;

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

pub(super) fn run(args: WatchArgs, mut config: Config) -> Result<(), Failure> {
    // Before there is any other thread: each takes it over from the one that starts it.
    rustix::process::nice(args.nice).context("lowering the priority")?;
    telemetry::start(std::mem::take(&mut config.log), config.log_format);
    // Before the first figure.
    let figures = args.admin_listen.map(|_| Figures::record());
    let figures = figures.transpose().context("recording figures")?;
    let desk = open(&args, &config)?;
    let publisher = args.publish_to.as_ref().map(|url| {
        let to = publish::by_default(url)?;
        Ok::<_, BucketError>(Publisher::new(to, config.data.clone()))
    });
    let publisher = publisher.transpose()?;
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(async {
        let stop = Stop::begin()?;
        if let (Some(address), Some(figures)) = (args.admin_listen, figures) {
            let listener = bind("admin", address)?;
            tokio::spawn(serve_figures(listener, &config, figures));
        }
        match publisher {
            None => watch(desk, &args, &stop, &Notify::new()).await,
            Some(publisher) => watch_and_publish(desk, publisher, &args, &stop).await,
        }
    });
    // A delivery that is cut short by a second signal is not waited for: the next start finishes it.
    runtime.shutdown_background();
    let left = outcome?;
    if args.once { judge(&left) } else { Ok(()) }
}

fn open(args: &WatchArgs, config: &Config) -> Result<Desk<Indexer>, Failure> {
    metrics::begin();
    let patience = Patience {
        settle: Duration::from_secs(args.settle),
        give_up: Duration::from_secs(args.patience),
        by_clock: args.once,
    };
    let inbox = Inbox::open(&args.inbox, patience).map_err(Failure::Refused)?;
    let worker = Indexer {
        data: config.data.clone(),
        municipalities: args.municipalities.clone(),
        po_boxes: args.po_boxes.clone(),
        accept_fewer: false,
        progress: Box::new(Silent),
    };
    let desk = Desk::new(worker, inbox, &args.inbox, args.keep);
    Ok(desk.with_context(|| args.inbox.display().to_string())?)
}

/// How `--once` ends.
fn judge(left: &Left) -> Result<(), Failure> {
    let (failing, rejected, waiting) = (&left.failing, &left.rejected, &left.waiting);
    let unpublished: Vec<String> = left.unpublished.iter().cloned().collect();
    let failed = all_told(&[
        ("still in the inbox", failing),
        ("not published", &unpublished),
    ]);
    if !failed.is_empty() {
        return Err(Failure::Failed(anyhow!(failed)));
    }
    let refused = [("rejected", rejected), ("waits in the inbox", waiting)];
    match all_told(&refused) {
        nothing if nothing.is_empty() => Ok(()),
        refused => Err(Failure::Refused(anyhow!(refused))),
    }
}

/// What there is of each kind.
fn all_told(kinds: &[(&str, &Vec<String>)]) -> String {
    let some = kinds.iter().filter(|(_, which)| !which.is_empty());
    let told = some.map(|(what, which)| format!("{what}: {}", which.join("; ")));
    told.collect::<Vec<_>>().join("; ")
}

/// The same with somebody beside it who publishes what comes of it; with `--once` after it.
async fn watch_and_publish<W: Worker + 'static>(
    desk: Desk<W>,
    mut publisher: Publisher,
    args: &WatchArgs,
    stop: &Stop,
) -> anyhow::Result<Left> {
    let served = Arc::new(Notify::new());
    if !args.once {
        let poll = Duration::from_secs(args.poll);
        // It ends with the runtime: what is half-way is not seen, and the next start goes on with it.
        let publishing = tokio::spawn(publisher.run(served.clone(), poll));
        return beside(publishing, watch(desk, args, stop, &served)).await;
    }
    let mut left = watch(desk, args, stop, &served).await?;
    let failure = tokio::select! {
        failure = publisher.look() => failure,
        () = stop.soon.cancelled() => Some("told to stop".to_owned()),
    };
    left.unpublished = failure;
    Ok(left)
}

/// Works as long as there is somebody beside it, who has no end of his own: whoever restarts this starts both.
async fn beside<T>(
    publishing: JoinHandle<()>,
    working: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    tokio::select! {
        done = working => done,
        ended = publishing => {
            ended.context("publishing panicked")?;
            bail!("publishing ended")
        }
    }
}

/// Works until told to stop, or with `--once` until there is nothing more to do.
async fn watch<W: Worker + 'static>(
    mut desk: Desk<W>,
    args: &WatchArgs,
    stop: &Stop,
    served: &Notify,
) -> anyhow::Result<Left> {
    let hint = Arc::new(Notify::new());
    let _watcher = events(&args.inbox, &hint).inspect_err(
        |error| tracing::warn!(%error, "no events from the inbox; it is polled alone"),
    );
    tracing::info!(inbox = %args.inbox.display(), once = args.once, "watching");
    let poll = Duration::from_secs(args.poll);
    let mut waits = 0;
    loop {
        let step;
        (desk, step) = look(desk, stop).await?;
        let settling = desk.left().settling > 0 && waits < ONCE_WAITS;
        let rest = match step {
            _ if stop.soon.is_cancelled() => break,
            Step::Did => {
                waits = 0;
                served.notify_one();
                continue;
            }
            Step::Rest(_) if args.once && !settling => break,
            Step::Rest(rest) => rest.map_or(poll, |rest| rest.min(poll)),
        };
        waits += 1;
        tokio::select! {
            () = stop.soon.cancelled() => break,
            () = tokio::time::sleep(rest) => {}
            () = hint.notified(), if !args.once => tokio::time::sleep(CROWD).await,
        }
    }
    tracing::info!("stopped");
    Ok(desk.into_left())
}

/// One look on a thread of its own, which a second signal does not wait for.
async fn look<W: Worker + 'static>(
    mut desk: Desk<W>,
    stop: &Stop,
) -> anyhow::Result<(Desk<W>, Step)> {
    let looked = tokio::task::spawn_blocking(move || {
        let step = desk.look(Instant::now());
        (desk, step)
    });
    tokio::select! {
        looked = looked => looked.context("working on a delivery panicked"),
        () = stop.at_once.cancelled() => bail!("told to stop a second time: the delivery at hand is left unfinished"),
    }
}

/// What the signals say.
struct Stop {
    soon: CancellationToken,
    at_once: CancellationToken,
}

impl Stop {
    fn begin() -> anyhow::Result<Self> {
        let stop = Self {
            soon: CancellationToken::new(),
            at_once: CancellationToken::new(),
        };
        let mut signals = Signals::new().context("listening for signals")?;
        let (soon, at_once) = (stop.soon.clone(), stop.at_once.clone());
        tokio::spawn(async move {
            signals.next().await;
            tracing::info!("stopping: the delivery at hand is finished");
            soon.cancel();
            signals.next().await;
            at_once.cancel();
        });
        Ok(stop)
    }
}

/// Reading makes events too; those are no hint.
fn events(inbox: &Path, hint: &Arc<Notify>) -> notify::Result<notify::RecommendedWatcher> {
    let hint = hint.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            hint.notify_one();
        }
    })?;
    watcher.watch(inbox, RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

fn serve_figures(
    listener: tokio::net::TcpListener,
    config: &Config,
    figures: Figures,
) -> impl Future<Output = ()> + use<> {
    let limits = Limits {
        listener: "admin",
        header_timeout: config.header_timeout_s,
        request_timeout: config.request_timeout_s,
        drain_deadline: Duration::ZERO,
        max_connections: ADMIN_CONNECTIONS,
    };
    let front = Front::new(admin::figures_router(figures));
    server::serve(listener, front, limits, server::Stop::default())
}

#[cfg(test)]
mod tests;
