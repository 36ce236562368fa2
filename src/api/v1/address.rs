//! An address as v1 shows it.

use std::fmt::Display;
use std::ops::Deref;

use postduif_schema::{Addition, Address, AddressId, HouseLetter, HouseNumber, Postcode, Purposes};
use serde::{Serialize, Serializer};

use crate::api::geo_json::GeoJsonPoint;

/// Source: contract.md, V1Address: fourteen fields in this order, always.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct V1Address<'a> {
    #[serde(serialize_with = "text")]
    id: AddressId,
    postcode: Postcode,
    number: HouseNumber,
    #[serde(serialize_with = "text_or_null")]
    letter: Option<HouseLetter>,
    #[serde(serialize_with = "text_or_null")]
    addition: Option<Addition>,
    street: &'a str,
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    location: Option<GeoJsonPoint>,
    #[serde(serialize_with = "words")]
    purposes: Purposes,
    /// Square metres.
    surface: Option<u32>,
    construction_year: Option<u16>,
    r#type: &'static str,
}

impl<'a, Text: Deref<Target = str>> From<&'a Address<Text>> for V1Address<'a> {
    fn from(address: &'a Address<Text>) -> Self {
        Self {
            id: address.id,
            postcode: address.postcode,
            number: address.number,
            letter: address.letter,
            addition: address.addition,
            street: &address.street,
            city: &address.city,
            municipality: &address.municipality,
            province: &address.province,
            location: address.location.map(|location| location.lon_lat.into()),
            purposes: address.purposes,
            surface: address.surface_m2,
            construction_year: address.construction_year,
            r#type: address.kind.as_str(),
        }
    }
}

fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(super) fn text_or_null<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn words<S: Serializer>(purposes: &Purposes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(purposes.iter().map(|purpose| purpose.as_str()))
}
