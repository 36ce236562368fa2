//! Prints the periods of a soak, and the change from the first quarter of the periods to the last.

use std::path::Path;

use anyhow::{Context as _, ensure};
use postduif_schema::GenerationName;
use serde::Serialize;

use crate::key_changes::KeyChangeResults;
use crate::machine::Machine;
use crate::open_loop::{LoadSummary, Total};
use crate::print_line;
use crate::table::median;

/// The results of a period, which lasts from one delivery to the next.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Period {
    pub(crate) generation: GenerationName,
    pub(crate) changed_addresses: u64,
    /// The seconds from the drop of the delivery until its generation is served.
    pub(crate) served_after_s: f64,
    pub(crate) stretch: LoadSummary,
    /// The number of 404s for addresses that exist both before and after the delivery.
    pub(crate) wrongly_missing: usize,
    pub(crate) keys: KeyChangeResults,
    pub(crate) service: ProcessUsage,
    pub(crate) watcher: ProcessUsage,
}

/// Memory and descriptors of a process at the end of a period.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessUsage {
    pub(crate) anonymous_bytes: u64,
    pub(crate) descriptors: usize,
}

/// The results of a soak.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SoakResult {
    machine: Machine,
    addresses: u64,
    saturated_per_second: f64,
    rate: u32,
    periods: Vec<Period>,
    total: Total,
    failures: Vec<String>,
}

impl SoakResult {
    pub(crate) fn begin(addresses: u64, saturated_per_second: f64, rate: u32) -> Self {
        Self {
            machine: Machine::read(),
            addresses,
            saturated_per_second,
            rate,
            periods: Vec::new(),
            total: Total::default(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn print_head(&self) -> anyhow::Result<()> {
        print_line(&self.machine.line())?;
        print_line(&format!(
            "{} addresses; {:.0} mixed requests per second saturate the service, {} are sent\n",
            self.addresses, self.saturated_per_second, self.rate
        ))?;
        print_line(&format!(
            "{:>6} {:<14} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>6} {:>11} {:>6} {:>11} {:>6} {:>6} {:>7}",
            "period",
            "generation",
            "changed",
            "s served",
            "requests",
            "p50 ms",
            "p99 ms",
            "max ms",
            "failed",
            "service MB",
            "fds",
            "watcher MB",
            "fds",
            "keys",
            "s known"
        ))
    }

    /// Adds the results of a period and prints its line.
    pub(crate) fn add(&mut self, period: Period) -> anyhow::Result<()> {
        let LoadSummary {
            requests,
            failed,
            p50_ms,
            p99_ms,
            max_ms,
        } = period.stretch;
        let [service, watcher] = [period.service, period.watcher];
        print_line(&format!(
            "{:>6} {:<14} {:>8} {:>8.2} {requests:>8} {p50_ms:>7.2} {p99_ms:>7.2} {max_ms:>8.1} {:>6} {:>11.1} {:>6} {:>11.1} {:>6} {:>6} {:>7.2}",
            self.periods.len() + 1,
            period.generation.to_string(),
            period.changed_addresses,
            period.served_after_s,
            failed + period.wrongly_missing + period.keys.failures.len(),
            service.megabytes(),
            service.descriptors,
            watcher.megabytes(),
            watcher.descriptors,
            period.keys.keys,
            period.keys.known_after_s
        ))?;
        self.periods.push(period);
        Ok(())
    }

    pub(crate) fn end(&mut self, total: Total, failures: Vec<String>) {
        (self.total, self.failures) = (total, failures);
    }

    pub(crate) fn print(&self, json: Option<&Path>) -> anyhow::Result<()> {
        let [first, last] = self.quarters();
        let drift = |name: &str, figure: fn(&Period) -> f64, unit: &str| {
            let middle = |periods: &[Period]| {
                let figures: Vec<f64> = periods.iter().map(figure).collect();
                median(&figures)
            };
            let [from, to] = [first, last].map(middle);
            print_line(&format!(
                "{name:<24} {from:>9.2} -> {to:>9.2} {unit:<4} {:>6.2}x",
                to / from
            ))
        };
        print_line("\nfrom the first quarter to the last, medians of the periods")?;
        drift("p50", |period| period.stretch.p50_ms, "ms")?;
        drift("p99", |period| period.stretch.p99_ms, "ms")?;
        drift("delivery served after", |period| period.served_after_s, "s")?;
        drift(
            "service, own memory",
            |period| period.service.megabytes(),
            "MB",
        )?;
        drift(
            "service, descriptors",
            |period| period.service.descriptors as f64,
            "",
        )?;
        drift(
            "watcher, own memory",
            |period| period.watcher.megabytes(),
            "MB",
        )?;
        drift(
            "watcher, descriptors",
            |period| period.watcher.descriptors as f64,
            "",
        )?;
        let wrong: usize = self
            .periods
            .iter()
            .map(|period| period.wrongly_missing)
            .sum();
        let keys = || self.periods.iter().map(|period| &period.keys);
        let key_failures: Vec<&String> = keys().flat_map(|keys| &keys.failures).collect();
        let changed: u32 = keys().map(|keys| keys.keys).sum();
        let known = keys().map(|keys| keys.known_after_s).fold(0.0, f64::max);
        print_line(&format!(
            "{changed} keys made and revoked, known after {known:.2} s at most, {} failed",
            key_failures.len()
        ))?;
        let Total { requests, failed } = self.total;
        print_line(&format!(
            "{requests} requests, {failed} failed, {wrong} existing addresses not found"
        ))?;
        for failure in self.failures.iter().chain(key_failures.iter().copied()) {
            print_line(&format!("FAILED: {failure}"))?;
        }
        if let Some(path) = json {
            let text = serde_json::to_vec_pretty(self)?;
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
        }
        ensure!(failed == 0 && wrong == 0, "requests failed");
        ensure!(
            key_failures.is_empty() && keys().all(|keys| keys.keys > 0),
            "changes of keys failed"
        );
        Ok(())
    }

    fn quarters(&self) -> [&[Period]; 2] {
        let quarter = self.periods.len().div_ceil(4);
        let (first, last) = (
            &self.periods[..quarter],
            &self.periods[self.periods.len() - quarter..],
        );
        [first, last]
    }
}

impl ProcessUsage {
    fn megabytes(self) -> f64 {
        self.anonymous_bytes as f64 / 1e6
    }
}
