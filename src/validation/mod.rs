//! Whether an entered address exists, and if not, which one was probably meant. Pure: reads the addresses through
//! [`AddressLookup`], which a snapshot implements.

mod address_lookup;
mod entered_address;
mod entered_names;
mod entered_number;
mod house_number_suffix;
mod suggest;
mod verdict;

pub use address_lookup::AddressLookup;
pub use entered_address::EnteredAddress;
pub use entered_names::{EnteredNames, NameMismatch};
pub use entered_number::EnteredNumber;
pub use house_number_suffix::HouseNumberSuffix;
pub use suggest::best_other_score;
pub use verdict::{Verdict, validate};
