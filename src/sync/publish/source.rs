//! A generation that is held open while it is published: another command may delete it as soon as it is not served any more.

use std::collections::HashSet;

use crate::sync::UploadFile;
use postduif_schema::{DataFolder, Generation, GenerationName, Manifest};
use tokio::sync::OnceCell;

use super::BucketPublishError;
use postduif_schema::{IndexProgress, IndexStep};

pub(super) struct PublishSource {
    pub(super) manifest: Manifest,
    /// Each content once.
    pub(super) files: Vec<UploadFile>,
    data: DataFolder,
    verified: OnceCell<()>,
}

impl PublishSource {
    /// Opens a generation. What is opened is not checked yet.
    pub(super) async fn open(
        data: &DataFolder,
        name: GenerationName,
    ) -> Result<Self, BucketPublishError> {
        let data = data.clone();
        let opened = tokio::task::spawn_blocking(move || Self::open_blocking(data, name));
        opened.await.expect("opening a generation does not panic")
    }

    fn open_blocking(data: DataFolder, name: GenerationName) -> Result<Self, BucketPublishError> {
        let folder = data.generation_path(name);
        let manifest = Manifest::read(&folder)?;
        let mut seen = HashSet::new();
        let once = manifest.files.iter();
        let once = once.filter(|file| seen.insert(file.sha256.as_str()));
        let files: Result<_, _> = once.map(|file| UploadFile::open(file, &folder)).collect();
        Ok(Self {
            files: files?,
            manifest,
            data,
            verified: OnceCell::new(),
        })
    }

    /// Checks the generation as `index verify` does, once.
    pub(super) async fn verify(
        &self,
        progress: &dyn IndexProgress,
    ) -> Result<(), BucketPublishError> {
        let check = async || {
            let (data, name) = (self.data.clone(), self.manifest.generation);
            progress.begin(IndexStep::VerifyBeforeUpload, 0);
            let checked = tokio::task::spawn_blocking(move || {
                Generation::open(&data.generation_path(name), name).map(drop)
            });
            let checked = checked.await.expect("checking does not panic");
            progress.end(IndexStep::VerifyBeforeUpload);
            checked
        };
        self.verified.get_or_try_init(check).await?;
        Ok(())
    }
}

pub(super) fn served_generation(data: &DataFolder) -> Result<GenerationName, BucketPublishError> {
    let current = data.current_generation()?;
    current.ok_or_else(|| BucketPublishError::NothingServed {
        path: data.path().to_owned(),
    })
}
