//! Writes the address index of the next generation. The next index links to the files of the previous index. One commit then removes the
//! old state of every changed address and adds the new state.

use std::path::Path;

use postduif_schema::{Address, AddressFields, RegisterVersion, address_layout};
use tantivy::index::SegmentId;
use tantivy::{Index, IndexWriter, Term};

use super::change::{AddressChange, addresses_after};
use super::error::NextGenerationError;
use super::files::share_index_files;
use super::merge::{SegmentSize, plan_merges};
use crate::address_index::{add_address, commit_with_version, open_writer, storage_order_key};

/// Counts of the updated index.
pub(super) struct AddressIndexStats {
    pub(super) addresses: u64,
    pub(super) segments: usize,
    pub(super) merged_segments: usize,
}

/// Writes the next address index into `to`, from the previous address index in `from`.
pub(super) fn update_addresses(
    from: &Path,
    to: &Path,
    changes: &[AddressChange],
    version: RegisterVersion,
) -> Result<AddressIndexStats, NextGenerationError> {
    share_index_files(from, to)?;
    let index = Index::open_in_dir(to)?;
    let mut writer = open_writer(&index)?;
    write_changes(&mut writer, changes, &address_layout().1)?;
    commit_with_version(&mut writer, version)?;
    let merged_segments = merge_segments(&index, &mut writer)?;
    writer.garbage_collect_files().wait()?;
    writer.wait_merging_threads()?;
    let sizes = segment_sizes(&index)?;
    Ok(AddressIndexStats {
        addresses: sizes.iter().map(|(_, size)| u64::from(size.live)).sum(),
        segments: sizes.len(),
        merged_segments,
    })
}

fn write_changes(
    writer: &mut IndexWriter,
    changes: &[AddressChange],
    fields: &AddressFields,
) -> tantivy::Result<()> {
    // Delete the ids of new addresses as well, so that no id can occur twice.
    for id in changes.iter().filter_map(AddressChange::id) {
        writer.delete_term(Term::from_field_u64(fields.id, id.get()));
    }
    let mut added: Vec<&Address> = addresses_after(changes).collect();
    added.sort_unstable_by_key(|address| {
        let key = storage_order_key(Some(address.postcode), address.number, address.letter);
        (key, address.id)
    });
    for address in added {
        add_address(writer, address, fields)?;
    }
    Ok(())
}

/// Merges segments by the rule in [`plan_merges`], and returns how many segments were merged. A merged segment is the
/// concatenation of the old segments, the largest first.
fn merge_segments(index: &Index, writer: &mut IndexWriter) -> tantivy::Result<usize> {
    let (ids, sizes): (Vec<SegmentId>, Vec<SegmentSize>) =
        segment_sizes(index)?.into_iter().unzip();
    let groups = plan_merges(&sizes);
    for group in &groups {
        let group: Vec<SegmentId> = group.iter().map(|&index| ids[index]).collect();
        writer.merge(&group).wait()?;
    }
    Ok(groups.iter().map(Vec::len).sum())
}

fn segment_sizes(index: &Index) -> tantivy::Result<Vec<(SegmentId, SegmentSize)>> {
    let segments = index.searchable_segment_metas()?.into_iter();
    let sized = segments.map(|segment| {
        let size = SegmentSize {
            live: segment.num_docs(),
            deleted: segment.num_deleted_docs(),
        };
        (segment.id(), size)
    });
    Ok(sized.collect())
}
