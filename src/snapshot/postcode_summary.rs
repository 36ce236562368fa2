//! Summarizes a postcode: its street, its town and the centre of its addresses.
//!
//! Source: contract.md, section V1PostcodeSummary. Assumption: if several streets or towns have equally many addresses, the first by name
//! is chosen. The tests check this.
//!
//! City, municipality and province are those of one address: chosen one by one, they could name a city in another city's province.

use std::collections::BTreeMap;
use std::sync::Arc;

use postduif_schema::{Address, AddressKind, LonLat};

/// The common properties of the addresses of a postcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostcodeSummary {
    /// The street with the most addresses. If several streets have equally many, the first by name.
    pub street: Arc<str>,
    /// The city of the most frequent combination of city, municipality and province in `street`.
    pub city: Arc<str>,
    /// The municipality of that combination.
    pub municipality: Arc<str>,
    /// The province of that combination.
    pub province: Arc<str>,
    /// The mean location, rounded to 10⁻⁷ degree; `None` if no address has a location.
    pub centre: Option<LonLat>,
    /// The number of addresses.
    pub address_count: usize,
    /// Lowest and highest house number.
    pub numbers: HouseNumberRange,
    /// Whether all addresses are post-office boxes.
    pub is_po_box: bool,
}

/// Lowest and highest house number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct HouseNumberRange {
    /// Lowest.
    pub min: u32,
    /// Highest.
    pub max: u32,
}

impl PostcodeSummary {
    /// Summarizes the addresses of a postcode; `None` if there are none.
    pub fn from_addresses(addresses: &[Address]) -> Option<Self> {
        let numbers = || addresses.iter().map(|address| address.number.get());
        let street = most_frequent(addresses.iter().map(|address| &address.street))?;
        let on_street = addresses.iter().filter(|address| address.street == *street);
        let (city, municipality, province) = most_frequent(
            on_street.map(|address| (&address.city, &address.municipality, &address.province)),
        )?;
        Some(Self {
            street: street.clone(),
            city: city.clone(),
            municipality: municipality.clone(),
            province: province.clone(),
            centre: mean_location(addresses),
            address_count: addresses.len(),
            numbers: HouseNumberRange {
                min: numbers().min()?,
                max: numbers().max()?,
            },
            is_po_box: addresses
                .iter()
                .all(|address| address.kind == AddressKind::Postbus),
        })
    }
}

/// The most frequent name, or tuple of names. If several are equally frequent, the first in alphabetical order. `None` if there is no name.
fn most_frequent<T: Ord>(names: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    // Of several maxima, `max_by_key` returns the last. Iterate in reverse order, so that this is the first name in the alphabet.
    counts
        .into_iter()
        .rev()
        .max_by_key(|&(_, count)| count)
        .map(|(name, _)| name)
}

/// The mean longitude and latitude. The area of a postcode is so small that this point is the centre of its addresses.
fn mean_location(addresses: &[Address]) -> Option<LonLat> {
    let locations = || {
        addresses
            .iter()
            .filter_map(|address| Some(address.location?.lon_lat))
    };
    let count = i64::try_from(locations().count()).ok()?;
    let mean = |axis: fn(LonLat) -> i32| {
        let sum: i64 = locations().map(|location| i64::from(axis(location))).sum();
        i32::try_from((2 * sum + count).checked_div_euclid(2 * count)?).ok()
    };
    Some(LonLat {
        lon_e7: mean(|location| location.lon_e7)?,
        lat_e7: mean(|location| location.lat_e7)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{HouseNumber, Location, Rd};

    fn address(street: &str, city: &str, number: u32, lon_lat: Option<(i32, i32)>) -> Address {
        let number = HouseNumber::new(number).expect("a house number");
        let place = [city, "Gemeente", "Provincie"].map(Into::into);
        let plain = Address::new_po_box("1234AB".parse().expect("a postcode"), number, place);
        let location = lon_lat.map(|(lon_e7, lat_e7)| Location {
            rd: Rd { x_mm: 0, y_mm: 0 },
            lon_lat: LonLat { lon_e7, lat_e7 },
        });
        Address {
            street: street.into(),
            location,
            kind: AddressKind::Verblijfsobject,
            ..plain
        }
    }

    #[test]
    fn an_empty_postcode_has_no_summary() {
        assert_eq!(PostcodeSummary::from_addresses(&[]), None);
    }

    #[test]
    fn the_city_is_that_of_the_street_with_most_addresses() {
        let summary = PostcodeSummary::from_addresses(&[
            address("Kade", "Elders", 9, None),
            address("Dijk", "Ginds", 3, Some((50_000_000, 520_000_000))),
            address("Dijk", "Hier", 5, Some((50_000_001, 520_000_002))),
            address("Dijk", "Hier", 7, None),
            address("Kade", "Elders", 1, None),
        ])
        .expect("five addresses");
        assert_eq!((&*summary.street, &*summary.city), ("Dijk", "Hier"));
        assert_eq!(
            summary.centre,
            Some(LonLat {
                lon_e7: 50_000_001,
                lat_e7: 520_000_001
            })
        );
        assert_eq!((summary.address_count, summary.is_po_box), (5, false));
        assert_eq!(summary.numbers, HouseNumberRange { min: 1, max: 9 });
    }

    #[test]
    fn municipality_and_province_are_those_of_the_city() {
        let grensweg = |number, [city, municipality, province]: [&str; 3]| Address {
            municipality: municipality.into(),
            province: province.into(),
            ..address("Grensweg", city, number, None)
        };
        let summary = PostcodeSummary::from_addresses(&[
            grensweg(1, ["Aardam", "Utrecht", "Utrecht"]),
            grensweg(2, ["Zuideinde", "Amsterdam", "Noord-Holland"]),
        ])
        .expect("two addresses");
        assert_eq!(
            [&*summary.city, &*summary.municipality, &*summary.province],
            ["Aardam", "Utrecht", "Utrecht"]
        );
    }

    #[test]
    fn of_streets_with_equally_many_addresses_the_first_by_name_is_chosen() {
        let tie = [
            address("Kade", "B", 1, None),
            address("Dijk", "B", 2, None),
            address("Dijk", "A", 3, None),
        ];
        let summary = PostcodeSummary::from_addresses(
            &[tie.as_slice(), &[address("Kade", "A", 4, None)]].concat(),
        );
        let summary = summary.expect("four addresses");
        assert_eq!(
            (&*summary.street, &*summary.city, summary.centre),
            ("Dijk", "A", None)
        );
    }
}
