//! Defines the arguments of the command, and converts them to parameters.

use super::failure::CommandFailure;
use anyhow::{Context as _, anyhow};
use clap::{Parser, ValueEnum};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use synth::{Deliveries, Layout, Spec, StreetNameList};

/// Write a made-up country in the format of real BAG deliveries
#[derive(Debug, Parser)]
#[command(name = "synth", version)]
pub(crate) struct Arguments {
    /// The number of addresses that a service must serve after reading the delivery
    #[arg(long)]
    addresses: u64,
    /// The seed of all random draws; the same seed makes the same delivery, byte by byte
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write
    #[arg(long, value_name = "ZIP")]
    pub(crate) out: PathBuf,
    /// The layout of the delivery
    #[arg(long, value_enum, default_value_t = LayoutArgument::National)]
    layout: LayoutArgument,
    /// The day whose state the delivery holds
    #[arg(long, value_name = "DATE")]
    stand: Option<jiff::civil::Date>,
    /// Street names to draw from, one `count<TAB>name` a line
    #[arg(long, value_name = "TSV")]
    names: Option<PathBuf>,
    /// Days of mutations to write beside the delivery, with the extract and the addresses of the last day
    #[arg(long, value_name = "DAYS")]
    deliveries: Option<u32>,
    /// Approximate number of changes on each day of --deliveries; by default one for every 200 addresses, and at least 40
    #[arg(long, value_name = "GROUPS", requires = "deliveries")]
    changes: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LayoutArgument {
    /// The whole country
    National,
    /// One municipality
    Municipal,
}

impl Arguments {
    /// The parameters of the extract.
    pub(crate) fn spec(&self) -> Result<Spec, CommandFailure> {
        let layout = match self.layout {
            LayoutArgument::National => Layout::National,
            LayoutArgument::Municipal => Layout::Municipal,
        };
        let mut spec = Spec::new(self.addresses, self.seed)?.with_layout(layout);
        if let Some(stand) = self.stand {
            spec = spec.with_stand(stand)?;
        }
        match &self.names {
            Some(path) => Ok(spec.with_names(read_names(path)?)),
            None => Ok(spec),
        }
    }

    /// The parameters of the days of mutations, if requested.
    pub(crate) fn deliveries(&self) -> Result<Option<Deliveries>, CommandFailure> {
        let Some(days) = self.deliveries else {
            return Ok(None);
        };
        let deliveries = Deliveries::new(days)?;
        Ok(Some(match self.changes {
            Some(changes) => deliveries.with_changes(changes)?,
            None => deliveries,
        }))
    }
}

fn read_names(path: &Path) -> Result<StreetNameList, CommandFailure> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    StreetNameList::read(BufReader::new(file))
        .map_err(|error| CommandFailure::Refused(anyhow!("{}: {error}", path.display())))
}
