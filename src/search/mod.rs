//! Type-ahead: what typed text may mean (`parse`), how well a place matches it (`name_match`, `weights`), and the search of
//! the indexes of a generation (`run`).
//!
//! Reads only the indexes that the caller passes; has no clock and no HTTP.

mod lookup_error;
mod name_match;
mod parse;
mod run;
mod suggestion;
mod weights;

pub use lookup_error::LookupError;
pub use name_match::{NameMatch, begins_any_word, contains_name, match_name};
pub use parse::{
    Intent, PostcodeKind, PostcodeRange, Reading, Spelling, StreetTownSplit, SuffixMatch,
    TypedNumber, spellings, street_town_splits,
};
pub use run::{SearchIndex, suggest};
pub use suggestion::{SearchSuggestion, SuggestionFilter, SuggestionKind};
pub use weights::{Weights, count_as_f32};
