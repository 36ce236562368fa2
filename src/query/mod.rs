//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.

mod abbreviations;
mod house_number;
mod intent;
mod plan;
mod rank;
mod suggestion;
mod summary;

pub use abbreviations::spellings;
pub use house_number::HouseNumberSuffix;
pub use intent::{Intent, PostcodeRange, Reading, SuffixFit, TypedNumber};
pub use plan::{Split, splits};
pub use rank::{NameFit, Weights, name_fit, small};
pub use suggestion::{Suggestion, SuggestionKind, Wanted};
pub use summary::{NumberRange, PostcodeSummary};
