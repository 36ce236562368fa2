//! Reads one zip archive, with limits on the number, names and sizes of its entries.

use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::reader::ArchiveReader;

/// Maximum number of entries in one archive. Assumption: the archive of a national object type has one entry for each 10,000 voorkomens, so
/// about two thousand entries. An archive with more than this maximum is refused.
pub(super) const MAX_ENTRIES: usize = 100_000;

/// Maximum length of an entry's name in bytes. Names in a delivery have about forty bytes. The limit keeps errors short, because they
/// contain the name.
const MAX_NAME: usize = 255;

/// How many of the first bytes of a file an error shows.
const SHOWN_BYTES: u64 = 20;

/// The maximum inflated size of an entry: a number of bytes, and a multiple of the entry's compressed size. An entry must keep to both.
#[derive(Clone, Copy)]
struct InflateLimit {
    max_bytes: u64,
    max_ratio: u64,
}

/// The limit of a document. The documents of Weesp grow at most 61-fold and its GEM-WPL-RELATIE 71-fold, and all stay below 20 MB.
/// Deflate allows a growth of 1,032-fold.
const DOCUMENT_LIMIT: InflateLimit = InflateLimit {
    max_bytes: 128 << 20,
    max_ratio: 250,
};
/// The limit of a document of woonplaatsen. All woonplaatsen of the country are in one document. It consists mostly of outlines, which
/// grow 3-fold. Assumption: it stays below a gigabyte.
const LARGE_DOCUMENT_LIMIT: InflateLimit = InflateLimit {
    max_bytes: 1 << 30,
    max_ratio: 20,
};
/// The limit of an inner archive. An inner archive contains compressed files, so compressing it again makes it little smaller. The whole
/// extract had 3.65 GB in January 2026.
const ARCHIVE_LIMIT: InflateLimit = InflateLimit {
    max_bytes: 8 << 30,
    max_ratio: 20,
};
/// An entry that inflates to at most this many bytes may exceed the ratio.
const RATIO_EXEMPT_BYTES: u64 = 1 << 20;

impl InflateLimit {
    fn allows(self, packed: u64, bytes: u64) -> bool {
        let max_grown = RATIO_EXEMPT_BYTES.max(packed.saturating_mul(self.max_ratio));
        bytes <= self.max_bytes && bytes <= max_grown
    }
}

/// The sum of sizes that an archive lists. A false size cannot make the sum overflow.
pub(crate) fn saturating_sum(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

/// The error for an archive that cannot be read or is refused. It has the path of the archive and of the entry in the archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The archive or entry.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// The file is not a zip archive, or it is damaged.
    #[error(
        "{path}: {reason}; fetch the delivery again, then compare its size with the one published"
    )]
    Damaged {
        /// The archive or entry.
        path: String,
        /// The damage.
        reason: String,
    },
    /// The archive is valid but has content that no delivery has.
    #[error("{path}: {reason}")]
    Refused {
        /// The archive or entry.
        path: String,
        /// What is refused, and what would be accepted.
        reason: String,
    },
}

impl ArchiveError {
    /// True if the input is at fault and not the machine. A missing file counts as a fault of the input.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        use io::ErrorKind::{InvalidInput, IsADirectory, NotFound};
        match self {
            Self::Io { source, .. } => {
                matches!(source.kind(), InvalidInput | IsADirectory | NotFound)
            }
            Self::Damaged { .. } | Self::Refused { .. } => true,
        }
    }
}

/// One archive. Cloning it is cheap, because clones share the list of entries. Clones can be read in parallel.
#[derive(Clone)]
pub(crate) struct Archive {
    path: Arc<str>,
    zip: ZipArchive<ArchiveReader>,
}

/// An entry in the list of an archive.
pub(crate) struct ArchiveEntry {
    /// The size of the compressed entry, in bytes.
    pub(crate) compressed_size: u64,
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) size: u64,
}

