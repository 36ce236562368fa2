//! Writes the places of the next generation. If no place changed, the files of the previous generation are shared. Otherwise the places
//! are changed and written again.
//!
//! The addresses of the previous generation and the changes determine which postcodes a street keeps. So writing the places need not
//! wait for the next address index.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use postduif_schema::{
    Address, AddressId, BagId, Generation, IndexError, OpenbareRuimteKind, PlaceWriter,
    PlacesBuilder, Postcode, ShortNameLookup, StreetKey,
};

use super::change::{AddressChange, addresses_after, addresses_before};
use super::error::NextGenerationError;
use super::files::link_files;

/// Writes the places of the next generation.
pub(super) struct NextPlacesWriter<'a> {
    pub(super) base: &'a Generation,
    /// The places of `base`.
    pub(super) before: &'a PlacesBuilder,
    pub(super) changes: &'a [AddressChange],
    pub(super) renamed_streets: &'a BTreeSet<BagId<OpenbareRuimteKind>>,
    pub(super) short_names: &'a ShortNameLookup<'a>,
}

/// The part of an address that the index of places contains: the names of its street, town, municipality and province, and its
/// postcode.
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
    /// Writes the places into the folder `to`. Shares the files in `from` if no place changed.
    pub(super) fn write(&self, from: &Path, to: &Path) -> Result<(), NextGenerationError> {
        let short_names = self.short_names;
        match self.changed_places()? {
            Some(places) => Ok(PlaceWriter { short_names }.write(places, to)?),
            None => Ok(link_files(from, to)?),
        }
    }

    /// The new places; `None` if they did not change.
    fn changed_places(&self) -> Result<Option<PlacesBuilder>, NextGenerationError> {
        if self.renamed_streets.is_empty() && self.is_balanced() {
            return Ok(None);
        }
        let mut places = self.before.clone();
        for address in addresses_before(self.changes) {
            if !places.remove_address(address) {
                return Err(NextGenerationError::IndexMismatch(format!(
                    "address {} is to be removed, but the index does not have its street",
                    address.id
                )));
            }
        }
        addresses_after(self.changes).for_each(|address| places.add_address(address));
        for address in self.vacated_places()? {
            places.remove_postcode(address);
        }
        places.rename_streets(self.renamed_streets, self.short_names);
        Ok((!places.is_same_as(self.before)).then_some(places))
    }

    /// True if every place gains as many addresses as it loses. It usually does, because most changes (year, area, use) do not move an
    /// address to another place.
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

    /// For each pair of a street and a postcode that has no address left, one of its former addresses.
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
            let candidates = self.base.addresses.find_by_postcode(address.postcode)?;
            let remains =
                |other: &Address| !changed.contains(&other.id) && place_key(other) == Some(left);
            if !candidates.iter().any(remains) {
                vacated.push(address);
            }
        }
        Ok(vacated)
    }
}

/// The postcode, street and town of an address; `None` if the address has no street.
fn place_key(address: &Address) -> Option<(Postcode, StreetKey, [&str; 2])> {
    let town = [&*address.city, &*address.municipality];
    Some((address.postcode, StreetKey::from_address(address)?, town))
}
