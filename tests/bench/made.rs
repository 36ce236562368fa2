//! A made-up country with days of mutations, kept in a folder so that a second run finds them there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

use crate::process;

/// What was asked for; another wish is made in another folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wish {
    pub(crate) addresses: u64,
    pub(crate) changes: u32,
    pub(crate) days: usize,
    pub(crate) seed: u64,
}

/// What there is, in the order of the days.
#[derive(Serialize, Deserialize)]
pub(crate) struct Made {
    wish: Wish,
    pub(crate) extract: PathBuf,
    pub(crate) deliveries: Vec<PathBuf>,
    /// Groups of mutations of each.
    pub(crate) groups: Vec<u64>,
    /// The addresses after the last day, as JSON, one a line.
    pub(crate) expected: PathBuf,
}

impl Made {
    /// Finds them in the folder, or makes them there.
    pub(crate) fn find_or_make(folder: &Path, wish: Wish) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let note = folder.join("made.json");
        let found = fs::read(&note).ok();
        let made = match found {
            Some(found) => serde_json::from_slice(&found).context("made.json")?,
            None => {
                let made = Self::make(folder, wish)?;
                fs::write(&note, serde_json::to_vec(&made)?)?;
                made
            }
        };
        made.first(wish)
            .with_context(|| format!("{}: give another --folder", folder.display()))
    }

    fn make(folder: &Path, wish: Wish) -> anyhow::Result<Self> {
        let extract = folder.join("extract.zip");
        let Wish {
            addresses,
            changes,
            days,
            seed,
        } = wish;
        let made = process::postduif()
            .args(["synth", "--json", "--addresses", &addresses.to_string()])
            .args(["--seed", &seed.to_string(), "--out"])
            .arg(&extract)
            .args(["--deliveries", &days.to_string()])
            .args(["--changes", &changes.to_string()])
            .output()?;
        let told = String::from_utf8_lossy(&made.stderr);
        ensure!(made.status.success(), "synth: {told}");
        let told: serde_json::Value = serde_json::from_slice(&made.stdout)?;
        let told = &told["deliveries"];
        Ok(Self {
            wish,
            extract,
            deliveries: Vec::deserialize(&told["files"])?,
            groups: Vec::deserialize(&told["groups"])?,
            expected: PathBuf::deserialize(&told["expected"])?,
        })
    }

    /// As many days as are wished for: the first days are the same however many follow.
    fn first(mut self, wish: Wish) -> anyhow::Result<Self> {
        let days = self.wish.days;
        let same = Wish {
            days: wish.days,
            ..self.wish
        };
        ensure!(
            same == wish && wish.days <= days,
            "it holds {:?}",
            self.wish
        );
        self.deliveries.truncate(wish.days);
        self.groups.truncate(wish.days);
        Ok(self)
    }
}
