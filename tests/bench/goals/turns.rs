//! Runs turns of load: in each round, one turn for the bare server and one for every scenario. Measures the processor time per
//! request.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::Serialize;

use crate::bare::Bare;
use crate::client::Client;
use crate::cpu;
use crate::goal::Goal;
use crate::note;
use crate::process::Service;
use crate::scenario::Scenario;
use crate::server_metrics::{Histogram, ServerMetrics};
use crate::wrk::{self, Wrk};

/// The duration of the warm-up, as a number of turns.
const WARM_UP_TURNS: u32 = 15;

/// The results of one scenario. Each list has one value per round.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScenarioResults {
    pub(crate) goal: Option<Goal>,
    /// The server's processor time in microseconds per request.
    pub(crate) cpu_us: Vec<f64>,
    /// The processor time divided by that of the bare server in the same round.
    pub(crate) ratio: Vec<f64>,
    pub(crate) per_second: Vec<f64>,
    pub(crate) different_requests: usize,
    /// The number of lines in each request.
    pub(crate) lines: usize,
    /// The time that requests spent in the server in all rounds under saturation. It includes waits for the processor.
    #[serde(skip)]
    pub(crate) latencies: Histogram,
    /// The time that requests spent in the server when they were sent one after the other.
    #[serde(skip)]
    pub(crate) latencies_one_by_one: Histogram,
}

/// Loads the bare server and the service in turn.
pub(crate) struct TurnRunner<'a> {
    pub(crate) wrk: &'a Wrk,
    pub(crate) bare: &'a Bare,
    pub(crate) service: &'a Service,
    /// The folder with the request log of the service.
    pub(crate) request_log: PathBuf,
    pub(crate) turn: Duration,
}

/// A scenario whose requests are written to a file for wrk.
pub(crate) struct PreparedScenario {
    goal: Option<Goal>,
    table: PathBuf,
    requests: usize,
    lines: usize,
}

/// The results of one turn.
struct Turn {
    cpu_us: f64,
    per_second: f64,
}

impl PreparedScenario {
    /// The path of the file with the requests of this scenario.
    pub(crate) fn table(&self) -> &Path {
        &self.table
    }

    /// The index of the first request of a round. Each round begins with requests that no earlier round has sent, until all
    /// requests have been sent.
    fn first_request(&self, round: usize) -> usize {
        match self.goal {
            // The warm-up sends the first half of the requests.
            Some(Goal::TypeAheadTraffic) => self.requests / 2 + round * self.requests / 10,
            _ => round * self.requests / 5,
        }
    }

    /// Checks the first responses of a scenario, and writes its requests to a file.
    pub(crate) fn new(scenario: &Scenario, wrk: &Wrk, server: SocketAddr) -> anyhow::Result<Self> {
        scenario.check(server)?;
        let name = format!("{:?}", scenario.goal);
        Ok(Self {
            goal: Some(scenario.goal),
            table: wrk.table(&name, &scenario.requests)?,
            requests: scenario.requests.len(),
            lines: scenario.lines,
        })
    }

    /// Writes the requests of a scenario to a file without checking responses, because the bare server gives the same response to
    /// every request.
    pub(crate) fn bare(scenario: &Scenario, wrk: &Wrk) -> anyhow::Result<Self> {
        Ok(Self {
            goal: None,
            table: wrk.table("bare", &scenario.requests)?,
            requests: scenario.requests.len(),
            lines: 1,
        })
    }
}

