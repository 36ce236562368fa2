//! Checks addresses that a program changed, or that were written in another language: dates in place of numbers, fields written together, labels of exports,
//! and translated types of streets. Also checks years in names, and floors.

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const OUD_HOEVE: Town = ["Oud-Hoeve", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (1, "Drift", HOEVE, "7801AA", "12 12//1 12//2 12//3 3//45 26"),
    (2, "Laan 1940-1945", HOEVE, "7801AB", "4 40 45"),
    (3, "Plein '44", HOEVE, "7801AC", "4 44"),
    (4, "Molenweg", OUD_HOEVE, "7802AB", "5"),
    (
        5,
        "Wal",
        HOEVE,
        "7801AD",
        "6 6/A 6/B 8 8//1 8//2 9 9//1 9//HS 10 10/H 10/I 15 15//80",
    ),
    (6, "Laan", HOEVE, "7801AE", "40 45"),
    (7, "Verlengde Wal", HOEVE, "7801AF", "6/D"),
];

#[track_caller]
fn all_find(cases: &[(&str, &str)]) {
    Suggester::with_streets(STREETS).assert_each_first(cases);
}

#[test]
fn a_date_of_a_spreadsheet_is_read_as_number_and_addition() {
    all_find(&[
        ("Drift 12-feb Hoeve", "Drift 12-2, 7801AA Hoeve"),
        ("Drift 12 februari 2026, 7801AA", "Drift 12-2, 7801AA Hoeve"),
        ("Drift 2026-02-12 Hoeve", "Drift 12-2, 7801AA Hoeve"),
        ("Drift mrt-45 Hoeve", "Drift 3-45, 7801AA Hoeve"),
        // The additions 5 and 8 do not exist, and 80 is another one.
        ("Drift 12-mei Hoeve", "Drift 12, 7801AA Hoeve"),
        ("wal 15 augustus hoeve", "Wal 15, 7801AD Hoeve"),
        ("wal 8, 12 januari 2026", "Wal 8, 7801AD Hoeve"),
    ]);
}

#[test]
fn a_letter_that_was_typed_as_it_sounds_is_the_house_letter() {
    all_find(&[
        ("wal 6 bee hoeve", "Wal 6 B, 7801AD Hoeve"),
        ("wal zes bee hoeve", "Wal 6 B, 7801AD Hoeve"),
        // Only Verlengde Wal has 6 D, and the letter C does not exist at 6.
        ("wal 6 dee hoeve", "Wal 6, 7801AD Hoeve"),
        ("wal 6 cee hoeve", "Wal 6, 7801AD Hoeve"),
    ]);
}

#[test]
fn years_in_a_name_have_two_or_four_digits() {
    all_find(&[
        ("laan 40-45 4 hoeve", "Laan 1940-1945 4, 7801AB Hoeve"),
        ("laan '40-'45 4", "Laan 1940-1945 4, 7801AB Hoeve"),
        ("laan 1940/45 4 hoeve", "Laan 1940-1945 4, 7801AB Hoeve"),
        ("plein 1944 4 hoeve", "Plein '44 4, 7801AC Hoeve"),
        // A street has this name as typed.
        ("laan 40 45 hoeve", "Laan 40, 7801AE Hoeve"),
    ]);
}

#[test]
fn a_postcode_or_number_is_separated_from_the_town_after_it() {
    all_find(&[
        ("wal 6hoeve", "Wal 6, 7801AD Hoeve"),
        ("wal 6bhoeve", "Wal 6 B, 7801AD Hoeve"),
        ("Molenweg 5oud-hoeve", "Molenweg 5, 7802AB Oud-Hoeve"),
        ("7801AAHoeve 12", "Drift 12, 7801AA Hoeve"),
        (
            "Molenweg 5, 7802 ABOud-Hoeve",
            "Molenweg 5, 7802AB Oud-Hoeve",
        ),
    ]);
}

#[test]
fn labels_of_an_export_are_read_around_the_addition() {
    all_find(&[(
        r#"{"street": "Drift", "number": 12, "suffix": "2", "city": "Hoeve"}"#,
        "Drift 12-2, 7801AA Hoeve",
    )]);
}

#[test]
fn a_foreign_type_of_street_is_translated() {
    all_find(&[
        ("molen road 5 oud hoeve", "Molenweg 5, 7802AB Oud-Hoeve"),
        ("5 Molenroad, Oud-Hoeve", "Molenweg 5, 7802AB Oud-Hoeve"),
    ]);
}

#[test]
fn floors_are_written_in_several_ways() {
    all_find(&[
        ("wal 8-I hoeve", "Wal 8-1, 7801AD Hoeve"),
        ("wal 9 bg hoeve", "Wal 9 HS, 7801AD Hoeve"),
        // H and I are letters of a row.
        ("wal 10 bg hoeve", "Wal 10, 7801AD Hoeve"),
        ("wal 10-1 hoeve", "Wal 10, 7801AD Hoeve"),
    ]);
}
