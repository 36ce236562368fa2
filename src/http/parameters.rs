//! Parses parameters that several endpoints share.

use std::borrow::Cow;

use postduif_schema::{HouseNumber, Postcode};

use super::error::InvalidParameter;

/// Parses a postcode as people type it, from a v1 path or query. A missing postcode is invalid.
pub(super) fn parse_postcode(text: Option<Cow<'_, str>>) -> Result<Postcode, InvalidParameter> {
    text.and_then(|text| Postcode::from_input(&text).ok())
        .ok_or(InvalidParameter::Postcode)
}

/// Parses a house number from 1 to 99,999. Only digits are allowed.
pub(super) fn parse_house_number(text: &str) -> Result<HouseNumber, InvalidParameter> {
    text.parse().map_err(|_| {
        let is_zero = !text.is_empty() && text.bytes().all(|byte| byte == b'0');
        if is_zero {
            InvalidParameter::NumberBelowOne
        } else {
            InvalidParameter::Number
        }
    })
}

/// Parses a number with or without a decimal point. White space around the number is allowed. An exponent is allowed too, because programs
/// write small numbers with one. The result may be infinite or NaN.
pub(super) fn parse_decimal(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// An optional whole number, which is clamped to the range from 1 to a maximum.
pub(super) struct ClampedInt {
    pub(super) default: u32,
    pub(super) max: u32,
}

impl ClampedInt {
    /// The number in `text`, clamped to the range, or the default if the parameter is missing. A sign and white space around the number are
    /// accepted. Returns `None` for every other text, such as `5.0`. An empty text is also `None`, because a default would hide the
    /// client's mistake.
    pub(super) fn parse(&self, text: Option<Cow<'_, str>>) -> Option<u32> {
        let Some(text) = text else {
            return Some(self.default);
        };
        let text = text.trim();
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // The text has only digits, so parsing fails only if the number is too large.
        let magnitude = digits.parse().unwrap_or(u32::MAX);
        Some(match text.starts_with('-') {
            true => 1,
            false => magnitude.clamp(1, self.max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_clamped() {
        #[track_caller]
        fn case(text: &str, expected: Option<u32>) {
            let clamped = ClampedInt {
                default: 10,
                max: 50,
            };
            assert_eq!(clamped.parse(Some(text.into())), expected, "{text:?}");
        }
        case("1", Some(1));
        case("50", Some(50));
        case("51", Some(50));
        case("0", Some(1));
        case("-0", Some(1));
        case("-7", Some(1));
        case("+7", Some(7));
        case(" 7\t", Some(7));
        case("007", Some(7));
        case("4294967296", Some(50));
        case(&"9".repeat(1000), Some(50));
        case(&format!("-{}", "9".repeat(1000)), Some(1));
        case(&format!("{}7", "0".repeat(1000)), Some(7));
        for text in [
            "", " ", "-", "+", "--1", "+-1", "7.0", "7.", "1e1", "0x7", "7m", "1 0", "1_0", "٧",
            "NaN",
        ] {
            case(text, None);
        }
    }

    #[test]
    fn a_missing_number_gets_the_default() {
        let clamped = ClampedInt {
            default: 10,
            max: 50,
        };
        assert_eq!(clamped.parse(None), Some(10));
    }

    #[test]
    fn decimals_are_parsed_in_every_form_that_programs_write() {
        for (text, expected) in [
            ("52.1", 52.1),
            (" 52.1 ", 52.1),
            ("+52.1", 52.1),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("5e-7", 0.000_000_5),
            ("1E1", 10.0),
        ] {
            assert_eq!(parse_decimal(text), Some(expected), "{text:?}");
        }
        for text in [
            "", " ", "52,1", "52.1.2", "52°", "52.1N", "0x34", "1 0", "e1", ".",
        ] {
            assert_eq!(parse_decimal(text), None, "{text:?}");
        }
    }
}
