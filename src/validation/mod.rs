//! Decides whether an entered address exists, and which address was probably meant if it does not. Reads the addresses only
//! through [`AddressLookup`], which a snapshot implements.
//!
//! | step | files |
//! |---|---|
//! | combine the fields of a form | `entered_fields`, `field_reading`, `floor_mention`, `note` |
//! | read a field | `entered_address`, `entered_names`, `name_numbers`, `entered_number`, `house_number_suffix`, `suffix_placeholder` |
//! | decide | `validate`, `verdict`, `name_mismatch`, with `suffix_fit` |
//! | choose an address to suggest | `suggest`, with `suffix_distance`, `suffix_words`, `similar_suffix`, `incomplete_street`, `umlauts` |
//! | read the postcode in another way | `other_postcode`, `moved_postcode` |
//! | read the number in another way | `number_as_date`, `spreadsheet_date`, `joined_number`, `misread_number`, `number_in_street`, `number_before_addition`, `numbered_street` |
//! | read the names in another way | `simplified_names`, `unit_in_names`, `unit_beside_name`, `text_search`, `other_city` |

mod address_lookup;
mod entered_address;
mod entered_fields;
mod entered_names;
mod entered_number;
mod field_reading;
mod floor_mention;
mod house_number_suffix;
mod incomplete_street;
mod joined_number;
mod misread_number;
mod moved_postcode;
mod name_mismatch;
mod name_numbers;
mod note;
mod number_as_date;
mod number_before_addition;
mod number_in_street;
mod numbered_street;
mod other_city;
mod other_postcode;
mod similar_suffix;
mod simplified_names;
mod spreadsheet_date;
mod suffix_distance;
mod suffix_fit;
mod suffix_placeholder;
mod suffix_words;
mod suggest;
mod text_search;
mod umlauts;
mod unit_beside_name;
mod unit_in_names;
mod validate;
mod verdict;

pub use address_lookup::AddressLookup;
pub use entered_address::EnteredAddress;
pub use entered_fields::EnteredFields;
pub use entered_names::EnteredNames;
pub use entered_number::EnteredNumber;
pub(crate) use entered_number::without_leading_label;
pub use field_reading::FieldReading;
pub use house_number_suffix::HouseNumberSuffix;
pub use name_mismatch::NameMismatch;
pub(crate) use spreadsheet_date::numbers_of_date;
pub(crate) use suffix_placeholder::{SuffixPart, is_empty_value, may_be_placeholder, may_be_unit};
pub use suggest::best_other_score;
pub(crate) use unit_beside_name::{find_unit_at_end, leaves_code_over};
pub(crate) use unit_in_names::UnitInNames;
pub(crate) use validate::find_unit_in_names;
pub use validate::validate;
pub use verdict::Verdict;
