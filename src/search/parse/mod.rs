//! Reads the typed text: every way to take it as a name, a house number and a postcode. Pure: text in, readings out.

mod abbreviations;
mod intent;
mod number;
mod number_readings;
mod postcode;
mod postcode_readings;
mod reading;
mod split;
#[cfg(test)]
mod tests;

pub use abbreviations::{Spelling, spellings};
pub use intent::Intent;
pub use number::{SuffixMatch, TypedNumber};
pub use postcode::{PostcodeKind, PostcodeRange};
pub use reading::Reading;
pub use split::{StreetTownSplit, street_town_splits};
