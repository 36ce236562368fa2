//! The address index of the next generation: the last one's files, shared, and a commit that deletes and adds.

use std::fs;
use std::path::Path;

use postduif_schema::{Address, AddressFields, FileError, RegisterVersion, address_layout};
use tantivy::index::SegmentId;
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter, Term};

use super::merge::{SegmentSize, plan_merges};
use super::{AddressChange, NextGenerationError, addresses_after};
use crate::address_index::{WRITER_HEAP_BYTES, add_address, commit_with_stamp, storage_order_key};
use crate::publish::PublishError;

/// What tantivy replaces with every commit. It does so by renaming, but what is not shared cannot be harmed.
const REPLACED_FILES: [&str; 2] = ["meta.json", ".managed.json"];

/// From the folder of one index of addresses to that of the next.
pub(super) struct AddressIndexUpdate<'a> {
    pub(super) from: &'a Path,
    pub(super) to: &'a Path,
    pub(super) changes: &'a [AddressChange],
    pub(super) stamp: RegisterVersion,
}

/// What the index is after it.
pub(super) struct AddressIndexStats {
    pub(super) addresses: u64,
    pub(super) segments: usize,
    pub(super) merged_segments: usize,
}

impl AddressIndexUpdate<'_> {
    pub(super) fn run(&self) -> Result<AddressIndexStats, NextGenerationError> {
        share_index_files(self.from, self.to)?;
        let index = Index::open_in_dir(self.to)?;
        // One thread, so that what is added comes to stand in the order in which it is added, in one segment unless there is
        // more than memory is given for.
        let mut writer = index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        self.write_changes(&mut writer, &address_layout().1)?;
        commit_with_stamp(&mut writer, self.stamp)?;
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
        &self,
        writer: &mut IndexWriter,
        fields: &AddressFields,
    ) -> tantivy::Result<()> {
        // Also of what only comes, so that no id ever stands twice.
        for id in self.changes.iter().filter_map(AddressChange::id) {
            writer.delete_term(Term::from_field_u64(fields.id, id.get()));
        }
        let mut added: Vec<&Address> = addresses_after(self.changes).collect();
        added.sort_unstable_by_key(|address| {
            let key = storage_order_key(Some(address.postcode), address.number, address.letter);
            (key, address.id)
        });
        for address in added {
            add_address(writer, address, fields)?;
        }
        Ok(())
    }
}

/// Merges by the rule, and says how many segments that took. Each new one holds whole ones behind each other, the largest
/// first.
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

/// Gives a file a second name, or copies it on a file system, or as a user, that has no second names.
fn link_or_copy(file: &Path, target: &Path) -> std::io::Result<()> {
    fs::hard_link(file, target).or_else(|error| {
        tracing::warn!(file = %file.display(), %error, "no second name for a file that stays; it is copied, which takes as much disk again");
        fs::copy(file, target).map(drop)
    })
}

/// Puts every file of a folder into another one: as a second name of the same file, or as a copy where it will be replaced.
fn share_index_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    for_each_file(from, |name| {
        let (file, target) = (from.join(name), to.join(name));
        if REPLACED_FILES.contains(&name) {
            fs::copy(&file, &target).map(drop)
        } else {
            link_or_copy(&file, &target)
        }
    })
}

/// Makes every file of a folder one of another folder too.
pub(super) fn link_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    for_each_file(from, |name| link_or_copy(&from.join(name), &to.join(name)))
}

fn for_each_file(
    folder: &Path,
    act: impl Fn(&str) -> std::io::Result<()>,
) -> Result<(), PublishError> {
    for entry in fs::read_dir(folder).map_err(FileError::at(folder))? {
        let path = entry.map_err(FileError::at(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| !name.ends_with(".lock"));
        name.map_or(Ok(()), &act).map_err(FileError::at(&path))?;
    }
    Ok(())
}
