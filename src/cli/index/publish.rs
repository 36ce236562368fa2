//! `postduif index publish`: the generation that is served, to a bucket from which other nodes serve it.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::sync::{Bucket, BucketError, BucketUrl};
use crate::sync::{BucketPublishError, BucketPublisher};
use anyhow::Context as _;
use clap::Args;
use postduif_schema::DataFolder;
use tokio::runtime;

use super::CommandError;
use crate::cli::progress::TerminalProgress;

const DEFAULT_KEEP: NonZeroUsize = NonZeroUsize::new(7).expect("not 0");
/// Longer than any publisher is at work.
const DEFAULT_SWEEP_AFTER_HOURS: u64 = 24;

/// `postduif index publish …`
#[derive(Debug, Args)]
#[command(after_help = "\
An S3-compatible store is reached by the variables that its own tools read: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
AWS_REGION and, where it is not Amazon's, AWS_ENDPOINT_URL. They need the right to list the bucket and to read, write
and delete in it. Give the bucket a rule that aborts unfinished multipart uploads after a day or two.

Only files that the bucket lacks are brought. Until all of them are there, nodes see nothing of it. A publisher that
was stopped half-way goes on where it stopped when it is started again.

Exit codes: 0 published, or published before
            1 failed; nodes go on serving what they serve
            2 refused: what is published is newer, or another generation has this name")]
pub(super) struct PublishArgs {
    /// Where to: s3://bucket/prefix, or file:///folder for one that all nodes can reach
    #[arg(long, value_name = "URL")]
    to: BucketUrl,
    /// How many of the newest publications stay
    #[arg(long, default_value_t = DEFAULT_KEEP)]
    keep: NonZeroUsize,
    /// Hours after which files are deleted that no publication names any more
    #[arg(long, value_name = "HOURS", default_value_t = DEFAULT_SWEEP_AFTER_HOURS, value_parser = clap::value_parser!(u64).range(1..=8_760))]
    sweep_after_hours: u64,
    /// Publish even if what is published is of a later state or of a newer layout, as after `postduif index rollback`
    #[arg(long)]
    accept_older: bool,
    /// Read every file that the bucket has of it already, and put those anew that are damaged
    #[arg(long)]
    check: bool,
}

pub(super) fn run(
    args: PublishArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let target = BucketPublisher {
        bucket: Bucket::open(&args.to)?,
        keep: args.keep,
        sweep_after: Duration::from_secs(args.sweep_after_hours * 3_600),
        accept_older: args.accept_older,
        verify_existing: args.check,
    };
    let progress = TerminalProgress::default();
    let published = new_runtime()?.block_on(target.run(data, &progress))?;
    for warning in &published.warnings {
        // With standard error closed the exit code still tells that it is published.
        writeln!(std::io::stderr(), "postduif: {warning}").ok();
    }
    let text = if json {
        serde_json::to_string(&published).context("writing JSON")?
    } else {
        published.to_string()
    };
    Ok(writeln!(out, "{text}").context("writing to standard output")?)
}

/// How the watcher publishes.
pub(super) fn default_target(to: &BucketUrl) -> Result<BucketPublisher, BucketError> {
    Ok(BucketPublisher {
        bucket: Bucket::open(to)?,
        keep: DEFAULT_KEEP,
        sweep_after: Duration::from_secs(DEFAULT_SWEEP_AFTER_HOURS * 3_600),
        accept_older: false,
        verify_existing: false,
    })
}

pub(super) fn new_runtime() -> Result<runtime::Runtime, CommandError> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    Ok(runtime.context("starting the runtime")?)
}

impl From<BucketError> for CommandError {
    fn from(error: BucketError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<BucketPublishError> for CommandError {
    fn from(error: BucketPublishError) -> Self {
        if error.is_refusal() {
            Self::Refused(error.into())
        } else {
            Self::Failed(error.into())
        }
    }
}
