//! Switches `CURRENT` between two generations that differ in every response, under load. Every response must equal, byte for byte,
//! the response from one of the two generations when only that generation is served.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use postduif_indexer::DataDirWriter;
use postduif_schema::{Address, DataFolder, GenerationName};
use serde::Serialize;

use crate::client::{Client, Response};
use crate::day::served_generation;
use crate::open_loop::{Load, LoadSummary, ResponseCheck, Total};
use crate::process::{self, Service};
use crate::similar_addresses::{self, Variant};
use crate::{cpu, generation, paths, print_json, print_line, resources};

/// The values in which the two generations differ. Every response contains one of them.
const VARIANTS: [Variant; 2] = [
    Variant {
        street_end: " Oost",
        surface_m2: 101,
    },
    Variant {
        street_end: " West",
        surface_m2: 202,
    },
];
const NAMES: [&str; 2] = ["2026-01-01-1", "2026-01-02-1"];
/// Every `STEP`-th address is requested.
const STEP: usize = 7;
/// The timeout for a swap, which normally takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The number of swaps before the measured ones. The allocator keeps memory for each thread, so the memory of the service grows
/// until each thread that may open a generation has opened one.
const WARM_UP: u32 = 500;
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The allowed drift of memory and descriptors, in percent.
const DRIFT: f64 = 5.0;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of swaps
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    times: u32,
    /// Requests per second
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Addresses of each generation
    #[arg(long, default_value_t = 20_000)]
    addresses: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SwapsResult {
    machine: String,
    load_average: String,
    seed: &'static str,
    addresses: u32,
    rate: u32,
    different_requests: usize,
    swaps: u32,
    seconds: f64,
    median_swap_ms: f64,
    worst_swap_ms: f64,
    total: Total,
    quiet: LoadSummary,
    during: LoadSummary,
    /// Two mean values: over the second to the fifth tenth of the swaps, and over the last four tenths.
    anonymous_bytes: [f64; 2],
    descriptors: [f64; 2],
    /// The maximum.
    most_anonymous_bytes: u64,
    most_descriptors: usize,
    failures: Vec<String>,
}

/// The state of the service after one swap.
struct StateAfterSwap {
    duration: Duration,
    anonymous_bytes: u64,
    descriptors: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let data = DataFolder::new(folder.path());
    let addresses =
        VARIANTS.map(|variant| similar_addresses::addresses(arguments.addresses, variant));
    for (name, addresses) in NAMES.iter().zip(&addresses) {
        generation::publish(&data, name, addresses);
    }
    let [key, _] = process::open_enterprise(data.path(), 4_000_000_000);
    let requests = requests(&addresses[0], &key);
    let service = Service::start(data.path(), &[]);
    let mut switch = Switch::new(&data, &service)?;
    let expected = switch.expected(&service, &requests)?;
    let load_average = resources::load_average();
    let different_requests = requests.len();
    let load = Load::start(
        service.address("live"),
        requests,
        arguments.rate,
        &accept_either(expected),
    );
    let start = Instant::now();
    std::thread::sleep(Duration::from_secs(5));
    let quiet_until = Instant::now();
    for time in 0..WARM_UP {
        switch.to(time as usize % 2, service.id())?;
    }
    let swaps_from = Instant::now();
    let mut all = Vec::new();
    for time in 0..arguments.times {
        all.push(switch.to(time as usize % 2, service.id())?);
    }
    let end = Instant::now();
    let mut durations_ms: Vec<f64> = all
        .iter()
        .map(|after| after.duration.as_secs_f64() * 1e3)
        .collect();
    durations_ms.sort_by(f64::total_cmp);
    let [anonymous_bytes, descriptors] = [
        drift(&all, |after| after.anonymous_bytes),
        drift(&all, |after| after.descriptors as u64),
    ];
    let result = SwapsResult {
        machine: cpu::model(),
        load_average,
        seed: "none: the data is not random",
        addresses: arguments.addresses,
        rate: arguments.rate,
        different_requests,
        swaps: arguments.times,
        seconds: end.duration_since(swaps_from).as_secs_f64(),
        median_swap_ms: durations_ms[durations_ms.len() / 2],
        worst_swap_ms: durations_ms[durations_ms.len() - 1],
        quiet: load.take(start, quiet_until),
        during: load.take(swaps_from, end),
        total: load.total(),
        anonymous_bytes,
        descriptors,
        most_anonymous_bytes: all
            .iter()
            .map(|after| after.anonymous_bytes)
            .max()
            .unwrap_or(0),
        most_descriptors: all.iter().map(|after| after.descriptors).max().unwrap_or(0),
        failures: load.failures(),
    };
    result.print()?;
    result.check_limits()
}

