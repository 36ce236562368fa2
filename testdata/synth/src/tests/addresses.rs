//! Checks the expected addresses of an extract.

use super::support::{extract, extract_contents, spec};
use crate::{ExpectedAddress, Layout, ObjectKind, Spec, StreetNameList, expected_addresses};
use jiff::civil::date;
use std::collections::HashSet;

#[test]
fn equal_specs_make_equal_bytes() {
    let spec = spec(1_000, Layout::National);
    let other = Spec {
        seed: 2,
        ..spec.clone()
    };
    assert!(extract(&spec).0 == extract(&spec).0);
    assert!(extract(&spec).0 != extract(&other).0);
}

#[test]
fn exactly_the_requested_addresses_are_served() {
    #[track_caller]
    fn case(addresses: u64) {
        let spec = spec(addresses, Layout::National);
        let ids: HashSet<String> = expected_addresses(&spec)
            .map(|address| address.id)
            .collect();
        assert_eq!(ids.len() as u64, addresses);
        assert_eq!(extract(&spec).1.served, addresses);
    }
    [1, 2, 5, 7, 199, 206, 1_001, 4_000, 20_011]
        .into_iter()
        .for_each(case);
}

#[test]
fn expected_addresses_are_well_formed() {
    for address in expected_addresses(&spec(30_000, Layout::National)) {
        let postcode = address.postcode.as_bytes();
        assert!(
            postcode.len() == 6 && (b'1'..=b'9').contains(&postcode[0]) && postcode[3] != b'0',
            "{address:?}"
        );
        assert!(
            !["SA", "SD", "SS"].contains(&&address.postcode[4..]),
            "{address:?}"
        );
        assert!((1..=99_999).contains(&address.number), "{address:?}");
        assert!(
            (10_000_000..280_000_000).contains(&address.rd_x_mm),
            "{address:?}"
        );
        assert!(
            (300_000_000..620_000_000).contains(&address.rd_y_mm),
            "{address:?}"
        );
        assert_eq!(
            address.purposes.is_empty(),
            address.kind != ObjectKind::Verblijfsobject,
            "{address:?}"
        );
    }
}

#[test]
fn one_address_in_six_has_a_letter_or_an_addition() {
    let has_suffix =
        |address: &ExpectedAddress| address.letter.is_some() || address.addition.is_some();
    let count = expected_addresses(&spec(50_000, Layout::National))
        .filter(has_suffix)
        .count();
    assert!((7_500..10_500).contains(&count), "{count}");
}

#[test]
fn street_names_come_from_the_list() {
    let list = "60\tLangeweg\n30\tKorte Steeg\n10\tGroenmarkt\n";
    let names = StreetNameList::read(list.as_bytes()).expect("three good lines");
    let named = spec(6_000, Layout::Municipal).with_names(names);
    let streets: HashSet<String> = expected_addresses(&named)
        .map(|address| address.street)
        .collect();
    assert!(
        ["Langeweg", "Korte Steeg", "Groenmarkt"]
            .iter()
            .all(|name| streets.contains(*name))
    );
}

#[test]
fn the_stand_day_is_in_all_files() {
    let spec = spec(500, Layout::Municipal)
        .with_stand(date(2013, 3, 31))
        .expect("the day is allowed");
    let contents = extract_contents(&spec);
    assert!(contents.text("Leveringsdocument").contains(">2013-03-31<"));
    assert!(
        contents.names().any(
            |name| name == "0351GEM31032013.zip/0351NUM31032013.zip/0351NUM31032013-000001.xml"
        )
    );
    assert_eq!(expected_addresses(&spec).count(), 500);
}
