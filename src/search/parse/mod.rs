//! Lists every way to read the typed text as a name, a house number and a postcode. Uses only the text, no index.
//!
//! | step | files |
//! |---|---|
//! | clean a text and split it into words | `pasted_text`, `typed_words`, `misread_digits`, `counts`, `reordered_words` |
//! | list the readings of the words | `intent`, `reading`, `postcode_readings`, `number_readings` |
//! | read the parts of a reading | `postcode`, `number`, `unit_words`, `po_boxes` |
//! | leave out words that do not help | `filler_words` |
//! | read a number or a postcode in another form | `numerals`, `roman_numerals`, `ordinals`, `floors`, `dictated`, `letter_sounds`, `months`, `interpreted_number` |
//! | split a reading into a street and a town | `split` |
//! | list the forms of a name | `abbreviations`, `abbreviated_name`, `titles`, `particles`, `street_types`, `foreign_types` |
//! | list similar spellings of a name | `similar_spellings`, `sound_variants` |

mod abbreviated_name;
mod abbreviations;
mod counts;
mod dictated;
mod filler_words;
mod floors;
mod foreign_types;
mod intent;
mod interpreted_number;
mod letter_sounds;
mod misread_digits;
mod months;
mod number;
mod number_readings;
mod numerals;
mod ordinals;
mod particles;
mod pasted_text;
mod po_boxes;
mod postcode;
mod postcode_readings;
mod reading;
mod reordered_words;
mod roman_numerals;
mod similar_spellings;
mod sound_variants;
mod split;
mod street_types;
#[cfg(test)]
mod tests;
mod titles;
mod typed_words;
mod unit_words;

pub use abbreviated_name::is_abbreviation;
pub use abbreviations::spellings;
pub(super) use abbreviations::{Spelling, main_spellings};
pub(super) use dictated::{
    drop_repeated_number, join_hundreds, join_separate_digits, read_dictated_number,
};
pub use filler_words::is_district;
pub(super) use filler_words::is_filler;
pub use floors::read_floor;
pub(super) use floors::{read_unit_after_floor, write_floor_in_digits};
pub use intent::Intent;
pub(super) use interpreted_number::InterpretedNumber;
pub(super) use letter_sounds::read_number_with_letter_sound;
pub use months::month_number;
pub(super) use months::read_date_as_number;
pub use number::{SuffixMatch, are_equal_but_zeros, are_equivalent_suffixes};
pub(super) use number::{TypedNumber, is_roman_numeral, is_suffix, is_unit_code};
pub(super) use number_readings::{NumberToken, number_tokens, numeral_tokens};
pub(super) use numerals::write_numerals_in_digits;
pub use ordinals::is_ordinal;
pub(super) use particles::with_particles;
pub use pasted_text::decode_text;
pub(super) use po_boxes::ends_with_po_box;
pub use po_boxes::is_po_box_name;
pub use postcode::postcode_without_doubled_character;
pub(super) use postcode::{PostcodeKind, PostcodeRange};
pub(super) use reading::Reading;
pub(super) use reordered_words::{
    find_unit_before_street, is_unlikely_postcode_letters, move_unit_after_number,
};
pub use roman_numerals::roman_value;
pub use similar_spellings::similar_spellings;
pub(super) use sound_variants::sound_variants;
pub(super) use split::StreetTownSplit;
pub use split::street_town_splits;
pub(super) use street_types::{differ_in_type, has_street_type, with_other_types};
pub use street_types::{lacks_type_of, split_type};
pub use titles::is_title;
pub(super) use typed_words::typed_words;
pub(super) use unit_words::{beginning_of_use, is_spoken_mark, is_unit_label, separate_unit_label};
pub use unit_words::{
    is_building_part, is_floor_word, is_letter_of_unit, is_number_label, is_unit_word,
};
