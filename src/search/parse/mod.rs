//! Reads what was typed: every way to take it as a name, a house number and a postcode. Pure: text in, readings out.

mod abbreviations;
mod intent;
mod number;
mod postcode;
mod split;
#[cfg(test)]
mod tests;

pub use abbreviations::{Spelling, spellings};

pub use intent::{Intent, Reading};
pub use number::{SuffixMatch, TypedNumber};
pub use postcode::{PostcodeKind, PostcodeRange};
pub use split::{StreetTownSplit, street_town_splits};
