//! Describes a street of the plan, before its objects are made.

use std::ops::Range;

/// How many of the ten-digit numbers in identificaties are reserved for each street. The objects of a street need fewer.
pub(crate) const NUMBERS_PER_STREET: u64 = 4_000;

/// The purpose of a street in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreetRole {
    /// The street has served addresses.
    Addressed,
    /// The street and its numbers are withdrawn.
    Withdrawn,
    /// The street and its numbers begin after the stand day.
    Future,
    /// The street has no numbers; it is an openbare ruimte of this type.
    Bare(&'static str),
}

/// A street of the plan, before its objects are made.
pub(crate) struct StreetPlan {
    pub(crate) town: usize,
    /// The index of the street within its town.
    pub(crate) index: usize,
    pub(crate) role: StreetRole,
    pub(crate) name: String,
    /// The number of served addresses of the street.
    pub(crate) served_addresses: u64,
    pub(crate) first_number: u64,
    /// The index, within the town, of the street's first postcode.
    pub(crate) first_postcode: usize,
    pub(crate) postcodes: usize,
}

impl StreetPlan {
    /// The numbers that are reserved for identificaties of the street's objects.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.first_number..self.first_number + NUMBERS_PER_STREET
    }
}
