//! Opens the register's file for a check that writes nothing. The store offers its check of all pages only for a store that it may write
//! to, so its writes (the mark that it is open, a repair) stay in memory. A file on a read-only file system can be checked too.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io;
use std::ops::{Bound, Range};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, Database, DatabaseError, StorageBackend};

/// The size of a block in memory, in bytes. The store writes pages of this size.
const BLOCK_BYTES: usize = 4096;

/// A file that is only read. Everything that the store writes stays in memory, and is lost when the store is closed.
#[derive(Debug)]
struct CopyOnWriteFile {
    file: FileBackend,
    written: Mutex<WrittenBlocks>,
}

#[derive(Debug)]
struct WrittenBlocks {
    /// The length of the file as the store sees it.
    bytes: u64,
    /// How many bytes of the file on disk the store sees. Bytes after these that the store has not written are zero.
    file_bytes: u64,
    /// The blocks that the store has written, by their position in blocks.
    blocks: HashMap<u64, Vec<u8>>,
}

/// Opens the store in a file. Nothing is written to the file.
pub(super) fn open_copy_on_write(
    path: &Path,
    cache_bytes: usize,
) -> Result<Database, DatabaseError> {
    let file = FileBackend::new(File::open(path)?)?;
    let bytes = file.len()?;
    let written = Mutex::new(WrittenBlocks {
        bytes,
        file_bytes: bytes,
        blocks: HashMap::new(),
    });
    let mut builder = Database::builder();
    builder
        .set_cache_size(cache_bytes)
        .create_with_backend(CopyOnWriteFile { file, written })
}

impl CopyOnWriteFile {
    fn written(&self) -> MutexGuard<'_, WrittenBlocks> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from the file on disk, of which the store sees `file_bytes`.
    fn read_file(&self, file_bytes: u64, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let available = file_bytes.saturating_sub(offset);
        let available = usize::try_from(available).unwrap_or(usize::MAX);
        let (inside, behind) = out.split_at_mut(out.len().min(available));
        behind.fill(0);
        self.file.read(offset, inside)
    }
}

/// Splits a range of the file into its parts in each block: the block, and the part of it.
fn block_parts(offset: u64, length: usize) -> impl Iterator<Item = (u64, Range<usize>)> {
    let (mut next, mut left) = (offset, length);
    std::iter::from_fn(move || {
        let block = next / BLOCK_BYTES as u64;
        let start = usize::try_from(next % BLOCK_BYTES as u64).ok()?;
        let part = left.min(BLOCK_BYTES - start);
        (next, left) = (next + part as u64, left - part);
        (part > 0).then_some((block, start..start + part))
    })
}

impl StorageBackend for CopyOnWriteFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.written().bytes)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let written = self.written();
        if offset.saturating_add(out.len() as u64) > written.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(written.file_bytes, offset, out)?;
        let mut rest = out;
        for (block, range) in block_parts(offset, rest.len()) {
            let (part, behind) = rest.split_at_mut(range.len());
            if let Some(content) = written.blocks.get(&block) {
                part.copy_from_slice(&content[range]);
            }
            rest = behind;
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        let mut written = self.written();
        written.bytes = bytes;
        written.file_bytes = written.file_bytes.min(bytes);
        written
            .blocks
            .retain(|block, _| block * (BLOCK_BYTES as u64) < bytes);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut written = self.written();
        let file_bytes = written.file_bytes;
        let mut rest = data;
        for (block, range) in block_parts(offset, data.len()) {
            let (part, behind) = rest.split_at(range.len());
            let content = match written.blocks.entry(block) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let mut content = vec![0; BLOCK_BYTES];
                    self.read_file(file_bytes, block * BLOCK_BYTES as u64, &mut content)?;
                    new.insert(content)
                }
            };
            content[range].copy_from_slice(part);
            rest = behind;
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    /// Locks the file as a reader does. A process that writes to the register keeps this process out, but other readers do not.
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }
}
