//! Parameters that several endpoints take.

use std::borrow::Cow;

use postduif_schema::{HouseNumber, Postcode};

use super::problem::InvalidParameter;

/// A postcode as a person typed it, from a v1 path or query; a missing one is invalid.
pub(super) fn postcode(text: Option<Cow<'_, str>>) -> Result<Postcode, InvalidParameter> {
    text.and_then(|text| Postcode::from_input(&text).ok())
        .ok_or(InvalidParameter::Postcode)
}

/// A house number of digits alone, 1 to 99,999.
pub(super) fn house_number(text: &str) -> Result<HouseNumber, InvalidParameter> {
    text.parse().map_err(|_| {
        let zero = !text.is_empty() && text.bytes().all(|byte| byte == b'0');
        if zero {
            InvalidParameter::NumberBelowOne
        } else {
            InvalidParameter::Number
        }
    })
}
