//! Finds the towns and streets of a generation while a name is being typed.
//!
//! A place is found by a prefix of its name that starts at any word: `Burgemeester van Tuyllaan` by `burgem`, by `van tuyl` and by `tuyll`.
//! The prefix may be of the register's spelling or of any other form of the name. A *form* is one folded spelling of a name: `'t Zand` has
//! the forms `t zand` and `het zand`. A *squashed* text is folded and has no spaces.
//!
//! Places are stored in descending order of *weight*, so the first results of a search are the heaviest places. A town weighs more
//! the more addresses it has. A street weighs more the more addresses it has, and the more its town has. Every place has at least one
//! address.

mod builder;
mod edit_distance;
mod fuzzy;
mod index;
mod layout;
mod letter_positions;
mod letter_set;
mod lookup;
mod name_sketch;
mod name_terms;
mod partial_forms;
mod place_columns;
mod postcode_table;
mod prefix_trie;
mod segment_writer;
mod similar;
mod similar_places;
mod sketch_table;
mod stored_places;
mod street;
mod table;
mod town_set;
mod towns;
mod writer;

pub use builder::{PlacesBuilder, ShortNameLookup};
pub use fuzzy::{FuzzyMatcher, MaxEdits};
pub use index::PlaceIndex;
pub use lookup::{SearchBudget, StreetQuery};
pub use similar::{SimilarStreet, SimilarText, SimilarTexts, SimilarTown};
pub use similar_places::SimilarPlaces;
pub use stored_places::StoredPlaces;
pub use street::{NameId, Street, StreetRank};
pub use town_set::TownSet;
pub use towns::{Town, TownHit, TownIndex, TownMatchKind, TownRank};
pub use writer::PlaceWriter;

#[cfg(test)]
mod tests;
