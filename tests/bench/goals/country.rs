//! Prepares the data to measure: an existing data folder, which is only read, or a country that is generated for the run.

use std::fs;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use jiff::civil::Date;
use postduif_indexer::{DeliveryHeader, read_delivery_header};
use postduif_schema::{ADDRESSES_DIR, AddressIndex, DataFolder, GenerationName};
use synth::{Deliveries, Spec, StreetNameList};

/// A made-up country in the real format.
pub(crate) struct MadeUpCountry {
    pub(crate) extract: PathBuf,
    pub(crate) deliveries: Vec<PathBuf>,
}

/// The parameters of a made-up country.
pub(crate) struct CountryOptions<'a> {
    pub(crate) addresses: u64,
    pub(crate) seed: u64,
    pub(crate) names: Option<&'a Path>,
    pub(crate) days: u32,
    pub(crate) changes: u32,
}

impl MadeUpCountry {
    pub(crate) fn make(folder: &Path, options: &CountryOptions<'_>) -> anyhow::Result<Self> {
        let extract = folder.join("extract.zip");
        let mut spec = Spec::new(options.addresses, options.seed)?;
        if let Some(names) = options.names {
            let list = File::open(names).with_context(|| names.display().to_string())?;
            spec = spec.with_names(StreetNameList::read(BufReader::new(list))?);
        }
        synth::write_extract(&spec, &extract, |_| ())?;
        let deliveries = if options.days > 0 {
            let days = Deliveries::new(options.days)?.with_changes(options.changes)?;
            synth::write_deliveries(&spec, &days, folder, |_| ())?.deliveries
        } else {
            Vec::new()
        };
        Ok(Self {
            extract,
            deliveries,
        })
    }
}

/// The current generation of a data folder.
pub(crate) fn current(data: &DataFolder) -> anyhow::Result<GenerationName> {
    let current = data.current_generation()?;
    current.with_context(|| format!("no generation is published in {}", data.path().display()))
}

/// The addresses of the current generation of a data folder.
pub(crate) fn addresses(data: &DataFolder) -> anyhow::Result<AddressIndex> {
    let folder = data.generation_path(current(data)?);
    Ok(AddressIndex::open(&folder.join(ADDRESSES_DIR))?)
}

/// Makes a data folder that links to the current generation of `data`.
pub(crate) fn link_data_folder(data: &DataFolder, folder: &Path) -> anyhow::Result<DataFolder> {
    let (name, own) = (current(data)?, DataFolder::new(folder));
    fs::create_dir_all(own.generations_path())?;
    let there = fs::canonicalize(data.generation_path(name))?;
    std::os::unix::fs::symlink(there, own.generation_path(name))?;
    own.set_current(name)?;
    Ok(own)
}

/// Makes a data folder to which deliveries can be applied. It links to the current generation of `data` and has a copy of its
/// register.
pub(crate) fn copy(data: &DataFolder, folder: &Path) -> anyhow::Result<DataFolder> {
    let (name, own) = (current(data)?, DataFolder::new(folder));
    link(&data.generation_path(name), &own.generation_path(name))?;
    let [from, to] = [data, &own].map(|data| data.path().join("register"));
    fs::create_dir_all(&to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    own.set_current(name)?;
    Ok(own)
}

/// Hard-links the files of a folder, which is safe because the files of a generation never change.
fn link(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            link(&from, &to)?;
            continue;
        }
        match fs::hard_link(&from, &to) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                fs::copy(&from, &to)?;
            }
            linked => linked.with_context(|| from.display().to_string())?,
        }
    }
    Ok(())
}

/// The deliveries in a folder that continue a stand, in the order of their days.
pub(crate) fn chain(folder: &Path, stand: Date) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let is_archive = path.extension().is_some_and(|end| end == "zip");
        if is_archive
            && let Ok(DeliveryHeader::Mutations { period, .. }) = read_delivery_header(&path)
        {
            found.push((period, path));
        }
    }
    let (mut chain, mut stand) = (Vec::new(), stand);
    while let Some((period, path)) = found.iter().find(|(period, _)| period.from == stand) {
        chain.push(path.clone());
        stand = period.to;
        if chain.len() > found.len() {
            bail!("{}: the deliveries form a circle", folder.display());
        }
    }
    ensure!(
        !chain.is_empty(),
        "{}: no delivery in this folder follows the stand of {stand}",
        folder.display()
    );
    Ok(chain)
}
