//! The generations on this disk: which there are, the one that is on its way, and the ones that may go.
//!
//! What is on its way lies in one folder under a name that nobody reads, `.pulling`. Whatever a try leaves there is held
//! against the next publication that is taken, so that nothing comes twice and nothing gathers.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::sync::PublicationNumber;
use postduif_schema::{
    DataFolder, DataFolderError, DataFolderLock, FileEntry, GenerationName, LockError, LockOwner,
    Manifest, PULLING_DIR, REMOVING_PREFIX,
};

use super::error::PullError;

const MANIFEST_FILE: &str = "manifest.json";

/// The folder with the generations, and the right to change it, which lasts as long as the last of its clones.
#[derive(Debug, Clone)]
pub(super) struct LocalGenerations {
    data: DataFolder,
    _lock: Arc<DataFolderLock>,
}

/// What there is of a generation before anything is downloaded.
#[derive(Debug, Default)]
pub(super) struct FetchPlan {
    /// Files that have to come, each with its place in the manifest.
    pub(super) missing: Vec<(usize, FileEntry)>,
    /// Files that another generation here has too.
    pub(super) linked: Vec<FileEntry>,
}

impl FetchPlan {
    pub(super) fn missing_bytes(&self) -> u64 {
        let bytes = self.missing.iter().map(|(_, file)| file.bytes);
        bytes.fold(0, u64::saturating_add)
    }
}

impl LocalGenerations {
    pub(super) fn acquire(data: DataFolder) -> Result<Self, LockError> {
        Ok(Self {
            _lock: Arc::new(data.lock(LockOwner::Serve)?),
            data,
        })
    }

    /// The generation that is named as the one to serve.
    pub(super) fn current_generation(&self) -> Result<Option<GenerationName>, DataFolderError> {
        self.data.current_generation()
    }

    /// Where a generation is while it is on its way.
    pub(super) fn pulling_path(&self) -> PathBuf {
        self.data.generations_path().join(PULLING_DIR)
    }

    /// Whether the generation of a publication is here under its name. One that is `suspect`, because it did not open, is read
    /// whole. One that is damaged and not `served`, or another one that nobody needs, loses its name, so that it is taken anew.
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
        // What is being served needs no manifest on disk any more.
        let served = served.filter(|served| served.generation == generation);
        let found = Manifest::read(&path).ok().or_else(|| served.cloned());
        let is_it = found.as_ref() == Some(manifest);
        if is_it && (!must_verify || manifest.verify(&path).is_ok()) {
            return Ok(true);
        }
        // One that is named and opens is served in a moment.
        let is_named = self.current_generation().ok().flatten() == Some(generation);
        if !is_it && found.is_some() && (served.is_some() || is_named && !must_verify) {
            return Err(PullError::GenerationConflict {
                path,
                generation,
                publication,
            });
        }
        self.clear_pulling()?;
        self.rename(&path, &self.pulling_path())?;
        Ok(false)
    }

    /// Gathers what is here of a generation, every file of it read and as published: what came in earlier tries, and what
    /// another generation has.
    pub(super) fn plan_fetch(
        &self,
        (publication, manifest): (PublicationNumber, &Manifest),
    ) -> Result<FetchPlan, PullError> {
        if let Some(file) = manifest.files.iter().find(|file| !file.has_safe_path()) {
            let path = file.path.clone();
            return Err(PullError::PathEscapes { publication, path });
        }
        let pulling = self.pulling_path();
        create_dir(&pulling)?;
        let listed = manifest.files.iter().map(|file| pulling.join(&file.path));
        remove_unlisted(&pulling, &listed.collect())?;
        let (sources, mut plan) = (self.find_sources(manifest)?, FetchPlan::default());
        for (at, file) in manifest.files.iter().enumerate() {
            if file.verify(&pulling).is_ok() {
                continue;
            }
            let path = pulling.join(&file.path);
            remove_path(&path)?;
            create_dir(path.parent().expect("it is below a folder"))?;
            let source = sources.get(file.sha256.as_str());
            // Links may be refused, and disks lose what they hold: then it comes from the bucket.
            if source.is_some_and(|source| fs::hard_link(source, &path).is_ok()) {
                if file.verify(&pulling).is_ok() {
                    plan.linked.push(file.clone());
                    continue;
                }
                remove_path(&path)?;
            }
            plan.missing.push((at, file.clone()));
        }
        Ok(plan)
    }

    /// Where the other generations have the files of this one, by SHA-256. One whose manifest does not read has none.
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

    /// Refuses what the disk has no room for.
    pub(super) fn check_free_space(
        &self,
        wanted: u64,
        generation: GenerationName,
    ) -> Result<(), PullError> {
        let path = self.pulling_path();
        let free = free_bytes(&path).map_err(|source| PullError::Io {
            path: path.clone(),
            source,
        })?;
        if wanted <= free {
            return Ok(());
        }
        Err(PullError::DiskFull {
            path,
            generation,
            wanted,
            free,
        })
    }

    /// Gives what is on its way its manifest and its name, once all of it survives a power cut.
    pub(super) fn finish_pulled(&self, manifest: Manifest) -> Result<(), PullError> {
        let (pulling, path) = (
            self.pulling_path(),
            self.data.generation_path(manifest.generation),
        );
        remove_path(&pulling.join(MANIFEST_FILE))?;
        manifest.write(&pulling)?;
        sync_dirs_below(&pulling)?;
        self.rename(&pulling, &path)
    }

    /// Names a generation that is here as the one to serve. It counts as the one that was taken last.
    pub(super) fn set_current(&self, name: GenerationName) -> Result<(), PullError> {
        let path = self.data.generation_path(name);
        let touched = File::open(&path).and_then(|folder| folder.set_modified(SystemTime::now()));
        // A folder of another user's keeps its time, and may be deleted sooner; it is served all the same.
        if let Err(error) = touched {
            tracing::warn!(path = %path.display(), %error, "this generation may be deleted before earlier ones");
        }
        // One that cannot be read is written anew.
        if self.data.current_generation().ok().flatten() != Some(name) {
            self.data.set_current(name)?;
        }
        Ok(())
    }

    /// Forgets what came so far of a generation.
    pub(super) fn clear_pulling(&self) -> Result<(), PullError> {
        remove_path(&self.pulling_path())
    }

    /// Deletes all generations but the `keep` that were taken last, the one that is named and the one that is served. Says which.
    pub(super) fn prune(
        &self,
        keep: usize,
        served: Option<GenerationName>,
    ) -> Result<Vec<GenerationName>, PullError> {
        for unfinished_removal in self.unfinished_removals()? {
            remove_path(&unfinished_removal)?;
        }
        let needed = [self.data.current_generation()?, served];
        let mut expired = self.data.list_generations()?;
        expired.sort_by_cached_key(|&name| {
            let folder = self.data.generation_path(name).metadata();
            (folder.and_then(|folder| folder.modified()).ok(), name)
        });
        expired.truncate(expired.len().saturating_sub(keep));
        expired.retain(|&name| !needed.contains(&Some(name)));
        for &name in &expired {
            // Renamed first: half a generation must not bear a name, not even after a power cut.
            let removing = format!("{REMOVING_PREFIX}{name}");
            let removing = self.data.generations_path().join(removing);
            self.rename(&self.data.generation_path(name), &removing)?;
            remove_path(&removing)?;
        }
        Ok(expired)
    }

    /// What was not deleted to its end.
    fn unfinished_removals(&self) -> Result<Vec<PathBuf>, PullError> {
        let path = self.data.generations_path();
        let entries: io::Result<Vec<_>> = match fs::read_dir(&path) {
            Ok(entries) => entries.collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let entries = entries.map_err(|source| PullError::Io { path, source })?;
        let leftovers = entries.into_iter().filter(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .starts_with(REMOVING_PREFIX)
        });
        Ok(leftovers.map(|entry| entry.path()).collect())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), PullError> {
        let renamed = fs::rename(from, to);
        renamed.map_err(|source| PullError::Io {
            path: to.to_owned(),
            source,
        })?;
        sync_dir(&self.data.generations_path())
    }
}

