//! Writing the address index of a generation, and the order that its addresses stand in.

use std::path::Path;

use postduif_schema::{
    Address, AddressFields, HouseLetter, HouseNumber, Postcode, RegisterVersion, address_layout,
    to_document,
};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

/// Memory for documents before they go to disk as a segment. A country makes a handful of segments, merged at the end.
pub(crate) const WRITER_HEAP_BYTES: usize = 512 << 20;

pub(crate) struct AddressIndexWriter {
    index: Index,
    writer: IndexWriter,
    fields: AddressFields,
}

impl AddressIndexWriter {
    /// Makes an empty index in a folder that is there and empty.
    pub(crate) fn create(folder: &Path) -> tantivy::Result<Self> {
        let (schema, fields) = address_layout();
        let index = Index::create_in_dir(folder, schema)?;
        // One thread, so that each segment holds addresses in the order in which they come.
        let writer = index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self {
            index,
            writer,
            fields,
        })
    }

    pub(crate) fn add(&mut self, address: &Address) -> tantivy::Result<()> {
        add_address(&mut self.writer, address, &self.fields)
    }

    /// Writes all to disk as one segment. Of several, the merge puts whole ones behind each other, so neighbours stay so.
    pub(crate) fn finish(mut self, stamp: RegisterVersion) -> tantivy::Result<()> {
        commit_with_stamp(&mut self.writer, stamp)?;
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        self.writer.wait_merging_threads()
    }
}

/// Adds one address. An error is that of the thread that writes, such as a full disk.
pub(crate) fn add_address(
    writer: &mut IndexWriter,
    address: &Address,
    fields: &AddressFields,
) -> tantivy::Result<()> {
    let Err(error) = writer.add_document(to_document(address, fields)) else {
        return Ok(());
    };
    // tantivy says here only that its thread has ended, and why at the next commit.
    writer.prepare_commit().map(drop)?;
    Err(error)
}

/// Commits with what the index is of. Merges keep it.
pub(crate) fn commit_with_stamp(
    writer: &mut IndexWriter,
    stamp: RegisterVersion,
) -> tantivy::Result<()> {
    let mut commit = writer.prepare_commit()?;
    commit.set_payload(&stamp.to_payload());
    commit.commit().map(drop)
}

/// Where an address stands among those that are written together: postcode and number first, so that a look-up reads one
/// place. Those of one key stand in the order of their ids.
pub(crate) fn storage_order_key(
    postcode: Option<Postcode>,
    number: HouseNumber,
    letter: Option<HouseLetter>,
) -> u64 {
    let postcode = postcode.map_or(u64::from(u32::MAX), |postcode| postcode.code().into());
    let letter = letter.map_or(0, |letter| letter.ascii().into());
    postcode << 32 | u64::from(number.get()) << 8 | letter
}
