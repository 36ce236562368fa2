//! `postduif index build`: builds a generation from an extract and serves it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use postduif_indexer::{Build, BuildError, BuildReport};
use postduif_schema::{DataFolder, Manifest};

use super::later_day;
use super::rejection_flags::RejectionFlags;
use crate::cli::CommandError;
use crate::cli::output::{print_notice, print_report};
use crate::cli::progress::TerminalProgress;

/// `postduif index build …`
#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    /// The extract: BAGGEM….zip of a municipality or lvbag-extract-nl.zip of the country
    #[arg(long, value_name = "ZIP")]
    extract: PathBuf,
    /// Ranges of post-office boxes, a CSV file: postcode,from,to,city,municipality,province
    #[arg(long, value_name = "CSV")]
    po_boxes: Option<PathBuf>,
    /// Municipalities that replace the built-in table, a CSV file: code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    municipalities: Option<PathBuf>,
    /// Serve the new generation even if it fails the check of its size. It fails with less than half of the addresses of the served
    /// generation of the same area (95 percent if that has 100,000 or more), or if too many addresses are left out
    #[arg(long)]
    accept_fewer: bool,
    /// Serve towns with their former municipality if the table lacks the present one. If no former one is
    /// known, the addresses of the town are left out
    #[arg(long)]
    accept_unknown_municipalities: bool,
    #[command(flatten)]
    rejection: RejectionFlags,
    /// Serve the new generation even if the served one covers another area, such as a municipality instead of the country.
    /// The numbers of addresses are then not compared
    #[arg(long)]
    replace_area: bool,
}

pub(super) fn run(
    args: BuildArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let before = Manifest::read_served(data);
    let report = build_generation(&args.into(), data)?;
    let warnings = before.iter().flat_map(|before| warnings(before, &report));
    let lost_table = report
        .drops_municipality_table
        .then(|| LOST_MUNICIPALITY_TABLE.to_owned());
    let later_day = later_day::warn_of_day(report.stand);
    for warning in warnings.chain(lost_table).chain(later_day) {
        print_notice(&format!("postduif: warning: {warning}"));
    }
    Ok(print_report(&report, json, out).context("writing the report")?)
}

/// Warns that a build drops the custom table of municipalities.
const LOST_MUNICIPALITY_TABLE: &str = "the previous register was built with --municipalities, and this one with the built-in table; to keep the names and \
     provinces of your table, build again with --municipalities CSV";

/// Warnings about a new generation that is in some way worse than the one that it replaces: it has lost the post-office boxes, or it
/// is older.
fn warnings(before: &Manifest, report: &BuildReport) -> Vec<String> {
    let (boxes, stand) = (before.counts.po_boxes, before.stand);
    let lost_boxes = (boxes > 0 && report.po_boxes == 0).then(|| {
        format!(
            "the generation before had {boxes} post-office boxes and this one has none; build again with --po-boxes to keep them"
        )
    });
    let older = (report.stand < stand).then(|| {
        format!(
            "this stand ({0}) is older than the generation that it replaces ({stand}); apply the mutations after {0} with `postduif index \
             apply`",
            report.stand
        )
    });
    lost_boxes.into_iter().chain(older).collect()
}

/// Builds a generation and shows the progress on standard error.
pub(crate) fn build_generation(
    build: &Build,
    data: &DataFolder,
) -> Result<BuildReport, CommandError> {
    Ok(build.run(data, &TerminalProgress::default())?)
}

impl From<BuildArgs> for Build {
    fn from(args: BuildArgs) -> Self {
        Self {
            extract: args.extract,
            po_boxes: args.po_boxes,
            municipalities: args.municipalities,
            accept_fewer: args.accept_fewer,
            rejection_limit: args.rejection.limit(),
            accept_unknown_municipalities: args.accept_unknown_municipalities,
            replace_area: args.replace_area,
        }
    }
}

impl From<BuildError> for CommandError {
    fn from(error: BuildError) -> Self {
        Self::new(error.is_refusal(), error)
    }
}
