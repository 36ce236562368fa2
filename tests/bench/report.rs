//! Medians and ratios, as a table for people and as JSON for machines.

use std::io::Write as _;
use std::time::Duration;

use serde::Serialize;

use crate::cpu;

/// All turns of all scenarios, in the order in which they were first added.
pub(crate) struct Report {
    addresses: u64,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    /// Server CPU per request, one for each turn.
    cpu_us: Vec<f64>,
    per_second: Vec<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    scenario: &'a str,
    server_cpu_us_per_request: f64,
    /// Of the best turn: what others on the machine did disturbs it least.
    lowest_cpu_us_per_request: f64,
    requests_per_second: f64,
    ratio_to_bare: f64,
}

#[derive(Serialize)]
struct Json<'a> {
    machine: String,
    addresses: u64,
    lines: Vec<Line<'a>>,
}

impl Row {
    fn line(&self, bare: f64) -> Line<'_> {
        Line {
            scenario: &self.name,
            server_cpu_us_per_request: median(&self.cpu_us),
            lowest_cpu_us_per_request: lowest(&self.cpu_us),
            requests_per_second: median(&self.per_second),
            ratio_to_bare: median(&self.cpu_us) / bare,
        }
    }
}

impl Report {
    pub(crate) fn new(addresses: u64) -> Self {
        Self {
            addresses,
            rows: Vec::new(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "requests of a few seconds")]
    pub(crate) fn add(&mut self, name: &str, answered: u64, used: Duration, turn: Duration) {
        let at = self
            .rows
            .iter()
            .position(|row| row.name == name)
            .unwrap_or_else(|| {
                self.rows.push(Row {
                    name: name.to_owned(),
                    cpu_us: Vec::new(),
                    per_second: Vec::new(),
                });
                self.rows.len() - 1
            });
        self.rows[at]
            .cpu_us
            .push(used.as_secs_f64() * 1e6 / answered as f64);
        self.rows[at]
            .per_second
            .push(answered as f64 / turn.as_secs_f64());
    }

    pub(crate) fn print(&self) -> anyhow::Result<()> {
        let bare = self
            .rows
            .first()
            .map_or(f64::NAN, |row| median(&row.cpu_us));
        let json = Json {
            machine: cpu::model(),
            addresses: self.addresses,
            lines: self.rows.iter().map(|row| row.line(bare)).collect(),
        };
        let mut out = std::io::stdout();
        writeln!(
            out,
            "{}, {} addresses, medians\n",
            json.machine, json.addresses
        )?;
        writeln!(
            out,
            "{:<30} {:>14} {:>7} {:>12} {:>7}",
            "scenario", "server CPU µs", "lowest", "requests/s", "ratio"
        )?;
        for line in &json.lines {
            let (cpu, rate) = (line.server_cpu_us_per_request, line.requests_per_second);
            let lowest = line.lowest_cpu_us_per_request;
            writeln!(
                out,
                "{:<30} {cpu:>14.2} {lowest:>7.2} {rate:>12.0} {:>7.2}",
                line.scenario, line.ratio_to_bare
            )?;
        }
        writeln!(out, "\n{}", serde_json::to_string(&json)?)?;
        Ok(())
    }
}

fn lowest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::min)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
