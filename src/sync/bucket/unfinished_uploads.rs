//! What uploads that were cut short leave in a folder. In an S3-compatible store they leave parts, which have no name and
//! which a rule of the store's own takes away (`AbortIncompleteMultipartUpload`): object_store cannot list them.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::{Bucket, BucketError, FILES_PREFIX, MANIFESTS_PREFIX};

impl Bucket {
    /// Takes away what uploads into a folder left unfinished and nobody has written to since `before`; says how many they
    /// were. In a store there is nothing that it could see.
    ///
    /// # Errors
    /// When the folder cannot be read or refuses.
    pub async fn delete_unfinished_uploads(&self, before: SystemTime) -> Result<u64, BucketError> {
        let Some(folder) = self.url.local_folder().cloned() else {
            return Ok(0);
        };
        let swept = tokio::task::spawn_blocking(move || {
            let folders = [FILES_PREFIX, MANIFESTS_PREFIX].map(|name| folder.join(name));
            folders.iter().try_fold(0, |swept, folder| {
                delete_unfinished_in(folder, before)
                    .map(|more| swept + more)
                    .map_err(|source| BucketError::Io {
                        path: folder.clone(),
                        source,
                    })
            })
        });
        swept.await.expect("sweeping does not panic")
    }
}

fn delete_unfinished_in(folder: &Path, before: SystemTime) -> io::Result<u64> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut swept = 0;
    for entry in entries {
        let entry = entry?;
        if !is_unfinished_upload(&entry.file_name().to_string_lossy()) {
            continue;
        }
        // It may have come to its end, or have been swept by another, a moment ago.
        let removed = match entry.metadata() {
            Ok(found) if found.modified()? >= before => continue,
            Ok(_) => fs::remove_file(entry.path()),
            Err(error) => Err(error),
        };
        match removed {
            Ok(()) => swept += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(swept)
}

/// `NAME#1` and so on. Source: object_store 0.14.2, `src/local.rs`, `staged_upload_path`.
fn is_unfinished_upload(name: &str) -> bool {
    let number = name.split_once('#').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
