//! The minutes of a soak, each as it passes, and what drifted from the first quarter to the last.

use std::path::Path;

use anyhow::{Context as _, ensure};
use postduif_schema::GenerationName;
use serde::Serialize;

use crate::machine::Machine;
use crate::open_loop::{Stretch, Total};
use crate::table::median;
use crate::tell;

/// One minute.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Minute {
    pub(crate) generation: GenerationName,
    pub(crate) changed_addresses: u64,
    /// From the drop of the delivery.
    pub(crate) served_after_s: f64,
    pub(crate) stretch: Stretch,
    /// Answers that there is no address where there was one before and after.
    pub(crate) wrongly_missing: usize,
    pub(crate) service: Held,
    pub(crate) watcher: Held,
}

/// What a process holds at the end of a minute.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Held {
    pub(crate) anonymous_bytes: u64,
    pub(crate) descriptors: usize,
}

/// A whole soak.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    machine: Machine,
    addresses: u64,
    saturated_per_second: f64,
    rate: u32,
    minutes: Vec<Minute>,
    total: Total,
    failures: Vec<String>,
}

impl Outcome {
    pub(crate) fn begin(addresses: u64, saturated_per_second: f64, rate: u32) -> Self {
        Self {
            machine: Machine::here(),
            addresses,
            saturated_per_second,
            rate,
            minutes: Vec::new(),
            total: Total::default(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn print_head(&self) -> anyhow::Result<()> {
        tell(&self.machine.line())?;
        tell(&format!(
            "{} addresses; {:.0} mixed requests a second saturate, {} are asked\n",
            self.addresses, self.saturated_per_second, self.rate
        ))?;
        tell(&format!(
            "{:>6} {:<14} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>6} {:>11} {:>6} {:>11} {:>6}",
            "minute",
            "generation",
            "changed",
            "s served",
            "asked",
            "p50 ms",
            "p99 ms",
            "max ms",
            "failed",
            "service MB",
            "fds",
            "watcher MB",
            "fds"
        ))
    }

    /// Takes a minute and tells of it.
    pub(crate) fn add(&mut self, minute: Minute) -> anyhow::Result<()> {
        let Stretch {
            asked,
            failed,
            p50_ms,
            p99_ms,
            max_ms,
        } = minute.stretch;
        let [service, watcher] = [minute.service, minute.watcher];
        tell(&format!(
            "{:>6} {:<14} {:>8} {:>8.2} {asked:>8} {p50_ms:>7.2} {p99_ms:>7.2} {max_ms:>8.1} {:>6} {:>11.1} {:>6} {:>11.1} {:>6}",
            self.minutes.len() + 1,
            minute.generation.to_string(),
            minute.changed_addresses,
            minute.served_after_s,
            failed + minute.wrongly_missing,
            service.megabytes(),
            service.descriptors,
            watcher.megabytes(),
            watcher.descriptors
        ))?;
        self.minutes.push(minute);
        Ok(())
    }

    pub(crate) fn end(&mut self, total: Total, failures: Vec<String>) {
        (self.total, self.failures) = (total, failures);
    }

    pub(crate) fn print(&self, json: Option<&Path>) -> anyhow::Result<()> {
        let [first, last] = self.quarters();
        let drift = |name: &str, figure: fn(&Minute) -> f64, unit: &str| {
            let middle = |minutes: &[Minute]| {
                let figures: Vec<f64> = minutes.iter().map(figure).collect();
                median(&figures)
            };
            let [from, to] = [first, last].map(middle);
            tell(&format!(
                "{name:<24} {from:>9.2} -> {to:>9.2} {unit:<4} {:>6.2}x",
                to / from
            ))
        };
        tell("\nfrom the first quarter to the last, medians of the minutes")?;
        drift("p50", |minute| minute.stretch.p50_ms, "ms")?;
        drift("p99", |minute| minute.stretch.p99_ms, "ms")?;
        drift("delivery served after", |minute| minute.served_after_s, "s")?;
        drift(
            "service, own memory",
            |minute| minute.service.megabytes(),
            "MB",
        )?;
        drift(
            "service, descriptors",
            |minute| minute.service.descriptors as f64,
            "",
        )?;
        drift(
            "watcher, own memory",
            |minute| minute.watcher.megabytes(),
            "MB",
        )?;
        drift(
            "watcher, descriptors",
            |minute| minute.watcher.descriptors as f64,
            "",
        )?;
        let wrong: usize = self
            .minutes
            .iter()
            .map(|minute| minute.wrongly_missing)
            .sum();
        let Total { asked, failed } = self.total;
        tell(&format!(
            "{asked} asked, {failed} failed, {wrong} addresses not found that are there"
        ))?;
        for failure in &self.failures {
            tell(&format!("FAILED: {failure}"))?;
        }
        if let Some(path) = json {
            let text = serde_json::to_vec_pretty(self)?;
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
        }
        ensure!(failed == 0 && wrong == 0, "requests failed");
        Ok(())
    }

    fn quarters(&self) -> [&[Minute]; 2] {
        let quarter = self.minutes.len().div_ceil(4);
        let (first, last) = (
            &self.minutes[..quarter],
            &self.minutes[self.minutes.len() - quarter..],
        );
        [first, last]
    }
}

impl Held {
    fn megabytes(self) -> f64 {
        self.anonymous_bytes as f64 / 1e6
    }
}
