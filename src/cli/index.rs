//! `postduif index`: builds, updates, publishes, inspects and deletes generations.

mod apply;
mod build;
mod delivery_indexer;
mod diff;
mod export;
mod fetch;
mod generations;
mod inbox_layout;
mod later_day;
mod publications;
mod publish;
mod rejection_flags;
mod watch;

use std::io::Write;

use clap::{Args, Subcommand};
use postduif_schema::GenerationName;

use crate::cli::CommandError;
use crate::cli::data_path::DataFolderUse;
use crate::cli::numbers::number_in;
use crate::config::Config;
use crate::sync::BucketUrl;

pub(super) use build::build_generation;
pub(super) use generations::{open_generation, resolve_generation};

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
    /// Build a generation from an extract and serve it
    Build(build::BuildArgs),
    /// Apply mutation deliveries to the register and serve the new generation
    Apply(apply::ApplyArgs),
    /// Download new deliveries into the inbox of `index watch`
    Fetch(fetch::FetchArgs),
    /// Watch a folder, and apply every delivery that appears in it
    Watch(Box<watch::WatchArgs>),
    /// List generations; the served one is marked
    List,
    /// Check every file of a generation against its manifest, and every page and row of the register. Changes nothing
    #[command(after_help = "\
Exit codes: 0 nothing is damaged
            1 failed: a disk failed, or another process writes to the register; try again
            2 refused: the generation or the register is damaged, or there is no such generation")]
    Verify {
        /// The generation; by default the served one
        generation: Option<GenerationName>,
    },
    /// Serve an earlier generation again
    ///
    /// When `postduif index watch` applies the next delivery, a new generation is served instead. To prevent this, stop
    /// `postduif index watch` first, or keep deliveries out of the inbox.
    Rollback {
        /// The generation; by default the one before the served one
        #[arg(long)]
        to: Option<GenerationName>,
    },
    /// Delete old generations; the served one is always kept
    Prune {
        /// Number of newest generations to keep
        #[arg(long, default_value_t = 3, value_parser = number_in::<usize>(0..=usize::MAX))]
        keep: usize,
    },
    /// Publish the served generation to a bucket, for other nodes to pull
    Publish(publish::PublishArgs),
    /// List the publications in a bucket; the newest is marked
    Publications {
        /// The bucket: s3://bucket/prefix, or file:///folder
        #[arg(long, value_name = "URL")]
        from: BucketUrl,
    },
    /// List the addresses that were added, removed or changed between two generations
    Diff(diff::DiffArgs),
    /// Print every address as one line of JSON, sorted by postcode and number
    Export {
        /// The generation; by default the served one
        generation: Option<GenerationName>,
    },
}

impl IndexArgs {
    /// What the command does with the data folder; `None` if the command itself creates a missing folder.
    pub(super) fn data_folder_use(&self) -> Option<DataFolderUse> {
        match self.action {
            IndexAction::Build(_) => None,
            IndexAction::Publications { .. } => Some(DataFolderUse::Unused),
            _ => Some(DataFolderUse::Required),
        }
    }
}

/// Runs one `index` command on a data folder.
pub(super) fn run(
    args: IndexArgs,
    config: Config,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let (json, data) = (args.json, &config.data);
    let with_data_folder = |error: CommandError| error.with_data_folder(data.path());
    match args.action {
        IndexAction::Watch(args) => {
            let data = data.clone();
            watch::run(*args, config).map_err(|error| error.with_data_folder(data.path()))
        }
        IndexAction::Apply(args) => apply::run(args, data, json, out).map_err(with_data_folder),
        IndexAction::Fetch(args) => fetch::run(&args, data, json, out),
        IndexAction::Publish(args) => publish::run(args, data, json, out),
        IndexAction::Publications { from } => publications::run(&from, json, out),
        IndexAction::Diff(args) => diff::run(&args, data, json, out),
        IndexAction::Build(args) => build::run(args, data, json, out).map_err(with_data_folder),
        IndexAction::List => generations::list(data, json, out),
        IndexAction::Verify { generation } => generations::verify(generation, data, json, out),
        IndexAction::Rollback { to } => generations::rollback(to, data, json, out),
        IndexAction::Prune { keep } => generations::prune(keep, data, json, out),
        IndexAction::Export { generation } => export::run(generation, data, out),
    }
}
