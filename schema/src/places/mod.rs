//! The places of a generation: its towns and streets, for search while a name is being typed.
//!
//! A place is found by a prefix of its name from any of its words on (`Burgemeester van Tuyllaan` by `burgem`, by `van tuyl`
//! and by `tuyll`), in the register's spelling and in every other form. Places are stored in descending order of weight, so the
//! first results are the heaviest. Places are collected from addresses; every place has at least one.

mod builder;
mod edit_distance;
mod fuzzy;
mod index;
mod layout;
mod letter_set;
mod lookup;
mod name_sketch;
mod name_terms;
mod segment_writer;
mod similar;
mod similar_places;
mod sketch_table;
mod street;
mod table;
mod towns;
mod update;
mod writer;

pub use builder::{PlacesBuilder, ShortNameLookup};
pub use fuzzy::{FuzzyMatcher, MaxEdits};
pub use index::PlaceIndex;
pub use lookup::{SearchBudget, StreetQuery};
pub use similar::{SimilarStreet, SimilarText, SimilarTexts, SimilarTown};
pub use similar_places::SimilarPlaces;
pub use street::{Street, StreetRank};
pub use table::NameId;
pub use towns::{Town, TownHit, TownIndex, TownMatchKind, TownRank, TownSet};
pub use update::load_places;
pub use writer::PlaceWriter;

#[cfg(test)]
mod tests;
