//! Defines house number, letter and addition, with the values that the register allows.
//!
//! Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd`. A huisnummer is `[1-9][0-9]{0,4}`, a huisletter is `[a-zA-Z]`, and a
//! huisnummertoevoeging is `[0-9a-zA-Z]{1,4}`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A house number, 1 to 99,999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct HouseNumber(u32);

/// A house letter: one ASCII letter in the register's case. Letters sort A–Z, and a capital sorts before its small letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HouseLetter(u8);

/// A house number addition: one to four ASCII letters or digits in the register's case.
///
/// Additions that are numbers sort first, by value. Other additions follow, in the order of their text without regard to case.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HouseNumberAddition {
    /// The characters; unused bytes at the end are zero.
    bytes: [u8; Self::MAX_CHARS],
}

/// A house number, letter or addition that the register's schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadHouseNumber {
    /// Not a whole number from 1 to 99,999.
    #[error("house number {0:?} is not a whole number from 1 to 99999")]
    Number(String),
    /// Not a single letter.
    #[error("house letter {0:?} is not one letter a-z or A-Z")]
    Letter(String),
    /// Not one to four letters and digits.
    #[error("addition {0:?} is not one to four letters and digits")]
    Addition(String),
}

/// Maximum number of characters that a letter and an addition have together.
pub const MAX_SUFFIX_CHARS: usize = 1 + HouseNumberAddition::MAX_CHARS;

impl HouseNumber {
    /// The highest number in the register's schema.
    pub const MAX: u32 = 99_999;

    /// Number of digits of [`Self::MAX`].
    pub const MAX_DIGITS: usize = 5;

    /// The lowest house number, 1.
    pub const FIRST: Self = Self(1);

    /// The highest house number, [`MAX`](Self::MAX).
    pub const LAST: Self = Self(Self::MAX);

    /// Accepts a number from 1 to [`MAX`](Self::MAX).
    pub const fn new(number: u32) -> Option<Self> {
        if number >= 1 && number <= Self::MAX {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number, 1 to [`MAX`](Self::MAX).
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl FromStr for HouseNumber {
    type Err = BadHouseNumber;

    fn from_str(text: &str) -> Result<Self, BadHouseNumber> {
        text.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| text.parse().ok().and_then(Self::new))
            .flatten()
            .ok_or_else(|| BadHouseNumber::Number(excerpt(text)))
    }
}

impl fmt::Display for HouseNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl HouseLetter {
    /// The ASCII letter.
    pub const fn ascii(self) -> u8 {
        self.0
    }

    /// Accepts one ASCII letter.
    pub const fn from_ascii(byte: u8) -> Option<Self> {
        if byte.is_ascii_alphabetic() {
            Some(Self(byte))
        } else {
            None
        }
    }
}

impl FromStr for HouseLetter {
    type Err = BadHouseNumber;

    fn from_str(text: &str) -> Result<Self, BadHouseNumber> {
        match text.as_bytes() {
            &[byte] => Self::from_ascii(byte),
            _ => None,
        }
        .ok_or_else(|| BadHouseNumber::Letter(excerpt(text)))
    }
}

impl fmt::Display for HouseLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, char::from(self.0))
    }
}

impl fmt::Debug for HouseLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Ord for HouseLetter {
    fn cmp(&self, other: &Self) -> Ordering {
        let folded = |letter: &Self| (letter.0.to_ascii_uppercase(), letter.0);
        folded(self).cmp(&folded(other))
    }
}

impl PartialOrd for HouseLetter {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl HouseNumberAddition {
    /// Maximum number of characters.
    pub const MAX_CHARS: usize = 4;

    /// The text, one to four characters.
    pub fn as_str(&self) -> &str {
        let used = self.bytes.iter().take_while(|&&b| b != 0).count();
        std::str::from_utf8(&self.bytes[..used]).expect("letters and digits are UTF-8")
    }

    /// The four bytes as one number, for storage; never 0.
    pub const fn pack(self) -> u32 {
        u32::from_be_bytes(self.bytes)
    }

