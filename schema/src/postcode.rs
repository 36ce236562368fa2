//! Defines the postcode: four digits and two letters. A valid postcode need not exist; only the index knows which postcodes exist.

use std::fmt;
use std::str::FromStr;

/// A Dutch postcode in canonical form: four digits, two capitals, no space.
///
/// Every combination from `0000AA` to `9999ZZ` is accepted, including those that are never issued (a leading zero, `SA`, `SD`, `SS`).
/// Postcodes sort like their text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Postcode(u32);

/// A text that is not a postcode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("postcode {0:?} is not four digits and two letters, such as 1234AB")]
pub struct BadPostcode(String);

/// A postcode that is never issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "postcode {0} cannot exist: the first digit is never 0, and the letters are never SA, SD or SS"
)]
pub struct ImpossiblePostcode(Postcode);

impl Postcode {
    /// Number of characters without a space.
    pub const LENGTH: usize = 6;

    /// Number of digits, which come before the letters.
    pub const DIGITS: usize = 4;

    /// Number of letters in the alphabet: the base of the last two characters.
    pub(crate) const ALPHABET_SIZE: u32 = 26;

    /// Number of combinations of four digits.
    pub(crate) const DIGIT_COMBINATIONS: usize = 10_000;

    /// Number of possible postcodes.
    pub(crate) const COMBINATIONS: u32 = 10_000 * Self::ALPHABET_SIZE * Self::ALPHABET_SIZE;

    /// Parses typed input: ignores white space anywhere and accepts small letters.
    ///
    /// # Errors
    /// If the text without white space is not four ASCII digits and two ASCII letters.
    pub fn from_input(text: &str) -> Result<Self, BadPostcode> {
        let mut packed = [0u8; Self::LENGTH];
        let mut filled = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            let slot = packed
                .get_mut(filled)
                .ok_or_else(|| invalid_postcode(text))?;
            *slot = u8::try_from(c).map_err(|_| invalid_postcode(text))?;
            filled += 1;
        }
        Self::from_bytes(&packed[..filled]).ok_or_else(|| invalid_postcode(text))
    }

    /// The postcode as a number, from 0 for `0000AA` to 6,759,999 for `9999ZZ`. Numbers sort like the text of the postcodes.
    pub const fn code(self) -> u32 {
        self.0
    }

    /// The postcode with this [`code`](Self::code); `None` if the code is above 6,759,999.
    pub const fn from_code(code: u32) -> Option<Self> {
        if code < Self::COMBINATIONS {
            Some(Self(code))
        } else {
            None
        }
    }

    /// The four digits as a number, 0 to 9999.
    pub const fn digits(self) -> u32 {
        self.0 / (Self::ALPHABET_SIZE * Self::ALPHABET_SIZE)
    }

    /// The two letters as a number in base 26, 0 (`AA`) to 675 (`ZZ`).
    pub const fn letters(self) -> u32 {
        self.0 % (Self::ALPHABET_SIZE * Self::ALPHABET_SIZE)
    }

    /// The six ASCII characters.
    pub fn ascii(self) -> [u8; 6] {
        let (digits, letters) = (self.digits(), self.letters());
        let digit = |unit: u32| b'0' + low_byte(digits / unit % 10);
        let letter = |value: u32| b'A' + low_byte(value);
        [
            digit(1000),
            digit(100),
            digit(10),
            digit(1),
            letter(letters / Self::ALPHABET_SIZE),
            letter(letters % Self::ALPHABET_SIZE),
        ]
    }

    /// Returns the postcode, for data in which an impossible postcode is a mistake. Look-ups accept such a postcode, and find nothing.
    ///
    /// Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd`, postcode, for the first digit; decisions.md, section Parameters.
    ///
    /// # Errors
    /// If the first digit is 0, or the letters are `SA`, `SD` or `SS`.
    pub fn require_possible(self) -> Result<Self, ImpossiblePostcode> {
        let [first, .., l1, l2] = self.ascii();
        match first == b'0' || matches!(&[l1, l2], b"SA" | b"SD" | b"SS") {
            true => Err(ImpossiblePostcode(self)),
            false => Ok(self),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [d @ .., l1, l2]: &[u8; 6] = bytes.try_into().ok()?;
        let mut code = 0;
        for digit in d {
            code = code * 10 + u32::from(digit.is_ascii_digit().then(|| digit - b'0')?);
        }
        for letter in [l1, l2].map(u8::to_ascii_uppercase) {
            code = code * Self::ALPHABET_SIZE
                + u32::from(letter.is_ascii_uppercase().then(|| letter - b'A')?);
        }
        Some(Self(code))
    }
}

