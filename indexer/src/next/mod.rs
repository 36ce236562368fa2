//! The next generation, made out of the last one: its files are shared, and what changed is deleted from them and added.
//!
//! What is written costs as much as what changed: the addresses that came or changed, a bit for each address of a segment
//! that lost one, now and then a merge by the rule in [`merge`], and the places, all of which are written anew when one of
//! them changed. Nothing of the last generation is ever written to.

mod addresses;
mod error;
mod merge;
mod places;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use jiff::Timestamp;
use postduif_schema::{
    ADDRESSES_DIR, Address, AddressId, AddressKind, BagId, Generation, GenerationCounts,
    LAYOUT_VERSION, Manifest, OpenbareRuimteKind, PLACES_DIR, PlacesBuilder, RegisterVersion,
    ShortNameLookup,
};

pub use error::NextGenerationError;

use crate::publish::{GenerationBuilder, PublishError};
use places::NextPlacesWriter;

/// One address that is other than it was; at least one side is there, and both have the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AddressChange {
    pub(crate) before: Option<Address>,
    pub(crate) after: Option<Address>,
}

impl AddressChange {
    pub(crate) fn id(&self) -> Option<AddressId> {
        let either = self.before.as_ref().or(self.after.as_ref());
        either.map(|address| address.id)
    }
}

/// What the next generation is made of.
pub(crate) struct NextGenerationWriter<'a> {
    /// The generation that it continues.
    pub(crate) base: &'a Generation,
    /// Its places, read back.
    pub(crate) places: &'a PlacesBuilder,
    pub(crate) base_folder: &'a Path,
    /// Each address once.
    pub(crate) changes: &'a [AddressChange],
    /// Streets whose name or short name is other than in `base`, even where no address of theirs changed.
    pub(crate) renamed_streets: &'a BTreeSet<BagId<OpenbareRuimteKind>>,
    /// The short name of a street as it is now.
    pub(crate) short_names: &'a ShortNameLookup<'a>,
    pub(crate) stamp: RegisterVersion,
}

/// What went into the next generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextGenerationSummary {
    pub(crate) counts: GenerationCounts,
    /// Addresses that were deleted, also to be added as they are now.
    pub(crate) deleted: u64,
    /// Addresses that were added, also those that were deleted as they had been.
    pub(crate) added: u64,
    /// Parts that the address index has now.
    pub(crate) segments: usize,
    /// Parts that were merged into others or rewritten without what is deleted.
    pub(crate) merged_segments: usize,
    /// No place changed, so all are shared.
    pub(crate) places_linked: bool,
    stamp: RegisterVersion,
}

impl NextGenerationWriter<'_> {
    /// Writes addresses and places into an unfinished generation whose folders are empty.
    ///
    /// # Errors
    /// When the base does not hold what is said to have been there before, or anything cannot be read or written.
    pub(crate) fn write(
        &self,
        builder: &GenerationBuilder<'_>,
    ) -> Result<NextGenerationSummary, NextGenerationError> {
        let folder = builder.folder();
        let index_update = addresses::AddressIndexUpdate {
            from: &self.base_folder.join(ADDRESSES_DIR),
            to: &folder.join(ADDRESSES_DIR),
            changes: self.changes,
            stamp: self.stamp,
        };
        let places_writer = NextPlacesWriter {
            base: self.base,
            before: self.places,
            changes: self.changes,
            renamed_streets: self.renamed_streets,
            short_names: self.short_names,
        };
        let (index_stats, places_linked) = thread::scope(|scope| {
            let index_thread = scope.spawn(|| index_update.run());
            let places =
                places_writer.write(&self.base_folder.join(PLACES_DIR), &folder.join(PLACES_DIR));
            let index_stats = index_thread
                .join()
                .expect("writing addresses does not panic");
            Ok::<_, NextGenerationError>((index_stats?, places?))
        })?;
        let counts = self.expected_counts();
        if index_stats.addresses != counts.addresses {
            return Err(NextGenerationError::CountMismatch {
                found: index_stats.addresses,
                expected: counts.addresses,
            });
        }
        Ok(NextGenerationSummary {
            counts,
            deleted: addresses_before(self.changes).count() as u64,
            added: addresses_after(self.changes).count() as u64,
            segments: index_stats.segments,
            merged_segments: index_stats.merged_segments,
            places_linked,
            stamp: self.stamp,
        })
    }

    /// How many there must be, by the changes alone.
    fn expected_counts(&self) -> GenerationCounts {
        let base = self.base.manifest.counts;
        let changed = |before: u64, wanted: fn(&&Address) -> bool| {
            let more = addresses_after(self.changes).filter(wanted).count() as u64;
            let fewer = addresses_before(self.changes).filter(wanted).count() as u64;
            (before + more).saturating_sub(fewer)
        };
        GenerationCounts {
            addresses: changed(base.addresses, |_| true),
            po_boxes: changed(base.po_boxes, |address| {
                address.kind == AddressKind::Postbus
            }),
        }
    }
}

/// The addresses as they were.
fn addresses_before(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.before.as_ref())
}

/// The addresses as they are.
fn addresses_after(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.after.as_ref())
}

impl NextGenerationSummary {
    /// Writes the manifest, once everything else that the generation holds is in its folder.
    pub(crate) fn write_manifest(
        &self,
        builder: &GenerationBuilder<'_>,
        base: &Manifest,
    ) -> Result<Manifest, PublishError> {
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation: builder.name(),
            stand: self.stamp.stand,
            sequence: self.stamp.sequence,
            area: base.area.clone(),
            created_at: Timestamp::now(),
            counts: self.counts,
            files: builder.describe_files_incremental(base)?,
            checksum: String::new(),
        };
        Ok(manifest.write(&builder.folder())?)
    }
}
