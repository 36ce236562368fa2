//! Checks the queries that each class generates, for names whose spellings are known.

use std::collections::BTreeSet;

use postduif_schema::{Address, HouseLetter};

use super::suite::class::{CLASSES, Class};
use super::suite::corner;
use super::suite::text::{mail_line, without_marks};
use crate::chance::Chance;

/// An address in Den Ham, at number 12 with this letter and addition.
fn address(street: &str, letter: &str, addition: &str) -> Address {
    let like = corner().addresses.iter().next().expect("not empty");
    Address {
        number: postduif_schema::HouseNumber::new(12).expect("a house number"),
        letter: letter.bytes().next().and_then(HouseLetter::from_ascii),
        addition: addition.parse().ok(),
        street: street.into(),
        city: "Den Ham".into(),
        postcode: "1234AB".parse().expect("a postcode"),
        ..like.expect("a sound index")
    }
}

fn class(name: &str) -> &'static Class {
    let found = CLASSES.iter().find(|class| class.name == name);
    found.unwrap_or_else(|| panic!("no class {name:?}"))
}

/// All distinct queries that a class makes for an address in many tries.
fn collect_queries(name: &str, address: &Address) -> BTreeSet<String> {
    if !(class(name).fits)(address) {
        return BTreeSet::new();
    }
    let cases = (0..200).filter_map(|seed| (class(name).make)(address, &mut Chance::seeded(seed)));
    let expected = cases.inspect(|case| assert!(case.expected.is_of(address), "{name}"));
    expected.map(|case| case.typed).collect()
}

#[test]
#[rustfmt::skip]
fn each_query_class_has_its_spelling() {
    #[track_caller]
    fn case(name: &str, street: &str, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(
            collect_queries(name, &address(street, "", "")),
            expected,
            "{name}"
        );
    }
    case("prefix + town", "Plein 1944", &["Plein 1944 Den Ham"]);
    case("prefix + town", "Dijk", &["Dij Den Ham", "Dijk Den Ham"]);
    case("town street", "Dijk", &["Den Ham Dijk", "Den Ham, Dijk"]);
    case("without marks", "Ĳkade", &["ijkade den ham"]);
    case("without marks", "Kade", &[]);
    case("short ending", "Kerklaan", &["Kerkln Den Ham", "Kerkln. Den Ham"]);
    case("short ending", "Weg", &[]);
    case("short ending", "Straatweg", &["Straatwg Den Ham", "Straatwg. Den Ham"]);
    case("short title", "Dominee Bosweg", &["Ds Bosweg Den Ham", "Ds. Bosweg Den Ham"]);
    case("short title", "Domineesweg", &[]);
    case("short title", "Oude Sint Jansweg", &[]);
    case("short van der", "Jan van den Bosweg", &["Jan v d Bosweg Den Ham", "Jan v.d. Bosweg Den Ham", "Jan vd Bosweg Den Ham"]);
    case("short van der", "Vanweg", &[]);
    case("ordinal in words", "2e Weg", &["Tweede Weg Den Ham"]);
    case("ordinal in words", "1940 Weg", &[]);
    case("ordinal in digits", "Eerste Weg", &["1e Weg Den Ham", "1ste Weg Den Ham"]);
    case("squashed", "Plein 1944", &["Plein1944 Den Ham"]);
    case("hyphen as space", "NDSM-plein", &["NDSM plein Den Ham"]);
    case("hyphen as space", "Laan 1940-1945", &[]);
    case("split", "Kerkstraat", &["Kerk straat Den Ham"]);
    case("split", "De Weg", &[]);
}

#[test]
fn suffixes_are_generated_in_every_spelling() {
    #[track_caller]
    fn case(name: &str, (letter, addition): (&str, &str), expected: &[&str]) {
        let spelled = |text: &&str| format!("Dijk {text} Den Ham");
        let expected: BTreeSet<String> = expected.iter().map(spelled).collect();
        assert_eq!(
            collect_queries(name, &address("Dijk", letter, addition)),
            expected,
            "{name}"
        );
    }
    case("12-2", ("", "2"), &["12-2"]);
    case("12-2", ("A", "2"), &[]);
    case("12/2", ("", "3hg"), &["12/3hg", "12/3HG"]);
    case("12a", ("A", ""), &["12a", "12A"]);
    case("12 a", ("a", ""), &["12 a", "12 A"]);
    case("12A-1", ("A", "1"), &["12a-1", "12A-1"]);
    case("12 A1", ("A", "1"), &["12 a1", "12 A1"]);
    case("12 bis", ("", "bis"), &["12 bis", "12 BIS"]);
    case("12-bis", ("", "2"), &[]);
}

#[test]
fn a_typo_is_one_edit_and_never_in_a_digit() {
    let known = address("Plein 1944", "", "");
    for text in collect_queries("typo in street", &known) {
        let street = text.strip_suffix(" Den Ham").expect("the town is whole");
        assert!(street.ends_with(" 1944"), "{street}");
        let letters = street.chars().count();
        assert!((9..=11).contains(&letters), "{street}");
    }
    assert!(collect_queries("typo in street", &known).len() > 50);
    assert!(collect_queries("typo in street", &address("Dijk", "", "")).is_empty());
}

#[test]
fn mail_lines_match_the_registers_print_format() {
    #[track_caller]
    fn case((letter, addition): (&str, &str), expected: &str) {
        let line = format!("Dijk {expected}, 1234AB Den Ham");
        assert_eq!(mail_line(&address("Dijk", letter, addition)), line);
    }
    case(("", ""), "12");
    case(("A", ""), "12 A");
    case(("A", "3"), "12 A3");
    case(("", "5A3"), "12-5A3");
    case(("", "DK"), "12 DK");
}

#[test]
fn plain_keyboard_text_has_no_diacritics() {
    assert_eq!(
        without_marks("Ĳkade Âld d’Oude Straße"),
        "IJkade Ald d'Oude Strasse"
    );
    assert_eq!(
        without_marks("Coöperatie, ruïne, façade, señor"),
        "Cooperatie, ruine, facade, senor"
    );
}