/// One request per address, of each kind in turn, including lists of all addresses of a postcode and of its neighbours.
fn requests(addresses: &[Address], key: &str) -> Vec<Vec<u8>> {
    let get = |path: String| paths::get(&path, key);
    let request = |(at, address): (usize, &Address)| match at % 7 {
        0 => get(paths::v3(address)),
        1 => get(paths::by_number(address)),
        2 => get(paths::by_id(address)),
        3 => get(paths::by_postcode(address)),
        4 => get(paths::near(address, 50)),
        5 => get(paths::autocomplete(&format!(
            "{} {}",
            address.postcode, address.number
        ))),
        _ => paths::post("/v1/bulk/lookup", key, &bulk(&addresses[at * STEP..])),
    };
    let some = addresses.iter().step_by(STEP).enumerate();
    some.map(request).collect()
}

/// The body of a bulk request for the first of these addresses.
fn bulk(addresses: &[Address]) -> String {
    let line = |address: &Address| {
        let Address {
            postcode, number, ..
        } = address;
        format!("{{\"postcode\":\"{postcode}\",\"number\":{number}}}")
    };
    let lines: Vec<String> = addresses.iter().take(20).map(line).collect();
    format!("{{\"addresses\":[{}]}}", lines.join(","))
}

/// Switches between the two generations.
struct Switch {
    exclusive: DataDirWriter,
    admin: Client,
    names: [GenerationName; 2],
}

impl Switch {
    fn new(data: &DataFolder, service: &Service) -> anyhow::Result<Self> {
        let [first, second] = NAMES.map(str::parse);
        Ok(Self {
            exclusive: DataDirWriter::lock(data)?,
            admin: Client::new(service.address("admin")),
            names: [first?, second?],
        })
    }

    /// Switches as `index rollback --to` does, and waits until the service serves the generation.
    fn to(&mut self, which: usize, process: u32) -> anyhow::Result<StateAfterSwap> {
        let name = self.names[which];
        let start = Instant::now();
        self.exclusive.rollback(Some(name))?;
        while served_generation(&mut self.admin)? != name.to_string() {
            ensure!(start.elapsed() < TIMEOUT, "{name} is not served");
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(StateAfterSwap {
            duration: start.elapsed(),
            anonymous_bytes: resources::anonymous_bytes(process)?,
            descriptors: resources::descriptors(process)?,
        })
    }

    /// The responses that each generation gives when only it is served. Checks that they contain no value of the other generation.
    fn expected(
        &mut self,
        service: &Service,
        requests: &[Vec<u8>],
    ) -> anyhow::Result<[Vec<Vec<u8>>; 2]> {
        let mut client = Client::new(service.address("live"));
        let mut answers = |which: usize| {
            self.to(which, service.id())?;
            let send = |request: &Vec<u8>| {
                let answer = client.send(request)?;
                let (status, body) = (answer.status, String::from_utf8_lossy(answer.body));
                ensure!(status == 200, "{status}: {body}");
                ensure!(is_from_generation(which, &body), "{which}: {body}");
                Ok(answer.body.to_vec())
            };
            requests
                .iter()
                .map(send)
                .collect::<anyhow::Result<Vec<_>>>()
        };
        Ok([answers(0)?, answers(1)?])
    }
}

/// Whether a response contains values of one generation and none of the other.
fn is_from_generation(which: usize, body: &str) -> bool {
    let marks = |variant: &Variant| {
        body.matches(variant.street_end).count()
            + body
                .matches(&format!("\"surface\":{}", variant.surface_m2))
                .count()
    };
    marks(&VARIANTS[which]) > 0 && marks(&VARIANTS[1 - which]) == 0
}

fn accept_either(expected: [Vec<Vec<u8>>; 2]) -> ResponseCheck {
    Arc::new(move |at, answer: &Response<'_>| {
        let is_of = |generation: &Vec<Vec<u8>>| generation[at] == answer.body;
        if answer.status == 200 && expected.iter().any(is_of) {
            return Ok(());
        }
        let (status, body) = (answer.status, String::from_utf8_lossy(answer.body));
        Err(format!(
            "the response is of neither generation: {status}: {body}"
        ))
    })
}

