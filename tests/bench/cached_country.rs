//! Provides a made-up country with days of mutations, which is kept in a folder for later runs, or an existing data folder with
//! deliveries.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use postduif_indexer::{DeliveryHeader, read_delivery_header};
use postduif_schema::DataFolder;
use serde::{Deserialize, Serialize};
use synth::{Deliveries, Spec};

use crate::process;

/// The parameters of a made-up country. Each set of parameters needs its own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CachedCountryOptions {
    pub(crate) addresses: u64,
    pub(crate) changes: u32,
    pub(crate) days: usize,
    pub(crate) seed: u64,
}

/// The files of a country, in the order of the days.
#[derive(Serialize, Deserialize)]
pub(crate) struct CachedCountry {
    options: CachedCountryOptions,
    pub(crate) extract: PathBuf,
    pub(crate) deliveries: Vec<PathBuf>,
    /// The path of the file with the addresses after the last day, one JSON object per line.
    pub(crate) expected: PathBuf,
}

impl CachedCountry {
    /// Reads the country from the folder, or makes it there if the folder has none.
    pub(crate) fn find_or_make(
        folder: &Path,
        options: CachedCountryOptions,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let note = folder.join("made.json");
        let found = fs::read(&note).ok();
        let made = match found {
            Some(found) => serde_json::from_slice(&found).context("invalid made.json")?,
            None => {
                let made = Self::make(folder, options)?;
                fs::write(&note, serde_json::to_vec(&made)?)?;
                made
            }
        };
        made.first(options)
            .with_context(|| format!("{}: choose another --folder", folder.display()))
    }

    fn make(folder: &Path, options: CachedCountryOptions) -> anyhow::Result<Self> {
        let extract = folder.join("extract.zip");
        let CachedCountryOptions {
            addresses,
            changes,
            days,
            seed,
        } = options;
        let spec = Spec::new(addresses, seed)?;
        synth::write_extract(&spec, &extract, |_| ())?;
        let days = Deliveries::new(u32::try_from(days)?)?.with_changes(changes)?;
        let written = synth::write_deliveries(&spec, &days, folder, |_| ())?;
        Ok(Self {
            options,
            extract,
            deliveries: written.deliveries,
            expected: written.expected,
        })
    }

    /// Reduces the country to fewer days. The first days are the same for every number of days.
    fn first(mut self, options: CachedCountryOptions) -> anyhow::Result<Self> {
        let days = self.options.days;
        let same = CachedCountryOptions {
            days: options.days,
            ..self.options
        };
        ensure!(
            same == options && options.days <= days,
            "the folder has a country with {:?}",
            self.options
        );
        self.deliveries.truncate(options.days);
        Ok(self)
    }

    /// Builds the first generation.
    pub(crate) fn build(&self, data: &DataFolder) -> anyhow::Result<()> {
        let built = process::postduif()
            .args(["index", "build", "--data"])
            .arg(data.path())
            .arg("--extract")
            .arg(&self.extract)
            .output()?;
        let stderr = String::from_utf8_lossy(&built.stderr);
        ensure!(built.status.success(), "index build: {stderr}");
        Ok(())
    }
}

/// An existing data folder, and the mutations that continue it.
pub(crate) struct ExistingData<'a> {
    pub(crate) data: &'a Path,
    pub(crate) deliveries: &'a Path,
}

impl ExistingData<'_> {
    /// The mutations in the folder in the order of their days, and the file of addresses that `synth` wrote beside them.
    pub(crate) fn find(&self) -> anyhow::Result<(Vec<PathBuf>, PathBuf)> {
        let (mut deliveries, mut expected) = (Vec::new(), None);
        for entry in fs::read_dir(self.deliveries)? {
            let path = entry?.path();
            let is = |end: &str| path.extension() == Some(OsStr::new(end));
            if is("jsonl") {
                expected = Some(path);
            } else if is("zip")
                && let DeliveryHeader::Mutations { period, .. } = read_delivery_header(&path)?
            {
                deliveries.push((period, path));
            }
        }
        deliveries.sort_unstable();
        let none = || {
            let folder = self.deliveries.display();
            format!(
                "{folder}: no .jsonl with the addresses after the last delivery; `index export` writes one"
            )
        };
        let deliveries = deliveries.into_iter().map(|(_, path)| path).collect();
        Ok((deliveries, expected.with_context(none)?))
    }

    /// Links the current generation into another data folder, and copies the register to that folder.
    pub(crate) fn copy(&self, data: &DataFolder) -> anyhow::Result<()> {
        let from = DataFolder::new(self.data);
        let current = from
            .current_generation()?
            .context("no generation is published")?;
        let [old, new] = [&from, data].map(|data| data.generation_path(current));
        let link = |old: &Path, new: &Path| fs::hard_link(old, new);
        each_file(&old, &new, &link)?;
        let [old, new] = [&from, data].map(|data| data.path().join("register"));
        each_file(&old, &new, &|old, new| fs::copy(old, new).map(drop))?;
        Ok(data.set_current(current)?)
    }
}

fn each_file(
    old: &Path,
    new: &Path,
    act: &impl Fn(&Path, &Path) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    fs::create_dir_all(new)?;
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let (old, new) = (entry.path(), new.join(entry.file_name()));
        if old.is_dir() {
            each_file(&old, &new, act)?;
        } else {
            act(&old, &new).with_context(|| old.display().to_string())?;
        }
    }
    Ok(())
}
