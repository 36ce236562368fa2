//! Writes the address index of a generation, and defines the order in which addresses are stored.

use std::path::Path;

use postduif_schema::{
    Address, AddressFields, HouseLetter, HouseNumber, Postcode, RegisterVersion, address_layout,
    to_document,
};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

/// Bytes of memory for documents before they are written as a segment. With this much memory, the country needs a few segments, which
/// are merged at the end.
const WRITER_HEAP_BYTES: usize = 512 << 20;

pub(crate) struct AddressIndexWriter {
    index: Index,
    writer: IndexWriter,
    fields: AddressFields,
}

impl AddressIndexWriter {
    /// Creates an index in an existing, empty folder.
    pub(crate) fn create(folder: &Path) -> tantivy::Result<Self> {
        let (schema, fields) = address_layout();
        let index = Index::create_in_dir(folder, schema)?;
        let writer = open_writer(&index)?;
        Ok(Self {
            index,
            writer,
            fields,
        })
    }

    pub(crate) fn add(&mut self, address: &Address) -> tantivy::Result<()> {
        add_address(&mut self.writer, address, &self.fields)
    }

    /// Writes all addresses to disk as one segment. Merging concatenates segments, so adjacent addresses stay adjacent.
    pub(crate) fn finish(mut self, version: RegisterVersion) -> tantivy::Result<()> {
        commit_with_version(&mut self.writer, version)?;
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        self.writer.wait_merging_threads()
    }
}

/// Opens a writer with one thread, so that a segment has addresses in the order in which they were added. Merges happen only
/// on request.
pub(crate) fn open_writer(index: &Index) -> tantivy::Result<IndexWriter> {
    let writer = index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    Ok(writer)
}

/// Adds one address. If adding fails, returns the error of tantivy's writing thread, such as a full disk.
pub(crate) fn add_address(
    writer: &mut IndexWriter,
    address: &Address,
    fields: &AddressFields,
) -> tantivy::Result<()> {
    let Err(error) = writer.add_document(to_document(address, fields)) else {
        return Ok(());
    };
    // The error of tantivy's `add_document` says only that the writing thread has ended; the next commit returns the cause.
    writer.prepare_commit().map(drop)?;
    Err(error)
}

/// Commits, with the stand and the sequence number as payload. Merges keep the payload.
pub(crate) fn commit_with_version(
    writer: &mut IndexWriter,
    version: RegisterVersion,
) -> tantivy::Result<()> {
    let mut commit = writer.prepare_commit()?;
    commit.set_payload(&version.to_payload());
    commit.commit().map(drop)
}

/// The key by which the addresses of one commit are sorted. It starts with postcode and number, so that the addresses of one look-up
/// are stored next to each other. Addresses with the same key are sorted by id.
pub(crate) fn storage_order_key(
    postcode: Option<Postcode>,
    number: HouseNumber,
    letter: Option<HouseLetter>,
) -> u64 {
    let postcode = postcode.map_or(u64::from(u32::MAX), |postcode| postcode.code().into());
    let letter = letter.map_or(0, |letter| letter.ascii().into());
    postcode << 32 | u64::from(number.get()) << 8 | letter
}
