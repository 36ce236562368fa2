//! A street before its objects are made.

use std::ops::Range;

/// How many of the ten-digit numbers of identificaties are reserved for each street; no street has this many objects of a type.
pub(crate) const NUMBERS_PER_STREET: u64 = 4_000;

/// The purpose of a street in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreetRole {
    /// It has served addresses.
    Addressed,
    /// It is withdrawn, with the numbers on it.
    Withdrawn,
    /// It and the numbers on it begin after the stand day.
    Future,
    /// It has no numbers; an openbare ruimte of this type.
    Bare(&'static str),
}

/// A street before its objects are made.
pub(crate) struct StreetPlan {
    pub(crate) town: usize,
    /// Within its town.
    pub(crate) index: usize,
    pub(crate) role: StreetRole,
    pub(crate) name: String,
    /// Served addresses.
    pub(crate) quota: u64,
    pub(crate) first_number: u64,
    /// Within its town.
    pub(crate) first_postcode: usize,
    pub(crate) postcodes: usize,
}

impl StreetPlan {
    /// The numbers that identificaties of the street may have.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.first_number..self.first_number + NUMBERS_PER_STREET
    }
}
