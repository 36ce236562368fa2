//! Reads the Roman numerals that people write for the numbers in additions and names of streets.

/// The Roman numerals that occur in suffixes and names, from 1 on.
const ROMAN_NUMERALS: [&str; 20] = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
    "xvi", "xvii", "xviii", "xix", "xx",
];

/// The value of a Roman numeral in lower or upper case.
pub fn roman_value(text: &str) -> Option<u32> {
    let mut numerals = (1..).zip(&ROMAN_NUMERALS);
    let found = numerals.find(|(_, numeral)| numeral.eq_ignore_ascii_case(text));
    found.map(|(value, _)| value)
}
