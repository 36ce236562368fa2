//! Measures all goals, or the chosen ones, in one run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use postduif_schema::{AddressIndex, DataFolder};

use crate::bare::Bare;
use crate::build::{self, Built};
use crate::country::{self, CountryOptions, MadeUpCountry};
use crate::cpu;
use crate::goal::{Goal, limit};
use crate::process::Service;
use crate::resources;
use crate::rows;
use crate::sample;
use crate::scenario::{Maker, REQUESTS, Scenario};
use crate::start;
use crate::swap::{self, Plan};
use crate::table::{Table, median};
use crate::traffic::CachedAnswers;
use crate::turns::{PreparedScenario, TurnRunner};
use crate::wrk::Wrk;

/// The number of timed starts. One start that is not timed comes first.
const STARTS: usize = 3;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; it is only read. Without it, the bench generates a made-up country
    #[arg(long)]
    data: Option<PathBuf>,
    /// Addresses of the made-up country
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Seed of the made-up country
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Street names of the made-up country, in the format of `synth --names`
    #[arg(long, value_name = "TSV")]
    names: Option<PathBuf>,
    /// Extract for the full build; by default the extract of the made-up country
    #[arg(long, value_name = "ZIP")]
    pub(crate) extract: Option<PathBuf>,
    /// Folder with deliveries that follow the stand of --data; without --data, the bench makes the deliveries
    #[arg(long, value_name = "DIR", requires = "data")]
    deliveries: Option<PathBuf>,
    /// Days of mutations to apply
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=366))]
    days: u32,
    /// Approximate number of groups of mutations per day, if the bench makes the deliveries
    #[arg(long, default_value_t = 50_000)]
    changes: u32,
    /// Requests per second while a delivery is applied
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Rounds of load for every kind of request
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: u32,
    /// Seconds of each turn of load, and of the quiet periods around a delivery
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
    /// Keep-alive connections of wrk
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(2..=1_000))]
    connections: u32,
    /// Measure only these goals
    #[arg(long, value_delimiter = ',')]
    only: Vec<Goal>,
    /// Also write all results to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Arguments {
    fn wants(&self, goal: Goal) -> bool {
        self.only.is_empty() || self.only.contains(&goal)
    }

    /// The chosen goals that are measured with requests.
    fn measured(&self) -> impl Iterator<Item = Goal> {
        let all = <Goal as clap::ValueEnum>::value_variants().iter().copied();
        all.filter(|goal| self.wants(*goal) && goal.route().is_some())
    }

    fn turn(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// The data to measure.
struct MeasurementInput {
    /// The data folder to serve, which is only read.
    data: DataFolder,
    extract: Option<PathBuf>,
    deliveries: Vec<PathBuf>,
    built: Option<Built>,
}

/// Measures the goals and prints the table. A failed request is an error, but a goal that is not reached is not.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let wrk = Wrk::find(arguments.connections)?;
    let kept = tempfile::tempdir()?;
    let mut subject = match &arguments.data {
        Some(data) => MeasurementInput::from_data_folder(arguments, DataFolder::new(data))?,
        None => MeasurementInput::build(arguments, kept.path())?,
    };
    let addresses = country::addresses(&subject.data)?.len();
    let mut table = Table::new(addresses);
    serve(
        arguments,
        &subject.data,
        &kept.path().join("served"),
        &wrk,
        &mut table,
    )?;
    if arguments.wants(Goal::Disk) {
        let generation = subject
            .data
            .generation_path(country::current(&subject.data)?);
        rows::add_disk(&mut table, resources::disk_bytes(&generation)?, addresses);
    }
    if arguments.wants(Goal::Build) {
        if let (None, Some(extract)) = (&subject.built, &subject.extract) {
            let folder = tempfile::tempdir_in(kept.path())?;
            subject.built = Some(build::run(extract, &DataFolder::new(folder.path()))?);
        }
        if let Some(built) = &subject.built {
            rows::add_build(built, &mut table)?;
        }
    }
    if arguments.wants(Goal::Delivery) && !subject.deliveries.is_empty() {
        let data = country::copy(&subject.data, &kept.path().join("changed"))?;
        let plan = Plan {
            deliveries: &subject.deliveries,
            rate: arguments.rate,
            quiet: arguments.turn(),
        };
        let days = swap::measure_days(&data, &kept.path().join("inbox"), &plan)?;
        rows::add_days(days, &mut table)?;
    }
    table.print(arguments.json.as_deref())?;
    ensure!(table.failures.is_empty(), "requests failed");
    Ok(())
}

impl MeasurementInput {
    fn from_data_folder(arguments: &Arguments, data: DataFolder) -> anyhow::Result<Self> {
        let stand = country::current(&data)?.stand();
        let mut deliveries = match &arguments.deliveries {
            Some(folder) if arguments.wants(Goal::Delivery) => country::chain(folder, stand)?,
            _ => Vec::new(),
        };
        deliveries.truncate(usize::try_from(arguments.days)?);
        Ok(Self {
            data,
            extract: arguments.extract.clone(),
            deliveries,
            built: None,
        })
    }

