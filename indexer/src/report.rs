//! What a build did, for people and as JSON.

use std::fmt;
use std::time::Instant;

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName};
use serde::Serialize;

use crate::assemble::LeftOutCounts;
use crate::extract::{StandReadCounts, VoorkomenCounts};

/// The account of a build.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildReport {
    /// What was made.
    pub generation: GenerationName,
    /// The day whose state it holds.
    pub stand: Date,
    /// What it covers.
    pub area: Area,
    /// What was read.
    pub read: StandReadCounts,
    /// Addresses made, boxes included.
    pub addresses: u64,
    /// Post-office boxes among them.
    pub po_boxes: u64,
    /// Addresses that the register gives no place in the country.
    pub without_location: u64,
    /// References to panden that the register does not have.
    pub panden_missing: u64,
    /// Nummeraanduidingen that made no address, by reason.
    pub left_out: LeftOutCounts,
    /// What it cost; not in the report that a generation keeps, which is written before that is known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub resource_usage: Option<ResourceUsage>,
}

/// What a build or a delivery cost, with the seconds of its steps.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceUsage<S = BuildSeconds> {
    /// Wall-clock time.
    pub seconds: S,
    /// Processor time of the process so far, user and system.
    pub cpu_seconds: f64,
    /// The most memory that the process has had, in bytes.
    pub peak_memory_bytes: u64,
}

/// Wall-clock seconds by step. Index and register are written side by side.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct BuildSeconds {
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
pub(crate) struct Stopwatch {
    start: Instant,
    lap: Instant,
}

impl Stopwatch {
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
fn cpu_seconds() -> f64 {
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
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, stand) = (self.generation, self.stand);
        writeln!(
            f,
            "generation {generation} of {}, stand {stand}\n",
            format_area(&self.area)
        )?;
        write!(f, "{}", self.read)?;
        writeln!(
            f,
            "\n{} addresses, {} of them post-office boxes",
            self.addresses, self.po_boxes
        )?;
        for (count, what) in [
            (self.without_location, "without a location in the country"),
            (
                self.panden_missing,
                "references to panden that the delivery does not hold",
            ),
        ] {
            if count > 0 {
                writeln!(f, "  {count} {what}")?;
            }
        }
        write!(f, "{}", LeftOutSummary(&self.left_out))?;
        self.resource_usage
            .iter()
            .try_for_each(|cost| write!(f, "\n{cost}"))
    }
}

/// A line for each reason why something makes no address.
pub(crate) struct LeftOutSummary<'a>(pub(crate) &'a LeftOutCounts);

impl fmt::Display for LeftOutSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (reason, left_out) in self.0 {
            let (count, examples) = (left_out.count, left_out.examples.join(", "));
            let more = if count > left_out.examples.len() as u64 {
                " …"
            } else {
                ""
            };
            writeln!(
                f,
                "  left out, {}: {count} ({examples}{more})",
                reason.as_str()
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for StandReadCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "read {:.1} MB of XML", to_megabytes(self.xml_bytes))?;
        for (element, VoorkomenCounts { read, kept }) in &self.objects {
            writeln!(f, "  {element:<18}{read:>12} voorkomens, {kept:>11} kept")?;
        }
        self.unknown_entries
            .iter()
            .try_for_each(|entry| writeln!(f, "  passed over, not known: {entry}"))
    }
}

impl<S> ResourceUsage<S> {
    /// Of this process so far.
    pub(crate) fn measure(seconds: S) -> Self {
        Self {
            seconds,
            cpu_seconds: cpu_seconds(),
            peak_memory_bytes: peak_memory_bytes(),
        }
    }
}

impl<S: fmt::Display> fmt::Display for ResourceUsage<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cpu, peak) = (self.cpu_seconds, to_megabytes(self.peak_memory_bytes));
        writeln!(f, "{}", self.seconds)?;
        write!(
            f,
            "{cpu:.1} s of processor time, at most {peak:.0} MB of memory"
        )
    }
}

impl fmt::Display for BuildSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            read,
            write,
            publish,
            total,
        } = self;
        write!(
            f,
            "{total:.1} s: read {read:.1}, write {write:.1}, check and publish {publish:.1}"
        )
    }
}

pub(crate) fn format_area(area: &Area) -> String {
    match area {
        Area::Country => "the Netherlands".to_owned(),
        Area::Municipalities(codes) => {
            let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
            format!("municipality {}", codes.join(", "))
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
pub(crate) fn to_megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
