//! Reads memory, descriptors and disk usage from Linux. Source: proc(5).

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

/// The anonymous memory of a process, in bytes.
pub(crate) fn anonymous_bytes(process: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kib: u64 = kib.context("no RssAnon in kB")?.parse()?;
    Ok(kib * 1024)
}

/// The number of open descriptors of a process.
pub(crate) fn descriptors(process: u32) -> anyhow::Result<usize> {
    Ok(fs::read_dir(format!("/proc/{process}/fd"))?.count())
}

/// The time for which the threads of a process were ready to run but waited for a processor, since they started. Source: Linux,
/// Documentation/scheduler/sched-stats.rst, the second number of `schedstat`.
pub(crate) fn run_queue_time(process: u32) -> anyhow::Result<Duration> {
    let mut waited = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        // Skip a thread that has ended in the meantime.
        let Ok(stat) = fs::read_to_string(thread?.path().join("schedstat")) else {
            continue;
        };
        let nanoseconds = stat
            .split(' ')
            .nth(1)
            .context("no second number in schedstat")?;
        waited += Duration::from_nanos(nanoseconds.parse()?);
    }
    Ok(waited)
}

/// The disk usage of a folder in bytes. A file with several names counts once.
pub(crate) fn disk_bytes(folder: &Path) -> anyhow::Result<u64> {
    let (mut seen, mut bytes) = (HashSet::new(), 0);
    add(folder, &mut seen, &mut bytes)?;
    Ok(bytes)
}

fn add(folder: &Path, seen: &mut HashSet<u64>, bytes: &mut u64) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Skip a file that was deleted in the meantime.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_dir() {
            add(&entry.path(), seen, bytes)?;
        } else if seen.insert(metadata.ino()) {
            // Every file system reports blocks of 512 bytes. Source: stat(2).
            *bytes += metadata.blocks() * 512;
        }
    }
    Ok(())
}

/// The load averages of the machine, over 1, 5 and 15 minutes.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
