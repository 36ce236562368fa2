//! `postduif index`: build generations, look after them, and take them out again.

mod apply;
mod build;
mod delivery_indexer;
mod diff;
mod export;
mod generations;
mod publications;
mod publish;
mod watch;

use std::io::Write;
use std::path::PathBuf;

use crate::sync::BucketUrl;
use clap::{Args, Subcommand};
use postduif_schema::{DataFolder, GenerationName};

use super::CommandError;
use crate::config::Config;

pub(super) use super::index::build::build_generation;

/// `postduif index …`
#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    #[command(subcommand)]
    action: IndexAction,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum IndexAction {
    /// Make a generation from the delivery of a stand and serve it
    Build(BuildArgs),
    /// Apply mutation deliveries to the register and serve what comes of them
    Apply(apply::ApplyArgs),
    /// Apply every delivery that is put into a folder, as soon as it can be
    Watch(watch::WatchArgs),
    /// List generations; the one that is served is marked
    List,
    /// Check every file of a generation against its manifest
    Verify {
        /// Which one; the one that is served if not given
        generation: Option<GenerationName>,
    },
    /// Serve an earlier generation again
    ///
    /// It holds until the next delivery is applied: stop `postduif index watch` first, or keep deliveries out of its inbox.
    Rollback {
        /// Which one; the one before the one that is served if not given
        #[arg(long)]
        to: Option<GenerationName>,
    },
    /// Delete old generations; the one that is served always stays
    Prune {
        /// How many of the newest stay
        #[arg(long, default_value_t = 3)]
        keep: usize,
    },
    /// Publish the generation that is served to a bucket, from which other nodes serve it
    Publish(publish::PublishArgs),
    /// List what is published in a bucket; the newest is marked
    Publications {
        /// The bucket: s3://bucket/prefix, or file:///folder
        #[arg(long, value_name = "URL")]
        from: BucketUrl,
    },
    /// Tell which addresses were added, removed and changed between two generations
    Diff(diff::DiffArgs),
    /// Write every address as one line of JSON, by postcode and number
    Export {
        /// Which generation; the one that is served if not given
        generation: Option<GenerationName>,
    },
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// The delivery: BAGGEM….zip of a municipality or lvbag-extract-nl.zip of the country
    #[arg(long, value_name = "ZIP")]
    extract: PathBuf,
    /// Ranges of post-office boxes: postcode,from,to,city,municipality,province
    #[arg(long, value_name = "CSV")]
    po_boxes: Option<PathBuf>,
    /// Municipalities, in place of the table that comes with postduif: code,name,province,from,to
    #[arg(long, value_name = "CSV")]
    municipalities: Option<PathBuf>,
    /// Publish even if it has far fewer addresses than the generation that is served: less than half, or from 100,000 on
    /// more than 5 percent fewer
    #[arg(long)]
    accept_fewer: bool,
}

/// Carries out one `index` command on a data folder.
pub(super) fn run(
    args: IndexArgs,
    config: Config,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let (json, data) = (args.json, &config.data);
    let within = |failure: CommandError| failure.with_data_folder(data.path());
    match args.action {
        IndexAction::Watch(args) => {
            let data = data.clone();
            watch::run(args, config).map_err(|failure| failure.with_data_folder(data.path()))
        }
        IndexAction::Apply(args) => apply::run(args, data, json, out).map_err(within),
        IndexAction::Publish(args) => publish::run(args, data, json, out),
        IndexAction::Publications { from } => publications::run(&from, json, out),
        IndexAction::Diff(args) => diff::run(&args, data, json, out),
        IndexAction::Build(args) => build::run(args, data, json, out).map_err(within),
        IndexAction::List => generations::list(data, json, out),
        IndexAction::Verify { generation } => generations::verify(generation, data, json, out),
        IndexAction::Rollback { to } => generations::rollback(to, data, json, out),
        IndexAction::Prune { keep } => generations::prune(keep, data, json, out),
        IndexAction::Export { generation } => export::run(generation, data, out),
    }
}

/// The generation that is meant: the one named, or the one that is served.
fn resolve_generation(
    requested: Option<GenerationName>,
    data: &DataFolder,
) -> Result<GenerationName, CommandError> {
    let current = || {
        data.current_generation()
            .map_err(|error| CommandError::Failed(error.into()))
    };
    let refused = |reason: &str| {
        let path = data.path().display();
        CommandError::Refused(anyhow::anyhow!("{path}: {reason}"))
    };
    let nothing = "nothing is served yet; make a generation with `postduif index build`";
    let name = requested.map_or_else(current, |name| Ok(Some(name)))?;
    let name = name.ok_or_else(|| refused(nothing))?;
    if data.generation_path(name).is_dir() {
        return Ok(name);
    }
    let shown = "`postduif index list` shows those there are";
    Err(refused(&format!("no generation {name}; {shown}")))
}
