//! Records the circumstances of a measurement: machine, date, commit and compiler settings.

use std::fs;
use std::process::Command;

use serde::Serialize;

use crate::cpu;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Machine {
    processor: String,
    memory_gib: f64,
    kernel: String,
    date: String,
    commit: String,
    link_time_optimisation: String,
}

impl Machine {
    pub(crate) fn read() -> Self {
        Self {
            processor: cpu::model(),
            memory_gib: memory_gib(),
            kernel: first_line("/proc/sys/kernel/osrelease"),
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            commit: commit(),
            link_time_optimisation: lto().to_owned(),
        }
    }

    pub(crate) fn line(&self) -> String {
        let Self {
            processor,
            memory_gib,
            kernel,
            date,
            commit,
            link_time_optimisation,
        } = self;
        format!(
            "{processor}, {memory_gib:.0} GiB, Linux {kernel}; {date}, commit {commit}, link-time optimisation {link_time_optimisation}"
        )
    }
}

fn memory_gib() -> f64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = total.and_then(|total| total.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) / 1024.0 / 1024.0
}

fn first_line(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// The commit, and whether the working tree has uncommitted changes.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let command = command.arg("-C").arg(env!("CARGO_MANIFEST_DIR"));
        let output = command.args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    let changed = changed.is_some_and(|changed| !changed.is_empty());
    match git(&["rev-parse", "--short", "HEAD"]) {
        Some(commit) if changed => format!("{commit} with changes"),
        Some(commit) => commit,
        None => "unknown".to_owned(),
    }
}

/// Link-time optimisation: the setting in Cargo.toml, unless an environment variable overrides it.
fn lto() -> &'static str {
    let bench = option_env!("CARGO_PROFILE_BENCH_LTO");
    let release = option_env!("CARGO_PROFILE_RELEASE_LTO");
    bench.or(release).unwrap_or("thin")
}
