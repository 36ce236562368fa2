//! Measures a generation on its way from the publisher to the nodes: the bytes uploaded to the bucket, the bytes that each node
//! downloads, and the time. The caller chooses the bucket and its replication.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use postduif_schema::DataFolder;
use serde::{Deserialize, Serialize};

use crate::cached_country::{CachedCountry, CachedCountryOptions};
use crate::client::Client;
use crate::process::{self, Service};
use crate::{cpu, print_json, print_line};

/// The timeout for all nodes to serve a generation. For the whole country this takes seconds on a local network.
const TIMEOUT: Duration = Duration::from_mins(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// URL of a prefix in a bucket; there must be no keys below it
    #[arg(long, value_name = "URL")]
    to: String,
    /// Addresses of the made-up country
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Changes per day
    #[arg(long, default_value_t = 5_000)]
    changes: u32,
    /// Days of mutations
    #[arg(long, default_value_t = 3)]
    days: usize,
    /// Number of nodes that pull each generation at the same time
    #[arg(long, default_value_t = 3)]
    nodes: usize,
    /// Folder that keeps the made-up country for later runs
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TravelResult {
    machine: String,
    bucket: String,
    addresses: u64,
    changes: u32,
    nodes: usize,
    journeys: Vec<Journey>,
}

/// The results for one generation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Journey {
    generation: String,
    /// The size of the whole generation.
    bytes: u64,
    uploaded_bytes: u64,
    /// The seconds that `index publish` took.
    publish: f64,
    /// The bytes that each node downloaded.
    pulled_bytes: Vec<u64>,
    /// The seconds from the end of `index publish` until each node served the generation. Negative if the node served it before
    /// that end.
    served_after: Vec<f64>,
}

/// The output of `index publish --json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Published {
    generation: String,
    uploaded_bytes: u64,
}

/// A node with its own data folder.
struct Node {
    service: Service,
    admin: Client,
    pulled: u64,
    _data: tempfile::TempDir,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = CachedCountryOptions {
        addresses: arguments.addresses,
        changes: arguments.changes,
        days: arguments.days,
        seed: 1,
    };
    let made = CachedCountry::find_or_make(&arguments.folder, options)?;
    let indexing = tempfile::tempdir()?;
    let data = DataFolder::new(indexing.path());
    made.build(&data)?;
    let mut nodes = Vec::new();
    for _ in 0..arguments.nodes {
        nodes.push(Node::start(&arguments.to)?);
    }
    let mut journeys = vec![journey(&data, &arguments.to, &mut nodes)?];
    for delivery in &made.deliveries {
        apply(&data, delivery)?;
        journeys.push(journey(&data, &arguments.to, &mut nodes)?);
    }
    journeys
        .iter()
        .try_for_each(|journey| print_line(&journey.line()))?;
    print_json(&TravelResult {
        machine: cpu::model(),
        bucket: arguments.to.clone(),
        addresses: arguments.addresses,
        changes: arguments.changes,
        nodes: arguments.nodes,
        journeys,
    })
}

fn apply(data: &DataFolder, delivery: &Path) -> anyhow::Result<()> {
    let mut command = process::postduif();
    command
        .args(["index", "apply", "--data"])
        .arg(data.path())
        .arg(delivery);
    let output = command.output()?;
    let wrong = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "index apply: {wrong}");
    Ok(())
}

fn journey(data: &DataFolder, to: &str, nodes: &mut [Node]) -> anyhow::Result<Journey> {
    let mut command = process::postduif();
    command
        .args(["index", "publish", "--json", "--to", to, "--data"])
        .arg(data.path());
    let start = Instant::now();
    let mut publisher = command.stdout(std::process::Stdio::piped()).spawn()?;
    // Watch the nodes while `index publish` still runs, because a node may serve the generation before the publisher has cleaned up
    // and exited.
    let current = data
        .current_generation()?
        .context("no generation is published")?
        .to_string();
    let mut served: Vec<Option<Instant>> = vec![None; nodes.len()];
    let mut ended = None;
    while ended.is_none() || served.contains(&None) {
        ensure!(start.elapsed() < TIMEOUT, "not every node serves {current}");
        if ended.is_none() && publisher.try_wait()?.is_some() {
            ended = Some(Instant::now());
        }
        for (node, served) in nodes.iter_mut().zip(&mut served) {
            if served.is_none() && node.serves(&current)? {
                *served = Some(Instant::now());
            }
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    let output = publisher.wait_with_output()?;
    ensure!(output.status.success(), "index publish failed");
    let published: Published = serde_json::from_slice(&output.stdout)?;
    let ended = ended.context("`index publish` has not ended")?;
    let manifest = postduif_schema::Manifest::read(&data.generation_path(current.parse()?))?;
    let mut pulled_bytes = Vec::new();
    for node in nodes.iter_mut() {
        pulled_bytes.push(node.pulled_since()?);
    }
    let after = |served: &Instant| {
        served.duration_since(start).as_secs_f64() - ended.duration_since(start).as_secs_f64()
    };
    Ok(Journey {
        generation: published.generation,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        uploaded_bytes: published.uploaded_bytes,
        publish: ended.duration_since(start).as_secs_f64(),
        pulled_bytes,
        served_after: served.iter().flatten().map(after).collect(),
    })
}

impl Journey {
    fn line(&self) -> String {
        let Self {
            generation,
            bytes,
            uploaded_bytes,
            publish,
            pulled_bytes,
            served_after,
        } = self;
        format!(
            "{generation}: {bytes} bytes in all, {uploaded_bytes} uploaded in {publish:.2} s; nodes took {pulled_bytes:?} and served it {served_after:.2?} s later"
        )
    }
}

impl Node {
    fn start(from: &str) -> anyhow::Result<Self> {
        let data = tempfile::tempdir()?;
        let pulling = ["--generations-from", from, "--generations-poll-s", "1"];
        let service = Service::start(data.path(), &pulling);
        let admin = Client::new(service.address("admin"));
        Ok(Self {
            service,
            admin,
            pulled: 0,
            _data: data,
        })
    }

    fn serves(&mut self, generation: &str) -> anyhow::Result<bool> {
        let version: serde_json::Value = serde_json::from_str(&self.get("/version")?)?;
        Ok(version["generation"].as_str() == Some(generation))
    }

    /// The bytes that the node has downloaded from the bucket since the last call of this function.
    fn pulled_since(&mut self) -> anyhow::Result<u64> {
        const SERIES: &str = r#"postduif_pull_bytes_total{transfer="downloaded"} "#;
        let figures = self.get("/metrics")?;
        let line = figures.lines().find_map(|line| line.strip_prefix(SERIES));
        let pulled: u64 = line.context("no metric of pulled bytes")?.parse()?;
        Ok(pulled - std::mem::replace(&mut self.pulled, pulled))
    }

    fn get(&mut self, path: &str) -> anyhow::Result<String> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n");
        let answer = self.admin.send(request.as_bytes());
        let answer = answer.with_context(|| self.service.log())?;
        Ok(String::from_utf8_lossy(answer.body).into_owned())
    }
}
