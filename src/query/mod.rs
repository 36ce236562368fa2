//! What a question means and which addresses answer it. Pure: addresses in, addresses out; no disk, no clock, no HTTP.
//! Where an answer decides what to look at next, the addresses are an [`AddressBook`], which an index can be.

mod correction;
mod house_number;
mod names;
mod suggestion;
mod summary;
mod validation;

pub use house_number::HouseNumberSuffix;
pub use names::{Names, WrongNames};
pub use summary::{NumberRange, PostcodeSummary};
pub use validation::{AddressBook, EnteredAddress, Verdict, validate};