    fn build(arguments: &Arguments, folder: &Path) -> anyhow::Result<Self> {
        let data = DataFolder::new(folder.join("data"));
        let made = match &arguments.extract {
            Some(extract) => MadeUpCountry {
                extract: extract.clone(),
                deliveries: Vec::new(),
            },
            None => MadeUpCountry::make(folder, &arguments.options())?,
        };
        let built = match arguments.wants(Goal::Build) {
            true => Some(build::run(&made.extract, &data)?),
            false => build::run_without_baseline(&made.extract, &data).map(|_| None)?,
        };
        Ok(Self {
            data,
            extract: Some(made.extract),
            deliveries: made.deliveries,
            built,
        })
    }
}

impl Arguments {
    fn options(&self) -> CountryOptions<'_> {
        let days = if self.wants(Goal::Delivery) {
            self.days
        } else {
            0
        };
        CountryOptions {
            addresses: self.addresses,
            seed: self.seed,
            names: self.names.as_deref(),
            days,
            changes: self.changes,
        }
    }
}

/// Measures one service: its start, its responses and its memory.
fn serve(
    arguments: &Arguments,
    data: &DataFolder,
    folder: &Path,
    wrk: &Wrk,
    table: &mut Table,
) -> anyhow::Result<()> {
    let data = country::link_data_folder(data, folder)?;
    let key = start::key(&data);
    let (mut service, _) = start::start(&data, &[])?;
    if arguments.wants(Goal::Start) {
        let (mut seconds, mut cpu_seconds) = (Vec::new(), Vec::new());
        for _ in 0..STARTS {
            drop(service);
            let started = start::start(&data, &[])?;
            service = started.0;
            seconds.push(started.1);
            cpu_seconds.push(cpu::processor_time(service.id())?.as_secs_f64());
        }
        table.add(Goal::Start, limit("start, until ready", 6.0, "s"), seconds);
        let line = format!("start: {:.2} s of CPU", median(&cpu_seconds));
        table.add_detail("startCpuSeconds", &cpu_seconds, line)?;
    }
    let bare = Bare::start()?;
    let requests = RequestSource {
        index: country::addresses(&data)?,
        key,
    };
    let load = Load {
        wrk,
        bare: &bare,
        request_log: data.path().join("requests"),
        turn: arguments.turn(),
    };
    let rounds = usize::try_from(arguments.rounds)?;
    let is_traffic = |goal: &Goal| *goal == Goal::TypeAheadTraffic;
    let (traffic, others): (Vec<Goal>, Vec<Goal>) = arguments.measured().partition(is_traffic);
    let mut cached_answers = None;
    if !traffic.is_empty() {
        let turns = load.turn_runner(&service);
        let (bare, ready) = requests.prepare_scenarios(&traffic, &turns)?;
        turns.warm_up(&ready)?;
        rows::add_turns(table, turns.run(&bare, &ready, rounds)?)?;
        cached_answers = Some(CachedAnswers::read(&ready, &service, table)?);
    }
    if arguments.wants(Goal::Memory) {
        let bytes = resources::anonymous_bytes(service.id())? as f64;
        let of_its_own = limit("anonymous memory of the service", 1.5, "GB");
        table.add(Goal::Memory, of_its_own, vec![bytes / 1e9]);
    }
    drop(service);
    if !others.is_empty() || cached_answers.is_some() {
        let (plain, _) = start::start(&data, &start::WITHOUT_SUGGESTION_CACHE)?;
        let turns = load.turn_runner(&plain);
        let (bare, ready) = requests.prepare_scenarios(&others, &turns)?;
        if !ready.is_empty() {
            rows::add_turns(table, turns.run(&bare, &ready, rounds)?)?;
        }
        cached_answers.map_or(Ok(()), |answers| answers.compare(&plain))?;
    }
    Ok(())
}

/// The load, which is put on one service after the other.
struct Load<'a> {
    wrk: &'a Wrk,
    bare: &'a Bare,
    request_log: PathBuf,
    turn: Duration,
}

impl<'a> Load<'a> {
    fn turn_runner<'s>(&self, service: &'s Service) -> TurnRunner<'s>
    where
        'a: 's,
    {
        TurnRunner {
            wrk: self.wrk,
            bare: self.bare,
            service,
            request_log: self.request_log.clone(),
            turn: self.turn,
        }
    }
}

/// The addresses and the key with which all requests are made.
struct RequestSource {
    index: AddressIndex,
    key: String,
}

impl RequestSource {
    /// Prepares the requests for the bare server, and the requests for these goals.
    fn prepare_scenarios(
        &self,
        goals: &[Goal],
        turns: &TurnRunner<'_>,
    ) -> anyhow::Result<(PreparedScenario, Vec<PreparedScenario>)> {
        let sample = sample::spread(&self.index, REQUESTS)?;
        let maker = Maker {
            index: &self.index,
            sample: &sample,
            key: &self.key,
        };
        let scenario = |goal| {
            maker
                .scenario(goal)?
                .context("the goal is not measured with requests")
        };
        let bare = PreparedScenario::bare(&scenario(Goal::V3)?, turns.wrk)?;
        let live = turns.service.address("live");
        let ready = goals.iter().map(|goal| {
            let scenario: Scenario = scenario(*goal)?;
            PreparedScenario::new(&scenario, turns.wrk, live)
        });
        Ok((bare, ready.collect::<anyhow::Result<_>>()?))
    }
}
