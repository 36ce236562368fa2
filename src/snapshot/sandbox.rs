//! Builds the sandbox: four fixed addresses. The code that serves the register serves them too.
//!
//! Source: sandbox.md. The postcodes, the numbers and the first response body are those that the third-party API documents for its sandbox,
//! so that the tests of that API's clients pass unchanged. The street of 6545CA 29 differs from the register's on purpose. Assumption: ids,
//! surface, year and RD may have made-up values, because v3 does not return them. Tests compare these values.

use std::sync::Arc;

use postduif_schema::{
    Address, AddressId, AddressKind, HouseNumber, Location, LonLat, Postcode, Purpose, PurposeSet,
    Rd,
};

use super::Snapshot;

/// Builds the sandbox's snapshot in memory.
pub fn sandbox_snapshot() -> Snapshot {
    Snapshot::in_memory(&sandbox_addresses()).expect("four addresses fit an index in memory")
}

/// The sandbox's addresses: three houses and a post-office box.
pub(super) fn sandbox_addresses() -> Vec<Address> {
    let houses = SANDBOX_ADDRESSES.iter().map(SandboxAddress::to_address);
    houses.chain([sandbox_postbus()]).collect()
}

/// A house of the sandbox, a row of [`SANDBOX_ADDRESSES`].
struct SandboxAddress {
    postcode: &'static str,
    number: u32,
    street: &'static str,
    city: &'static str,
    province: &'static str,
    /// Longitude and latitude in units of 10⁻⁷ degree.
    lon_lat: LonLat,
    /// The same location in RD, to the metre.
    rd: Rd,
    id: &'static str,
    street_id: &'static str,
}

const SANDBOX_ADDRESSES: [SandboxAddress; 3] = [
    SandboxAddress {
        postcode: "6545CA",
        number: 29,
        street: "Waldeck Pyrmontsingel",
        city: "Nijmegen",
        province: "Gelderland",
        lon_lat: LonLat {
            lon_e7: 58_696_099,
            lat_e7: 518_415_540,
        },
        rd: Rd {
            x_mm: 188_245_000,
            y_mm: 428_218_000,
        },
        id: "9999200000000001",
        street_id: "9999300000000001",
    },
    SandboxAddress {
        postcode: "1021JT",
        number: 19,
        street: "Hamerstraat",
        city: "Amsterdam",
        province: "Noord-Holland",
        lon_lat: LonLat {
            lon_e7: 49_194_527,
            lat_e7: 523_862_912,
        },
        rd: Rd {
            x_mm: 123_156_000,
            y_mm: 488_817_000,
        },
        id: "9999200000000002",
        street_id: "9999300000000002",
    },
    SandboxAddress {
        postcode: "5038EA",
        number: 17,
        street: "Stationsstraat",
        city: "Tilburg",
        province: "Noord-Brabant",
        lon_lat: LonLat {
            lon_e7: 50_836_614,
            lat_e7: 515_598_283,
        },
        rd: Rd {
            x_mm: 133_951_000,
            y_mm: 396_808_000,
        },
        id: "9999200000000003",
        street_id: "9999300000000003",
    },
];

impl SandboxAddress {
    fn to_address(&self) -> Address {
        let city: Arc<str> = self.city.into();
        Address {
            id: parse_id(self.id),
            postcode: parse_postcode(self.postcode),
            number: house_number(self.number),
            letter: None,
            addition: None,
            street_id: Some(
                self.street_id
                    .parse()
                    .expect("the table's ids have sixteen digits"),
            ),
            street: self.street.into(),
            city: city.clone(),
            municipality: city,
            province: self.province.into(),
            location: Some(Location {
                rd: self.rd,
                lon_lat: self.lon_lat,
            }),
            purposes: PurposeSet::from_iter([Purpose::Woonfunctie]),
            other_purposes: None,
            surface_m2: Some(100),
            construction_year: Some(1970),
            kind: AddressKind::Verblijfsobject,
            planned: false,
        }
    }
}

fn sandbox_postbus() -> Address {
    let leusden: Arc<str> = "Leusden".into();
    let place = [leusden.clone(), leusden, "Utrecht".into()];
    Address {
        id: parse_id("9999200000000004"),
        ..Address::new_po_box(parse_postcode("3030AC"), house_number(100), place)
    }
}

fn parse_id(digits: &str) -> AddressId {
    digits.parse().expect("the table's ids have sixteen digits")
}

fn parse_postcode(text: &str) -> Postcode {
    text.parse().expect("the table's postcodes are postcodes")
}

fn house_number(number: u32) -> HouseNumber {
    HouseNumber::new(number).expect("the table's numbers are house numbers")
}