fn low_byte(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

fn invalid_postcode(text: &str) -> BadPostcode {
    BadPostcode(text.chars().take(40).collect())
}

/// Accepts exactly six characters, letters in either case, and no white space.
impl FromStr for Postcode {
    type Err = BadPostcode;

    fn from_str(text: &str) -> Result<Self, BadPostcode> {
        Self::from_bytes(text.as_bytes()).ok_or_else(|| invalid_postcode(text))
    }
}

impl fmt::Display for Postcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ascii()
            .iter()
            .try_for_each(|&byte| fmt::Write::write_char(f, char::from(byte)))
    }
}

impl fmt::Debug for Postcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Postcode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ascii = self.ascii();
        serializer
            .serialize_str(std::str::from_utf8(&ascii).expect("digits and capitals are UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn white_space_is_ignored_in_typed_input_and_refused_otherwise() {
        #[track_caller]
        fn case(text: &str, lenient: Option<&str>, strict: Option<&str>) {
            let show = |parsed: Result<Postcode, BadPostcode>| parsed.ok().map(|p| p.to_string());
            assert_eq!(
                show(Postcode::from_input(text)).as_deref(),
                lenient,
                "from_input({text:?})"
            );
            assert_eq!(show(text.parse()).as_deref(), strict, "parse({text:?})");
        }
        case("1234AB", Some("1234AB"), Some("1234AB"));
        case("1234ab", Some("1234AB"), Some("1234AB"));
        case(" 1234 a\tb\u{a0}", Some("1234AB"), None);
        case("0000aa", Some("0000AA"), Some("0000AA"));
        case("9999ZZ", Some("9999ZZ"), Some("9999ZZ"));
        case("1234A", None, None);
        case("1234ABC", None, None);
        case("12345A", None, None);
        case("123.AB", None, None);
        case("1234ſs", None, None);
        case("१२३४AB", None, None);
        case("", None, None);
    }

    #[test]
    fn a_postcode_that_is_never_issued_is_impossible() {
        #[track_caller]
        fn case(text: &str, possible: bool) {
            let postcode: Postcode = text.parse().expect("a postcode");
            assert_eq!(postcode.require_possible().is_ok(), possible, "{text}");
        }
        for text in ["0123AA", "0000ZZ", "1234SA", "1234SD", "1234SS"] {
            case(text, false);
        }
        for text in ["1000AA", "1234SB", "1234AS", "1234DS", "9999ZZ"] {
            case(text, true);
        }
    }

    proptest! {
        #[test]
        fn code_text_and_order_agree(a in 0..Postcode::COMBINATIONS, b in 0..Postcode::COMBINATIONS) {
            let (pa, pb) = (Postcode::from_code(a).expect("in range"), Postcode::from_code(b).expect("in range"));
            prop_assert_eq!(pa.to_string().parse::<Postcode>(), Ok(pa));
            prop_assert_eq!(pa.digits() * 676 + pa.letters(), a);
            prop_assert_eq!(pa.cmp(&pb), pa.to_string().cmp(&pb.to_string()));
        }

        #[test]
        fn parsing_a_postcode_never_panics(text in ".*") {
            let strict: Result<Postcode, _> = text.parse();
            let lenient = Postcode::from_input(&text);
            prop_assert!(strict.is_err() || strict == lenient);
        }
    }
}
