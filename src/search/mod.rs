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

pub use agreement::{Agreement, NameAgreement, NumberAgreement, PostcodeAgreement, Unexplained};
pub use lookup_error::LookupError;
pub use name_match::{NameMatch, begins_any_word, contains_name, is_part_of_name, match_name};
pub use near_postcode::{EnteredPostcode, PostcodeCandidate, look_alike_class};
pub use parse::{
    Intent, InterpretedNumber, NumberToken, PostcodeKind, PostcodeRange, Reading, Spelling,
    StreetTownSplit, SuffixMatch, TypedNumber, are_equal_but_zeros, are_equivalent_suffixes,
    decode_text, differ_in_type, ends_with_po_box, find_unit_before_street, has_street_type,
    is_abbreviation, is_district, is_filler, is_floor_word, is_letter_of_unit, is_number_label,
    is_ordinal, is_po_box_name, is_spoken_mark, is_title, is_unit_word,
    is_unlikely_postcode_letters, join_hundreds, join_separate_digits, lacks_type_of,
    main_spellings, month_number, move_unit_after_number, number_tokens, numeral_tokens,
    postcode_without_doubled_character, read_date_as_number, read_dictated_number,
    read_number_with_letter_sound, read_unit_after_floor, separate_unit_label, similar_spellings,
    sound_variants, spellings, split_type, street_town_splits, typed_words, with_other_types,
    with_particles, write_floor_in_digits, write_numerals_in_digits,
};
pub use run::{
    NamedAddressQuery, SearchIndex, SuggestionCache, find_exactly_named_addresses,
    find_in_other_towns, find_named_addresses, find_nearest_number, has_town, suggest,
};
pub use shortened_compound::ShortenedCompound;
pub use suggestion::{SearchSuggestion, SuggestionFilter, SuggestionKind};
pub use weights::{Weights, count_as_f32};