impl TurnRunner<'_> {
    /// Runs all rounds. The first element has the results of the bare server.
    pub(crate) fn run(
        &self,
        bare: &PreparedScenario,
        ready: &[PreparedScenario],
        rounds: usize,
    ) -> anyhow::Result<Vec<ScenarioResults>> {
        let all: Vec<&PreparedScenario> = std::iter::once(bare).chain(ready).collect();
        let mut measured: Vec<ScenarioResults> = all
            .iter()
            .map(|ready| ScenarioResults::new(ready))
            .collect();
        for round in 0..rounds {
            note(&format!("round {} of {rounds}", round + 1));
            let mut bare_us = None;
            for (ready, measured) in all.iter().zip(&mut measured) {
                let turn = self
                    .take(ready, round, measured)
                    .with_context(|| match ready.goal {
                        Some(goal) => format!("{goal:?}"),
                        None => "bare axum".to_owned(),
                    })?;
                let bare_us = *bare_us.get_or_insert(turn.cpu_us);
                measured.cpu_us.push(turn.cpu_us);
                measured.ratio.push(turn.cpu_us / bare_us);
                measured.per_second.push(turn.per_second);
            }
        }
        for (ready, measured) in all.iter().zip(&mut measured) {
            if ready.goal == Some(Goal::TypeAhead) {
                measured.latencies_one_by_one = self.one_by_one(ready)?;
            }
        }
        Ok(measured)
    }

    /// Measures the time in the server of requests that are sent one after the other, so without waits that the load causes.
    fn one_by_one(&self, ready: &PreparedScenario) -> anyhow::Result<Histogram> {
        note("sending one request after the other");
        let route = ready.goal.and_then(Goal::route).unwrap_or_default();
        let admin = self.service.address("admin");
        let before = ServerMetrics::fetch(admin)?.latencies(route);
        let mut client = Client::new(self.service.address("live"));
        let start = Instant::now();
        for request in wrk::requests(&ready.table)? {
            let status = client.send(&request)?.status;
            ensure!(status == 200, "{status}");
            if start.elapsed() > 2 * self.turn {
                break;
            }
        }
        Ok(ServerMetrics::fetch(admin)?.latencies(route).since(&before))
    }

    /// Fills the cache of the service, because a real service has answered other requests before. Sends the first half of the
    /// requests, or as many as the time permits.
    pub(crate) fn warm_up(&self, ready: &[PreparedScenario]) -> anyhow::Result<()> {
        note("sending the first half of the requests to fill the cache");
        for ready in ready {
            let server = self.service.address("live");
            self.wrk
                .load(server, &ready.table, 0, WARM_UP_TURNS * self.turn)?;
        }
        delete_request_log(&self.request_log)
    }

    fn take(
        &self,
        ready: &PreparedScenario,
        round: usize,
        measured: &mut ScenarioResults,
    ) -> anyhow::Result<Turn> {
        let first = ready.first_request(round);
        let load = |server, process| {
            let before = cpu::processor_time(process)?;
            let answered = self.wrk.load(server, &ready.table, first, self.turn)?;
            let used = cpu::processor_time(process)?.saturating_sub(before);
            let turn = Turn {
                cpu_us: used.as_secs_f64() * 1e6 / answered.requests as f64,
                per_second: answered.per_second(),
            };
            anyhow::Ok((turn, answered.requests))
        };
        let Some(route) = ready.goal.and_then(Goal::route) else {
            return Ok(load(self.bare.address, self.bare.process())?.0);
        };
        let admin = self.service.address("admin");
        let before = ServerMetrics::fetch(admin)?;
        let (turn, answered) = load(self.service.address("live"), self.service.id())?;
        let after = ServerMetrics::fetch(admin)?;
        check_request_counts(&before, &after, route, answered)?;
        let latencies = after.latencies(route).since(&before.latencies(route));
        measured.latencies.add(&latencies);
        delete_request_log(&self.request_log)?;
        Ok(turn)
    }
}

/// Checks that every request succeeded, and that the server counted at least as many successes of this route as wrk got answers. The
/// server may count more: requests that wrk stopped waiting for, and late requests of the previous turn, which has another route.
fn check_request_counts(
    before: &ServerMetrics,
    after: &ServerMetrics,
    route: &str,
    answered: u64,
) -> anyhow::Result<()> {
    const REQUESTS: &str = "postduif_requests_total";
    const SUCCESS: &str = "status=\"2xx\"";
    let route = format!("route=\"{route}\"");
    let more = |labels: &[&str]| after.sum(REQUESTS, labels) - before.sum(REQUESTS, labels);
    let (all, succeeded, of_route) = (more(&[]), more(&[SUCCESS]), more(&[&route, SUCCESS]));
    ensure!(
        all == succeeded && of_route >= answered as f64,
        "wrk got {answered} answers; the server counted {all} requests, {succeeded} successes, {of_route} of them of this route"
    );
    Ok(())
}

/// Deletes the request log, because it has millions of lines. The service creates a new file.
pub(crate) fn delete_request_log(request_log: &Path) -> anyhow::Result<()> {
    let Ok(files) = fs::read_dir(request_log) else {
        return Ok(());
    };
    for file in files {
        fs::remove_file(file?.path())?;
    }
    Ok(())
}

impl ScenarioResults {
    fn new(ready: &PreparedScenario) -> Self {
        Self {
            goal: ready.goal,
            different_requests: ready.requests,
            lines: ready.lines,
            ..Self::default()
        }
    }

    /// The server's processor time in microseconds per line of a bulk request.
    pub(crate) fn line_us(&self) -> Vec<f64> {
        let lines = self.lines as f64;
        self.cpu_us.iter().map(|us| us / lines).collect()
    }
}
