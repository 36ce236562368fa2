//! Defines the options of `postduif index watch`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::cli::index::fetch::FetchOptions;
use crate::cli::index::rejection_flags::RejectionFlags;
use crate::cli::numbers::number_in;
use crate::sync::BucketUrl;

/// `postduif index watch …`
#[derive(Debug, Args)]
#[command(after_help = "\
Put a delivery into the inbox under a name that ends in .zip. It is best to rename the file to that name when it is
complete. Hidden files and names such as day.zip.part are ignored. Processed deliveries are moved:

  applied/   with NAME.report.json: applied, or already in the register
  rejected/  with NAME.reason.txt: what happened, what it means, what to do

Mutations are applied in the order of their periods. A mutation that comes too early waits in the inbox until the
missing one arrives. A stand that is newer than the register rebuilds the register; any other stand is a repeat,
because the register has the same or newer records. A stand of another area is rejected.
If the cause of a failure is not the delivery but, for example, a full disk, the delivery stays in the inbox and is
retried. A stand that cannot be built and a file that cannot be moved are retried after half an hour; other files are
processed meanwhile. Links are rejected, and folders are ignored.
No delivery is ever deleted: empty applied/ and rejected/ yourself.

After `postduif index rollback` the earlier generation is served until the next delivery is applied. To serve the
earlier generation for longer, stop watching, or keep deliveries out of the inbox.

With --fetch, deliveries are also downloaded into the inbox, as with `postduif index fetch`: the list of mutations is
read every 4 hours or, without mutations, the server is asked for a new extract every 24 hours. A random time of up to
a quarter is added to each wait. A failure is retried after 5 seconds, later after up to 5 minutes, or when the server
allows it. A refusal, such as a login that is not accepted, is retried at the regular time. The log says when.

With --publish-to, every new generation is also published to a bucket, as with `postduif index publish`. If
publishing fails, deliveries are still applied, and publishing is retried.

After SIGTERM or Ctrl-C the command finishes the current delivery and then stops. A second signal stops it at once,
which is safe, because the next start finishes what was interrupted.

Exit codes: 0 stopped by a signal; with --once: nothing is left to do
            1 failed, or another process watches the inbox; with --once: a delivery failed and is still in the
              inbox, or fetching or publishing failed
            2 refused; with --once: a delivery was rejected, or waits for a missing delivery")]
pub(in crate::cli::index) struct WatchArgs {
    /// The folder in which deliveries appear
    #[arg(long, value_name = "DIR")]
    pub(super) inbox: PathBuf,
    /// Process the deliveries that are in the inbox now, then exit; meant for cron
    #[arg(long)]
    pub(super) once: bool,
    /// Seconds between scans of the inbox if the system reports no change
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = number_in::<u64>(1..=86_400))]
    pub(super) poll: u64,
    /// Seconds that a file must be unchanged before it is opened. A file that was written earlier and then renamed into the inbox is opened at once
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = number_in::<u64>(0..=86_400))]
    pub(super) settle: u64,
    /// Seconds that an incomplete or damaged file must be unchanged before it is rejected
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number_in::<u64>(0..=604_800))]
    pub(super) reject_after: u64,
    /// Number of newest generations to keep; the served one is always kept
    #[arg(long, default_value_t = 7, value_parser = number_in::<usize>(0..=usize::MAX))]
    pub(super) keep: usize,
    /// Niceness of the process: 0 is the normal CPU priority, 19 the lowest
    #[arg(long, value_name = "NICE", default_value_t = 10, value_parser = number_in::<i32>(0..=19))]
    pub(super) nice: i32,
    /// IP and port for health and metrics, such as 127.0.0.1:9091; by default there is no listener
    #[arg(long, value_name = "IP:PORT")]
    pub(super) admin_listen: Option<SocketAddr>,
    /// Publish the served generation to this bucket at the start and after each delivery: s3://bucket/prefix or file:///folder
    #[arg(long, value_name = "URL")]
    pub(super) publish_to: Option<BucketUrl>,
    /// Also download new deliveries into the inbox
    #[arg(long)]
    pub(super) fetch: bool,
    #[command(flatten)]
    pub(super) fetch_options: FetchOptions,
    /// Ranges of post-office boxes for rebuilds, a CSV file: postcode,from,to,city,municipality,province
    #[arg(long, value_name = "CSV")]
    pub(super) po_boxes: Option<PathBuf>,
    /// Municipalities that replace the built-in table, a CSV file: code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    pub(super) municipalities: Option<PathBuf>,
    /// Serve towns with their former municipality if the table lacks the present one. If no former one is known, the addresses of the town
    /// are left out
    #[arg(long)]
    pub(super) accept_unknown_municipalities: bool,
    #[command(flatten)]
    pub(super) rejection: RejectionFlags,
}
