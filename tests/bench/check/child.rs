//! Runs a child process to its end, and measures its duration, processor time and peak memory.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use crate::resources;

/// The interval at which the memory of the child is read.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The length of a kernel tick, a hundredth of a second on every architecture. Source: proc(5), `sysconf(_SC_CLK_TCK)`.
const TICK: Duration = Duration::from_millis(10);

/// The resources that a child process has used.
pub(crate) struct ChildUsage {
    pub(crate) duration: Duration,
    /// User and system time together.
    pub(crate) processor: Duration,
    /// The peak memory, including mapped files.
    pub(crate) peak_bytes: u64,
    /// The peak memory, without mapped files.
    pub(crate) peak_anonymous_bytes: u64,
}

/// Runs a command, which must succeed, and measures it.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<ChildUsage> {
    let (started, before) = (Instant::now(), used_by_children()?);
    let mut child = command.stderr(Stdio::null()).spawn()?;
    let (mut peak_bytes, mut peak_anonymous_bytes) = (0, 0);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // Keep the last peak, because the kernel shows no memory for a process that has just ended.
        peak_bytes = read_peak(child.id()).unwrap_or(peak_bytes);
        let anonymous = resources::anonymous_bytes(child.id());
        peak_anonymous_bytes = peak_anonymous_bytes.max(anonymous.unwrap_or_default());
        std::thread::sleep(POLL_INTERVAL);
    };
    let duration = started.elapsed();
    ensure!(status.success(), "{command:?}: {status}");
    Ok(ChildUsage {
        duration,
        processor: used_by_children()? - before,
        peak_bytes,
        peak_anonymous_bytes,
    })
}

/// The peak memory of a process. Source: proc_pid_status(5).
fn read_peak(process: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kib.context("no VmHWM in kB")?.parse::<u64>()? * 1024)
}

/// The user and system time of all children that have ended. Source: proc_pid_stat(5), fields 16 and 17.
fn used_by_children() -> anyhow::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The command's name is in parentheses and may contain any character, so search for the last parenthesis.
    let (_, after_name) = stat.rsplit_once(')').context("no name in parentheses")?;
    let mut fields = after_name.split_whitespace().skip(13);
    let mut ticks = || {
        fields
            .next()
            .context("a field is missing")?
            .parse()
            .context("a field is not a number")
    };
    let [user, system]: [u32; 2] = [ticks()?, ticks()?];
    Ok(TICK * (user + system))
}
