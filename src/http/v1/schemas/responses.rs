//! What v1 answers.

use std::collections::HashMap;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::WantedType;
use crate::http::v1::V1Address;
use crate::http::v1::postcodes::V1PostcodeSummary;

/// What an address is of.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum AddressType {
    Verblijfsobject,
    Ligplaats,
    Standplaats,
    Postbus,
}

/// What a suggestion is of.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum SuggestionType {
    Address,
    Street,
    City,
}

/// One address in its envelope.
#[derive(ToSchema)]
pub(crate) struct AddressAnswer<'a> {
    data: V1Address<'a>,
}

/// Addresses in their envelope.
#[derive(ToSchema)]
pub(crate) struct AddressList<'a> {
    data: Vec<V1Address<'a>>,
    meta: Count,
}

/// A postcode in its envelope.
#[derive(ToSchema)]
pub(crate) struct PostcodeAnswer<'a> {
    data: V1PostcodeSummary<'a>,
}

/// How many there are.
#[derive(ToSchema)]
pub(crate) struct Count {
    count: u32,
}

/// A suggestion for what was typed. All seven fields are always there.
#[derive(ToSchema)]
pub(crate) struct Suggestion {
    r#type: SuggestionType,
    /// Ready to show in a pick list.
    label: String,
    /// What the input field should hold when it is picked.
    value: String,
    #[schema(required, pattern = "^[0-9]{4}[A-Z]{2}$")]
    postcode: Option<String>,
    #[schema(required)]
    street: Option<String>,
    #[schema(required)]
    city: Option<String>,
    /// BAG numbering identifier, of an address.
    #[schema(required, pattern = "^[0-9]{16}$")]
    id: Option<String>,
}

/// Suggestions in their envelope, the likeliest first.
#[derive(ToSchema)]
pub(crate) struct SuggestionList {
    #[schema(max_items = 10)]
    data: Vec<Suggestion>,
    meta: SuggestionMeta,
}

/// What was asked, as it was read.
#[derive(ToSchema)]
pub(crate) struct SuggestionMeta {
    #[schema(maximum = 10)]
    count: u32,
    /// `q` without white space around it.
    query: String,
    r#type: WantedType,
    #[schema(minimum = 1, maximum = 10)]
    limit: u32,
}

/// A [`V1Address`] and one field more.
pub(crate) struct V1AddressWithDistance;

impl PartialSchema for V1AddressWithDistance {
    fn schema() -> RefOr<Schema> {
        let RefOr::T(Schema::Object(mut address)) = V1Address::schema() else {
            unreachable!("a struct is described as an object");
        };
        let distance = ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Metres in a straight line, to one decimal."))
            .minimum(Some(0));
        let key = "distance".to_owned();
        address.required.push(key.clone());
        address.properties.insert(key, distance.build().into());
        address.description = Some("An address and how far it is from the point.".to_owned());
        address.into()
    }
}

impl ToSchema for V1AddressWithDistance {}

/// Addresses in their envelope, the nearest first.
#[derive(ToSchema)]
pub(crate) struct NearbyList {
    #[schema(max_items = 50)]
    data: Vec<V1AddressWithDistance>,
    meta: NearbyMeta,
}

/// What was asked, as it was read.
#[derive(ToSchema)]
pub(crate) struct NearbyMeta {
    #[schema(maximum = 50)]
    count: u32,
    #[schema(minimum = -90, maximum = 90)]
    lat: f64,
    #[schema(minimum = -180, maximum = 180)]
    lon: f64,
    /// The one that was used.
    #[schema(minimum = 1, maximum = 1000)]
    radius: u32,
    #[schema(inline)]
    unit: Unit,
}

/// What `radius` and `distance` are in.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Unit {
    Meters,
}

/// Why a line found nothing.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub(crate) enum BulkError {
    NotFound,
    InvalidPostcode,
    InvalidNumber,
}

/// What was found for one line.
#[derive(ToSchema)]
pub(crate) struct BulkResult<'a> {
    /// Position of the line in the request, from 0.
    #[schema(maximum = 999)]
    index: u32,
    /// As it was read; null where it could not be.
    #[schema(required, pattern = "^[0-9]{4}[A-Z]{2}$")]
    postcode: Option<String>,
    /// As it was read; null where it could not be.
    #[schema(required, minimum = 1, maximum = 99_999)]
    number: Option<u32>,
    found: bool,
    /// Why nothing was found; null where something was.
    #[schema(required)]
    error: Option<BulkError>,
    #[schema(required)]
    address: Option<V1Address<'a>>,
}

/// One result for each line, in the order of the request.
#[derive(ToSchema)]
pub(crate) struct BulkAnswer<'a> {
    #[schema(min_items = 1, max_items = 1000)]
    data: Vec<BulkResult<'a>>,
    meta: BulkMeta,
}

/// Counts of lines.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) struct BulkMeta {
    #[schema(minimum = 1, maximum = 1000)]
    requested: u32,
    #[schema(maximum = 1000)]
    found: u32,
    /// Calls that this request takes from the bundle: one for each line.
    #[schema(minimum = 1, maximum = 1000)]
    billable_calls: u32,
}

/// What is wrong with an address.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub(crate) enum ValidationReason {
    InvalidPostcode,
    FieldMismatch,
    NumberNotFound,
    PostcodeNotFound,
    NotFound,
}

/// Whether an address is right, and what was meant if it is not.
#[derive(ToSchema)]
pub(crate) struct ValidationResult<'a> {
    valid: bool,
    /// Null for an address that is right.
    #[schema(required)]
    reason: Option<ValidationReason>,
    /// The address that was entered, where there is one.
    #[schema(required)]
    address: Option<V1Address<'a>>,
    /// The fields that were wrong, `street` or `city`, with the right value; empty when there is nothing to correct.
    corrections: HashMap<String, String>,
    /// An address that may have been meant.
    #[schema(required)]
    suggestion: Option<V1Address<'a>>,
}

/// A validation in its envelope.
#[derive(ToSchema)]
pub(crate) struct ValidationAnswer<'a> {
    data: ValidationResult<'a>,
}
