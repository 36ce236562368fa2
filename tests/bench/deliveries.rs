//! Drops days of mutations into the inbox of a watcher, while the real service is under a constant load.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use postduif_schema::{ADDRESSES_DIR, AddressIndex, DataFolder};

use crate::cached_country::{CachedCountry, CachedCountryOptions, ExistingData};
use crate::client::{Client, Response};
use crate::day::{Scene, served_generation};
use crate::days_table::DeliveriesResult;
use crate::open_loop::{Load, ResponseCheck};
use crate::process::{self, Service};
use crate::watcher::Watcher;
use crate::{cpu, print_line, resources, untouched};

/// The time under load before the first day. It warms the page cache and the processor.
const WARM_UP: Duration = Duration::from_secs(5);

/// The timeout for the service to open its first generation.
const TIMEOUT: Duration = Duration::from_mins(2);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Addresses of the made-up country
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Approximate number of groups of mutations per day
    #[arg(long, default_value_t = 50_000)]
    changes: u32,
    /// Days in a row
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=366))]
    days: u16,
    /// Requests per second
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Seed of the country and its mutations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder that keeps the extract and the deliveries for later runs; without it, each run makes them
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Start with the generation and the register of this data folder, which is only read; --folder must be on the same file
    /// system
    #[arg(long, requires = "deliveries")]
    data: Option<PathBuf>,
    /// Folder with the mutations that continue --data, and a .jsonl file of the addresses after the last mutation
    #[arg(long, requires = "data")]
    deliveries: Option<PathBuf>,
    /// Seconds that a file must be unchanged before the watcher opens it (its --settle); 0 is enough, because the bench renames
    /// complete files into the inbox
    #[arg(long, default_value_t = 0)]
    settle: u64,
    /// Start the watcher with `nice` at this niceness
    #[arg(long)]
    nice: Option<u8>,
    /// Seconds of the quiet periods before and after each delivery
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=60))]
    quiet: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let made_up = tempfile::tempdir()?;
    let folder = arguments.folder.as_deref().unwrap_or(made_up.path());
    std::fs::create_dir_all(folder)?;
    let run = tempfile::tempdir_in(folder)?;
    let data = DataFolder::new(run.path().join("data"));
    let (deliveries, expected) = arguments.begin(folder, &data)?;
    let [key, _] = process::open_enterprise(data.path(), 4_000_000_000);
    let requests = {
        let current = data
            .current_generation()?
            .context("no generation is published")?;
        let index = AddressIndex::open(&data.generation_path(current).join(ADDRESSES_DIR))?;
        untouched::requests(&untouched::sample(&index, &deliveries, &expected)?, &key)
    };
    let mut result = DeliveriesResult::begin(
        arguments.seed, arguments.rate, arguments.settle, arguments.nice,
    );
    print_line(&format!(
        "{}, seed {}, {} requests a second over {} different ones, load average {}\n",
        cpu::model(),
        arguments.seed,
        arguments.rate,
        requests.len(),
        resources::load_average()
    ))?;
    let started = Instant::now();
    let service = Service::start(data.path(), &[]);
    let mut admin = Client::new(service.address("admin"));
    while served_generation(&mut admin)?.is_null() {
        ensure!(started.elapsed() < TIMEOUT, "the service is not ready");
        std::thread::sleep(Duration::from_millis(4));
    }
    print_line(&format!(
        "ready {:.2} s after the service was started\n",
        started.elapsed().as_secs_f64()
    ))?;
    let watcher = Watcher::start(
        data.path(),
        run.path().join("inbox"),
        arguments.settle,
        arguments.nice,
    )?;
    let load = Load::start(
        service.address("live"),
        requests,
        arguments.rate,
        &accept_success(),
    );
    std::thread::sleep(WARM_UP);
    result.before(service.id())?;
    let mut scene = Scene {
        data: &data,
        service: &service,
        watcher,
        load: &load,
        admin,
        quiet: Duration::from_secs(arguments.quiet),
    };
    result.print_head()?;
    for delivery in &deliveries {
        result.add(scene.measure_day(delivery)?)?;
    }
    result.end(load.total(), load.failures());
    result.print()
}

impl Arguments {
    /// Builds the data folder. Returns the mutations that continue it, and the file with the addresses after the last mutation.
    fn begin(&self, folder: &Path, data: &DataFolder) -> anyhow::Result<(Vec<PathBuf>, PathBuf)> {
        if let (Some(from), Some(deliveries)) = (&self.data, &self.deliveries) {
            let given = ExistingData {
                data: from,
                deliveries,
            };
            given.copy(data)?;
            let (mut deliveries, expected) = given.find()?;
            deliveries.truncate(self.days.into());
            return Ok((deliveries, expected));
        }
        let options = CachedCountryOptions {
            addresses: self.addresses,
            changes: self.changes,
            days: self.days.into(),
            seed: self.seed,
        };
        let made = CachedCountry::find_or_make(folder, options)?;
        made.build(data)?;
        Ok((made.deliveries, made.expected))
    }
}

fn accept_success() -> ResponseCheck {
    Arc::new(|_, answer: &Response<'_>| {
        if (200..300).contains(&answer.status) {
            return Ok(());
        }
        let body = String::from_utf8_lossy(answer.body);
        Err(format!("{}: {body}", answer.status))
    })
}
