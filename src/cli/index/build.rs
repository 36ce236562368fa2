//! `postduif index build`.

use std::io::Write;

use anyhow::Context as _;
use postduif_indexer::{Build, BuildError, BuildReport};
use postduif_schema::DataFolder;

use super::{BuildArgs, CommandError};
use crate::cli::progress::TerminalProgress;

pub(super) fn run(
    args: BuildArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let report = build_generation(&args.into(), data)?;
    let text = if json {
        serde_json::to_string(&report).context("writing the report")?
    } else {
        report.to_string()
    };
    Ok(writeln!(out, "{text}").context("writing the report")?)
}

/// Builds a generation and shows the progress on standard error.
pub(crate) fn build_generation(
    build: &Build,
    data: &DataFolder,
) -> Result<BuildReport, CommandError> {
    build
        .run(data, &TerminalProgress::default())
        .map_err(CommandError::from)
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

impl From<BuildError> for CommandError {
    fn from(error: BuildError) -> Self {
        if error.is_refusal() {
            Self::Refused(error.into())
        } else {
            Self::Failed(error.into())
        }
    }
}
