//! Checks house letters and additions with words around them that the register does not have.

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (
        1,
        "Drift",
        HOEVE,
        "7801AA",
        "2 2/B 2/C 4 4/B 12 12//1 12//12 20 20/C 20/C/214 21 21//A18 21//D18",
    ),
    (2, "Singel 16", HOEVE, "7801AB", "15 35"),
    (
        3,
        "Wal",
        HOEVE,
        "7801AC",
        "26 26//1 26//4 28 28//709 30 30//ben 30//bov 31 31//SCHR 31//WINK 31//Bij 32 32/A/BEDR 34 34//II 34//III 36 36//2 1409",
    ),
];

#[test]
fn the_longest_beginning_of_the_suffix_that_exists_comes_first() {
    let suggester = Suggester::with_streets(STREETS);
    let expected = "Drift 2 C, 7801AA Hoeve";
    for typed in [
        "drift 2c hs hoeve",
        "drift 2c 2e verdieping hoeve",
        "drift 2c app 3 hoeve",
        "Drift 2C/D, Hoeve",
        "Drift 2C-E Hoeve",
        "Drift 2 c t/m d, Hoeve",
        "Drift 2cz Hoeve",
        "7801AA 2c bis",
        "Kamer 12, Drift 2c, Hoeve",
        "Drift 2c Hove",
        "Drift 2 Hoeve c",
    ] {
        suggester.assert_first(typed, &[expected]);
    }
    suggester.assert_first("drift 12-12 boven hoeve", &["Drift 12-12, 7801AA Hoeve"]);
}

#[test]
fn the_letter_after_a_part_of_the_building_is_that_of_the_address() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "pand b, drift 2, hoeve",
        "drift 2 schuur b hoeve",
        "drift 2, penthouse b, hoeve",
        "winkelruimte b drift 2 hoeve",
    ] {
        suggester.assert_first(typed, &["Drift 2 B, 7801AA Hoeve"]);
    }
}

#[test]
fn a_word_finds_the_addition_that_the_register_shortens() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, addition) in [
        ("wal 31 schuur hoeve", "SCHR"),
        ("wal 31 winkel hoeve", "WINK"),
        ("hoeve wal 31 bijgebouw", "Bij"),
    ] {
        suggester.assert_first(typed, &[&format!("Wal 31 {addition}, 7801AC Hoeve")]);
    }
    for typed in ["wal 36 schuur hoeve", "wal 36-winkel hoeve"] {
        suggester.assert_first(typed, &["Wal 36, 7801AC Hoeve"]);
    }
}

#[test]
fn a_letter_before_the_number_of_a_unit_belongs_to_the_addition() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "drift 21 plek d 18 hoeve",
        "drift 21, staanplaats d 18, hoeve",
        "drift 21 Platz D18",
    ] {
        suggester.assert_first(typed, &["Drift 21 D18, 7801AA Hoeve"]);
    }
    suggester.assert_first(
        "drift 2 met de letter c hoeve",
        &["Drift 2 C, 7801AA Hoeve"],
    );
}

#[test]
fn a_floor_is_read_in_any_form() {
    let suggester = Suggester::with_streets(STREETS);
    for floor in [
        "2e etage", "tweede verdieping", "tweehoog", "2hoog", "2hg", "twee hoog voor",
    ] {
        for (number, expected) in [
            (34, "Wal 34 II, 7801AC Hoeve"),
            (36, "Wal 36-2, 7801AC Hoeve"),
        ] {
            suggester.assert_first(&format!("wal {number} {floor} hoeve"), &[expected]);
            suggester.assert_first(&format!("7801AC {number} {floor}"), &[expected]);
        }
    }
    suggester.assert_first("wal 30 2e etage hoeve", &["Wal 30, 7801AC Hoeve"]);
}

#[test]
fn a_unit_before_the_street_is_its_addition() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "De Zqx, huisje 4, Wal 26, Hoeve",
        "huisje nr 4, wal 26",
        "nr 4 wal 26 hoeve",
    ] {
        suggester.assert_first(typed, &["Wal 26-4, 7801AC Hoeve"]);
    }
    // The first number is the house number, because a street is before it.
    for typed in ["wal huis 26 hoeve 7 stuks", "wal huis nr 26 hoeve 7 uur"] {
        suggester.assert_first(typed, &["Wal 26, 7801AC Hoeve"]);
    }
}

#[test]
fn numerals_are_read_as_number_and_addition() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, expected) in [
        (
            "singel zestien vijfendertig hoeve",
            "Singel 16 35, 7801AB Hoeve",
        ),
        ("wal zesentwintig vier", "Wal 26-4, 7801AC Hoeve"),
        ("wal 26 huisje vier", "Wal 26-4, 7801AC Hoeve"),
        ("wal 1400 9 hoeve", "Wal 1409, 7801AC Hoeve"),
        (
            "drift twintig c tweehonderdveertien",
            "Drift 20 C214, 7801AA Hoeve",
        ),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
}

#[test]
fn a_word_is_not_divided_into_a_letter_and_a_rest() {
    let suggester = Suggester::with_streets(STREETS);
    // Number 4 B exists, but `bis` and `boven` are not read as letter B and a rest.
    for typed in [
        "drift 4 bis hoeve",
        "drift 4bis hoeve",
        "drift 4 boven hoeve",
        "drift 4bg hoeve",
    ] {
        suggester.assert_first(typed, &["Drift 4, 7801AA Hoeve"]);
    }
    // Addition 1 exists, but `15` is not read as addition 1 and a rest.
    suggester.assert_first("drift 12-15 hoeve", &["Drift 12, 7801AA Hoeve"]);
}

#[test]
fn a_unit_number_before_the_street_yields_to_the_numbers_after_it() {
    let suggester = Suggester::with_streets(STREETS);
    let expected = ["Singel 16 35, 7801AB Hoeve"];
    suggester.assert_first("Appartement 15, Singel 16 35, Hoeve", &expected);
    suggester.assert_first(
        "Kamer 3, Drift 20C-214, Hoeve",
        &["Drift 20 C214, 7801AA Hoeve"],
    );
}

#[test]
fn an_addition_is_found_in_other_spellings() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, expected) in [
        ("wal 26 IV hoeve", "Wal 26-4, 7801AC Hoeve"),
        ("wal 28 K709 hoeve", "Wal 28-709, 7801AC Hoeve"),
        ("wal 28-000709 hoeve", "Wal 28-709, 7801AC Hoeve"),
        ("drift 20C-00214 hoeve", "Drift 20 C214, 7801AA Hoeve"),
        ("wal 30 boven hoeve", "Wal 30 bov, 7801AC Hoeve"),
        ("wal 30 beneden hoeve", "Wal 30 ben, 7801AC Hoeve"),
        ("wal 32A bedrijf hoeve", "Wal 32 ABEDR, 7801AC Hoeve"),
        ("wal 1.409 hoeve", "Wal 1409, 7801AC Hoeve"),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
}
