//! Uploads the files of a generation that a bucket lacks.

use std::collections::HashMap;
use std::time::SystemTime;

use postduif_schema::{IndexProgress, IndexStep};

use super::BucketPublisher;
use super::publication_list::PublicationList;
use super::source::PublishSource;
use crate::sync::bucket::{is_intact, run_transfers, upload};
use crate::sync::{BucketError, BucketFile, UploadFile};

/// Maximum number of files that are uploaded at once. Of each file, several parts may be sent at once.
const MAX_CONCURRENT_UPLOADS: usize = 4;

/// Uploads files to a bucket and reports the progress.
pub(super) struct Uploader<'a> {
    pub(super) publisher: &'a BucketPublisher,
    pub(super) progress: &'a dyn IndexProgress,
}

/// The number and the total size of the uploaded files.
pub(super) struct UploadCounts {
    pub(super) files: u64,
    /// Total size of the uploaded files.
    pub(super) bytes: u64,
}

impl Uploader<'_> {
    /// Uploads every file that is missing in the bucket or has another size there. With `verify_existing`, also reads all
    /// other files in the bucket, and uploads the damaged ones again.
    pub(super) async fn upload_missing(
        &self,
        source: &PublishSource,
        publications: &PublicationList,
        verify_existing: bool,
    ) -> Result<UploadCounts, BucketError> {
        let existing = self.publisher.bucket.list_files().await?;
        let is_missing = |file: &&UploadFile| self.needs_upload(file, &existing, publications);
        let (mut missing, present): (Vec<_>, Vec<_>) = source.files.iter().partition(is_missing);
        if verify_existing {
            missing.extend(self.find_damaged(present).await?);
        }
        let sizes = missing.iter().map(|file| file.entry.bytes);
        let bytes = sizes.fold(0, u64::saturating_add);
        let files = missing.len() as u64;
        if files > 0 {
            self.progress.begin(IndexStep::Upload, bytes);
            self.upload_files(missing).await?;
            self.progress.end(IndexStep::Upload);
        }
        Ok(UploadCounts { files, bytes })
    }

    /// The files that have other content in the bucket than their entry in the manifest says.
    async fn find_damaged<'f>(
        &self,
        files: Vec<&'f UploadFile>,
    ) -> Result<Vec<&'f UploadFile>, BucketError> {
        self.progress.begin(IndexStep::VerifyBeforeUpload, 0);
        let mut damaged = Vec::new();
        for file in files {
            if !is_intact(&self.publisher.bucket, &file.entry).await? {
                damaged.push(file);
            }
        }
        self.progress.end(IndexStep::VerifyBeforeUpload);
        Ok(damaged)
    }

    /// Whether a file is missing in the bucket or has another size there. An old file that no publication refers to counts as
    /// missing, because a cleanup could delete it before the new publication refers to it.
    fn needs_upload(
        &self,
        file: &UploadFile,
        existing: &HashMap<String, BucketFile>,
        publications: &PublicationList,
    ) -> bool {
        let name = &file.entry.sha256;
        let Some(found) = existing.get(name) else {
            return true;
        };
        let age = SystemTime::now().duration_since(found.last_modified);
        let is_old = age.unwrap_or_default() > self.publisher.sweep_after / 2;
        found.bytes != file.entry.bytes || is_old && !publications.references(name)
    }

    async fn upload_files(&self, files: Vec<&UploadFile>) -> Result<(), BucketError> {
        let on_progress = |bytes| self.progress.advance(IndexStep::Upload, bytes);
        let uploads = files.into_iter();
        let uploads = uploads.map(|file| upload(&self.publisher.bucket, file, &on_progress));
        run_transfers(uploads.collect(), MAX_CONCURRENT_UPLOADS).await
    }
}
