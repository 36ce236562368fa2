//! An address as v1 shows it.

use std::fmt::Display;
use std::ops::Deref;

use postduif_schema::{
    Addition, Address, AddressId, HouseLetter, HouseNumber, LonLat, Postcode, Purposes,
};
use serde::{Serialize, Serializer};

use crate::api::geo_json::GeoJsonPoint;
use crate::api::writer::Writer;

/// Bytes of most addresses, and some more.
pub(super) const ADDRESS_BYTES: usize = 384;

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
    #[serde(serialize_with = "point_or_null")]
    location: Option<LonLat>,
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
            location: address.location.map(|location| location.lon_lat),
            purposes: address.purposes,
            surface: address.surface_m2,
            construction_year: address.construction_year,
            r#type: address.kind.as_str(),
        }
    }
}

/// The same as serde writes it, at a third of the cost.
impl V1Address<'_> {
    /// The whole object.
    pub(crate) fn write(&self, json: &mut Writer) {
        self.write_open(json);
        json.raw("}");
    }

    /// The object but for its end: more fields may follow.
    pub(crate) fn write_open(&self, json: &mut Writer) {
        json.raw("{\"id\":");
        json.sixteen_digits(self.id.get());
        json.raw(",\"postcode\":");
        json.ascii(&self.postcode.ascii());
        json.raw(",\"number\":");
        json.number(self.number.get().into());
        json.raw(",\"letter\":");
        json.option(self.letter.map(HouseLetter::ascii), |json, letter| {
            json.ascii(&[letter]);
        });
        json.raw(",\"addition\":");
        json.option(self.addition.as_ref(), |json, addition| {
            json.quoted(addition.as_str());
        });
        for (key, name) in [
            (",\"street\":", self.street),
            (",\"city\":", self.city),
            (",\"municipality\":", self.municipality),
            (",\"province\":", self.province),
        ] {
            json.raw(key);
            json.text(name);
        }
        json.raw(",\"location\":");
        json.option(self.location, Writer::point);
        json.raw(",\"purposes\":");
        json.list(self.purposes.iter(), |json, purpose| {
            json.quoted(purpose.as_str());
        });
        json.raw(",\"surface\":");
        json.option(self.surface.map(u64::from), Writer::number);
        json.raw(",\"constructionYear\":");
        json.option(self.construction_year.map(u64::from), Writer::number);
        json.raw(",\"type\":");
        json.quoted(self.r#type);
    }
}

fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn text_or_null<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn point_or_null<S: Serializer>(place: &Option<LonLat>, serializer: S) -> Result<S::Ok, S::Error> {
    place.map(GeoJsonPoint::from).serialize(serializer)
}

fn words<S: Serializer>(purposes: &Purposes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(purposes.iter().map(|purpose| purpose.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Location, Purpose, Rd};

    #[test]
    fn an_address_is_written_as_serde_writes_it() {
        let number = HouseNumber::new(7).expect("a house number");
        let postcode = "1380AA".parse().expect("a postcode");
        let bare = Address::of_box(
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
            surface_m2: Some(999_998),
            construction_year: Some(1462),
            ..bare.clone()
        };
        for address in [bare, full] {
            let address = V1Address::from(&address);
            let mut json = Writer::with_capacity(ADDRESS_BYTES);
            address.write(&mut json);
            let by_serde = serde_json::to_vec(&address).expect("JSON");
            assert_eq!(json.into_bytes(), by_serde);
        }
    }
}
