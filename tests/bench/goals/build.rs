//! Measures a full build, and its baseline: a program that only inflates the same files and reads their fields.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use postduif_schema::DataFolder;
use serde::Serialize;

use crate::cost::{self, RunCost};
use crate::process;

/// The cost of a build and of its baseline.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Built {
    pub(crate) build: RunCost,
    pub(crate) baseline: RunCost,
    #[serde(rename = "xml")]
    pub(crate) baseline_counts: XmlCounts,
}

/// The counts that the baseline prints about the files.
#[derive(Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct XmlCounts {
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) fields: u64,
    /// The sum of all bytes of the fields. It is printed so that the compiler cannot remove the reading.
    pub(crate) sum: u64,
}

/// Builds a data folder from an extract.
pub(crate) fn run(extract: &Path, data: &DataFolder) -> anyhow::Result<Built> {
    let mut baseline = Command::new(std::env::current_exe()?);
    baseline
        .args(["--be", "xml-baseline", "--extract"])
        .arg(extract);
    let (baseline, output) = cost::run(baseline)?;
    let baseline_counts =
        serde_json::from_str(&output).context("invalid output of the baseline")?;
    Ok(Built {
        build: run_without_baseline(extract, data)?,
        baseline,
        baseline_counts,
    })
}

/// Measures a build without the baseline.
pub(crate) fn run_without_baseline(extract: &Path, data: &DataFolder) -> anyhow::Result<RunCost> {
    let mut build = process::postduif();
    build
        .args(["index", "build", "--json", "--data"])
        .arg(data.path());
    build.arg("--extract").arg(extract);
    Ok(cost::run(build)?.0)
}
