//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.

mod house_number;
mod intent;
mod summary;

pub use house_number::HouseNumberSuffix;
pub use intent::{Intent, PostcodeRange, Reading, TypedNumber};
pub use summary::{NumberRange, PostcodeSummary};
