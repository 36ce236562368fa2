//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.
//! Where an answer decides what to look at next, the addresses are an [`AddressBook`], which an index can be.

mod lookup_error;
mod parse;
mod rank;
mod run;
mod suggestion;

pub use lookup_error::LookupError;
pub use parse::{
    Intent, PostcodeKind, PostcodeRange, Reading, Spelling, StreetTownSplit, SuffixMatch,
    TypedNumber, spellings, street_town_splits,
};
pub use rank::{NameMatch, Weights, begins_any_word, contains_name, count_as_f32, match_name};
pub use run::SearchIndex;
pub use suggestion::{SearchSuggestion, SuggestionFilter, SuggestionKind};
