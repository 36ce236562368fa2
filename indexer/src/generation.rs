//! Writing the address index of a generation.

use std::path::Path;

use postduif_schema::{Address, AddressFields, address_layout, to_document};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

/// Memory for documents before they go to disk as a segment. A country makes a handful of segments, merged at the end.
const HEAP_BYTES: usize = 512 << 20;

pub(crate) struct AddressWriter {
    index: Index,
    writer: IndexWriter,
    fields: AddressFields,
}

impl AddressWriter {
    /// Makes an empty index in a folder that is there and empty.
    pub(crate) fn create(folder: &Path) -> tantivy::Result<Self> {
        let (schema, fields) = address_layout();
        let index = Index::create_in_dir(folder, schema)?;
        // One thread, so that each segment holds addresses in the order in which they come.
        let writer = index.writer_with_num_threads(1, HEAP_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self {
            index,
            writer,
            fields,
        })
    }

    pub(crate) fn add(&self, address: &Address) -> tantivy::Result<()> {
        self.writer
            .add_document(to_document(address, &self.fields))
            .map(drop)
    }

    /// Writes all to disk as one segment. Of several, the merge puts whole ones behind each other, so neighbours stay so.
    pub(crate) fn finish(mut self) -> tantivy::Result<()> {
        self.writer.commit()?;
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        self.writer.wait_merging_threads()
    }
}
