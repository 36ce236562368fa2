//! Compares suffixes that differ by a usual slip: characters that look alike, a Roman numeral for a number, another word for the ground
//! floor, swapped parts, or a unit letter before the number. An address with such a suffix is suggested before an address with a suffix
//! that is only a near number.

use crate::search::{are_equal_but_zeros, is_unit_word, look_alike_class, roman_value};
use crate::search::{begins_with_digit, has_digit, is_digits};

/// Words after a suffix that say where in the building the unit is: `D achter` for the suffix D.
///
/// Assumption: people add these words to a suffix that is complete without them.
const POSITION_WORDS: [&str; 8] = [
    "ACHTEROM", "ACHTER", "VOOR", "BOVEN", "BENEDEN", "ONDER", "LINKS", "RECHTS",
];

/// Suffixes that all mean the ground floor. BG is not compared with H, which may be one of a row of letters.
const GROUND_FLOORS: [&[&str]; 2] = [
    &["H", "HS", "HUIS"],
    &[
        "HS", "HUIS", "BG", "BEN", "BEGANEGROND", "BENEDEN", "BENEDENWONING", "BENEDENHUIS",
        "PARTERRE",
    ],
];

/// Maximum number of letters of a shortened unit word: `GAR`.
const MAX_SHORT_WORD: usize = 4;

/// Minimum number of letters of a code of the register that a shortened word may have as its beginning: `GA`.
const MIN_CODE_LETTERS: usize = 2;

/// Minimum number of letters of a word before a suffix: `PLATZ` before `D18`. Fewer letters may be a part of the suffix.
const MIN_WORD_LETTERS: usize = 3;

/// A usual slip, the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SuffixSlip {
    /// The number and the letters are swapped.
    Swap,
    /// A Roman numeral for a number, or the other way around.
    Roman,
    /// Another word for the ground floor.
    GroundFloor,
    /// Characters that look alike.
    LookAlike,
    /// A unit word or a unit letter before the number, or a word beside the whole suffix.
    Unit,
}

impl SuffixSlip {
    /// The slip by which the suffixes `entered` and `known` differ; `None` if they differ in another way. Both are in upper case. Marks in
    /// `entered` are ignored.
    pub(super) fn find(entered: &str, known: &str) -> Option<Self> {
        let entered: String = entered.chars().filter(|c| c.is_alphanumeric()).collect();
        if entered.is_empty() || known.is_empty() {
            return None;
        }
        let look_alikes = |text: &str| -> String { text.chars().map(look_alike_class).collect() };
        let are_equal = |one: &str| are_equal_but_zeros(one.as_bytes(), known.as_bytes());
        let is_roman = roman_value(&entered).is_some_and(|value| known.parse() == Ok(value))
            || roman_value(known).is_some_and(|value| entered.parse() == Ok(value));
        if with_parts_swapped(&entered).is_some_and(|swapped| are_equal(&swapped)) {
            Some(Self::Swap)
        } else if is_roman {
            Some(Self::Roman)
        } else if is_ground_floor(&entered, known) {
            Some(Self::GroundFloor)
        } else if look_alikes(&entered) == look_alikes(known) {
            Some(Self::LookAlike)
        } else if split_unit(&entered).is_some_and(|(_, number)| are_equal(number))
            || abbreviates_unit(&entered, known)
            || has_word_beside(&entered, known)
        {
            Some(Self::Unit)
        } else {
            None
        }
    }
}

/// Whether an entered text and a suffix both mean the ground floor. Both are in upper case, and the text has no marks.
pub(super) fn is_ground_floor(entered: &str, known: &str) -> bool {
    let mut ground_floors = GROUND_FLOORS.iter();
    ground_floors.any(|same| same.contains(&entered) && same.contains(&known))
}

/// `A1` for `1A`, and `1A` for `A1`.
fn with_parts_swapped(text: &str) -> Option<String> {
    let begins_with_digit = begins_with_digit(text);
    let at = text.find(|c: char| c.is_ascii_digit() != begins_with_digit)?;
    let (first, second) = text.split_at(at);
    Some(format!("{second}{first}"))
}

