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
    ADDRESSES, Address, AddressId, AddressKind, BagId, Counts, Generation, LAYOUT_VERSION,
    Manifest, OpenbareRuimte, PLACES, Places, Stamp, StreetNames,
};

pub use error::NextError;

use crate::publish::{PublishError, Unfinished};
use places::PlacesChange;

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
pub(crate) struct Next<'a> {
    /// The generation that it continues.
    pub(crate) base: &'a Generation,
    /// Its places, read back.
    pub(crate) places: &'a Places,
    pub(crate) base_folder: &'a Path,
    /// Each address once.
    pub(crate) changes: &'a [AddressChange],
    /// Streets whose name or short name is other than in `base`, even where no address of theirs changed.
    pub(crate) renamed: &'a BTreeSet<BagId<OpenbareRuimte>>,
    /// The short name of a street as it is now.
    pub(crate) short_names: &'a StreetNames<'a>,
    pub(crate) stamp: Stamp,
}

/// What went into the next generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) counts: Counts,
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
    stamp: Stamp,
}

impl Next<'_> {
    /// Writes addresses and places into an unfinished generation whose folders are empty.
    ///
    /// # Errors
    /// When the base does not hold what is said to have been there before, or anything cannot be read or written.
    pub(crate) fn write(&self, unfinished: &Unfinished<'_>) -> Result<Written, NextError> {
        let folder = unfinished.folder();
        let addresses = addresses::Commit {
            from: &self.base_folder.join(ADDRESSES),
            to: &folder.join(ADDRESSES),
            changes: self.changes,
            stamp: self.stamp,
        };
        let places = PlacesChange {
            base: self.base,
            before: self.places,
            changes: self.changes,
            renamed: self.renamed,
            short_names: self.short_names,
        };
        let (committed, places_linked) = thread::scope(|scope| {
            let committed = scope.spawn(|| addresses.run());
            let places = places.write(&self.base_folder.join(PLACES), &folder.join(PLACES));
            let committed = committed.join().expect("writing addresses does not panic");
            Ok::<_, NextError>((committed?, places?))
        })?;
        let counts = self.counts();
        if committed.addresses != counts.addresses {
            return Err(NextError::OtherCount {
                found: committed.addresses,
                expected: counts.addresses,
            });
        }
        Ok(Written {
            counts,
            deleted: leaving(self.changes).count() as u64,
            added: coming(self.changes).count() as u64,
            segments: committed.segments,
            merged_segments: committed.merged_segments,
            places_linked,
            stamp: self.stamp,
        })
    }

    /// How many there must be, by the changes alone.
    fn counts(&self) -> Counts {
        let base = self.base.manifest.counts;
        let changed = |before: u64, wanted: fn(&&Address) -> bool| {
            let more = coming(self.changes).filter(wanted).count() as u64;
            let fewer = leaving(self.changes).filter(wanted).count() as u64;
            (before + more).saturating_sub(fewer)
        };
        Counts {
            addresses: changed(base.addresses, |_| true),
            po_boxes: changed(base.po_boxes, |address| {
                address.kind == AddressKind::Postbus
            }),
        }
    }
}

/// The addresses as they were.
fn leaving(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.before.as_ref())
}

/// The addresses as they are.
fn coming(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.after.as_ref())
}

impl Written {
    /// Writes the manifest, once everything else that the generation holds is in its folder.
    pub(crate) fn write_manifest(
        &self,
        unfinished: &Unfinished<'_>,
        base: &Manifest,
    ) -> Result<Manifest, PublishError> {
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation: unfinished.name(),
            stand: self.stamp.stand,
            sequence: self.stamp.sequence,
            area: base.area.clone(),
            created_at: Timestamp::now(),
            counts: self.counts,
            files: unfinished.files_over(base)?,
            checksum: String::new(),
        };
        Ok(manifest.write(&unfinished.folder())?)
    }
}
