//! Opens the generation to publish. Keeps its files open, because another command may delete the generation as soon as it is no
//! longer served.

use std::collections::HashSet;

use postduif_schema::{DataFolder, Generation, GenerationName, IndexProgress, IndexStep, Manifest};
use tokio::sync::OnceCell;

use super::error::BucketPublishError;
use crate::sync::UploadFile;

pub(super) struct PublishSource {
    pub(super) manifest: Manifest,
    /// The files of the generation. Of files with the same content, only one is listed.
    pub(super) files: Vec<UploadFile>,
    data: DataFolder,
    verified: OnceCell<()>,
}

impl PublishSource {
    /// Opens a generation without verifying it.
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
        let distinct = manifest.files.iter();
        let distinct = distinct.filter(|file| seen.insert(file.sha256.as_str()));
        let files: Result<_, _> = distinct
            .map(|file| UploadFile::open(file, &folder))
            .collect();
        Ok(Self {
            files: files?,
            manifest,
            data,
            verified: OnceCell::new(),
        })
    }

    /// Verifies the generation as `index verify` does. Does nothing if it was already verified.
    pub(super) async fn verify(
        &self,
        progress: &dyn IndexProgress,
    ) -> Result<(), BucketPublishError> {
        let verify = async || {
            let (data, name) = (self.data.clone(), self.manifest.generation);
            progress.begin(IndexStep::VerifyBeforeUpload, 0);
            let verified = tokio::task::spawn_blocking(move || {
                Generation::open(&data.generation_path(name), name).map(drop)
            });
            let verified = verified.await.expect("verifying does not panic");
            progress.end(IndexStep::VerifyBeforeUpload);
            verified
        };
        self.verified.get_or_try_init(verify).await?;
        Ok(())
    }
}

pub(super) fn served_generation(data: &DataFolder) -> Result<GenerationName, BucketPublishError> {
    let current = data.current_generation()?;
    current.ok_or_else(|| BucketPublishError::NothingServed {
        path: data.path().to_owned(),
    })
}