/// The mean of a value over the second to the fifth tenth of the swaps, and over the last four tenths. A single value says little:
/// between two swaps the service has two or three generations open, and its allocator frees memory with a delay.
#[expect(clippy::cast_precision_loss, reason = "the values are only printed")]
fn drift(all: &[StateAfterSwap], value_of: impl Fn(&StateAfterSwap) -> u64) -> [f64; 2] {
    let tenth = all.len() / 10;
    [&all[tenth..5 * tenth], &all[6 * tenth..]].map(|some| {
        let sum: u64 = some.iter().map(&value_of).sum();
        sum as f64 / some.len() as f64
    })
}

/// The change from the first mean to the second, in percent.
fn percent_change([before, after]: [f64; 2]) -> f64 {
    (after / before - 1.0) * 100.0
}

impl SwapsResult {
    fn print(&self) -> anyhow::Result<()> {
        let Self { quiet, during, .. } = self;
        print_line(&format!(
            "{}, load average {}\n{} addresses, {} different requests, {} a second\n",
            self.machine, self.load_average, self.addresses, self.different_requests, self.rate
        ))?;
        print_line(&format!(
            "{} swaps in {:.1} s, after {WARM_UP} to warm up: {:.1} ms from `rollback` to served (median), {:.1} at worst",
            self.swaps, self.seconds, self.median_swap_ms, self.worst_swap_ms
        ))?;
        let Total { requests, failed } = self.total;
        print_line(&format!(
            "{requests} answers, {failed} of them failed or were from neither generation"
        ))?;
        for (name, stretch) in [("quiet", quiet), ("swapping", during)] {
            let LoadSummary {
                p50_ms,
                p99_ms,
                max_ms,
                ..
            } = stretch;
            print_line(&format!(
                "{name:<9} p50 {p50_ms:>7.2} ms  p99 {p99_ms:>7.2} ms  max {max_ms:>7.2} ms"
            ))?;
        }
        let [[memory, memory_end], [open, open_end]] = [self.anonymous_bytes, self.descriptors];
        print_line(&format!(
            "mean of the second to the fifth tenth: {:.1} MB anonymous, {open:.1} descriptors; of the last four: {:.1} MB ({:+.1} %), {open_end:.1} ({:+.1} %)",
            memory / 1e6,
            memory_end / 1e6,
            percent_change(self.anonymous_bytes),
            percent_change(self.descriptors)
        ))?;
        print_line(&format!(
            "at most {:.1} MB, {} descriptors",
            self.most_anonymous_bytes as f64 / 1e6,
            self.most_descriptors
        ))?;
        for failure in &self.failures {
            print_line(&format!("  {failure}"))?;
        }
        print_json(self)
    }

    fn check_limits(&self) -> anyhow::Result<()> {
        ensure!(self.total.failed == 0, "{} failures", self.total.failed);
        for (name, figures) in [
            ("memory", self.anonymous_bytes),
            ("descriptors", self.descriptors),
        ] {
            let drift = percent_change(figures);
            ensure!(
                drift.abs() <= DRIFT,
                "{name}: {drift:+.1} %, at most {DRIFT} either way"
            );
        }
        Ok(())
    }
}
