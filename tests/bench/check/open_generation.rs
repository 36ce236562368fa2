//! Opens the generation that a bench measures, and selects the addresses from which files are made.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use postduif::snapshot::Snapshot;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};

/// The maximum number of addresses from which the rows of a file are drawn.
const MAX_ADDRESSES: usize = 1_000_000;

/// An open generation.
pub(crate) struct OpenGeneration {
    pub(crate) snapshot: Snapshot,
    pub(crate) addresses: Vec<Address>,
}

/// The given data folder. If none is given, builds the bundled town in the temporary folder.
pub(crate) fn data_folder(data: Option<&PathBuf>, temporary: &Path) -> anyhow::Result<DataFolder> {
    match data {
        Some(data) => Ok(DataFolder::new(data)),
        None => crate::country::bundled_town(temporary),
    }
}

impl OpenGeneration {
    pub(crate) fn open(data: &DataFolder) -> anyhow::Result<Self> {
        let name = data.current_generation()?;
        let name = name.context("no generation is published")?;
        let index = AddressIndex::open(&data.generation_path(name).join(ADDRESSES_DIR))?;
        let step = usize::try_from(index.len())? / MAX_ADDRESSES + 1;
        let addresses: Result<Vec<Address>, _> = index.iter().step_by(step).collect();
        Ok(Self {
            snapshot: Snapshot::open(data, name, None)?,
            addresses: addresses?,
        })
    }
}
