//! Measures the cost of a program from start to exit: seconds, processor time and peak memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::Serialize;

use crate::cpu;

/// The interval at which the peak of the memory is read. The kernel's peak never falls.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunCost {
    pub(crate) seconds: f64,
    /// The user and system time of all threads.
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// Runs a program to its end; returns its cost and its standard output.
pub(crate) fn run(mut command: Command) -> anyhow::Result<(RunCost, String)> {
    let shown = format!("{command:?}");
    let start = Instant::now();
    let kept = tempfile::NamedTempFile::new()?;
    command.stdout(kept.reopen()?).stderr(Stdio::inherit());
    let mut child = command.spawn().with_context(|| shown.clone())?;
    let process = child.id();
    let mut peak_bytes = 0;
    // Read the times while the process is a zombie, which has ended but has not been waited for.
    while state(process)? != 'Z' {
        peak_bytes = peak_bytes.max(high_mark(process));
        std::thread::sleep(POLL_INTERVAL);
    }
    let seconds = start.elapsed().as_secs_f64();
    let cpu_seconds = cpu::processor_time(process)?.as_secs_f64();
    let status = child.wait()?;
    ensure!(status.success(), "{shown}: {status}");
    let cost = RunCost {
        seconds,
        cpu_seconds,
        peak_bytes,
    };
    Ok((cost, std::fs::read_to_string(kept.path())?))
}

/// The state of a process, such as `Z` for a zombie. Source: proc_pid_stat(5), field 3.
fn state(process: u32) -> anyhow::Result<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, after_name) = stat.rsplit_once(") ").context("no name in parentheses")?;
    after_name.chars().next().context("no state")
}

/// Peak resident memory; 0 for a process that has just exited. Source: proc_pid_status(5), `VmHWM`.
fn high_mark(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}
