//! Tests searches in an index of a few places.

use super::*;
use crate::{Address, AddressKind, HouseNumber};

/// An index of streets. Each street is given as its town, municipality, name and number of addresses, and gets its own id and
/// postcode.
fn index(streets: &[(&str, &str, &str, u32)]) -> PlaceIndex {
    let mut all = Vec::new();
    for (serial, (city, municipality, street, count)) in (1_u64..).zip(streets) {
        for number in 1..=*count {
            let number = HouseNumber::new(number).expect("a house number");
            let places = [city, municipality, &"Fryslân"].map(|name| (*name).into());
            let postcode = format!("{}AA", 1000 + serial);
            let plain = Address::new_po_box(postcode.parse().expect("a postcode"), number, places);
            all.push(Address {
                street: (*street).into(),
                street_id: format!("142430{serial:010}").parse().ok(),
                kind: AddressKind::Verblijfsobject,
                ..plain
            });
        }
    }
    PlaceIndex::in_memory(&all).expect("an index in memory")
}

fn country() -> PlaceIndex {
    index(&[
        ("Dorp", "Dorp", "Kerkstraat", 5),
        ("Stad", "Stad", "Kerkstraat", 9),
        ("Stad", "Stad", "Kerklaan", 30),
        ("Stad", "Stad", "Burgemeester van Tuyllaantje", 4),
        ("'s-Gravenhage", "'s-Gravenhage", "Dam", 3),
        ("Bergen", "Bergen (NH.)", "Dam", 2),
        ("Bergen", "Bergen (L.)", "Dam", 1),
    ])
}

/// Each street as the text `name, town`.
fn describe(places: &PlaceIndex, found: &[StreetRank]) -> Vec<String> {
    let spell = |number: &StreetRank| {
        let street = places.street(*number).expect("a street");
        let town = places.town_of_street(&street).expect("a town");
        format!("{}, {}", street.name, town.name)
    };
    found.iter().map(spell).collect()
}

fn towns_named(places: &PlaceIndex, words: &str) -> Vec<(String, TownMatchKind)> {
    let words: Vec<&str> = words.split(' ').collect();
    let hits = places.towns().search(&words);
    let spell = |hit: &TownHit| {
        let town = places.towns().get(hit.town).expect("a town");
        (town.municipality.to_string(), hit.match_kind)
    };
    hits.iter().map(spell).collect()
}

#[test]
fn streets_are_found_by_prefixes_heaviest_first() {
    let places = country();
    let find = |beginnings: &[&str], towns: Option<&TownSet>| {
        let query = StreetQuery {
            prefixes: beginnings,
            towns,
            limit: 10,
        };
        let found = places.search_streets(&query, &mut SearchBudget::new(10_000));
        describe(&places, &found.expect("reads"))
    };
    assert_eq!(
        find(&["kerk"], None),
        ["Kerklaan, Stad", "Kerkstraat, Stad", "Kerkstraat, Dorp"]
    );
    assert_eq!(
        find(&["vantuyl"], None),
        ["Burgemeester van Tuyllaantje, Stad"]
    );
    assert_eq!(
        find(&["tuyl", "burg"], None),
        ["Burgemeester van Tuyllaantje, Stad"]
    );
    assert_eq!(find(&["burgemeestervantuyllaantjeenverder"], None).len(), 1);
    assert_eq!(find(&["tuyl", "kerk"], None), [""; 0]);
    assert_eq!(find(&["x"], None), [""; 0]);
    let dorp: TownSet = places
        .towns()
        .search(&["dorp"])
        .iter()
        .map(|hit| hit.town)
        .collect();
    assert_eq!(find(&["kerk"], Some(&dorp)), ["Kerkstraat, Dorp"]);
    let all: TownSet = places.towns().iter().map(|(town, _)| town).collect();
    assert_eq!(find(&["kerk"], Some(&all)).len(), 3);
    assert_eq!(find(&["kerk"], Some(&TownSet::default())), [""; 0]);
}

#[test]
fn exact_and_mistyped_names_are_found() {
    let places = country();
    let query = StreetQuery {
        prefixes: &["kerk", "straat"],
        towns: None,
        limit: 1,
    };
    let found = places.search_exact_name(&query, &mut SearchBudget::new(1_000));
    assert_eq!(
        describe(&places, &found.expect("reads")),
        ["Kerkstraat, Stad"]
    );
    let nearly = |typed, edits| {
        let typo = FuzzyMatcher::new(typed, edits);
        let found = places.search_fuzzy(&typo, 10, &mut SearchBudget::new(10_000));
        describe(&places, &found.expect("reads"))
    };
    assert_eq!(nearly("kerkln", MaxEdits::One), ["Kerklaan, Stad"]);
    assert_eq!(nearly("krekstraat", MaxEdits::One).len(), 2);
    assert_eq!(nearly("kerkstrxxt", MaxEdits::Two).len(), 2);
    assert_eq!(nearly("xxrkstraat", MaxEdits::Two), [""; 0]);
}

