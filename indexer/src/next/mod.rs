//! Writes the next generation. The next generation links to the files of the previous generation, which are never written to. One commit of
//! the address index then removes the old state of every changed address and adds the new state.
//!
//! Only these are written: the new and changed addresses, a bit for each address of a segment that loses an address, sometimes a
//! merged segment (by the rule in [`merge`]), and all places if a place changed.

mod addresses;
mod change;
mod error;
mod files;
mod merge;
mod places;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use postduif_schema::{
    ADDRESSES_DIR, Address, AddressKind, BagId, Generation, GenerationCounts, OpenbareRuimteKind,
    PLACES_DIR, PlacesBuilder, RegisterVersion, ShortNameLookup,
};

pub(crate) use change::AddressChange;
pub use error::NextGenerationError;

use crate::publish::GenerationBuilder;
use addresses::update_addresses;
use change::{addresses_after, addresses_before};
use places::NextPlacesWriter;

/// Writes the next generation.
pub(crate) struct NextGenerationWriter<'a> {
    /// The base generation, from which the next generation is made.
    pub(crate) base: &'a Generation,
    /// The places of `base`.
    pub(crate) places: &'a PlacesBuilder,
    pub(crate) base_folder: &'a Path,
    /// The changed addresses, each once.
    pub(crate) changes: &'a [AddressChange],
    /// Streets with another name or short name than in `base`, even if none of their addresses changed.
    pub(crate) renamed_streets: &'a BTreeSet<BagId<OpenbareRuimteKind>>,
    /// Looks up the new short name of a street.
    pub(crate) short_names: &'a ShortNameLookup<'a>,
    pub(crate) version: RegisterVersion,
}

/// Counts of the next generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextGenerationSummary {
    pub(crate) counts: GenerationCounts,
    /// Segments of the address index.
    pub(crate) segments: usize,
    /// Segments that were merged, or rewritten without their deleted addresses.
    pub(crate) merged_segments: usize,
}

impl NextGenerationWriter<'_> {
    /// Writes addresses and places into the empty folders of a new generation.
    ///
    /// # Errors
    /// When the base lacks an address that the changes remove, or a file cannot be read or written.
    pub(crate) fn write(
        &self,
        builder: &GenerationBuilder<'_>,
    ) -> Result<NextGenerationSummary, NextGenerationError> {
        let folder = builder.folder();
        let (from, to) = (
            self.base_folder.join(ADDRESSES_DIR),
            folder.join(ADDRESSES_DIR),
        );
        // `short_names` cannot be shared with another thread, so the thread gets only these fields.
        let (changes, version) = (self.changes, self.version);
        let places_writer = NextPlacesWriter {
            base: self.base,
            before: self.places,
            changes: self.changes,
            renamed_streets: self.renamed_streets,
            short_names: self.short_names,
        };
        let index_stats = thread::scope(|scope| {
            let index_thread = scope.spawn(|| update_addresses(&from, &to, changes, version));
            places_writer.write(&self.base_folder.join(PLACES_DIR), &folder.join(PLACES_DIR))?;
            index_thread
                .join()
                .expect("writing addresses does not panic")
        })?;
        let counts = self.expected_counts();
        if index_stats.addresses != counts.addresses {
            return Err(NextGenerationError::IndexMismatch(format!(
                "the index has {} addresses after the changes, expected {}",
                index_stats.addresses, counts.addresses
            )));
        }
        Ok(NextGenerationSummary {
            counts,
            segments: index_stats.segments,
            merged_segments: index_stats.merged_segments,
        })
    }

    /// The counts of the base generation, updated by the changes.
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
