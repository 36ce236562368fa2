//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.
//! Where an answer decides what to look at next, the addresses are an [`AddressBook`], which an index can be.

mod lookup_error;
mod parse;
mod rank;
mod run;
mod suggestion;

pub use lookup_error::LookupError;
pub use parse::{
    Intent, PostcodeRange, Reading, Spelling, Split, SuffixFit, TypedNumber, TypedPostcode,
    spellings, splits,
};
pub use rank::{NameFit, Weights, begins_word, holds_name, name_fit, small};
pub use run::SearchIndex;
pub use suggestion::{Suggestion, SuggestionKind, Wanted};
