//! Makes addresses: twenty per postcode, and one street for every ten postcodes.

use std::sync::Arc;

use postduif_schema::{
    Address, AddressId, AddressKind, BagId, HouseNumber, Location, LonLat, Postcode, Purpose,
    PurposeSet, Rd,
};

const PER_POSTCODE: u32 = 20;
const POSTCODES_PER_STREET: u32 = 10;

/// The values in which all addresses of two generations differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variant {
    /// The last part of the name of every street.
    pub(crate) street_end: &'static str,
    pub(crate) surface_m2: u32,
}

/// Makes `count` similar addresses.
pub(crate) fn addresses(count: u32, variant: Variant) -> Vec<Address> {
    let names: Vec<Arc<str>> = (0..=count / PER_POSTCODE / POSTCODES_PER_STREET)
        .map(|street| format!("Lange Dijk {street}{}", variant.street_end).into())
        .collect();
    let addresses = (0..count).map(|index| address(index, &names, variant));
    addresses.collect()
}

fn address(index: u32, streets: &[Arc<str>], variant: Variant) -> Address {
    let postcode = index / PER_POSTCODE;
    let street = usize::try_from(postcode / POSTCODES_PER_STREET).expect("32 bits fit");
    let shift = i32::try_from(index).expect("fewer than 2³¹");
    Address {
        id: AddressId::from_number(u64::from(index) + 1_424_200_000_000_000)
            .expect("sixteen digits"),
        postcode: Postcode::from_code(postcode + 676_000).expect("few enough postcodes"),
        number: HouseNumber::new(index % PER_POSTCODE * 2 + 1).expect("a low number"),
        letter: None,
        addition: None,
        // Set a street id, because only post-office boxes have none.
        street_id: BagId::from_number(
            1_424_300_000_000_000 + u64::from(postcode / POSTCODES_PER_STREET),
        ),
        street: streets[street].clone(),
        city: "Nieuw-Ergens".into(),
        municipality: "Nieuw-Ergens".into(),
        province: "Noord-Holland".into(),
        location: Some(Location {
            rd: Rd {
                x_mm: 131_000_000 + shift,
                y_mm: 482_000_000 + shift,
            },
            lon_lat: LonLat {
                lon_e7: 50_400_000 + shift,
                lat_e7: 523_200_000 + shift,
            },
        }),
        purposes: PurposeSet::from_iter([Purpose::Woonfunctie]),
        other_purposes: None,
        surface_m2: Some(variant.surface_m2),
        construction_year: Some(1970),
        kind: AddressKind::Verblijfsobject,
        planned: false,
    }
}
