//! Writes a file under a temporary name and renames it when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a delivery could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the delivery {path:?}: {source}")]
pub struct SynthError {
    path: PathBuf,
    source: io::Error,
}

/// Writes a file that gets its final name once it is complete. After an error, an existing file of the same name stays unchanged.
pub(crate) fn write_whole_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, SynthError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    let written = write_and_sync(&partial, write)
        .and_then(|written| std::fs::rename(&partial, path).map(|()| written));
    written.map_err(|source| {
        // Ignore an error of removing the partial file, which may not exist, because the first error is reported.
        drop(std::fs::remove_file(&partial));
        SynthError {
            path: path.to_owned(),
            source,
        }
    })
}

fn write_and_sync<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
    let written = write(&mut out)?;
    out.into_inner()?.sync_all()?;
    Ok(written)
}
