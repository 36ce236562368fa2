//! Suggests addresses, streets and towns while the user types. `parse` lists what the text may mean, `run` searches the indexes of
//! a generation, and `name_match` and `weights` decide how well a place matches.
//!
//! The module reads only the indexes that the caller passes. It uses no clock and no HTTP.

mod agreement;
mod lookup_error;
mod name_match;
mod near_postcode;
mod parse;
mod run;
mod shortened_compound;
mod suggestion;
mod weights;
mod word_shape;

pub use agreement::{Agreement, NameAgreement, NumberAgreement, PostcodeAgreement, Unexplained};
pub use lookup_error::LookupError;
pub use name_match::{NameMatch, begins_any_word, contains_name, is_part_of_name, match_name};
pub use near_postcode::{EnteredPostcode, PostcodeCandidate, look_alike_class};
pub use parse::{
    Intent, SuffixMatch, are_equal_but_zeros, are_equivalent_suffixes, decode_text,
    is_abbreviation, is_building_part, is_district, is_floor_word, is_letter_of_unit,
    is_number_label, is_ordinal, is_po_box_name, is_title, is_unit_word, lacks_type_of,
    month_number, postcode_without_doubled_character, read_floor, roman_value, similar_spellings,
    spellings, split_type, street_town_splits,
};
pub use run::{
    NamedAddressQuery, SearchIndex, SuggestionCache, find_exactly_named_addresses,
    find_in_other_towns, find_named_addresses, find_nearest_number, has_town, suggest,
};
pub use shortened_compound::ShortenedCompound;
pub use suggestion::{SearchSuggestion, SuggestionFilter, SuggestionKind};
pub use weights::{Weights, count_as_f32};
pub use word_shape::{begins_with_digit, has_digit, is_digits, is_four_digits, split_digits};