    /// Parses the result of [`pack`](Self::pack).
    pub fn from_packed(packed: u32) -> Option<Self> {
        let bytes = packed.to_be_bytes();
        let used = bytes.iter().take_while(|&&b| b != 0).count();
        Self::from_ascii(&bytes[..used]).filter(|addition| addition.bytes == bytes)
    }

    fn from_ascii(text: &[u8]) -> Option<Self> {
        let fits = (1..=Self::MAX_CHARS).contains(&text.len())
            && text.iter().all(u8::is_ascii_alphanumeric);
        let mut bytes = [0; Self::MAX_CHARS];
        fits.then(|| bytes[..text.len()].copy_from_slice(text))?;
        Some(Self { bytes })
    }

    /// The value, if the addition is a number; at most 9999.
    fn numeric_value(&self) -> Option<u32> {
        self.as_str().parse().ok()
    }
}

impl FromStr for HouseNumberAddition {
    type Err = BadHouseNumber;

    fn from_str(text: &str) -> Result<Self, BadHouseNumber> {
        Self::from_ascii(text.as_bytes()).ok_or_else(|| BadHouseNumber::Addition(excerpt(text)))
    }
}

impl fmt::Display for HouseNumberAddition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for HouseNumberAddition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Ord for HouseNumberAddition {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_kind = match (self.numeric_value(), other.numeric_value()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self
                .bytes
                .to_ascii_uppercase()
                .cmp(&other.bytes.to_ascii_uppercase()),
        };
        by_kind.then_with(|| self.bytes.cmp(&other.bytes))
    }
}

impl PartialOrd for HouseNumberAddition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_whole_and_bounded() {
        #[track_caller]
        fn case(text: &str, expected: Option<u32>) {
            assert_eq!(
                text.parse().ok().map(HouseNumber::get),
                expected,
                "{text:?}"
            );
        }
        case("1", Some(1));
        case("99999", Some(99_999));
        case("00029", Some(29));
        case("0", None);
        case("100000", None);
        case("99999999999999999999", None);
        case("+1", None);
        case("-1", None);
        case("29a", None);
        case("٢", None);
        case("", None);
    }

    #[test]
    fn house_letters_sort_without_regard_to_case() {
        let mut letters: Vec<HouseLetter> = "bZaAB"
            .bytes()
            .filter_map(HouseLetter::from_ascii)
            .collect();
        letters.sort();
        assert_eq!(
            letters.iter().map(ToString::to_string).collect::<String>(),
            "AaBbZ"
        );
        assert!("é".parse::<HouseLetter>().is_err() && "ab".parse::<HouseLetter>().is_err());
    }

    #[test]
    fn additions_sort_numbers_by_value_before_text() {
        let sorted = [
            "1", "01", "2", "10", "100", "1A", "2hg", "A", "bis", "BO", "H",
        ];
        let parsed: Vec<HouseNumberAddition> = sorted
            .iter()
            .map(|text| text.parse().expect("an addition"))
            .collect();
        let mut shuffled: Vec<HouseNumberAddition> = parsed.iter().rev().copied().collect();
        shuffled.sort();
        let shown: Vec<&str> = shuffled.iter().map(HouseNumberAddition::as_str).collect();
        assert_eq!(
            shown,
            [
                "01", "1", "2", "10", "100", "1A", "2hg", "A", "bis", "BO", "H"
            ]
        );
    }

    proptest! {
        #[test]
        fn additions_round_trip(text in "[0-9a-zA-Z]{1,4}") {
            let addition: HouseNumberAddition = text.parse().expect("fits the grammar");
            prop_assert_eq!(addition.to_string(), text);
            prop_assert_eq!(HouseNumberAddition::from_packed(addition.pack()), Some(addition));
        }

        #[test]
        fn only_one_to_four_letters_or_digits_are_an_addition(text in ".*", packed in any::<u32>()) {
            let fits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
            prop_assert_eq!(text.parse::<HouseNumberAddition>().is_ok(), fits);
            if let Some(addition) = HouseNumberAddition::from_packed(packed) {
                prop_assert_eq!(addition.pack(), packed);
            }
        }
    }
}
