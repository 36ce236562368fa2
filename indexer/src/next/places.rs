//! The places of the next generation: shared when none changed, else read back, changed and written anew.
//!
//! What is left of a street's postcodes is asked of the last generation's addresses and of the changes together, which is what
//! the next generation will hold; so nothing has to wait for its addresses.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use postduif_schema::{
    Address, AddressId, BagId, Generation, IndexError, OpenbareRuimteKind, PlaceWriter,
    PlacesBuilder, Postcode, ShortNameLookup, StreetKey,
};

use super::addresses::link_files;
use super::{AddressChange, NextGenerationError, addresses_after, addresses_before};

/// What changes places.
pub(super) struct NextPlacesWriter<'a> {
    pub(super) base: &'a Generation,
    /// The places of `base`.
    pub(super) before: &'a PlacesBuilder,
    pub(super) changes: &'a [AddressChange],
    pub(super) renamed_streets: &'a BTreeSet<BagId<OpenbareRuimteKind>>,
    pub(super) short_names: &'a ShortNameLookup<'a>,
}

/// Where an address counts: its street as it is called, its town with what that lies in, and its postcode.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct NamedPlace<'a> {
    postcode: Postcode,
    street: StreetKey,
    names: [&'a str; 4],
}

impl<'a> NamedPlace<'a> {
    fn from_address(address: &'a Address) -> Option<Self> {
        Some(Self {
            postcode: address.postcode,
            street: StreetKey::from_address(address)?,
            names: [
                &address.street,
                &address.city,
                &address.municipality,
                &address.province,
            ],
        })
    }
}

impl<'a> NextPlacesWriter<'a> {
    /// Writes them from one folder into another. True when they are shared.
    pub(super) fn write(&self, from: &Path, to: &Path) -> Result<bool, NextGenerationError> {
        let Some(places) = self.changed_places()? else {
            link_files(from, to)?;
            return Ok(true);
        };
        let writer = PlaceWriter {
            short_names: self.short_names,
        };
        writer.write(places, to)?;
        Ok(false)
    }

    /// The places as they are now; none when they are as they were.
    fn changed_places(&self) -> Result<Option<PlacesBuilder>, NextGenerationError> {
        if self.renamed_streets.is_empty() && self.is_balanced() {
            return Ok(None);
        }
        let mut places = self.before.clone();
        for address in addresses_before(self.changes) {
            if !places.remove_address(address) {
                return Err(NextGenerationError::StreetNotInPlaces { id: address.id });
            }
        }
        addresses_after(self.changes).for_each(|address| places.add_address(address));
        for address in self.vacated_places()? {
            places.remove_postcode(address);
        }
        places.rename_streets(self.renamed_streets, self.short_names);
        Ok((!places.is_same_as(self.before)).then_some(places))
    }

    /// Whether as many addresses come to each spot as leave it. Most of what changes changes no place: a year, a surface, a use.
    fn is_balanced(&self) -> bool {
        let mut balance: BTreeMap<NamedPlace<'_>, i64> = BTreeMap::new();
        for place in addresses_before(self.changes).filter_map(NamedPlace::from_address) {
            *balance.entry(place).or_default() -= 1;
        }
        for place in addresses_after(self.changes).filter_map(NamedPlace::from_address) {
            *balance.entry(place).or_default() += 1;
        }
        balance.values().all(|&difference| difference == 0)
    }

    /// One of the last addresses of each spot that has none left.
    fn vacated_places(&self) -> Result<Vec<&'a Address>, IndexError> {
        let changed: HashSet<AddressId> =
            self.changes.iter().filter_map(AddressChange::id).collect();
        let occupied: BTreeSet<_> = addresses_after(self.changes)
            .filter_map(place_key)
            .collect();
        let left = addresses_before(self.changes)
            .filter_map(|address| Some((place_key(address)?, address)));
        let left: BTreeMap<_, _> = left
            .filter(|(place, _)| !occupied.contains(place))
            .collect();
        let mut vacated = Vec::new();
        for (left, address) in left {
            let there = self.base.addresses.find_by_postcode(address.postcode)?;
            let stays =
                |other: &Address| !changed.contains(&other.id) && place_key(other) == Some(left);
            if !there.iter().any(stays) {
                vacated.push(address);
            }
        }
        Ok(vacated)
    }
}

/// Street, town and postcode.
fn place_key(address: &Address) -> Option<(Postcode, StreetKey, [&str; 2])> {
    let town = [&*address.city, &*address.municipality];
    Some((address.postcode, StreetKey::from_address(address)?, town))
}
