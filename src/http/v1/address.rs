//! Writes the v1 view of an address.

use std::ops::Deref;

use postduif_schema::{Address, HouseLetter};

use crate::http::json_writer::JsonWriter;

/// The number of bytes to reserve for the JSON of one address. Most addresses need less.
pub(crate) const ADDRESS_BYTES: usize = 384;

/// Writes an address. It always has the same fourteen fields, in the same order. Source: contract.md, section V1Address.
pub(crate) fn write_address(json: &mut JsonWriter, address: &Address<impl Deref<Target = str>>) {
    write_unclosed_address(json, address);
    json.raw("}");
}

/// Writes an address without its closing brace, so that more fields may follow.
pub(crate) fn write_unclosed_address(
    json: &mut JsonWriter,
    address: &Address<impl Deref<Target = str>>,
) {
    json.raw("{\"id\":");
    json.sixteen_digits(address.id.get());
    json.raw(",\"postcode\":");
    json.ascii_string(&address.postcode.ascii());
    json.raw(",\"number\":");
    json.number(address.number.get());
    json.raw(",\"letter\":");
    json.option(address.letter.map(HouseLetter::ascii), |json, letter| {
        json.ascii_string(&[letter]);
    });
    json.raw(",\"addition\":");
    json.option(address.addition.as_ref(), |json, addition| {
        json.plain_string(addition.as_str());
    });
    for (key, name) in [
        (",\"street\":", &address.street),
        (",\"city\":", &address.city),
        (",\"municipality\":", &address.municipality),
        (",\"province\":", &address.province),
    ] {
        json.raw(key);
        json.string(name);
    }
    // The centre of the object, not its front door; null for a post-office box.
    json.raw(",\"location\":");
    let location = address.location.map(|location| location.lon_lat);
    json.option(location, JsonWriter::geo_json_point);
    // First the known purposes in the order of the register's catalogue, then other purposes as spelled in the register.
    json.raw(",\"purposes\":");
    let known = address.purposes.iter().map(|purpose| purpose.as_str());
    let others = address.other_purposes.as_deref().into_iter();
    json.array(known.chain(others.flat_map(str::lines)), |json, purpose| {
        json.string(purpose);
    });
    json.raw(",\"surface\":");
    json.option(address.surface_m2, JsonWriter::number);
    json.raw(",\"constructionYear\":");
    json.option(address.construction_year, JsonWriter::number);
    json.raw(",\"type\":");
    json.plain_string(address.kind.as_str());
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{HouseNumber, Location, LonLat, Purpose, Rd};

    #[track_caller]
    fn writes(address: &Address, expected: &str) {
        let mut json = JsonWriter::with_capacity(ADDRESS_BYTES);
        write_address(&mut json, address);
        let written = String::from_utf8(json.into_bytes()).expect("JSON is UTF-8");
        assert_eq!(written, expected);
    }

    #[test]
    fn an_address_has_fourteen_fields_of_which_some_may_be_null() {
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
        let ids = r#"{"id":"0000138000000007","postcode":"1380AA","number":7"#;
        let names = r#""street":"Postbus","city":"Weesp","municipality":"Gooi \"e.o.\"","province":"Fryslân""#;
        let nothing = r#""location":null,"purposes":[],"surface":null,"constructionYear":null,"type":"postbus"}"#;
        writes(
            &bare,
            &format!(r#"{ids},"letter":null,"addition":null,{names},{nothing}"#),
        );
        let values = [
            r#""location":{"type":"Point","coordinates":[5.040678,-5e-7]}"#,
            r#""purposes":["woonfunctie","overige gebruiksfunctie","zwemfunctie \"oud\"","skifunctie"]"#,
            r#""surface":999998,"constructionYear":1462,"type":"postbus"}"#,
        ]
        .join(",");
        writes(
            &full,
            &format!(r#"{ids},"letter":"a","addition":"TM25",{names},{values}"#),
        );
    }
}
