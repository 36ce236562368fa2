//! Deletes the files that interrupted uploads leave in a folder. In an S3-compatible store, an interrupted upload leaves parts that
//! object_store cannot list. So the operator of such a store must set a lifecycle rule that deletes these parts
//! (`AbortIncompleteMultipartUpload`).

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use postduif_schema::FileError;

use super::client::{FILES_PREFIX, MANIFESTS_PREFIX};
use super::{Bucket, BucketError};

/// Deletes unfinished uploads that were last written before `before`. Returns how many were deleted. Only works for a bucket in
/// a folder; returns 0 for an S3-compatible store.
///
/// # Errors
/// If the folder cannot be read or a file cannot be deleted.
pub(crate) async fn delete_unfinished_uploads(
    bucket: &Bucket,
    before: SystemTime,
) -> Result<u64, BucketError> {
    let Some(folder) = bucket.url().local_folder().cloned() else {
        return Ok(0);
    };
    let deleted = tokio::task::spawn_blocking(move || {
        let folders = [FILES_PREFIX, MANIFESTS_PREFIX].map(|name| folder.join(name));
        folders.iter().try_fold(0, |deleted, folder| {
            delete_unfinished_in(folder, before)
                .map(|more| deleted + more)
                .map_err(|error| FileError::with_path(folder)(error).into())
        })
    });
    deleted
        .await
        .expect("deleting unfinished uploads does not panic")
}

fn delete_unfinished_in(folder: &Path, before: SystemTime) -> io::Result<u64> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut deleted = 0;
    for entry in entries {
        let entry = entry?;
        if !is_unfinished_upload(&entry.file_name().to_string_lossy()) {
            continue;
        }
        // A file that no longer exists is no error: since the folder was listed, the upload may have finished, or another publisher
        // may have deleted the file.
        let removed = match entry.metadata() {
            Ok(found) if found.modified()? >= before => continue,
            Ok(_) => fs::remove_file(entry.path()),
            Err(error) => Err(error),
        };
        match removed {
            Ok(()) => deleted += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(deleted)
}

/// Whether a name is that of an unfinished upload, such as `NAME#1`. Source: object_store 0.14.2, `src/local.rs`,
/// `staged_upload_path`.
fn is_unfinished_upload(name: &str) -> bool {
    let number = name.split_once('#').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
