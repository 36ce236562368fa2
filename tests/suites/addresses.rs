//! Makes addresses with every oddity that the look-ups must handle.

use postduif_schema::{
    Address, AddressKind, HouseLetter, HouseNumber, Location, LonLat, Postcode, Purpose,
    PurposeSet, Rd,
};

/// Parses a postcode in the text of a test.
pub(crate) fn postcode(text: &str) -> Postcode {
    text.parse().expect("a postcode")
}

/// A house in the street Dijk in which every field has a value. Its town and municipality have different names.
pub(crate) fn house(number: u32, suffix: (&str, &str), serial: u64) -> Address {
    let (letter, addition) = suffix;
    Address {
        id: format!("142420{serial:010}").parse().expect("an id"),
        postcode: postcode("1234AB"),
        number: HouseNumber::new(number).expect("a house number"),
        letter: letter.bytes().next().and_then(HouseLetter::from_ascii),
        addition: addition.parse().ok(),
        street_id: "1424300000000001".parse().ok(),
        street: "Dijk".into(),
        city: "'s-Ginds".into(),
        municipality: "Súdwest".into(),
        province: "Fryslân".into(),
        location: Some(Location {
            rd: Rd {
                x_mm: 131_009_001,
                y_mm: 482_405_999,
            },
            lon_lat: LonLat {
                lon_e7: 50_400_000,
                lat_e7: 523_276_543,
            },
        }),
        purposes: PurposeSet::from_iter([Purpose::Woonfunctie, Purpose::OverigeGebruiksfunctie]),
        other_purposes: None,
        surface_m2: Some(84),
        construction_year: Some(1904),
        kind: AddressKind::Verblijfsobject,
        planned: false,
    }
}

/// The test village: postcode 1234AB with several streets, 1234AC with a berth and a pitch, 1300AA with post-office boxes.
pub(crate) fn village() -> Vec<Address> {
    let shop = PurposeSet::from_iter([Purpose::Winkelfunctie]);
    let bare = |kind, number, serial| Address {
        postcode: postcode("1234AC"),
        purposes: PurposeSet::EMPTY,
        other_purposes: None,
        surface_m2: None,
        construction_year: None,
        kind,
        ..house(number, ("", ""), serial)
    };
    let boxes = |number| {
        let number = HouseNumber::new(number).expect("a box number");
        Address::new_po_box(
            postcode("1300AA"),
            number,
            ["Elders", "Elders", "Utrecht"].map(Into::into),
        )
    };
    vec![
        house(29, ("", ""), 1),
        house(12, ("B", ""), 2),
        house(12, ("", "10"), 3),
        house(12, ("A", "1"), 4),
        house(12, ("", "2"), 5),
        house(12, ("A", ""), 6),
        house(12, ("", "bis"), 7),
        // Number 5 has three addresses: a planned one without a letter, a shop with the first letter, and a dwelling, which is
        // preferred.
        Address {
            planned: true,
            street: "Gepland".into(),
            ..house(5, ("", ""), 8)
        },
        Address {
            purposes: shop,
            other_purposes: None,
            street: "Winkel".into(),
            ..house(5, ("A", ""), 9)
        },
        Address {
            street: "Woning".into(),
            ..house(5, ("B", ""), 10)
        },
        Address {
            city: "Elders".into(),
            street: "Achterom".into(),
            location: None,
            ..house(7, ("C", ""), 11)
        },
        bare(AddressKind::Ligplaats, 1, 12),
        bare(AddressKind::Standplaats, 3, 13),
        boxes(7),
        boxes(9001),
    ]
}
