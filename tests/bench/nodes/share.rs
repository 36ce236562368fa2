//! Runs nodes behind HAProxy, configured as in `docker/haproxy.cfg`, with accounts in PostgreSQL. Measures the processor time per
//! request of the nodes, the balancer and the database. All nodes serve one generation, whose files they share.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use postduif_schema::{ADDRESSES_DIR, AddressIndex, DataFolder};
use serde::Serialize;
use tempfile::TempDir;

use crate::client::Client;
use crate::postgres::Server;
use crate::process::{self, Service};
use crate::wrk::Wrk;
use crate::{cpu, print_json, print_line, sample};

const BALANCER: &str = include_str!("../../../docker/haproxy.cfg");
const MOST: usize = 3;
const CONNECTIONS: u32 = 64;
/// The number of different requests.
const REQUESTS: usize = 60_000;
const READY: &[u8] = b"GET /health/ready HTTP/1.1\r\nHost: bench\r\n\r\n";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with the generation to serve; it is only read
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Number of accounts that call, with one key each
    #[arg(long, default_value_t = 200)]
    accounts: usize,
    /// Seconds of each turn
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Turns of load for each number of nodes
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShareResult {
    machine: String,
    addresses: u64,
    accounts: usize,
    turns: Vec<Turn>,
}

/// The results of one turn. Processor times are in microseconds per request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Turn {
    /// The number of nodes; `None` for one node without a balancer.
    nodes: Option<usize>,
    per_second: f64,
    nodes_us: f64,
    balancer_us: f64,
    database_us: f64,
    /// The share of requests that the busiest node answered.
    busiest: f64,
}

/// The processes that run while the bench measures one number of nodes.
struct NodeSetup {
    database: Server,
    nodes: Vec<Service>,
    balancer: Option<(Child, SocketAddr)>,
    _folders: Vec<TempDir>,
}

