//! Reads the Roman numerals that people write for the numbers in additions and names of streets.

/// Values of the Roman numerals that occur in suffixes and names.
const ROMAN_NUMERALS: [(&str, u32); 20] = [
    ("I", 1),
    ("II", 2),
    ("III", 3),
    ("IV", 4),
    ("V", 5),
    ("VI", 6),
    ("VII", 7),
    ("VIII", 8),
    ("IX", 9),
    ("X", 10),
    ("XI", 11),
    ("XII", 12),
    ("XIII", 13),
    ("XIV", 14),
    ("XV", 15),
    ("XVI", 16),
    ("XVII", 17),
    ("XVIII", 18),
    ("XIX", 19),
    ("XX", 20),
];

/// The value of a Roman numeral in upper case.
pub(super) fn roman_value(text: &str) -> Option<u32> {
    let mut numerals = ROMAN_NUMERALS.iter();
    let found = numerals.find(|(numeral, _)| *numeral == text);
    found.map(|(_, value)| *value)
}
