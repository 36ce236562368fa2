//! What v1 takes: parameters and bodies.

use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http::v1) struct ListQuery {
    /// Four digits and two letters, in upper or lower case; white space is ignored.
    #[param(pattern = r"^\s*([0-9]\s*){4}([a-zA-Z]\s*){2}$", example = "6545CA")]
    postcode: String,
    /// House number without letter or addition. Without it the whole postcode is returned.
    #[param(nullable = false, minimum = 1, maximum = 99_999, example = 29)]
    number: Option<u32>,
    /// House letter, one character, in upper or lower case.
    #[param(nullable = false, example = "A")]
    letter: Option<String>,
    /// House number addition, in upper or lower case. Letter and addition may also be given joined, in either.
    #[param(nullable = false, example = "2")]
    addition: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http::v1) struct IdPath {
    /// BAG numbering identifier, sixteen digits.
    #[param(
        rename = "bagId",
        pattern = "^[0-9]{16}$",
        example = "9999200000000001"
    )]
    bag_id: String,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http::v1) struct PostcodePath {
    /// Four digits and two letters, in upper or lower case; white space is ignored.
    #[param(pattern = r"^\s*([0-9]\s*){4}([a-zA-Z]\s*){2}$", example = "6545CA")]
    postcode: String,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http::v1) struct AutocompleteQuery {
    /// What was typed so far: at least two characters beside white space around them. Four leading digits are read as a postcode.
    #[param(pattern = r"\S[\s\S]*\S", min_length = 2, example = "Waldeck")]
    q: String,
    /// What to suggest.
    #[param(inline, nullable = false, example = "all")]
    r#type: Option<WantedType>,
    /// How many suggestions at most: from 1 to 10. What is under or over that is brought to it.
    #[param(nullable = false, schema_with = ten)]
    limit: Option<i64>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http::v1) struct ReverseQuery {
    /// WGS84 latitude in decimal degrees.
    #[param(minimum = -90, maximum = 90, example = 51.8415)]
    lat: f64,
    /// WGS84 longitude in decimal degrees.
    #[param(minimum = -180, maximum = 180, example = 5.8697)]
    lon: f64,
    /// How far to look, in metres: from 1 to 1000. What is under or over that is brought to it.
    #[param(nullable = false, schema_with = thousand)]
    radius: Option<i64>,
    /// How many addresses at most: from 1 to 50. What is under or over that is brought to it.
    #[param(nullable = false, schema_with = ten)]
    limit: Option<i64>,
}

fn ten() -> Object {
    clamped_integer(10, 5)
}

fn thousand() -> Object {
    clamped_integer(1000, 100)
}

/// A whole number of any size, because it is brought within its bounds.
fn clamped_integer(default: u32, example: u32) -> Object {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number
        .default(Some(default.into()))
        .examples([example])
        .build()
}

/// What to suggest.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase", default = "all")]
pub(crate) enum WantedType {
    All,
    Address,
    Street,
    City,
}

/// Addresses to look up.
#[derive(ToSchema)]
pub(crate) struct BulkRequest {
    /// At most 1000, and at most what the plan allows.
    #[schema(min_items = 1, max_items = 1000)]
    addresses: Vec<BulkLine>,
}

/// One address to look up. A line that cannot be read fails no other: it gets an `error` of its own.
#[derive(ToSchema)]
pub(crate) struct BulkLine {
    /// As entered, with or without a space.
    postcode: String,
    /// House number without letter or addition, from 1 to 99999.
    number: i64,
    letter: Option<String>,
    addition: Option<String>,
}

/// An address as entered.
#[derive(ToSchema)]
pub(crate) struct ValidateRequest {
    /// With or without a space; one of the wrong form is told as `invalid_postcode` in the answer.
    postcode: String,
    /// House number without letter or addition.
    #[schema(minimum = 1, maximum = 99_999)]
    number: u32,
    letter: Option<String>,
    addition: Option<String>,
    /// Compared without regard to case and spaces.
    street: Option<String>,
    /// Likewise; the everyday name of a place counts as right.
    city: Option<String>,
}
