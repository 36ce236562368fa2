//! A generation's way from the machine that makes it to the nodes that serve it: what is put into the bucket, what each node
//! takes out of it, and how long that takes. Where the bucket is, and whether it keeps copies, is up to who starts this.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use postduif_schema::DataFolder;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::made::{Made, Wish};
use crate::process::{self, Service};
use crate::{cpu, tell, tell_json};

/// The whole country takes seconds on a local network.
const PATIENCE: Duration = Duration::from_mins(10);
const LOOK: Duration = Duration::from_millis(20);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bucket; an empty part of it
    #[arg(long, value_name = "URL")]
    to: String,
    /// Addresses of the made-up country
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Changes of a day
    #[arg(long, default_value_t = 5_000)]
    changes: u32,
    /// Days of mutations
    #[arg(long, default_value_t = 3)]
    days: usize,
    /// Nodes that take each generation at the same time
    #[arg(long, default_value_t = 3)]
    nodes: usize,
    /// Where the country is kept for the next run
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    machine: String,
    bucket: String,
    addresses: u64,
    changes: u32,
    nodes: usize,
    journeys: Vec<Journey>,
}

/// One generation's way.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Journey {
    generation: String,
    /// All of it, whoever has it already.
    bytes: u64,
    uploaded_bytes: u64,
    /// Seconds of `index publish`, from its start to its end.
    publish: f64,
    /// Bytes that each node took.
    pulled_bytes: Vec<u64>,
    /// Seconds from the end of `index publish` until each node served it; less than none where that was before.
    served_after: Vec<f64>,
}

/// What `index publish --json` tells.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Published {
    generation: String,
    uploaded_bytes: u64,
}

/// A node with its data folder.
struct Node {
    service: Service,
    admin: Client,
    pulled: u64,
    _data: tempfile::TempDir,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let wish = Wish {
        addresses: arguments.addresses,
        changes: arguments.changes,
        days: arguments.days,
        seed: 1,
    };
    let made = Made::find_or_make(&arguments.folder, wish)?;
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
        .try_for_each(|journey| tell(&journey.line()))?;
    tell_json(&Outcome {
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
    let told = command.output()?;
    let wrong = String::from_utf8_lossy(&told.stderr);
    ensure!(told.status.success(), "index apply: {wrong}");
    Ok(())
}

fn journey(data: &DataFolder, to: &str, nodes: &mut [Node]) -> anyhow::Result<Journey> {
    let mut command = process::postduif();
    command
        .args(["index", "publish", "--json", "--to", to, "--data"])
        .arg(data.path());
    let began = Instant::now();
    let mut publisher = command.stdout(std::process::Stdio::piped()).spawn()?;
    // The nodes are looked at from the start: one may serve before the publisher has tidied up and ended.
    let current = data
        .current_generation()?
        .context("a generation is published")?
        .to_string();
    let mut served: Vec<Option<Instant>> = vec![None; nodes.len()];
    let mut ended = None;
    while ended.is_none() || served.contains(&None) {
        ensure!(
            began.elapsed() < PATIENCE,
            "not every node serves {current}"
        );
        if ended.is_none() && publisher.try_wait()?.is_some() {
            ended = Some(Instant::now());
        }
        for (node, served) in nodes.iter_mut().zip(&mut served) {
            if served.is_none() && node.serves(&current)? {
                *served = Some(Instant::now());
            }
        }
        std::thread::sleep(LOOK);
    }
    let told = publisher.wait_with_output()?;
    ensure!(told.status.success(), "index publish failed");
    let published: Published = serde_json::from_slice(&told.stdout)?;
    let ended = ended.context("it has ended")?;
    let manifest = postduif_schema::Manifest::read(&data.generation_path(current.parse()?))?;
    let mut pulled_bytes = Vec::new();
    for node in nodes.iter_mut() {
        pulled_bytes.push(node.pulled_since()?);
    }
    let after = |served: &Instant| {
        served.duration_since(began).as_secs_f64() - ended.duration_since(began).as_secs_f64()
    };
    Ok(Journey {
        generation: published.generation,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        uploaded_bytes: published.uploaded_bytes,
        publish: ended.duration_since(began).as_secs_f64(),
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
        let admin = Client::of(service.address("admin"));
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

    /// Bytes taken from the bucket since this was asked last.
    fn pulled_since(&mut self) -> anyhow::Result<u64> {
        const SERIES: &str = r#"postduif_pull_bytes_total{transfer="downloaded"} "#;
        let figures = self.get("/metrics")?;
        let line = figures.lines().find_map(|line| line.strip_prefix(SERIES));
        let pulled: u64 = line.context("a figure of what was pulled")?.parse()?;
        Ok(pulled - std::mem::replace(&mut self.pulled, pulled))
    }

    fn get(&mut self, path: &str) -> anyhow::Result<String> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n");
        let answer = self.admin.ask(request.as_bytes());
        let answer = answer.with_context(|| self.service.log())?;
        Ok(String::from_utf8_lossy(answer.body).into_owned())
    }
}
