//! Parses JSON bodies strictly. Each field is parsed on its own, so that an error concerns only that field. No body causes a panic.
//!
//! Assumption: a number counts as whole by its value, as in JSON Schema, so `29.0` and `2.9e1` are 29. A field that is `null` counts as
//! absent.

use std::borrow::Cow;

use postduif_schema::HouseNumber;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The error for a field that has a value of the wrong JSON type, or occurs twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnreadableField;

/// Why a value is not a house number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonNumberError {
    /// The value is not a number.
    WrongType,
    /// The value is a number, but not a whole number from 1 to 99,999.
    OutOfRange,
}

/// Parses an object. Serde alone would also accept an array.
///
/// # Errors
/// When the body is not an object, is not JSON in UTF-8, or has a field of `T` twice. The text says the fault and its place.
pub(super) fn parse_object<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, String> {
    let text = std::str::from_utf8(body)
        .map_err(|error| format!("not UTF-8 after {} bytes", error.valid_up_to()))?;
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| describe(&error));
    }
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Err("not an object".to_owned()),
        Err(error) => Err(describe(&error)),
    }
}

/// The text of an error. It never quotes a value of the body, which may be a secret.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.starts_with("invalid ") && error.is_data() {
        true => format!(
            "wrong type of value at line {} column {}",
            error.line(),
            error.column()
        ),
        false => text,
    }
}

/// Parses an optional text; `None` if the field is absent.
pub(super) fn parse_text(
    value: Option<&RawValue>,
) -> Result<Option<Cow<'_, str>>, UnreadableField> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    let Some(value) = value else { return Ok(None) };
    match serde_json::from_str(value.get()) {
        Ok(Text(text)) => Ok(Some(text)),
        Err(_) => Err(UnreadableField),
    }
}

pub(super) fn parse_house_number(value: &RawValue) -> Result<HouseNumber, JsonNumberError> {
    // Rust's parser of `f64` accepts every JSON number. A number that is too large becomes infinite, and is then out of range.
    let number: f64 = value
        .get()
        .parse()
        .map_err(|_| JsonNumberError::WrongType)?;
    let is_valid = number.fract() == 0.0 && (1.0..=f64::from(HouseNumber::MAX)).contains(&number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and from 1 to 99,999"
    )]
    is_valid
        .then(|| HouseNumber::new(number as u32))
        .flatten()
        .ok_or(JsonNumberError::OutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).expect("JSON")
    }

    #[test]
    fn a_number_counts_as_whole_by_its_value() {
        #[track_caller]
        fn case(json: &str, expected: Result<u32, JsonNumberError>) {
            assert_eq!(
                parse_house_number(raw(json)).map(HouseNumber::get),
                expected,
                "{json}"
            );
        }
        for whole in ["29", "29.0", "2.9e1", "290E-1", "29.000"] {
            case(whole, Ok(29));
        }
        case("1", Ok(1));
        case("99999", Ok(99_999));
        for impossible in [
            "0",
            "-0",
            "-1",
            "29.5",
            "0.9",
            "100000",
            "1e400",
            "-1e400",
            "1e-400",
            "123456789012345678901234567890",
        ] {
            case(impossible, Err(JsonNumberError::OutOfRange));
        }
        for mistyped in ["\"29\"", "true", "[29]", "{}", "\"NaN\""] {
            case(mistyped, Err(JsonNumberError::WrongType));
        }
    }

    #[test]
    fn a_text_is_a_string_or_null() {
        #[track_caller]
        fn case(json: &str, expected: Result<&str, UnreadableField>) {
            assert_eq!(
                parse_text(Some(raw(json)))
                    .map(Option::unwrap_or_default)
                    .as_deref(),
                expected.as_deref(),
                "{json}"
            );
        }
        case(r#""a""#, Ok("a"));
        case(r#""\u0041\n""#, Ok("A\n"));
        case(r#""\ud83d\ude00""#, Ok("😀"));
        case(r#""\ud83d""#, Err(UnreadableField));
        for mistyped in ["1", "true", "[]", "{}"] {
            case(mistyped, Err(UnreadableField));
        }
        assert_eq!(parse_text(None), Ok(None));
    }

    #[test]
    fn only_an_object_is_parsed() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Point {
            x: u8,
        }
        #[track_caller]
        fn case(json: &[u8], expected: Result<u8, &str>) {
            let expected = expected.map(|x| Point { x }).map_err(str::to_owned);
            let text = String::from_utf8_lossy(json);
            assert_eq!(parse_object(json), expected, "{text}");
        }
        case(br#" {"x":1} "#, Ok(1));
        case(br#"{"y":[[1e999]],"x":1,"y":"\ud800"}"#, Ok(1));
        for (other, fault) in [
            (&b""[..], "EOF while parsing a value at line 1 column 0"),
            (b"[1]", "not an object"),
            (b"{}", "missing field `x` at line 1 column 2"),
            (
                br#"{"x":1,"x":1}"#,
                "duplicate field `x` at line 1 column 10",
            ),
            (b"{\"x\":1,\n}", "trailing comma at line 2 column 1"),
            (br#"{"x":1}}"#, "trailing characters at line 1 column 8"),
            (
                br#"{"x":"secret"}"#,
                "wrong type of value at line 1 column 13",
            ),
            (b"x=1", "expected value at line 1 column 1"),
            (
                "\u{feff}{\"x\":1}".as_bytes(),
                "expected value at line 1 column 1",
            ),
            (b"{\"x\":\"\xff\"}", "not UTF-8 after 6 bytes"),
        ] {
            case(other, Err(fault));
        }
        let deep = format!(
            r#"{{"x":1,"y":{}{}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        case(deep.as_bytes(), Ok(1));
    }
}
