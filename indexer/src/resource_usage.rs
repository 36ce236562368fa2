//! Measures the time and memory of a build or of an applied delivery.

use std::fmt;
use std::time::Instant;

use serde::Serialize;

use crate::report::to_megabytes;

/// Time and memory of a build or of an applied delivery.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceUsage<S> {
    /// Wall-clock seconds of the steps.
    pub seconds: S,
    /// Processor time, in seconds, that the process has used since its start. User time and system time are added up.
    pub cpu_seconds: f64,
    /// The maximum memory that the process has used at any moment, in bytes.
    pub peak_memory_bytes: u64,
}

impl<S> ResourceUsage<S> {
    /// Measures what this process has used since its start.
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

/// Measures how long consecutive steps take.
pub(crate) struct Stopwatch {
    start: Instant,
    lap: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        let start = Instant::now();
        Self { start, lap: start }
    }

    /// Seconds since the previous call; seconds since the start for the first call.
    pub(crate) fn lap(&mut self) -> f64 {
        let lap = std::mem::replace(&mut self.lap, Instant::now());
        lap.elapsed().as_secs_f64()
    }

    pub(crate) fn total(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Processor seconds that this process has used; 0 if the system does not report them.
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

/// The maximum memory that this process has used at any moment; 0 if the system does not report it. Source: proc(5), `VmHWM`.
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
