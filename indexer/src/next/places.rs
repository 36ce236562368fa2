//! The places of the next generation: shared when none changed, else read back, changed and written anew.
//!
//! What is left of a street's postcodes is asked of the last generation's addresses and of the changes together, which is what
//! the next generation will hold; so nothing has to wait for its addresses.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use postduif_schema::{
    Address, AddressId, BagId, Generation, IndexError, OpenbareRuimte, PlaceWriter, Places,
    Postcode, StreetKey, StreetNames,
};

use super::addresses::link;
use super::{AddressChange, NextError, coming, leaving};

/// What changes places.
pub(super) struct PlacesChange<'a> {
    pub(super) base: &'a Generation,
    /// The places of `base`.
    pub(super) before: &'a Places,
    pub(super) changes: &'a [AddressChange],
    pub(super) renamed: &'a BTreeSet<BagId<OpenbareRuimte>>,
    pub(super) short_names: &'a StreetNames<'a>,
}

/// Where an address counts: its street as it is called, its town with what that lies in, and its postcode.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Spot<'a> {
    postcode: Postcode,
    street: StreetKey,
    names: [&'a str; 4],
}

impl<'a> Spot<'a> {
    fn of(address: &'a Address) -> Option<Self> {
        Some(Self {
            postcode: address.postcode,
            street: StreetKey::of(address)?,
            names: [
                &address.street,
                &address.city,
                &address.municipality,
                &address.province,
            ],
        })
    }
}

impl<'a> PlacesChange<'a> {
    /// Writes them from one folder into another. True when they are shared.
    pub(super) fn write(&self, from: &Path, to: &Path) -> Result<bool, NextError> {
        let Some(places) = self.changed()? else {
            link(from, to)?;
            return Ok(true);
        };
        let writer = PlaceWriter {
            short_names: self.short_names,
        };
        writer.write(places, to)?;
        Ok(false)
    }

    /// The places as they are now; none when they are as they were.
    fn changed(&self) -> Result<Option<Places>, NextError> {
        if self.renamed.is_empty() && self.balances() {
            return Ok(None);
        }
        let mut places = self.before.clone();
        for address in leaving(self.changes) {
            if !places.remove(address) {
                return Err(NextError::NotInPlaces { id: address.id });
            }
        }
        coming(self.changes).for_each(|address| places.add(address));
        for address in self.vacated()? {
            places.vacate(address);
        }
        places.rename(self.renamed, self.short_names);
        Ok((!places.is_as(self.before)).then_some(places))
    }

    /// Whether as many addresses come to each spot as leave it. Most of what changes changes no place: a year, a surface, a use.
    fn balances(&self) -> bool {
        let mut balance: BTreeMap<Spot<'_>, i64> = BTreeMap::new();
        for spot in leaving(self.changes).filter_map(Spot::of) {
            *balance.entry(spot).or_default() -= 1;
        }
        for spot in coming(self.changes).filter_map(Spot::of) {
            *balance.entry(spot).or_default() += 1;
        }
        balance.values().all(|&difference| difference == 0)
    }

    /// One of the last addresses of each spot that has none left.
    fn vacated(&self) -> Result<Vec<&'a Address>, IndexError> {
        let changed: HashSet<AddressId> =
            self.changes.iter().filter_map(AddressChange::id).collect();
        let taken: BTreeSet<_> = coming(self.changes).filter_map(place).collect();
        let left = leaving(self.changes).filter_map(|address| Some((place(address)?, address)));
        let left: BTreeMap<_, _> = left.filter(|(place, _)| !taken.contains(place)).collect();
        let mut vacated = Vec::new();
        for (left, address) in left {
            let there = self.base.addresses.in_postcode(address.postcode)?;
            let stays =
                |other: &Address| !changed.contains(&other.id) && place(other) == Some(left);
            if !there.iter().any(stays) {
                vacated.push(address);
            }
        }
        Ok(vacated)
    }
}

/// Street, town and postcode.
fn place(address: &Address) -> Option<(Postcode, StreetKey, [&str; 2])> {
    let town = [&*address.city, &*address.municipality];
    Some((address.postcode, StreetKey::of(address)?, town))
}
