//! Loads the service for many minutes, by default at half of the rate that saturates it, while deliveries are applied and keys
//! change. Measures how latency, memory and descriptors change from the first to the last quarter, and counts failures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use postduif_schema::{AddressIndex, DataFolder};

use crate::client::Client;
use crate::country::{self, CountryOptions, MadeUpCountry};
use crate::day;
use crate::key_changes::KeyChanges;
use crate::mix::Mix;
use crate::open_loop::{Load, ResponseCheck};
use crate::process::Service;
use crate::soak_table::{Period, ProcessUsage, SoakResult};
use crate::watcher::Watcher;
use crate::{note, resources, sample, start, turns};

/// The duration of the saturating load.
const SATURATED: Duration = Duration::from_secs(8);
/// A rate, in requests per second, that saturates any service.
const TOO_MANY: u32 = 100_000;
/// The time from the start of a period to the drop of its delivery.
const DROP_AFTER: Duration = Duration::from_secs(5);
/// The number of different requests.
const REQUESTS: usize = 100_000;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation and its register, which is only read. Without it, the bench generates a made-up
    /// country
    #[arg(long, requires = "deliveries")]
    data: Option<PathBuf>,
    /// Folder with deliveries that follow the stand of --data; there must be one for each period
    #[arg(long, value_name = "DIR", requires = "data")]
    deliveries: Option<PathBuf>,
    /// Addresses of the made-up country
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Seed of the made-up country
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Approximate number of groups of mutations per day of the made-up country
    #[arg(long, default_value_t = 50_000)]
    changes: u32,
    /// Minutes under load
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=366))]
    minutes: u32,
    /// Seconds from one delivery to the next
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(10..=3_600))]
    apart: u32,
    /// Requests per second; by default half of the saturating load
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: Option<u32>,
    /// Also write all results to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Arguments {
    /// The number of periods, each with one delivery.
    fn periods(&self) -> u32 {
        (self.minutes * 60).div_ceil(self.apart)
    }
}

/// The processes and the load of a soak.
struct Scene<'a> {
    data: &'a DataFolder,
    service: &'a Service,
    watcher: Watcher,
    admin: Client,
    load: &'a Load,
    mix: &'a Mix,
    keys: KeyChanges,
    /// The time from one delivery to the next.
    apart: Duration,
    /// The addresses that the service served at the end of the previous period.
    before: AddressIndex,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let kept = tempfile::tempdir()?;
    ensure!(
        arguments.apart <= arguments.minutes * 60,
        "--apart {} is longer than --minutes {}",
        arguments.apart,
        arguments.minutes
    );
    let periods = usize::try_from(arguments.periods())?;
    let (data, mut deliveries) = subject(arguments, &kept)?;
    ensure!(
        deliveries.len() >= periods,
        "{} deliveries for {periods} periods; `synth --deliveries {periods}` makes enough",
        deliveries.len()
    );
    deliveries.truncate(periods);
    let before = country::addresses(&data)?;
    let key = start::key(&data);
    let mix = Mix::new(sample::spread(&before, REQUESTS)?, &key);
    let (service, _) = start::start(&data, &[])?;
    let (live, response_check) = (service.address("live"), mix.response_check());
    let saturated = match arguments.rate {
        Some(rate) => f64::from(rate) * 2.0,
        None => saturate(&service, &mix, &response_check),
    };
    turns::delete_request_log(&data.path().join("requests"))?;
    let rate = half_of(saturated);
    let mut result = SoakResult::begin(before.len(), saturated, rate);
    result.print_head()?;
    let watcher = Watcher::start(data.path(), kept.path().join("inbox"), 0, None)?;
    let load = Load::start(live, mix.requests.clone(), rate, &response_check);
    let mut scene = Scene {
        data: &data,
        service: &service,
        watcher,
        admin: Client::new(service.address("admin")),
        load: &load,
        mix: &mix,
        keys: KeyChanges::start(data.path().to_owned(), live),
        apart: Duration::from_secs(arguments.apart.into()),
        before,
    };
    for delivery in &deliveries {
        let period = scene.period(delivery);
        result.add(period.with_context(|| delivery.display().to_string())?)?;
    }
    result.end(load.total(), load.failures());
    result.print(arguments.json.as_deref())
}

/// A data folder, and the deliveries to apply to it.
fn subject(
    arguments: &Arguments,
    kept: &tempfile::TempDir,
) -> anyhow::Result<(DataFolder, Vec<PathBuf>)> {
    if let (Some(data), Some(folder)) = (&arguments.data, &arguments.deliveries) {
        let data = DataFolder::new(data);
        let deliveries = country::chain(folder, country::current(&data)?.stand())?;
        return Ok((country::copy(&data, &kept.path().join("data"))?, deliveries));
    }
    let options = CountryOptions {
        addresses: arguments.addresses,
        seed: arguments.seed,
        names: None,
        days: arguments.periods(),
        changes: arguments.changes,
    };
    let made = MadeUpCountry::make(kept.path(), &options)?;
    let data = DataFolder::new(kept.path().join("data"));
    crate::build::run_without_baseline(&made.extract, &data)?;
    Ok((data, made.deliveries))
}

/// The number of requests per second that the service answers under maximum load from the same number of clients.
fn saturate(service: &Service, mix: &Mix, response_check: &ResponseCheck) -> f64 {
    note("measuring the saturating rate");
    let requests = mix.requests.clone();
    let load = Load::start(service.address("live"), requests, TOO_MANY, response_check);
    std::thread::sleep(SATURATED / 4);
    let (start, requests) = (Instant::now(), load.total().requests);
    std::thread::sleep(SATURATED * 3 / 4);
    (load.total().requests - requests) as f64 / start.elapsed().as_secs_f64()
}

/// Half of the saturating rate, in whole requests per second, but at most the rate that one process can send.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is clamped to 1 to 100,000"
)]
fn half_of(per_second: f64) -> u32 {
    (per_second / 2.0).clamp(1.0, 100_000.0) as u32
}

impl Scene<'_> {
    /// Runs one period and applies its delivery.
    fn period(&mut self, delivery: &std::path::Path) -> anyhow::Result<Period> {
        let start = Instant::now();
        let served = day::served_generation(&mut self.admin)?;
        std::thread::sleep(DROP_AFTER);
        let dropped = self.watcher.drop(delivery)?;
        let mut served_after = None;
        while start.elapsed() < self.apart || served_after.is_none() {
            if served_after.is_none() && day::served_generation(&mut self.admin)? != served {
                served_after = Some(dropped.elapsed().as_secs_f64());
            }
            if served_after.is_none() {
                self.watcher.check(dropped)?;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let stretch = self.load.take(start, Instant::now());
        let report = self.watcher.report(delivery)?;
        turns::delete_request_log(&self.data.path().join("requests"))?;
        let after = country::addresses(self.data)?;
        let wrongly_missing = self.mix.wrongly_missing([&self.before, &after])?;
        self.before = after;
        let usage = |process| {
            anyhow::Ok(ProcessUsage {
                anonymous_bytes: resources::anonymous_bytes(process)?,
                descriptors: resources::descriptors(process)?,
            })
        };
        Ok(Period {
            generation: country::current(self.data)?,
            changed_addresses: report.added + report.removed + report.changed,
            served_after_s: served_after.context("the delivery was not served")?,
            stretch,
            wrongly_missing,
            keys: self.keys.take(),
            service: usage(self.service.id())?,
            watcher: usage(self.watcher.process())?,
        })
    }
}