#[test]
fn streets_of_a_town_are_found_by_their_whole_names() {
    let long = format!("Laan van {}", "Burgemeesters ".repeat(6));
    let streets = [
        ("Dorp", "Dorp", "Kerkstraat", 5),
        ("Stad", "Stad", "Kerkstraat", 9),
        ("Stad", "Stad", "De Kerkstraat", 8),
        ("Stad", "Stad", "Kerk Straat", 7),
        ("Stad", "Stad", "Kerckstraat", 6),
        ("Stad", "Stad", "Kerkstraat 2", 5),
        ("Stad", "Stad", &*long, 4),
    ];
    let places = index(&streets);
    let town = places.towns().with_name("stad").next().expect("a town");
    let find = |name: &str| {
        let found = places.similar_places().streets_with_name(town, name);
        describe(&places, &found)
    };
    assert_eq!(
        find("kerkstraat"),
        ["Kerkstraat, Stad", "Kerk Straat, Stad"]
    );
    assert_eq!(find("dekerkstraat"), ["De Kerkstraat, Stad"]);
    assert_eq!(find("kerkstraat2"), ["Kerkstraat 2, Stad"]);
    assert_eq!(find(&crate::squashed(&long)).len(), 1);
    for other in ["kerkstraat3", "kerk", "straatkerk", ""] {
        assert!(find(other).is_empty(), "{other}");
    }
}

#[test]
fn an_exhausted_budget_finds_nothing_more() {
    let places = country();
    let query = StreetQuery {
        prefixes: &["kerk"],
        towns: None,
        limit: 10,
    };
    let found = places
        .search_streets(&query, &mut SearchBudget::new(0))
        .expect("reads");
    assert!(found.is_empty());
}

#[test]
fn a_range_of_postcodes_returns_their_streets() {
    let places = country();
    let found = |ends: [&str; 2]| -> Vec<String> {
        let ends = ends.map(|text| text.parse().expect("a postcode"));
        let pairs = places
            .streets_by_postcode(ends, 9, &mut SearchBudget::new(1_000))
            .iter();
        let pairs = pairs.map(|&(postcode, street)| {
            let street = describe(&places, &[street]).concat();
            format!("{postcode} {street}")
        });
        pairs.collect()
    };
    let inside = ["1002AA Kerkstraat, Stad", "1003AA Kerklaan, Stad"];
    assert_eq!(found(["1001AB", "1003AA"]), inside);
    assert_eq!(found(["1002AA", "1003ZZ"]), inside);
    assert_eq!(found(["0000AA", "9999ZZ"]).len(), 7);
    assert!(found(["1002AB", "1002ZZ"]).is_empty());
    assert!(found(["1003AA", "1002AA"]).is_empty());
}

#[test]
fn towns_are_found_by_each_of_their_names() {
    let places = country();
    let named = |words| towns_named(&places, words);
    let hague = "'s-Gravenhage".to_owned();
    assert_eq!(named("den haag")[0], (hague.clone(), TownMatchKind::Exact));
    assert_eq!(
        named("s gravenhage")[0],
        (hague.clone(), TownMatchKind::Exact)
    );
    assert_eq!(named("sgraven")[0], (hague.clone(), TownMatchKind::Prefix));
    assert_eq!(
        named("scheven")[0],
        (hague.clone(), TownMatchKind::VillagePrefix)
    );
    assert_eq!(
        named("scheveningen")[0],
        (hague.clone(), TownMatchKind::Exact)
    );
    assert_eq!(named("gravenhage")[0], (hague, TownMatchKind::InnerWord));
    assert_eq!(named("stad"), [("Stad".to_owned(), TownMatchKind::Exact)]);
    assert_eq!(named("fryslan").len(), 5);
    assert!(
        named("fryslan")
            .iter()
            .all(|(_, fit)| *fit == TownMatchKind::Area)
    );
    assert_eq!(
        named("bergen l"),
        [("Bergen (L.)".to_owned(), TownMatchKind::Exact)]
    );
    assert_eq!(
        named("bergen frys"),
        [
            ("Bergen (NH.)".to_owned(), TownMatchKind::ExactWithBegunArea),
            ("Bergen (L.)".to_owned(), TownMatchKind::ExactWithBegunArea)
        ]
    );
    assert_eq!(named("bergen").len(), 2);
    assert_eq!(named("x"), []);
    let shares = |town: &Town| (town.name.to_string(), town.shares_name);
    let shared: Vec<_> = places
        .towns()
        .iter()
        .map(|(_, town)| shares(town))
        .collect();
    let bergen = shared.iter().filter(|(name, _)| name == "Bergen");
    assert!(bergen.clone().count() == 2 && bergen.clone().all(|(_, shared)| *shared));
    assert_eq!(shared.iter().filter(|(_, shared)| *shared).count(), 2);
}

#[test]
fn mistyped_towns_are_found() {
    let places = country();
    let typo = FuzzyMatcher::new("gravenhaeg", MaxEdits::One);
    let hits = places.towns().search_fuzzy(&typo);
    assert_eq!(
        (hits.len(), hits[0].edits, hits[0].match_kind),
        (1, 1, TownMatchKind::InnerWord)
    );
}

#[test]
fn an_index_without_addresses_has_no_places() {
    let places = index(&[]);
    assert_eq!(places.towns().iter().count(), 0);
    let query = StreetQuery {
        prefixes: &["a"],
        towns: None,
        limit: 1,
    };
    let found = places
        .search_streets(&query, &mut SearchBudget::new(100))
        .expect("reads");
    assert!(found.is_empty());
}
