//! Whether an address as entered exists, and if not, which one was meant. Pure: the addresses are an [`AddressBook`], which a
//! snapshot implements.

mod entered_names;
mod house_number_suffix;
mod postcode_correction;
mod suggest;
mod verdict;

pub use entered_names::{EnteredNames, NameMismatch};
pub use house_number_suffix::HouseNumberSuffix;
pub use verdict::{AddressLookup, EnteredAddress, Verdict, validate};
