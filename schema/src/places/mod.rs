//! The places of a generation: its towns and streets, to be found while a name is being typed.
//!
//! A place is found by the beginnings of its name, from each of its words on (`Burgemeester van Tuyllaan` by `burgem`, by
//! `van tuyl` and by `tuyll`), in the register's spelling and in each other form that it has. Places stand in the order of
//! their weight, so the first ones found are the heaviest. Addresses are gathered into places; there is no place without one.

mod builder;
mod fuzzy;
mod index;
mod layout;
mod lookup;
mod table;
mod towns;
mod update;
mod writer;

pub use builder::{PlacesBuilder, ShortNameLookup};
pub use fuzzy::{FuzzyMatcher, MaxEdits};
pub use index::{PlaceIndex, Street, StreetRank};
pub use lookup::{SearchBudget, StreetQuery};
pub use towns::{Town, TownHit, TownIndex, TownMatchKind, TownRank, TownSet};
pub use writer::PlaceWriter;

#[cfg(test)]
mod tests;
