//! `postduif index publish`: publishes the served generation to a bucket, from which other nodes pull it.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use postduif_schema::DataFolder;

use crate::cli::CommandError;
use crate::cli::numbers::number_in;
use crate::cli::output::{print_notice, print_report};
use crate::cli::progress::TerminalProgress;
use crate::cli::runtimes::new_two_thread_runtime;
use crate::sync::{Bucket, BucketError, BucketPublishError, BucketPublisher, BucketUrl};

const DEFAULT_KEEP: NonZeroUsize = NonZeroUsize::new(7).expect("not 0");
/// The default of `--sweep-after-hours`. It must be longer than publishing takes, and publishing never takes a day.
const DEFAULT_SWEEP_AFTER_HOURS: u64 = 24;

/// `postduif index publish …`
#[derive(Debug, Args)]
#[command(after_help = "\
The credentials of an S3-compatible store come from the usual environment variables: AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION and, for a store that is not Amazon's, AWS_ENDPOINT_URL. The key needs permission to
list, read, write and delete. Give the bucket a rule that aborts unfinished multipart uploads after a day or two.

Only files that the bucket lacks are uploaded. Nodes see the generation after all its files are in the bucket. To
continue an interrupted upload, run the command again.

Exit codes: 0 published, or already published
            1 failed; nodes keep serving their current generation
            2 refused: the newest publication is newer than this generation, another generation has its name, or this
              generation is damaged")]
pub(super) struct PublishArgs {
    /// The bucket: s3://bucket/prefix, or file:///folder for a folder that all nodes can read
    #[arg(long, value_name = "URL")]
    to: BucketUrl,
    /// Number of newest publications to keep
    #[arg(long, default_value_t = DEFAULT_KEEP, value_parser = number_in::<NonZeroUsize>(NonZeroUsize::MIN..=NonZeroUsize::MAX))]
    keep: NonZeroUsize,
    /// Files that no publication uses any more are deleted after this many hours
    #[arg(long, value_name = "HOURS", default_value_t = DEFAULT_SWEEP_AFTER_HOURS, value_parser = number_in::<u64>(1..=8_760))]
    sweep_after_hours: u64,
    /// Publish even if the newest publication has a later stand or a newer layout, as after `postduif index rollback`
    #[arg(long)]
    accept_older: bool,
    /// Read every file of the generation in the bucket, and replace damaged ones
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
    let published = new_two_thread_runtime()?.block_on(target.run(data, &progress))?;
    for warning in &published.warnings {
        print_notice(&format!("postduif: {warning}"));
    }
    Ok(print_report(&published, json, out)?)
}

/// The publisher that the watcher uses. It has the default values of the flags.
pub(super) fn default_publisher(to: &BucketUrl) -> Result<BucketPublisher, BucketError> {
    Ok(BucketPublisher {
        bucket: Bucket::open(to)?,
        keep: DEFAULT_KEEP,
        sweep_after: Duration::from_secs(DEFAULT_SWEEP_AFTER_HOURS * 3_600),
        accept_older: false,
        verify_existing: false,
    })
}

impl From<BucketError> for CommandError {
    fn from(error: BucketError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<BucketPublishError> for CommandError {
    fn from(error: BucketPublishError) -> Self {
        Self::new(error.is_refusal(), error)
    }
}
