//! `postduif compare`: looks up the same addresses in a running postduif and in another service that speaks v3, and reports the
//! differences.
//!
//! Both services are called over HTTP, so the comparison includes keys, proxies and rate limits. The command does not use the
//! data folder.

mod fields;
mod pacer;
mod pairs;
mod report;
mod service;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use futures_util::{StreamExt as _, stream};
use indicatif::ProgressBar;
use url::Url;

use super::CommandError;
use super::numbers::number_in;
use super::progress::{COUNT_TEMPLATE, TICK_INTERVAL, new_bar};
use super::runtimes::new_current_thread_runtime;
use super::signals::TerminationSignals;
use crate::check::TableOptions;
use pairs::{PairCounts, PairReader};
use report::{ComparedPair, ComparisonReport};
use service::{ComparedService, read_key_file};

/// Maximum number of pairs that are looked up at the same time. This is enough for 50 calls a second if a call takes 300 ms.
const PAIRS_IN_FLIGHT: usize = 16;

/// The comparison stops after this many pairs in a row without an answer, because one of the services is probably unavailable.
const MAX_FAILURES_IN_A_ROW: u64 = 10;

/// `postduif compare`
#[derive(Debug, Args)]
#[command(after_help = "\
Each pair takes one call of the quota of each service. Calls are paced by each service's X-RateLimit-Limit; after a 429 the call is
repeated when the time in Retry-After is over. The command stops when a service refuses the key, asks to wait for more than a
minute, or gives no answer for 10 pairs in a row. Ctrl-C stops it too; the pairs compared until then are reported.

Each key is read from a file of one line. A key file that every user of the machine may read is refused.

Examples:
  postduif compare --old https://api.example.org --key-file old.key --new-key-file new.key --pairs pairs.csv
  postduif compare --old https://api.example.org --key-file old.key --new https://adres.example.org --new-key-file new.key \\
    --pairs orders.csv --columns postcode=pc6,number=huisnr --calls-per-second 3 --location-tolerance-m 50 --json

Exit codes: 0 all answers are equal
            1 the command stopped early, or pairs got no answer; the report says why
            2 answers differ
            64 the arguments, a key file or the pairs cannot be used; no call was made")]
pub(super) struct CompareArgs {
    /// Base URL of the other service, without /v3/lookup
    #[arg(long, value_name = "URL", value_parser = service::parse_base_url)]
    old: Url,
    /// File with the key for the other service
    #[arg(long, value_name = "FILE")]
    key_file: PathBuf,
    /// Base URL of the new service, a running postduif
    #[arg(long, value_name = "URL", value_parser = service::parse_base_url, default_value = "http://127.0.0.1:8080")]
    new: Url,
    /// File with the key for the new service
    #[arg(long, value_name = "FILE")]
    new_key_file: PathBuf,
    /// The pairs: a CSV with the columns postcode and number
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    /// The columns of the pairs, such as postcode=B,number=huisnr; a column is given by its name, letter or number. By default
    /// the columns are recognised by their names
    #[arg(long)]
    columns: Option<String>,
    /// The first row of the pairs is a pair, not the names of the columns
    #[arg(long)]
    no_header: bool,
    /// Maximum number of calls a second to each service; by default the rate limit that the service reports, or 2 if it reports none
    #[arg(long, value_name = "N", value_parser = number_in(1..=1000_u32))]
    calls_per_second: Option<u32>,
    /// Treat locations that are at most this many metres apart as equal
    #[arg(long, value_name = "METRES", default_value_t = 1, value_parser = number_in(0..=1_000_000_u32))]
    location_tolerance_m: u32,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CompareArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let usage = CommandError::Usage;
    let [old_key, new_key] = [&args.key_file, &args.new_key_file].map(|path| read_key_file(path));
    let old_key = old_key.map_err(usage)?;
    let new_key = new_key.map_err(usage)?;
    let options = TableOptions {
        columns: args.columns.clone(),
        no_header: args.no_header,
        ..TableOptions::default()
    };
    let counts = PairCounts::read(&args.pairs, &options).map_err(usage)?;
    let pairs = PairReader::open(&args.pairs, &options).map_err(usage)?;
    let services = [
        ComparedService::new("old", &args.old, old_key, args.calls_per_second)?,
        ComparedService::new("new", &args.new, new_key, args.calls_per_second)?,
    ];
    let mut report = ComparisonReport::new(&counts, args.location_tolerance_m.into());
    let bar = new_bar("comparing answers", COUNT_TEMPLATE);
    bar.set_length(counts.pairs);
    bar.enable_steady_tick(TICK_INTERVAL);
    let runtime = new_current_thread_runtime()?;
    let compared = runtime.block_on(compare(&services, pairs, &mut report, &bar));
    bar.finish_and_clear();
    if let Err(error) = &compared {
        report.stop(error);
    }
    let text = match args.json {
        true => report.to_json(),
        false => report.to_text(),
    };
    out.write_all(text.as_bytes())
        .context("writing the report")?;
    compared?;
    to_result(&report)
}

/// Looks up every pair in both services, and adds the answers to `report`. A single pair without an answer is added too. Returns an
/// error if the comparison stops before the last pair.
async fn compare(
    services: &[ComparedService; 2],
    pairs: PairReader,
    report: &mut ComparisonReport,
    bar: &ProgressBar,
) -> anyhow::Result<()> {
    let mut signals = TerminationSignals::new().context("listening for signals")?;
    let [old, new] = services;
    let pairs = pairs.filter_map(Result::transpose);
    let answers = stream::iter(pairs).map(|pair| async move {
        let pair = pair?;
        let (old, new) = tokio::join!(old.look_up(pair), new.look_up(pair));
        anyhow::Ok(ComparedPair { pair, old, new })
    });
    let mut answers = std::pin::pin!(answers.buffered(PAIRS_IN_FLIGHT));
    let mut failures = 0;
    loop {
        let compared = tokio::select! {
            compared = answers.next() => compared,
            () = signals.next() => return Err(anyhow!("interrupted")),
        };
        let Some(compared) = compared.transpose()? else {
            return Ok(());
        };
        if let Some(reason) = compared.stop_reason() {
            return Err(anyhow!("{reason}"));
        }
        failures = match compared.has_failed() {
            true => failures + 1,
            false => 0,
        };
        report.add(compared);
        bar.inc(1);
        if failures == MAX_FAILURES_IN_A_ROW {
            return Err(anyhow!("{failures} pairs in a row got no answer"));
        }
    }
}

/// Converts the report to the exit code. If some answers differ and others are missing, the code for differences is used: a retry may
/// bring the missing answers, but a difference stays.
fn to_result(report: &ComparisonReport) -> Result<(), CommandError> {
    let (pairs, differing, errors) = (report.pairs(), report.differing(), report.errors());
    if differing > 0 {
        return Err(CommandError::Refused(anyhow!(
            "the answers differ for {differing} of {pairs} pairs"
        )));
    }
    if errors > 0 {
        return Err(CommandError::Failed(anyhow!(
            "{errors} of {pairs} pairs got no answer"
        )));
    }
    Ok(())
}
