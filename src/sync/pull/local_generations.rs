//! Manages the generations on the local disk: completes the generation that is being pulled, makes it current, and deletes old
//! generations.
//!
//! A pull collects files in the folder `.pulling`, which no other code reads. If a pull is interrupted, the next pull reuses the
//! files that it needs and deletes the others.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::sync::PublicationNumber;
use postduif_schema::files::{
    create_dir_all, list_dir, remove_all, remove_prefixed, rename_synced, sync_path,
};
use postduif_schema::{
    DataFolder, DataFolderError, DataFolderLock, FileEntry, FileError, GenerationName, LockError,
    LockOwner, MANIFEST_FILE, Manifest, PULLING_DIR, REMOVING_PREFIX,
};

use super::error::PullError;

/// The data folder with its lock. The lock is released when the last clone is dropped.
#[derive(Debug, Clone)]
pub(super) struct LocalGenerations {
    data: DataFolder,
    _lock: Arc<DataFolderLock>,
}

/// The files of a generation that must be downloaded, and the files that were hard-linked.
#[derive(Debug, Default)]
pub(super) struct PullPlan {
    /// Files to download, each with its index in the manifest.
    pub(super) missing: Vec<(usize, FileEntry)>,
    /// Files hard-linked from another local generation.
    pub(super) linked: Vec<FileEntry>,
}

impl PullPlan {
    pub(super) fn missing_bytes(&self) -> u64 {
        let bytes = self.missing.iter().map(|(_, file)| file.bytes);
        bytes.fold(0, u64::saturating_add)
    }
}

impl LocalGenerations {
    pub(super) fn acquire(data: DataFolder) -> Result<Self, LockError> {
        Ok(Self {
            _lock: Arc::new(DataFolderLock::acquire(&data, LockOwner::Serve)?),
            data,
        })
    }

    pub(super) fn current_generation(&self) -> Result<Option<GenerationName>, DataFolderError> {
        self.data.current_generation()
    }

    /// The folder of the generation that is being pulled.
    pub(super) fn pulling_path(&self) -> PathBuf {
        self.data.generations_path().join(PULLING_DIR)
    }

    /// Whether the generation of a publication is complete on the local disk. If `must_verify` is set, the generation failed to open,
    /// so its files are read and verified. A folder that is damaged, or that holds another generation of the same name, is renamed to
    /// `.pulling`, so that the generation is pulled. If that other generation is in use, this is an error instead.
    pub(super) fn check_present(
        &self,
        (publication, manifest): (PublicationNumber, &Manifest),
        must_verify: bool,
        served: Option<&Manifest>,
    ) -> Result<bool, PullError> {
        let generation = manifest.generation;
        let path = self.data.generation_path(generation);
        if !path.is_dir() {
            return Ok(false);
        }
        // If the manifest on disk cannot be read, use the manifest of the served generation, which is in memory.
        let served = served.filter(|served| served.generation == generation);
        let found = Manifest::read(&path).ok().or_else(|| served.cloned());
        let is_same = found.as_ref() == Some(manifest);
        if is_same && (!must_verify || manifest.verify(&path).is_ok()) {
            return Ok(true);
        }
        // A current generation counts as in use, because it is about to be served, unless it failed to open (`must_verify`).
        let is_current = self.current_generation().ok().flatten() == Some(generation);
        if !is_same && found.is_some() && (served.is_some() || is_current && !must_verify) {
            return Err(PullError::GenerationConflict(format!(
                "{}: the local generation {generation} and publication {publication} have the same name but different content, so one \
                 of the two has another origin; stop the service, delete this folder and start the service again, or publish a \
                 generation with another name",
                path.display()
            )));
        }
        self.clear_pulling()?;
        rename_synced(&path, &self.pulling_path())?;
        Ok(false)
    }

    /// Collects in `.pulling` the files of a generation that are already on the local disk. Files that an interrupted pull left there
    /// stay, and files of other generations are hard-linked. Verifies each of these files. Returns the hard-linked files and the
    /// files that are still missing.
    pub(super) fn plan_fetch(
        &self,
        (publication, manifest): (PublicationNumber, &Manifest),
    ) -> Result<PullPlan, PullError> {
        if let Some(file) = manifest.files.iter().find(|file| !file.has_safe_path()) {
            let path = file.path.clone();
            return Err(PullError::PathEscapes { publication, path });
        }
        let pulling = self.pulling_path();
        self.data.check_accessible()?;
        create_dir_all(&pulling)?;
        let listed = manifest.files.iter().map(|file| pulling.join(&file.path));
        remove_unlisted(&pulling, &listed.collect())?;
        let (sources, mut plan) = (self.find_sources(manifest)?, PullPlan::default());
        for (index, file) in manifest.files.iter().enumerate() {
            if file.verify(&pulling).is_ok() {
                continue;
            }
            let path = pulling.join(&file.path);
            remove_all(&path)?;
            create_dir_all(path.parent().expect("the path is below .pulling"))?;
            let source = sources.get(file.sha256.as_str());
            // If the file system refuses hard links or the source is damaged, the file is downloaded.
            if source.is_some_and(|source| fs::hard_link(source, &path).is_ok()) {
                if file.verify(&pulling).is_ok() {
                    plan.linked.push(file.clone());
                    continue;
                }
                remove_all(&path)?;
            }
            plan.missing.push((index, file.clone()));
        }
        Ok(plan)
    }

