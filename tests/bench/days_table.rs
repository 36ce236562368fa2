//! Prints the results of the days: first each day, then a summary of the first, last, median and worst day.

use serde::Serialize;

use crate::day::Day;
use crate::open_loop::Total;
use crate::{cpu, print_json, print_line, resources};

/// The results of a run, printed as JSON at the end.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveriesResult {
    machine: String,
    seed: u64,
    rate: u32,
    settle_seconds: u64,
    nice: Option<u8>,
    load_average_before: String,
    load_average_after: String,
    anonymous_bytes_before: u64,
    descriptors_before: usize,
    days: Vec<Day>,
    total: Total,
    failures: Vec<String>,
}

/// A row of the summary: its name, and the function that reads its value from a day.
type SummaryRow = (&'static str, fn(&Day) -> f64);

const SUMMARY_ROWS: [SummaryRow; 25] = [
    ("groups", |day| float(day.groups)),
    ("addresses changed", |day| float(day.changed_addresses)),
    ("s to served", |day| day.seconds.served),
    ("  noticed", |day| day.seconds.noticed),
    ("  read", |day| day.seconds.read),
    ("  join", |day| day.seconds.join),
    ("  write", |day| day.seconds.write),
    ("  check, publish", |day| day.seconds.publish),
    ("  opened, served", |day| day.seconds.opened),
    ("MB generations added", |day| {
        day.generations_added_bytes as f64 / 1e6
    }),
    ("MB of register", |day| float(day.register_bytes) / 1e6),
    ("segments", |day| day.segments as f64),
    ("p50 quiet, ms", |day| day.quiet.p50_ms),
    ("p50 during, ms", |day| day.during.p50_ms),
    ("p99 quiet, ms", |day| day.quiet.p99_ms),
    ("p99 during, ms", |day| day.during.p99_ms),
    ("p99 after, ms", |day| day.after.p99_ms),
    ("p99 during / quiet", ratio),
    ("max quiet, ms", |day| day.quiet.max_ms),
    ("max during, ms", |day| day.during.max_ms),
    ("CPU wait, quiet", |day| day.waited_ms[0]),
    ("CPU wait, during", |day| day.waited_ms[1]),
    ("failures", |day| {
        (day.quiet.failed + day.during.failed + day.after.failed) as f64
    }),
    ("service, MB anon", |day| {
        float(day.service_anonymous_bytes) / 1e6
    }),
    ("descriptors", |day| day.service_descriptors as f64),
];

impl DeliveriesResult {
    pub(crate) fn begin(seed: u64, rate: u32, settle_seconds: u64, nice: Option<u8>) -> Self {
        Self {
            machine: cpu::model(),
            seed,
            rate,
            settle_seconds,
            nice,
            load_average_before: resources::load_average(),
            load_average_after: String::new(),
            anonymous_bytes_before: 0,
            descriptors_before: 0,
            days: Vec::new(),
            total: Total::default(),
            failures: Vec::new(),
        }
    }

    /// Records the memory and descriptors of the service, under load but before the first day.
    pub(crate) fn before(&mut self, process: u32) -> anyhow::Result<()> {
        self.anonymous_bytes_before = resources::anonymous_bytes(process)?;
        self.descriptors_before = resources::descriptors(process)?;
        Ok(())
    }

    pub(crate) fn print_head(&self) -> anyhow::Result<()> {
        print_line(&format!(
            "{:<14} {:>7} {:>8} {:>8} {:>9} {:>10} {:>6} {:>9} {:>4} {:>7}",
            "generation",
            "groups",
            "s served",
            "segments",
            "p99 quiet",
            "p99 during",
            "ratio",
            "p99 after",
            "fail",
            "MB anon"
        ))
    }

    /// Adds the results of a day and prints its line.
    pub(crate) fn add(&mut self, day: Day) -> anyhow::Result<()> {
        let failed = day.quiet.failed + day.during.failed + day.after.failed;
        print_line(&format!(
            "{:<14} {:>7} {:>8.2} {:>8} {:>9.2} {:>10.2} {:>6.1} {:>9.2} {failed:>4} {:>7.1}",
            day.generation.to_string(),
            day.groups,
            day.seconds.served,
            day.segments,
            day.quiet.p99_ms,
            day.during.p99_ms,
            ratio(&day),
            day.after.p99_ms,
            float(day.service_anonymous_bytes) / 1e6,
        ))?;
        self.days.push(day);
        Ok(())
    }

    pub(crate) fn end(&mut self, total: Total, failures: Vec<String>) {
        self.load_average_after = resources::load_average();
        (self.total, self.failures) = (total, failures);
    }

    pub(crate) fn print(&self) -> anyhow::Result<()> {
        let full: Vec<&Day> = self.days.iter().filter(|day| day.groups > 0).collect();
        let (Some(first), Some(last)) = (full.first(), full.last()) else {
            return Ok(());
        };
        print_line(&format!(
            "\n{:<20} {:>10} {:>10} {:>10} {:>10}",
            "days with changes", "first", "last", "median", "worst"
        ))?;
        for (name, value_of) in SUMMARY_ROWS {
            let mut all: Vec<f64> = full.iter().map(|day| value_of(day)).collect();
            all.sort_by(f64::total_cmp);
            let (median, worst) = (all[all.len() / 2], all[all.len() - 1]);
            print_line(&format!(
                "{name:<20} {:>10.2} {:>10.2} {median:>10.2} {worst:>10.2}",
                value_of(first),
                value_of(last)
            ))?;
        }
        print_line(&self.sums(last))?;
        for failure in &self.failures {
            print_line(&format!("  {failure}"))?;
        }
        print_json(self)
    }

    fn sums(&self, last: &Day) -> String {
        let Total { requests, failed } = self.total;
        let megabytes = |bytes| float(bytes) / 1e6;
        let disk = self.days.iter().map(|day| day.generations_added_bytes);
        let disk: i64 = disk.sum();
        let peak = self.days.iter().map(|day| day.watcher_peak_bytes).max();
        format!(
            "\n{} days, {requests} requests, {failed} failures; the watcher used at most {:.0} MB; the generations grew by {:.0} MB, without the pruned ones\n\
             service before the first day: {:.1} MB anonymous, {} descriptors; after the last: {:.1} MB, {}\n\
             of the seconds to served, {} are the watcher's --settle; load average {} before, {} after",
            self.days.len(),
            megabytes(peak.unwrap_or(0)),
            disk as f64 / 1e6,
            megabytes(self.anonymous_bytes_before),
            self.descriptors_before,
            megabytes(last.service_anonymous_bytes),
            last.service_descriptors,
            self.settle_seconds,
            self.load_average_before,
            self.load_average_after,
        )
    }
}

/// The ratio of the 99th percentile while a delivery is applied to the 99th percentile in the quiet period.
fn ratio(day: &Day) -> f64 {
    day.during.p99_ms / day.quiet.p99_ms
}

#[expect(clippy::cast_precision_loss, reason = "the values are only printed")]
fn float(number: u64) -> f64 {
    number as f64
}