/// Splits a text such as `K22` or `LIFT22` into letters, which may be missing, and a number. `None` for any other text.
fn split_unit(text: &str) -> Option<(&str, &str)> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = !number.is_empty() && is_digits(number);
    is_number.then(|| text.split_at(text.len() - number.len()))
}

/// Whether `known` has the number of `entered`, and the first letters of its unit word: `GA01` for `GARAGE1` and for `GAR1`.
fn abbreviates_unit(entered: &str, known: &str) -> bool {
    let (Some((word, number)), Some((letters, known_number))) =
        (split_unit(entered), split_unit(known))
    else {
        return false;
    };
    let is_short_word = word.len() <= MAX_SHORT_WORD && letters.len() >= MIN_CODE_LETTERS;
    !letters.is_empty()
        && (is_short_word || is_unit_word(&word.to_lowercase()))
        && word.starts_with(letters)
        && are_equal_but_zeros(number.as_bytes(), known_number.as_bytes())
}

/// Whether the suffix `known` is a code of letters and the entered number, which has no letters: `GA08` for `8`.
pub(super) fn has_code_before(entered: &str, known: &str) -> bool {
    let unit = split_unit(known).filter(|(code, _)| code.len() >= MIN_CODE_LETTERS);
    is_digits(entered)
        && unit
            .is_some_and(|(_, number)| are_equal_but_zeros(entered.as_bytes(), number.as_bytes()))
}

/// Whether `entered` is `known` and one more word: any word before a suffix with a digit (`PLATZD18` for `D18`), or a word for a position
/// after any suffix (`DACHTER` for `D`).
fn has_word_beside(entered: &str, known: &str) -> bool {
    let is_word = |text: &str| {
        text.len() >= MIN_WORD_LETTERS && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    has_digit(known) && entered.strip_suffix(known).is_some_and(is_word)
        || entered
            .strip_prefix(known)
            .is_some_and(|after| POSITION_WORDS.contains(&after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_slips_are_found() {
        for (entered, known, slip) in [
            ("IO2", "102", SuffixSlip::LookAlike),
            ("GOO8", "G008", SuffixSlip::LookAlike),
            ("S", "5", SuffixSlip::LookAlike),
            ("IV", "4", SuffixSlip::Roman),
            ("4", "IV", SuffixSlip::Roman),
            ("BEGANE GROND", "HS", SuffixSlip::GroundFloor),
            ("HS", "H", SuffixSlip::GroundFloor),
            ("1A", "A1", SuffixSlip::Swap),
            ("A1", "1A", SuffixSlip::Swap),
            ("K.22", "22", SuffixSlip::Unit),
            ("LIFT7", "007", SuffixSlip::Unit),
            ("GARAGE1", "GA01", SuffixSlip::Unit),
            ("GAR1", "GA01", SuffixSlip::Unit),
            ("PLATZD18", "D18", SuffixSlip::Unit),
            ("DACHTER", "D", SuffixSlip::Unit),
        ] {
            let found = SuffixSlip::find(entered, known);
            assert_eq!(found, Some(slip), "{entered} {known}");
        }
        for (entered, known) in [
            ("", ""),
            ("A", ""),
            ("", "A"),
            ("A", "C"),
            ("12", "21"),
            ("A2", "A"),
            ("GARAGE1", "GB1"),
            ("GARAGE1", "GA2"),
            ("GARDE1", "GA1"),
            ("GAR1", "GA2"),
            ("GAR1", "G1"),
            ("BAR1", "GA1"),
            ("AD18", "D18"),
            ("DACHTEN", "D"),
            ("ACHTER", "A"),
            ("BG", "H"),
        ] {
            assert_eq!(SuffixSlip::find(entered, known), None, "{entered} {known}");
        }
    }
}
