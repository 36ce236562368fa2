//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.
//! Where an answer decides what to look at next, the addresses are an [`AddressBook`], which an index can be.

mod abbreviations;
mod correction;
mod house_number;
mod intent;
mod meant;
mod names;
mod plan;
mod rank;
mod suggestion;
mod summary;
mod validation;

pub use abbreviations::{Spelling, spellings};
pub use house_number::HouseNumberSuffix;
pub use intent::{Intent, PostcodeRange, Reading, SuffixFit, TypedNumber, TypedPostcode};
pub use names::{Names, WrongNames};
pub use plan::{Split, splits};
pub use rank::{NameFit, Weights, begins_word, holds_name, name_fit, small};
pub use suggestion::{Suggestion, SuggestionKind, Wanted};
pub use summary::{NumberRange, PostcodeSummary};
pub use validation::{AddressBook, EnteredAddress, Verdict, validate};
