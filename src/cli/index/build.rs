//! `postduif index build`.

use std::io::Write;

use anyhow::Context as _;
use postduif_indexer::{Build, BuildError, Report};
use postduif_schema::DataFolder;

use super::{BuildArgs, Failure};
use crate::cli::progress::BuildProgress;

pub(super) fn run(
    args: BuildArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = build(&args.into(), data)?;
    let text = if json {
        serde_json::to_string(&report).context("writing the report")?
    } else {
        report.to_string()
    };
    Ok(writeln!(out, "{text}").context("writing the report")?)
}

/// Builds with the progress shown on standard error.
pub(crate) fn build(build: &Build, data: &DataFolder) -> Result<Report, Failure> {
    build
        .run(data, &BuildProgress::default())
        .map_err(Failure::from)
}

impl From<BuildArgs> for Build {
    fn from(args: BuildArgs) -> Self {
        let BuildArgs {
            extract,
            po_boxes,
            municipalities,
            accept_fewer,
        } = args;
        Self {
            extract,
            po_boxes,
            municipalities,
            accept_fewer,
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        if error.is_refusal() {
            Self::Refused(error.into())
        } else {
            Self::Failed(error.into())
        }
    }
}