/// Describes why a file is not a zip archive, by its first bytes.
fn describe_damage(mut source: ArchiveReader, error: &ZipError) -> String {
    let mut first = Vec::new();
    let read = source
        .rewind()
        .and_then(|()| source.take(SHOWN_BYTES).read_to_end(&mut first));
    match (read, error) {
        (Ok(0), _) => "the file is empty".to_owned(),
        (Ok(_), _) if !first.starts_with(b"PK") => {
            let text = String::from_utf8_lossy(&first);
            format!("it begins with {text:?}; a zip archive begins with \"PK\"")
        }
        (Ok(_), ZipError::InvalidArchive(_)) => {
            "its list of entries is missing or damaged, probably because the file is cut off"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

impl Archive {
    /// Opens an archive on disk.
    pub(crate) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let path_text = path.display().to_string();
        let source = ArchiveReader::from_file(path).map_err(|source| ArchiveError::Io {
            path: path_text.clone(),
            source,
        })?;
        Self::from_reader(source, path_text)
    }

    pub(super) fn from_reader(source: ArchiveReader, path: String) -> Result<Self, ArchiveError> {
        let mut zip = ZipArchive::new(source.clone()).map_err(|error| ArchiveError::Damaged {
            path: path.clone(),
            reason: format!(
                "it is not a complete zip archive: {}",
                describe_damage(source, &error)
            ),
        })?;
        if zip.len() > MAX_ENTRIES {
            let reason = format!(
                "it has {} entries; a delivery has at most {MAX_ENTRIES}",
                zip.len()
            );
            return Err(refused_error(&path, reason));
        }
        if zip.has_duplicate_names() {
            return Err(refused_error(
                &path,
                "two of its entries have the same name; a delivery has each file once",
            ));
        }
        let overlapping = zip.has_overlapping_entries();
        if overlapping.map_err(|error| zip_error(&path, &error))? {
            return Err(refused_error(
                &path,
                "some of its entries share bytes; the entries of a delivery do not overlap",
            ));
        }
        // No checksum covers the list of entries, so one changed byte in a name or in the count could lose a document. Comparing
        // the list with the headers of the entries finds such a change. It also finds a file that is cut off behind an archive that it
        // holds uncompressed: the list is then the one of that archive.
        zip.validate_header_consistency()
            .map_err(|error| match error {
                ZipError::InvalidArchive(detail) => ArchiveError::Damaged {
                    path: path.clone(),
                    reason: format!(
                        "its list of entries does not match its content, probably because the file is cut off ({detail})"
                    ),
                },
                error => zip_error(&path, &error),
            })?;
        Ok(Self {
            path: path.into(),
            zip,
        })
    }

    /// The path of the archive, for messages.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Lists every file in the archive. Refuses the archive if the name of any entry could lead out of a folder, even if that entry is
    /// never read.
    pub(crate) fn entries(&mut self) -> Result<Vec<ArchiveEntry>, ArchiveError> {
        let mut entries = Vec::with_capacity(self.zip.len());
        for index in 0..self.zip.len() {
            let file = self
                .zip
                .by_index(index)
                .map_err(|error| zip_error(&self.path, &error))?;
            let name = file
                .name()
                .map_err(|error| zip_error(&self.path, &error))?
                .into_owned();
            if name.len() > MAX_NAME {
                let (begin, length) = (name.chars().take(40).collect::<String>(), name.len());
                let reason = format!(
                    "entry {begin:?}… has a name of {length} bytes; a delivery has none above {MAX_NAME}"
                );
                return Err(refused_error(&self.path, reason));
            }
            if file.enclosed_name().is_none()
                || name.starts_with('/')
                || name.contains('\\')
                || name.contains('\0')
                || file.is_symlink()
            {
                let reason = format!(
                    "entry {name:?} leads out of the archive or has a backslash; a delivery has plain file names. Some programs on \
                     Windows write backslashes: use the delivery as it was downloaded, or zip it with another program"
                );
                return Err(refused_error(&self.path, reason));
            }
            if !file.is_dir() {
                entries.push(ArchiveEntry {
                    index,
                    name,
                    compressed_size: file.compressed_size(),
                    size: file.size(),
                });
            }
        }
        Ok(entries)
    }

    pub(crate) fn open_nested(&mut self, entry: &ArchiveEntry) -> Result<Self, ArchiveError> {
        let path = self.entry_path(&entry.name);
        let file = self
            .zip
            .by_index(entry.index)
            .map_err(|error| zip_error(&path, &error))?;
        let window = (file.compression() == CompressionMethod::Stored && !file.encrypted())
            .then(|| Some((file.data_start()?, file.size())))
            .flatten();
        drop(file);
        if let Some((start, length)) = window {
            return Self::from_reader(self.zip.clone().into_inner().window(start, length), path);
        }
        let mut bytes = Vec::new();
        self.inflate(entry, &[ARCHIVE_LIMIT], &mut bytes)?;
        Self::from_reader(ArchiveReader::from_memory(bytes), path)
    }

    /// Reads a whole XML document into a buffer, which is cleared first. Only a document of woonplaatsen `may_be_large`.
    pub(super) fn read_xml(
        &mut self,
        entry: &ArchiveEntry,
        may_be_large: bool,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ArchiveError> {
        let limits = [DOCUMENT_LIMIT, LARGE_DOCUMENT_LIMIT];
        let limit_count = if may_be_large { 2 } else { 1 };
        self.inflate(entry, &limits[..limit_count], buffer)
    }

    /// The path of an entry, for messages.
    pub(crate) fn entry_path(&self, name: &str) -> String {
        format!("{}!{name}", self.path)
    }

    fn inflate(
        &mut self,
        entry: &ArchiveEntry,
        limits: &[InflateLimit],
        buffer: &mut Vec<u8>,
    ) -> Result<(), ArchiveError> {
        let path = self.entry_path(&entry.name);
        let mut file = self
            .zip
            .by_index(entry.index)
            .map_err(|error| zip_error(&path, &error))?;
        let (packed, bytes) = (file.compressed_size(), file.size());
        if !limits.iter().any(|limit| limit.allows(packed, bytes)) {
            let allowed = |limit: &InflateLimit| {
                format!("{}-fold up to {}", limit.max_ratio, limit.max_bytes)
            };
            let allowed: Vec<String> = limits.iter().map(allowed).collect();
            let reason = format!(
                "its {packed} bytes would inflate to {bytes}; at most {} is allowed. Download the delivery again; if a document of mutations \
                 is really that large, build from a newer extract with `postduif index build` instead",
                allowed.join(" or ")
            );
            return Err(ArchiveError::Refused { path, reason });
        }
        let method = file.compression();
        if !matches!(
            method,
            CompressionMethod::Stored | CompressionMethod::Deflated
        ) {
            let reason = format!(
                "compressed with {method}, which is not supported; zip it again with the method deflate"
            );
            return Err(refused_error(&path, reason));
        }
        buffer.clear();
        let reserved = buffer.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
        reserved
            .map_err(|error| io_error(&path, io::Error::new(io::ErrorKind::OutOfMemory, error)))?;
        // The listed size may be false, so read one byte more to notice longer content.
        let read = file.by_ref().take(bytes + 1).read_to_end(buffer);
        let read = read.map_err(|error| inflate_error(&path, error))?;
        if read as u64 != bytes {
            let reason = format!(
                "listed with {bytes} bytes, has {} {read}",
                if read as u64 > bytes { "over" } else { "only" }
            );
            return Err(ArchiveError::Damaged { path, reason });
        }
        Ok(())
    }
}

pub(super) fn refused_error(path: &str, reason: impl Into<String>) -> ArchiveError {
    ArchiveError::Refused {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

fn io_error(path: &str, source: io::Error) -> ArchiveError {
    let path = path.to_owned();
    ArchiveError::Io { path, source }
}

/// Converts an error while inflating. An error of the disk has an OS error code; an error in the content has no such code.
fn inflate_error(path: &str, error: io::Error) -> ArchiveError {
    if error.raw_os_error().is_some() {
        return io_error(path, error);
    }
    ArchiveError::Damaged {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn zip_error(path: &str, error: &ZipError) -> ArchiveError {
    let path = path.to_owned();
    let reason = error.to_string();
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            let accepted = "a delivery's entries are deflated or stored, and not encrypted";
            let reason = format!("{reason}; {accepted}");
            ArchiveError::Refused { path, reason }
        }
        _ => ArchiveError::Damaged { path, reason },
    }
}