impl Drop for NodeSetup {
    fn drop(&mut self) {
        if let Some((balancer, _)) = &mut self.balancer {
            // The balancer may have exited already.
            balancer.kill().ok();
            balancer.wait().ok();
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let data = DataFolder::new(&arguments.data);
    let current = data
        .current_generation()?
        .context("no generation is published")?;
    let index = AddressIndex::open(&data.generation_path(current).join(ADDRESSES_DIR))?;
    let wrk = Wrk::find(CONNECTIONS)?;
    let mut turns = Vec::new();
    for nodes in [None, Some(1), Some(2), Some(MOST)] {
        let stage = NodeSetup::start(&data, nodes)?;
        let table = wrk.table("requests", &stage.requests(arguments.accounts, &index)?)?;
        for round in 0..=arguments.rounds {
            let turn = stage.turn(&wrk, &table, round * 1_000, arguments.seconds, nodes)?;
            // Ignore the first turn, in which the nodes take their first leases and the caches fill.
            if round > 0 {
                print_line(&turn.line())?;
                turns.push(turn);
            }
        }
    }
    print_json(&ShareResult {
        machine: cpu::model(),
        addresses: index.len(),
        accounts: arguments.accounts,
        turns,
    })
}

impl NodeSetup {
    fn start(data: &DataFolder, nodes: Option<usize>) -> anyhow::Result<Self> {
        let database = Server::start().context("PostgreSQL is not installed")?;
        let mut stage = Self {
            database,
            nodes: Vec::new(),
            balancer: None,
            _folders: Vec::new(),
        };
        let url = stage.database.url("postgres");
        // Open an account first, because a node is ready only if a live key exists.
        let folder = tempfile::tempdir()?;
        process::open_account_with(folder.path(), &["--plan", "free", "--database-url", &url]);
        for _ in 0..nodes.unwrap_or(1) {
            let folder = tempfile::tempdir()?;
            share(data, folder.path())?;
            let settings = ["--database-url", &url, "--trusted-proxy", "127.0.0.1"];
            let node = Service::start(folder.path(), &settings);
            let mut admin = Client::new(node.address("admin"));
            process::wait_until("a node is ready", || {
                admin.send(READY).is_ok_and(|answer| answer.status == 200)
            });
            stage.nodes.push(node);
            stage._folders.push(folder);
        }
        if nodes.is_some() {
            let folder = tempfile::tempdir()?;
            stage.balancer = Some(balance(folder.path(), &stage.nodes)?);
            stage._folders.push(folder);
        }
        Ok(stage)
    }

    /// Requests for v3 look-ups, with the keys of many accounts in turn.
    fn requests(&self, accounts: usize, index: &AddressIndex) -> anyhow::Result<Vec<Vec<u8>>> {
        let url = self.database.url("postgres");
        let own = [
            "--calls-per-month", "1000000000", "--calls-per-second", "1000000",
        ];
        let options = [&["--plan", "enterprise", "--database-url", &url][..], &own].concat();
        let folder = tempfile::tempdir()?;
        let keys: Vec<String> = (0..accounts)
            .map(|_| {
                let [live, _] = process::open_account_with(folder.path(), &options);
                live
            })
            .collect();
        // Wait until every node knows the new keys, which takes up to a second.
        std::thread::sleep(Duration::from_secs(2));
        let addresses = sample::spread(index, REQUESTS)?;
        let request = |(address, key): (&postduif_schema::Address, &String)| {
            let (postcode, number) = (address.postcode, address.number);
            format!("GET /v3/lookup/{postcode}/{number} HTTP/1.1\r\nHost: api.example.org\r\nX-Api-Key: {key}\r\n\r\n").into_bytes()
        };
        Ok(addresses
            .iter()
            .zip(keys.iter().cycle())
            .map(request)
            .collect())
    }

    fn turn(
        &self,
        wrk: &Wrk,
        table: &Path,
        first: usize,
        seconds: u64,
        nodes: Option<usize>,
    ) -> anyhow::Result<Turn> {
        let (before, answered_before) = (self.spent()?, self.answered()?);
        let server = match &self.balancer {
            Some((_, address)) => *address,
            None => self.nodes[0].address("live"),
        };
        let answered = wrk.load(server, table, first, Duration::from_secs(seconds))?;
        let (after, answered_after) = (self.spent()?, self.answered()?);
        let by_node: Vec<u64> = answered_after
            .iter()
            .zip(answered_before)
            .map(|(after, before)| after - before)
            .collect();
        let all: u64 = by_node.iter().sum();
        let each = |which: usize| {
            (after[which] - before[which]).as_secs_f64() * 1e6 / answered.requests as f64
        };
        Ok(Turn {
            nodes,
            per_second: answered.per_second(),
            nodes_us: each(0),
            balancer_us: each(1),
            database_us: each(2),
            busiest: by_node.iter().copied().max().unwrap_or(0) as f64 / all as f64,
        })
    }

    /// The processor time that the nodes, the balancer and the database have used so far.
    fn spent(&self) -> anyhow::Result<[Duration; 3]> {
        let mut nodes = Duration::ZERO;
        for node in &self.nodes {
            nodes += cpu::processor_time(node.id())?;
        }
        let balancer = match &self.balancer {
            Some((balancer, _)) => cpu::processor_time(balancer.id())?,
            None => Duration::ZERO,
        };
        let mut database = Duration::ZERO;
        for process in database_processes(self.database.address().port())? {
            // Ignore a process that has exited, which served an earlier connection.
            database += cpu::processor_time(process).unwrap_or_default();
        }
        Ok([nodes, balancer, database])
    }

    /// The number of look-ups that each node has answered.
    fn answered(&self) -> anyhow::Result<Vec<u64>> {
        const SERIES: &str =
            r#"postduif_requests_total{route="/v3/lookup/{postcode}/{number}",status="2xx"} "#;
        let count = |node: &Service| {
            let figures = node.get("admin", "/metrics", None).body;
            let line = figures.lines().find_map(|line| line.strip_prefix(SERIES));
            Ok(line.map_or(Ok(0), str::parse)?)
        };
        self.nodes.iter().map(count).collect()
    }
}

/// The process of the database server on this port, and all its child processes. Source: proc_pid_stat(5), field 4.
fn database_processes(port: u16) -> anyhow::Result<Vec<u32>> {
    let (mut server, mut parents) = (None, Vec::new());
    for entry in fs::read_dir("/proc")? {
        let path = entry?.path();
        let Some(process) = path
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok())
        else {
            continue;
        };
        // Ignore an error, because the process may have exited in the meantime.
        let command = fs::read_to_string(path.join("cmdline")).unwrap_or_default();
        if command.contains("postgres") && command.contains(&format!("-p\0{port}\0")) {
            server = Some(process);
        }
        let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parents.push((process, parent));
    }
    let server = server.context("PostgreSQL is not running")?;
    let children = parents
        .into_iter()
        .filter(|(_, parent)| *parent == Some(server));
    Ok(children.map(|(child, _)| child).chain([server]).collect())
}

impl Turn {
    fn line(&self) -> String {
        let nodes = match self.nodes {
            None => "one node, no balancer".to_owned(),
            Some(nodes) => format!("{nodes} behind HAProxy"),
        };
        format!(
            "{nodes:<22} nodes {:6.2} us  balancer {:6.2} us  database {:5.2} us a request; {:6.0} a second, the busiest node {:3.0}%",
            self.nodes_us,
            self.balancer_us,
            self.database_us,
            self.per_second,
            self.busiest * 100.0
        )
    }
}

/// Makes a data folder that links to the current generation of `data`.
fn share(data: &DataFolder, folder: &Path) -> anyhow::Result<()> {
    let (name, own) = (
        data.current_generation()?
            .context("no generation is published")?,
        DataFolder::new(folder),
    );
    fs::create_dir_all(own.generations_path())?;
    let there = fs::canonicalize(data.generation_path(name))?;
    std::os::unix::fs::symlink(there, own.generation_path(name))?;
    Ok(own.set_current(name)?)
}

/// Starts HAProxy, configured as in the example, in front of the nodes.
fn balance(folder: &Path, nodes: &[Service]) -> anyhow::Result<(Child, SocketAddr)> {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let mut text = String::new();
    for line in BALANCER.lines() {
        let word = line.trim();
        if word.starts_with("bind ") {
            text += &format!("    bind {address}\n");
        } else if let Some(server) = word.strip_prefix("server node") {
            let number: usize = server.get(..1).context("no number after `node`")?.parse()?;
            let listener = if word.contains(":8081") {
                "sandbox"
            } else {
                "live"
            };
            let Some(node) = nodes.get(number - 1) else {
                continue;
            };
            let (at, port) = (node.address(listener), node.address("admin").port());
            text += &format!("    server node{number} {at} check port {port}\n");
        } else if !(word.starts_with("user ") || word.starts_with("group ")) {
            text += &format!("{line}\n");
        }
    }
    let file = folder.join("haproxy.cfg");
    fs::write(&file, text)?;
    let started = Command::new("haproxy")
        .args(["-db", "-f"])
        .arg(&file)
        .spawn();
    let started = started.context("haproxy is not installed")?;
    process::wait_until("the balancer listens", || {
        TcpStream::connect(address).is_ok()
    });
    ensure!(nodes.len() <= MOST, "the example has {MOST} nodes");
    // Wait until HAProxy has checked every node twice.
    std::thread::sleep(Duration::from_secs(4));
    Ok((started, address))
}
