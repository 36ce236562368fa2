//! Checks oddities that involve several records, oddities of woonplaatsen, and the files other than the main files.

use super::contents::field;
use super::records::{DELIVERY, STAND, begins, ends, is_valid};
use crate::{ExpectedAddress, expected_addresses};
use std::collections::HashSet;

#[test]
fn addresses_that_share_a_postcode_a_street_or_a_number_occur() {
    let (spec, _) = &*DELIVERY;
    let addresses: Vec<ExpectedAddress> = expected_addresses(spec).collect();
    let pair = |oddity: &str, has_oddity: &dyn Fn(&ExpectedAddress, &ExpectedAddress) -> bool| {
        let found = addresses.iter().enumerate().any(|(at, one)| {
            addresses[at + 1..]
                .iter()
                .any(|other| has_oddity(one, other))
        });
        assert!(found, "no {oddity}");
    };
    pair("postcode with two streets", &|one, other| {
        one.postcode == other.postcode && one.street != other.street && one.city == other.city
    });
    pair("postcode with two towns", &|one, other| {
        one.postcode == other.postcode && one.city != other.city
    });
    pair("two municipalities in a postcode", &|one, other| {
        one.postcode == other.postcode && one.municipality_code != other.municipality_code
    });
    pair("street in two towns", &|one, other| {
        one.street == other.street && one.city != other.city && one.id[6..12] != other.id[6..12]
    });
    pair("two ids for one address", &|one, other| {
        let text = |address: &ExpectedAddress| {
            (
                address.postcode.clone(),
                address.number,
                address.letter,
                address.addition.clone(),
            )
        };
        one.planned != other.planned
            && one.number == other.number
            && text(one) == text(other)
            && one.street == other.street
    });
}

#[test]
fn numbers_with_a_letter_only_and_with_two_objects_occur() {
    let (spec, contents) = &*DELIVERY;
    let addresses: Vec<ExpectedAddress> = expected_addresses(spec).collect();
    let with_letter_only = |address: &ExpectedAddress| {
        address.letter.is_some()
            && !addresses.iter().any(|other| {
                other.letter.is_none()
                    && other.postcode == address.postcode
                    && other.number == address.number
            })
    };
    assert!(addresses.iter().any(with_letter_only));

    let current: Vec<String> = contents
        .records("/9999VBO0")
        .into_iter()
        .filter(|record| is_valid(record))
        .collect();
    let mut main: Vec<&str> = current
        .iter()
        .filter_map(|record| field(record, "NummeraanduidingRef"))
        .collect();
    main.sort_unstable();
    assert!(
        main.windows(2).any(|pair| pair[0] == pair[1]),
        "no hoofdadres of two objects"
    );
}

#[test]
fn records_that_must_not_be_loaded_occur() {
    let (_, contents) = &*DELIVERY;
    let ids = |part: &str| -> HashSet<String> {
        contents
            .records(part)
            .iter()
            .filter_map(|record| field(record, "identificatie").map(str::to_owned))
            .collect()
    };
    for part in ["OPR", "NUM", "VBO", "PND"] {
        let main = ids(&format!("/9999{part}0"));
        for beside in ["NB", "IA"] {
            let marked = contents.records(&format!("/9999{beside}{part}0"));
            let mark = if beside == "NB" {
                "tijdstipNietBagLV"
            } else {
                "tijdstipInactiefLV"
            };
            assert!(
                !marked.is_empty() && marked.iter().all(|record| record.contains(mark)),
                "{beside}{part}"
            );
            assert!(
                marked.iter().any(|record| ends(record).is_empty()),
                "{beside}{part}: no record looks open"
            );
            assert!(
                ids(&format!("/9999{beside}{part}0"))
                    .iter()
                    .all(|id| main.contains(id)),
                "{beside}{part}"
            );
        }
        assert!(
            !contents.records(&format!("/9999IO{part}0")).is_empty(),
            "IO{part}"
        );
    }
}

#[test]
fn woonplaatsen_and_municipalities_change() {
    let (_, contents) = &*DELIVERY;
    let woonplaatsen = contents.records("/9999WPL0");
    let has = |oddity: &str, has_oddity: &dyn Fn(&str) -> bool| {
        assert!(
            woonplaatsen.iter().any(|record| has_oddity(record)),
            "no {oddity}"
        )
    };
    has("withdrawn woonplaats", &|record| {
        record.contains(">Woonplaats ingetrokken<")
    });
    has("woonplaats in parts", &|record| {
        record.contains("<Objecten:multivlak>")
    });
    has("woonplaats that is renamed later", &|record| {
        begins(record) > STAND
    });

    let relations = contents.text("GEM-WPL-RELATIE");
    assert!(relations.contains("verzonnen levering") && relations.contains("géén"));
    let rows: Vec<&str> = relations
        .split("<gwr-product:GemeenteWoonplaatsRelatie>")
        .skip(1)
        .collect();
    let has = |oddity: &str, has_oddity: &dyn Fn(&str) -> bool| {
        assert!(rows.iter().any(|row| has_oddity(row)), "no {oddity}")
    };
    has("row that ends later", &|row| {
        row.contains("einddatumTijdvakGeldigheid>2027-01-01<")
    });
    has("row that begins later", &|row| {
        row.contains("begindatumTijdvakGeldigheid>2027-01-01<")
    });
    has("row that has ended", &|row| {
        field(row, "einddatumTijdvakGeldigheid").is_some_and(|end| end <= STAND)
            && row.contains(">definitief<")
    });
    has("row that is not final", &|row| row.contains(">voorlopig<"));
}
