//! What a build did, for people and as JSON.

use std::fmt;
use std::time::Instant;

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName};
use serde::Serialize;

use crate::assemble::LeftOutCounts;
use crate::extract::ReadCounts;

/// The account of a build.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What was made.
    pub generation: GenerationName,
    /// The day whose state it holds.
    pub stand: Date,
    /// What it covers.
    pub area: Area,
    /// What was read.
    pub read: ReadCounts,
    /// Addresses made, boxes included.
    pub addresses: u64,
    /// Post-office boxes among them.
    pub po_boxes: u64,
    /// Addresses that the register gives no place in the country.
    pub without_location: u64,
    /// Nummeraanduidingen that made no address, by reason.
    pub left_out: LeftOutCounts,
    /// Wall-clock time.
    pub seconds: Seconds,
    /// Processor time of the process so far, user and system.
    pub cpu_seconds: f64,
    /// The most memory that the process has had, in bytes.
    pub peak_memory_bytes: u64,
}

/// Wall-clock seconds by step. Index and register are written side by side.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct Seconds {
    /// Reading the delivery.
    pub read: f64,
    /// Writing index and register.
    pub write: f64,
    /// Checking and publishing.
    pub publish: f64,
    /// All.
    pub total: f64,
}

/// Measures steps that follow each other.
pub(crate) struct Clock {
    start: Instant,
    lap: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let start = Instant::now();
        Self { start, lap: start }
    }

    /// Seconds since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        let lap = std::mem::replace(&mut self.lap, Instant::now());
        lap.elapsed().as_secs_f64()
    }

    pub(crate) fn total(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Processor seconds of this process; 0 where the system does not tell.
///
/// Source: proc(5), `/proc/self/stat`, fields 14 and 15, in hundredths of a second on Linux.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u32 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u32>().ok())
        .sum();
    f64::from(ticks) / 100.0
}

/// The most memory this process has had; 0 where the system does not tell. Source: proc(5), `VmHWM`.
pub(crate) fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "generation {} of {}, stand {}",
            self.generation,
            area(&self.area),
            self.stand
        )?;
        writeln!(f, "\nread {:.1} MB of XML", megabytes(self.read.xml_bytes))?;
        for (element, counts) in &self.read.objects {
            writeln!(
                f,
                "  {element:<18}{:>12} voorkomens, {:>11} kept",
                counts.read, counts.kept
            )?;
        }
        for entry in &self.read.unknown_entries {
            writeln!(f, "  passed over, not known: {entry}")?;
        }
        writeln!(
            f,
            "\n{} addresses, {} of them post-office boxes",
            self.addresses, self.po_boxes
        )?;
        if self.without_location > 0 {
            writeln!(
                f,
                "  {} without a location in the country",
                self.without_location
            )?;
        }
        for (reason, left_out) in &self.left_out {
            writeln!(
                f,
                "  left out, {}: {} ({} …)",
                reason.as_str(),
                left_out.count,
                left_out.examples.join(", ")
            )?;
        }
        let Seconds {
            read,
            write,
            publish,
            total,
        } = self.seconds;
        writeln!(
            f,
            "\n{total:.1} s: read {read:.1}, write {write:.1}, check and publish {publish:.1}"
        )?;
        write!(
            f,
            "{:.1} s of processor time, at most {:.0} MB of memory",
            self.cpu_seconds,
            megabytes(self.peak_memory_bytes)
        )
    }
}

fn area(area: &Area) -> String {
    match area {
        Area::Country => "the Netherlands".to_owned(),
        Area::Municipalities(codes) => {
            let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
            format!("municipality {}", codes.join(", "))
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
