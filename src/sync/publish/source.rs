//! A generation that is held open while it is published: another command may delete it as soon as it is not served any more.

use std::collections::HashSet;

use crate::sync::OpenFile;
use postduif_schema::{DataFolder, Generation, GenerationName, Manifest};
use tokio::sync::OnceCell;

use super::ToBucketError;
use postduif_schema::{Progress, Step};

pub(super) struct Source {
    pub(super) manifest: Manifest,
    /// Each content once.
    pub(super) files: Vec<OpenFile>,
    data: DataFolder,
    checked: OnceCell<()>,
}

impl Source {
    /// Opens a generation. What is opened is not checked yet.
    pub(super) async fn open(
        data: &DataFolder,
        name: GenerationName,
    ) -> Result<Self, ToBucketError> {
        let data = data.clone();
        let opened = tokio::task::spawn_blocking(move || Self::open_now(data, name));
        opened.await.expect("opening a generation does not panic")
    }

    fn open_now(data: DataFolder, name: GenerationName) -> Result<Self, ToBucketError> {
        let folder = data.generation_path(name);
        let manifest = Manifest::read(&folder)?;
        let mut seen = HashSet::new();
        let once = manifest.files.iter();
        let once = once.filter(|file| seen.insert(file.sha256.as_str()));
        let files: Result<_, _> = once.map(|file| OpenFile::open(file, &folder)).collect();
        Ok(Self {
            files: files?,
            manifest,
            data,
            checked: OnceCell::new(),
        })
    }

    /// Checks the generation as `index verify` does, once.
    pub(super) async fn check(&self, progress: &dyn Progress) -> Result<(), ToBucketError> {
        let check = async || {
            let (data, name) = (self.data.clone(), self.manifest.generation);
            progress.begin(Step::Check, 0);
            let checked = tokio::task::spawn_blocking(move || {
                Generation::open(&data.generation_path(name), name).map(drop)
            });
            let checked = checked.await.expect("checking does not panic");
            progress.end(Step::Check);
            checked
        };
        self.checked.get_or_try_init(check).await?;
        Ok(())
    }
}

pub(super) fn served(data: &DataFolder) -> Result<GenerationName, ToBucketError> {
    let current = data.current()?;
    current.ok_or_else(|| ToBucketError::NothingServed {
        path: data.path().to_owned(),
    })
}
