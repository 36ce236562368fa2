//! Defines the v1 view of an address.

use std::fmt::Display;
use std::ops::Deref;

use postduif_schema::{
    Address, AddressId, HouseLetter, HouseNumber, HouseNumberAddition, LonLat, Postcode, PurposeSet,
};
use serde::{Serialize, Serializer};

use crate::http::geo_json::GeoJsonPoint;
use crate::http::json_writer::JsonWriter;

/// A capacity in bytes for one address. Most addresses need less.
pub(super) const ADDRESS_BYTES: usize = 384;

/// An address in v1. It always has these fourteen fields, in this order. Source: contract.md, section V1Address.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct V1Address<'a> {
    /// The BAG identifier of the address, which is unique.
    #[serde(serialize_with = "serialize_display")]
    id: AddressId,
    /// The postcode in upper case, without a space.
    postcode: Postcode,
    /// The house number without letter or addition.
    number: HouseNumber,
    #[serde(serialize_with = "serialize_optional_display")]
    letter: Option<HouseLetter>,
    #[serde(serialize_with = "serialize_optional_display")]
    addition: Option<HouseNumberAddition>,
    /// The name of the street, spelled as in the register; `Postbus` for a post-office box.
    street: &'a str,
    /// The name of the place (woonplaats), spelled as in the register. It is not always the municipality.
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    /// The centre of the object, not its front door; null for a post-office box.
    #[serde(serialize_with = "serialize_optional_point")]
    location: Option<LonLat>,
    /// The use purposes, spelled as in the register, such as `woonfunctie`. Empty unless the object is a `verblijfsobject`.
    #[serde(serialize_with = "serialize_purposes")]
    purposes: Purposes<'a>,
    /// The floor area in square metres.
    surface: Option<u32>,
    /// The year in which the oldest building of the object was built.
    construction_year: Option<u16>,
    /// The kind of object.
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
            location: address.location.map(|location| location.lon_lat),
            purposes: Purposes {
                known: address.purposes,
                others: address.other_purposes.as_deref(),
            },
            surface: address.surface_m2,
            construction_year: address.construction_year,
            r#type: address.kind.as_str(),
        }
    }
}

/// The use purposes of an address: first the known purposes in the order of the catalogue, then other purposes as spelled in the register.
#[derive(Clone, Copy)]
struct Purposes<'a> {
    known: PurposeSet,
    others: Option<&'a str>,
}

impl<'a> Purposes<'a> {
    fn iter(self) -> impl Iterator<Item = &'a str> {
        let others = self.others.into_iter().flat_map(str::lines);
        let known = self
            .known
            .iter()
            .map(|purpose| -> &'a str { purpose.as_str() });
        known.chain(others)
    }
}

/// Writes the same bytes as serde would, at a third of the cost.
impl V1Address<'_> {
    /// Writes the whole object.
    pub(crate) fn write_json(&self, json: &mut JsonWriter) {
        self.write_unclosed(json);
        json.raw("}");
    }

    /// Writes the object without its closing brace, so that more fields may follow.
    pub(crate) fn write_unclosed(&self, json: &mut JsonWriter) {
        json.raw("{\"id\":");
        json.sixteen_digits(self.id.get());
        json.raw(",\"postcode\":");
        json.ascii_string(&self.postcode.ascii());
        json.raw(",\"number\":");
        json.integer(self.number.get().into());
        json.raw(",\"letter\":");
        json.option(self.letter.map(HouseLetter::ascii), |json, letter| {
            json.ascii_string(&[letter]);
        });
        json.raw(",\"addition\":");
        json.option(self.addition.as_ref(), |json, addition| {
            json.plain_string(addition.as_str());
        });
        for (key, name) in [
            (",\"street\":", self.street),
            (",\"city\":", self.city),
            (",\"municipality\":", self.municipality),
            (",\"province\":", self.province),
        ] {
            json.raw(key);
            json.string(name);
        }
        json.raw(",\"location\":");
        json.option(self.location, JsonWriter::geo_json_point);
        json.raw(",\"purposes\":");
        json.array(self.purposes.iter(), |json, purpose| {
            json.string(purpose);
        });
        json.raw(",\"surface\":");
        json.option(self.surface.map(u64::from), JsonWriter::integer);
        json.raw(",\"constructionYear\":");
        json.option(self.construction_year.map(u64::from), JsonWriter::integer);
        json.raw(",\"type\":");
        json.plain_string(self.r#type);
    }
}

fn serialize_display<S: Serializer>(
    value: &impl Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn serialize_optional_display<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn serialize_optional_point<S: Serializer>(
    place: &Option<LonLat>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    place.map(GeoJsonPoint::from).serialize(serializer)
}

fn serialize_purposes<S: Serializer>(
    purposes: &Purposes<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(purposes.iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Location, Purpose, Rd};

    #[test]
    fn write_json_writes_the_same_as_serde() {
        let number = HouseNumber::new(7).expect("a house number");
        let postcode = "1380AA".parse().expect("a postcode");
        let bare = Address::new_po_box(
            postcode,
            number,
            ["Weesp", "Gooi \"e.o.\"", "Fryslân"].map(Into::into),
        );
        let rd = Rd {
            x_mm: 131_009_001,
            y_mm: 482_405_999,
        };
        let lon_lat = LonLat {
            lon_e7: 50_406_780,
            lat_e7: -5,
        };
        let full = Address {
            letter: HouseLetter::from_ascii(b'a'),
            addition: "TM25".parse().ok(),
            location: Some(Location { rd, lon_lat }),
            purposes: [Purpose::Woonfunctie, Purpose::OverigeGebruiksfunctie]
                .into_iter()
                .collect(),
            other_purposes: Some("zwemfunctie \"oud\"\nskifunctie".into()),
            surface_m2: Some(999_998),
            construction_year: Some(1462),
            ..bare.clone()
        };
        for address in [bare, full] {
            let address = V1Address::from(&address);
            let mut json = JsonWriter::with_capacity(ADDRESS_BYTES);
            address.write_json(&mut json);
            let by_serde = serde_json::to_vec(&address).expect("JSON");
            assert_eq!(json.into_bytes(), by_serde);
        }
    }
}
