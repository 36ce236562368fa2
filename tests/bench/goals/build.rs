//! A full build against its baseline, in turn: inflating the same files and reading their fields.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use postduif_schema::DataFolder;
use serde::Serialize;

use crate::process;
use crate::spent::{self, Spent};

/// What a build cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Built {
    pub(crate) build: Spent,
    pub(crate) baseline: Spent,
    pub(crate) xml: Read,
}

/// What the baseline tells of the files.
#[derive(Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Read {
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) fields: u64,
    /// Of all bytes of the fields, so that reading them cannot be left out.
    pub(crate) sum: u64,
}

/// Builds a data folder from an extract.
pub(crate) fn run(extract: &Path, data: &DataFolder) -> anyhow::Result<Built> {
    let mut baseline = Command::new(std::env::current_exe()?);
    baseline
        .args(["--be", "xml-baseline", "--extract"])
        .arg(extract);
    let (baseline, told) = spent::run(baseline)?;
    let xml = serde_json::from_str(&told).context("the baseline's count")?;
    Ok(Built {
        build: alone(extract, data)?,
        baseline,
        xml,
    })
}

/// Builds without the baseline.
pub(crate) fn alone(extract: &Path, data: &DataFolder) -> anyhow::Result<Spent> {
    let mut build = process::postduif();
    build
        .args(["index", "build", "--json", "--data"])
        .arg(data.path());
    build.arg("--extract").arg(extract);
    Ok(spent::run(build)?.0)
}
