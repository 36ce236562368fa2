//! Defines the reader of an archive's bytes, which are a part of a file or in memory. Each clone of a reader has its own position.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use postduif_schema::files::open_regular;

#[derive(Clone)]
pub(crate) struct ArchiveReader {
    storage: ReaderStorage,
    start: u64,
    length: u64,
    position: u64,
}

#[derive(Clone)]
enum ReaderStorage {
    File(Arc<File>),
    /// This is an `Arc` of a `Vec`, because making an `Arc` of a slice would copy the bytes. The archive of one national object type has
    /// two gigabytes.
    Memory(Arc<Vec<u8>>),
}

impl ArchiveReader {
    pub(crate) fn from_file(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            storage: ReaderStorage::File(Arc::new(file)),
            start: 0,
            length,
            position: 0,
        })
    }

    pub(crate) fn from_memory(bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self {
            storage: ReaderStorage::Memory(Arc::new(bytes)),
            start: 0,
            length,
            position: 0,
        }
    }

    /// A reader of `length` bytes of this reader from `start` on. The part ends at the end of this reader at the latest.
    pub(crate) fn window(self, start: u64, length: u64) -> Self {
        let start_within = start.min(self.length);
        let length = length.min(self.length - start_within);
        Self {
            start: self.start + start_within,
            length,
            position: 0,
            ..self
        }
    }
}

impl Read for ArchiveReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let from = self.start.saturating_add(self.position);
        let read = match &self.storage {
            ReaderStorage::File(file) => file.read_at(&mut buffer[..wanted], from)?,
            ReaderStorage::Memory(bytes) => {
                let mut rest = bytes
                    .get(usize::try_from(from).unwrap_or(usize::MAX)..)
                    .unwrap_or_default();
                rest.read(&mut buffer[..wanted])?
            }
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for ArchiveReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = target
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "seek before the start"))?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_at_its_length_or_the_end_of_the_file() {
        let reader = ArchiveReader::from_memory(b"0123456789".to_vec())
            .window(2, 5)
            .window(1, 100);
        let mut text = String::new();
        reader
            .clone()
            .read_to_string(&mut text)
            .expect("memory reads");
        assert_eq!(text, "3456");
        let mut at_end = reader;
        assert_eq!(at_end.seek(SeekFrom::End(-1)).expect("inside"), 3);
        text.clear();
        at_end.read_to_string(&mut text).expect("memory reads");
        assert_eq!(text, "6");
        assert!(at_end.seek(SeekFrom::Current(-5)).is_err());
        at_end
            .seek(SeekFrom::Start(1000))
            .expect("a position past the end is allowed");
        assert_eq!(at_end.read(&mut [0; 4]).expect("nothing there"), 0);
        at_end
            .seek(SeekFrom::Start(u64::MAX))
            .expect("every position is allowed");
        assert_eq!(at_end.read(&mut [0; 4]).expect("nothing there"), 0);
    }
}