    /// Finds files of `manifest` in local generations. Returns their paths by SHA-256. Skips generations with a manifest that cannot
    /// be read.
    fn find_sources<'m>(
        &self,
        manifest: &'m Manifest,
    ) -> Result<HashMap<&'m str, PathBuf>, PullError> {
        let mut wanted: HashMap<(&str, u64), &str> = HashMap::new();
        for file in &manifest.files {
            wanted.insert((&file.sha256, file.bytes), &file.sha256);
        }
        let mut sources = HashMap::new();
        for name in self.data.list_generations()? {
            let folder = self.data.generation_path(name);
            let Ok(other) = Manifest::read(&folder) else {
                continue;
            };
            for file in other.files.iter().filter(|file| file.has_safe_path()) {
                if let Some(&sha256) = wanted.get(&(file.sha256.as_str(), file.bytes)) {
                    sources.insert(sha256, folder.join(&file.path));
                }
            }
        }
        Ok(sources)
    }

    /// Fails if the disk has less than `wanted` bytes free.
    pub(super) fn check_free_space(
        &self,
        wanted: u64,
        generation: GenerationName,
    ) -> Result<(), PullError> {
        let path = self.pulling_path();
        let free = free_bytes(&path).map_err(FileError::with_path(&path))?;
        if wanted <= free {
            return Ok(());
        }
        Err(PullError::DiskFull(format!(
            "{}: generation {generation} needs {wanted} more bytes, but only {free} are free; free some space, or lower generations_keep",
            path.display()
        )))
    }

    /// Writes the manifest, syncs the folders to disk, and gives the folder the name of the generation.
    pub(super) fn finish_pulled(&self, manifest: Manifest) -> Result<(), PullError> {
        let (pulling, path) = (
            self.pulling_path(),
            self.data.generation_path(manifest.generation),
        );
        remove_all(&pulling.join(MANIFEST_FILE))?;
        manifest.write(&pulling)?;
        sync_dirs_below(&pulling)?;
        Ok(rename_synced(&pulling, &path)?)
    }

    /// Makes a complete generation the current one. Also sets the modification time of the generation's folder to now, because
    /// [`prune`](Self::prune) sorts generations by that time.
    pub(super) fn set_current(&self, name: GenerationName) -> Result<(), PullError> {
        let path = self.data.generation_path(name);
        let touched = File::open(&path).and_then(|folder| folder.set_modified(SystemTime::now()));
        // Setting the time fails if the folder belongs to another user. The generation becomes current all the same.
        if let Err(error) = touched {
            tracing::warn!(path = %path.display(), %error, "cannot set this folder's modification time; older generations may be kept longer than this one");
        }
        // Replace CURRENT even if it cannot be read.
        if self.data.current_generation().ok().flatten() != Some(name) {
            self.data.set_current(name)?;
        }
        Ok(())
    }

    /// Deletes the files of an interrupted pull.
    pub(super) fn clear_pulling(&self) -> Result<(), PullError> {
        Ok(remove_all(&self.pulling_path())?)
    }

    /// Deletes old generations and returns their names. Keeps the `keep` generations that were pulled last, the current one and
    /// the `served` one.
    pub(super) fn prune(
        &self,
        keep: usize,
        served: Option<GenerationName>,
    ) -> Result<Vec<GenerationName>, PullError> {
        remove_prefixed(&self.data.generations_path(), &[REMOVING_PREFIX])?;
        let needed = [self.data.current_generation()?, served];
        let mut expired = self.data.list_generations()?;
        expired.sort_by_cached_key(|&name| {
            let folder = self.data.generation_path(name).metadata();
            (folder.and_then(|folder| folder.modified()).ok(), name)
        });
        expired.truncate(expired.len().saturating_sub(keep));
        expired.retain(|&name| !needed.contains(&Some(name)));
        for &name in &expired {
            self.data.delete_generation(name)?;
        }
        Ok(expired)
    }
}

fn free_bytes(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Removes every file below a folder except the listed ones.
fn remove_unlisted(folder: &Path, listed: &HashSet<PathBuf>) -> Result<(), FileError> {
    for (path, is_folder) in list_dir(folder)? {
        if is_folder {
            remove_unlisted(&path, listed)?;
        } else if !listed.contains(&path) {
            remove_all(&path)?;
        }
    }
    Ok(())
}

/// Syncs a folder and all folders below it, deepest first. The files were synced when they were downloaded.
fn sync_dirs_below(folder: &Path) -> Result<(), FileError> {
    for (path, is_folder) in list_dir(folder)? {
        if is_folder {
            sync_dirs_below(&path)?;
        }
    }
    sync_path(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_stays_locked_until_the_last_clone_is_dropped() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let generations = LocalGenerations::acquire(data.clone()).expect("free");
        let clone = generations.clone();
        drop(generations);
        DataFolderLock::acquire(&data, LockOwner::Index).expect_err("a clone is in use");
        drop(clone);
        DataFolderLock::acquire(&data, LockOwner::Index).expect("the lock is free again");
    }

    #[test]
    fn the_sum_of_sizes_saturates() {
        let file = FileEntry {
            path: "a".into(),
            bytes: u64::MAX,
            sha256: String::new(),
        };
        let plan = PullPlan {
            missing: vec![(0, file.clone()), (1, file)],
            linked: Vec::new(),
        };
        assert_eq!(plan.missing_bytes(), u64::MAX);
    }
}