fn free_bytes(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

fn create_dir(path: &Path) -> Result<(), PullError> {
    fs::create_dir_all(path).map_err(|source| PullError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Removes a file or a folder; none there is no matter.
fn remove_path(path: &Path) -> Result<(), PullError> {
    let removed = match path.symlink_metadata() {
        Ok(there) if there.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(PullError::Io {
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Removes every file below a folder that is not in the list.
fn remove_unlisted(folder: &Path, listed: &HashSet<PathBuf>) -> Result<(), PullError> {
    for (path, is_folder) in read_entries(folder)? {
        if is_folder {
            remove_unlisted(&path, listed)?;
        } else if !listed.contains(&path) {
            remove_path(&path)?;
        }
    }
    Ok(())
}

/// Brings every name below a folder to disk, the deepest first. The files themselves are there already.
fn sync_dirs_below(folder: &Path) -> Result<(), PullError> {
    for (path, is_folder) in read_entries(folder)? {
        if is_folder {
            sync_dirs_below(&path)?;
        }
    }
    sync_dir(folder)
}

/// What is in a folder, and whether that is a folder itself.
fn read_entries(folder: &Path) -> Result<Vec<(PathBuf, bool)>, PullError> {
    let list = || -> io::Result<Vec<(PathBuf, bool)>> {
        let entries = fs::read_dir(folder)?.map(|entry| {
            let entry = entry?;
            Ok((entry.path(), entry.file_type()?.is_dir()))
        });
        entries.collect()
    };
    list().map_err(|source| PullError::Io {
        path: folder.to_owned(),
        source,
    })
}

fn sync_dir(folder: &Path) -> Result<(), PullError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|source| PullError::Io {
        path: folder.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_locked_for_as_long_as_anybody_works_in_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let shelf = LocalGenerations::acquire(data.clone()).expect("free");
        let at_work = shelf.clone();
        drop(shelf);
        data.lock(LockOwner::Index).expect_err("it is at work");
        drop(at_work);
        data.lock(LockOwner::Index).expect("free again");
    }

    #[test]
    fn sizes_that_nobody_could_have_published_add_up_to_more_than_any_disk_has() {
        let file = FileEntry {
            path: "a".into(),
            bytes: u64::MAX,
            sha256: String::new(),
        };
        let prepared = FetchPlan {
            missing: vec![(0, file.clone()), (1, file)],
            linked: Vec::new(),
        };
        assert_eq!(prepared.missing_bytes(), u64::MAX);
    }
}
