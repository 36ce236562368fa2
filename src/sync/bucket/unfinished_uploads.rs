//! Leftovers of interrupted uploads into a folder. In an S3-compatible store such uploads leave parts without a name; a rule of
//! the store deletes them (`AbortIncompleteMultipartUpload`), because object_store cannot list them.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use postduif_schema::FileError;

use super::client::{FILES_PREFIX, MANIFESTS_PREFIX};
use super::{Bucket, BucketError};

/// Deletes the unfinished uploads of a bucket in a folder that were last written before `before`. Returns their count; 0 for
/// an S3-compatible store.
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
                .map_err(|error| FileError::at(folder)(error).into())
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
        // The upload may have finished since, or another publisher may have deleted it.
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

/// `NAME#1` and so on. Source: object_store 0.14.2, `src/local.rs`, `staged_upload_path`.
fn is_unfinished_upload(name: &str) -> bool {
    let number = name.split_once('#').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
