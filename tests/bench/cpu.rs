//! Reads the processor time of a process from Linux. Source: proc_pid_stat(5), fields 14 and 15.

use std::time::Duration;

use anyhow::Context as _;

/// The length of a kernel tick, a hundredth of a second on every architecture. Source: proc(5), `sysconf(_SC_CLK_TCK)`.
const TICK: Duration = Duration::from_millis(10);

/// The user and system time that a process has used.
pub(crate) fn processor_time(process: u32) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The command's name is in parentheses and may contain any character, so search for the last parenthesis.
    let (_, after_name) = stat.rsplit_once(')').context("no name in parentheses")?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |field: usize| {
        fields
            .get(field - 3)
            .context("a field is missing")?
            .parse::<u32>()
            .context("a field is not a number")
    };
    Ok(TICK * (ticks(14)? + ticks(15)?))
}

/// The processor's name, for the report.
pub(crate) fn model() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    format!(
        "{} ({cores} cores)",
        name.map_or("unknown processor", |(_, name)| name.trim())
    )
}
