//! Plans a made-up country: its towns with their sizes, codes, locations and postcodes, and the streets of each town.

mod country;
mod land;
mod marked_streets;
mod municipalities;
mod postcodes;
mod sizes;
mod street;
mod town;
mod town_streets;

pub(crate) use country::{CountryPlan, MUNICIPAL};
pub(crate) use marked_streets::{STREETS_WITH_EXTRA_RECORDS, has_any_mark, has_mark};
pub(crate) use street::{NUMBERS_PER_STREET, StreetPlan, StreetRole};
pub(crate) use town::TownPlan;
