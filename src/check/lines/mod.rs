//! Reads the text of an address: a line with street and number, and the numbers, postcodes and countries in it. Knows neither columns nor
//! the register.
//!
//! | files | content |
//! |---|---|
//! | `address_entry` | the fields that were read from a row |
//! | `split_line` | the ways to split a line into fields |
//! | `row_number`, `after_number`, `addition_words` | house number, letter and addition, and notes after them |
//! | `postcode_text`, `country` | a postcode with the city or number beside it; the country |
//! | `care_of`, `unit_before_street`, `contact_lines` | marks and units before an address, and telephone numbers after it |

mod addition_words;
mod address_entry;
mod after_number;
mod care_of;
mod contact_lines;
mod country;
mod postcode_text;
mod row_number;
mod split_line;
mod unit_before_street;

pub(super) use addition_words::{is_free_word, is_number_like, without_unit_labels, words};
pub(super) use address_entry::{ARTICLES, AddressEntry};
pub(super) use care_of::address_after_mark;
pub(super) use contact_lines::is_contact;
pub(super) use country::{ends_abroad, is_abroad, without_country};
pub(super) use postcode_text::{
    find_postcode, postcode_with_label, split_four_digits, split_postcode_and_city,
    split_postcode_and_number,
};
pub(super) use row_number::{NumberReading, parse_number};
pub(super) use split_line::split_address;
pub(super) use unit_before_street::{is_unit_line, split_last_part};
