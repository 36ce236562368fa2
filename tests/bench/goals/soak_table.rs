//! The spells of a soak, each as it passes, and what drifted from the first quarter to the last.

use std::path::Path;

use anyhow::{Context as _, ensure};
use postduif_schema::GenerationName;
use serde::Serialize;

use crate::key_changes::KeyChangeResults;
use crate::machine::Machine;
use crate::open_loop::{Stretch, Total};
use crate::print_line;
use crate::table::median;

/// From one delivery to the next.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spell {
    pub(crate) generation: GenerationName,
    pub(crate) changed_addresses: u64,
    /// From the drop of the delivery.
    pub(crate) served_after_s: f64,
    pub(crate) stretch: Stretch,
    /// Answers that there is no address where there was one before and after.
    pub(crate) wrongly_missing: usize,
    pub(crate) keys: KeyChangeResults,
    pub(crate) service: ProcessUsage,
    pub(crate) watcher: ProcessUsage,
}

/// What a process holds at the end of a spell.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessUsage {
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
    spells: Vec<Spell>,
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
            spells: Vec::new(),
            total: Total::default(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn print_head(&self) -> anyhow::Result<()> {
        print_line(&self.machine.line())?;
        print_line(&format!(
            "{} addresses; {:.0} mixed requests a second saturate, {} are asked\n",
            self.addresses, self.saturated_per_second, self.rate
        ))?;
        print_line(&format!(
            "{:>6} {:<14} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>6} {:>11} {:>6} {:>11} {:>6} {:>6} {:>7}",
            "spell",
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
            "fds",
            "keys",
            "s known"
        ))
    }

    /// Takes a spell and tells of it.
    pub(crate) fn add(&mut self, spell: Spell) -> anyhow::Result<()> {
        let Stretch {
            asked,
            failed,
            p50_ms,
            p99_ms,
            max_ms,
        } = spell.stretch;
        let [service, watcher] = [spell.service, spell.watcher];
        print_line(&format!(
            "{:>6} {:<14} {:>8} {:>8.2} {asked:>8} {p50_ms:>7.2} {p99_ms:>7.2} {max_ms:>8.1} {:>6} {:>11.1} {:>6} {:>11.1} {:>6} {:>6} {:>7.2}",
            self.spells.len() + 1,
            spell.generation.to_string(),
            spell.changed_addresses,
            spell.served_after_s,
            failed + spell.wrongly_missing + spell.keys.failures.len(),
            service.megabytes(),
            service.descriptors,
            watcher.megabytes(),
            watcher.descriptors,
            spell.keys.keys,
            spell.keys.known_after_s
        ))?;
        self.spells.push(spell);
        Ok(())
    }

    pub(crate) fn end(&mut self, total: Total, failures: Vec<String>) {
        (self.total, self.failures) = (total, failures);
    }

    pub(crate) fn print(&self, json: Option<&Path>) -> anyhow::Result<()> {
        let [first, last] = self.quarters();
        let drift = |name: &str, figure: fn(&Spell) -> f64, unit: &str| {
            let middle = |spells: &[Spell]| {
                let figures: Vec<f64> = spells.iter().map(figure).collect();
                median(&figures)
            };
            let [from, to] = [first, last].map(middle);
            print_line(&format!(
                "{name:<24} {from:>9.2} -> {to:>9.2} {unit:<4} {:>6.2}x",
                to / from
            ))
        };
        print_line("\nfrom the first quarter to the last, medians of the spells")?;
        drift("p50", |spell| spell.stretch.p50_ms, "ms")?;
        drift("p99", |spell| spell.stretch.p99_ms, "ms")?;
        drift("delivery served after", |spell| spell.served_after_s, "s")?;
        drift(
            "service, own memory",
            |spell| spell.service.megabytes(),
            "MB",
        )?;
        drift(
            "service, descriptors",
            |spell| spell.service.descriptors as f64,
            "",
        )?;
        drift(
            "watcher, own memory",
            |spell| spell.watcher.megabytes(),
            "MB",
        )?;
        drift(
            "watcher, descriptors",
            |spell| spell.watcher.descriptors as f64,
            "",
        )?;
        let wrong: usize = self.spells.iter().map(|spell| spell.wrongly_missing).sum();
        let keys = || self.spells.iter().map(|spell| &spell.keys);
        let key_failures: Vec<&String> = keys().flat_map(|keys| &keys.failures).collect();
        let changed: u32 = keys().map(|keys| keys.keys).sum();
        let known = keys().map(|keys| keys.known_after_s).fold(0.0, f64::max);
        print_line(&format!(
            "{changed} keys made and revoked, known after {known:.2} s at most, {} failed",
            key_failures.len()
        ))?;
        let Total { asked, failed } = self.total;
        print_line(&format!(
            "{asked} asked, {failed} failed, {wrong} addresses not found that are there"
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

    fn quarters(&self) -> [&[Spell]; 2] {
        let quarter = self.spells.len().div_ceil(4);
        let (first, last) = (
            &self.spells[..quarter],
            &self.spells[self.spells.len() - quarter..],
        );
        [first, last]
    }
}

impl ProcessUsage {
    fn megabytes(self) -> f64 {
        self.anonymous_bytes as f64 / 1e6
    }
}
