//! Iterates over the streets of one town: first the streets with addresses, then one street of each other role.

use super::sizes::StreetSize;
use super::street::{NUMBERS_PER_STREET, StreetPlan, StreetRole};
use super::town::TownPlan;
use crate::names::StreetNaming;
use crate::spec::Spec;

/// The roles of the streets that follow the streets with addresses in every town.
pub(crate) const EXTRA_ROLES: [StreetRole; 8] = [
    StreetRole::Withdrawn,
    StreetRole::Future,
    StreetRole::Bare("Kunstwerk"),
    StreetRole::Bare("Water"),
    StreetRole::Bare("Spoorbaan"),
    StreetRole::Bare("Terrein"),
    StreetRole::Bare("Administratief gebied"),
    StreetRole::Bare("Landschappelijk gebied"),
];

/// Iterator over the streets of one town.
pub(crate) struct TownStreets<'a> {
    town: &'a TownPlan,
    seed: u64,
    naming: StreetNaming<'a>,
    index: usize,
    addresses_left: u64,
    next_postcode: usize,
}

impl<'a> TownStreets<'a> {
    pub(crate) fn new(spec: &'a Spec, town: &'a TownPlan) -> Self {
        Self {
            town,
            seed: spec.seed,
            naming: StreetNaming::new(spec.seed, town.index, spec.names.as_ref()),
            index: 0,
            addresses_left: town.addresses,
            next_postcode: 0,
        }
    }
}

impl Iterator for TownStreets<'_> {
    type Item = StreetPlan;

    fn next(&mut self) -> Option<StreetPlan> {
        let (town, index) = (self.town, self.index);
        let role = if self.addresses_left > 0 {
            StreetRole::Addressed
        } else {
            *EXTRA_ROLES.get(index - town.streets)?
        };
        let size = if self.addresses_left > 0 {
            StreetSize::draw(self.seed, town.index, index, self.addresses_left)
        } else {
            StreetSize {
                served_addresses: 0,
                shares: true,
            }
        };
        let fresh = size.new_postcodes();
        let first_postcode = if fresh == 0 {
            self.next_postcode.saturating_sub(1)
        } else {
            self.next_postcode
        };
        self.next_postcode += fresh;
        self.addresses_left -= size.served_addresses;
        self.index += 1;
        let first_number = (town.first_street + index as u64) * NUMBERS_PER_STREET;
        let name = self.naming.draw_name(index);
        Some(StreetPlan {
            town: town.index,
            index,
            role,
            name,
            served_addresses: size.served_addresses,
            first_number,
            first_postcode,
            postcodes: fresh.max(1),
        })
    }
}
