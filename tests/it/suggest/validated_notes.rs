//! Tests `/v1/validate` with words for a part of the building in the field of the addition: a floor, a dwelling or a shed.

use serde_json::json;

use super::places;
use super::validated::assert_found;
use crate::app::TestApp;

const WEESP: places::Town = ["Weesp", "Amsterdam", "Noord-Holland"];

/// Streets with all ways in which the register writes a floor or a part of a building.
const STREETS: [places::StreetRow; 8] = [
    (1, "Dijk", WEESP, "1381AA", "14//H 14//I 14//II 14//III"),
    (2, "Kade", WEESP, "1381AB", "20//ben 20//bov"),
    (3, "Laan", WEESP, "1381AC", "23 23/a 23/a/schr 23/b 25/a"),
    (4, "Plein", WEESP, "1381AD", "13 13/A 13/A/GED"),
    (5, "Singel", WEESP, "1381AE", "10/A/GAR"),
    (6, "Steeg", WEESP, "1381AF", "2//HS 2//1 2//2"),
    (7, "Weg", WEESP, "1381AG", "48 48/a/schr"),
    (8, "Hof", WEESP, "1381AH", "5/A 5/B 5/B/1 5/B/2"),
];

/// Checks the answers to a number with a letter and an addition.
async fn assert_all(cases: &[([&str; 4], bool, &str)]) {
    let app = TestApp::from_addresses(&places::addresses_of(&STREETS));
    for &([postcode, number, letter, addition], valid, expected) in cases {
        let entered =
            json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition});
        assert_found(&app, &entered, (valid, format!("{expected} Weesp"))).await;
    }
}

#[tokio::test]
async fn a_note_that_names_another_part_of_the_building_is_not_ignored() {
    assert_all(&[
        (
            ["1381AA", "14H", "", "derde verdieping"],
            false,
            "Dijk 14III",
        ),
        (["1381AA", "14H", "", "drie hoog"], false, "Dijk 14III"),
        (
            ["1381AA", "14H", "", "drie hoog achter"],
            false,
            "Dijk 14III",
        ),
        (
            ["1381AA", "14II", "", "eerste verdieping"],
            false,
            "Dijk 14I",
        ),
        (
            ["1381AA", "14H", "", "vierde verdieping"],
            false,
            "Dijk 14H",
        ),
        (["1381AA", "14H", "", "bovenwoning"], false, "Dijk 14H"),
        (["1381AB", "20ben", "", "bovenwoning"], false, "Kade 20bov"),
        (
            ["1381AB", "20-bov", "", "benedenwoning"],
            false,
            "Kade 20ben",
        ),
        (
            ["1381AB", "20-bov", "", "begane grond"],
            false,
            "Kade 20ben",
        ),
        (
            ["1381AB", "20ben", "", "tweede verdieping"],
            false,
            "Kade 20bov",
        ),
        (["1381AC", "23a", "", "schuur"], false, "Laan 23aschr"),
        (
            ["1381AC", "23a", "", "Schuur (links)"],
            false,
            "Laan 23aschr",
        ),
        (["1381AC", "23b", "", "schuur"], false, "Laan 23b"),
        (["1381AC", "23a", "", "winkel"], false, "Laan 23a"),
        (["1381AD", "13A", "", "gedeelte"], false, "Plein 13AGED"),
        (
            ["1381AD", "13A", "", "gedurende de dag thuis"],
            true,
            "Plein 13A",
        ),
        (
            ["1381AD", "13A", "", "zonder toevoeging"],
            true,
            "Plein 13A",
        ),
        (["1381AE", "10A", "", "winkel"], false, "Singel 10AGAR"),
        (
            ["1381AF", "2-1", "", "tweede verdieping"],
            false,
            "Steeg 22",
        ),
        (["1381AF", "2-1", "", "begane grond"], false, "Steeg 2HS"),
        (["1381AH", "5B1", "", "tweede verdieping"], false, "Hof 5B2"),
    ])
    .await;
}

#[tokio::test]
async fn a_note_that_names_no_other_part_of_the_building_is_ignored() {
    assert_all(&[
        (["1381AA", "14H", "", "achterom"], true, "Dijk 14H"),
        (
            ["1381AA", "14H", "", "bellen bij de buren"],
            true,
            "Dijk 14H",
        ),
        (["1381AC", "23a", "", "achter de schuur"], true, "Laan 23a"),
        (["1381AC", "23a", "", "let op de hond"], true, "Laan 23a"),
        (["1381AD", "13A", "", "geen toevoeging"], true, "Plein 13A"),
        // The note names the entered address, or the street has no other address at this number.
        (["1381AA", "14H", "", "begane grond"], true, "Dijk 14H"),
        (["1381AA", "14H", "", "parterre"], true, "Dijk 14H"),
        (
            ["1381AA", "14III", "", "derde verdieping"],
            true,
            "Dijk 14III",
        ),
        (["1381AB", "20-bov", "", "bovenwoning"], true, "Kade 20bov"),
        (
            ["1381AB", "20-ben", "", "benedenwoning"],
            true,
            "Kade 20ben",
        ),
        (["1381AC", "25a", "", "schuur"], true, "Laan 25a"),
        (["1381AE", "10A", "", "garage"], true, "Singel 10AGAR"),
        (["1381AG", "48a", "", "schuur"], true, "Weg 48aschr"),
    ])
    .await;
}

#[tokio::test]
async fn a_floor_in_words_or_digits_may_be_a_roman_addition() {
    for (floor, expected) in [
        (["een hoog", "1 hoog"], "Dijk 14I"),
        (["één hoog", "1e etage"], "Dijk 14I"),
        (["twee hoog", "2 hoog"], "Dijk 14II"),
        (["tweede verdieping", "2 hg"], "Dijk 14II"),
        (["driehoog", "3 hoog"], "Dijk 14III"),
        (["drie hoog achter", "3 hoog achter"], "Dijk 14III"),
    ] {
        for floor in floor {
            assert_all(&[(["1381AA", "14", "", floor], false, expected)]).await;
        }
    }
}

#[tokio::test]
async fn a_floor_may_be_the_upper_or_the_lower_dwelling() {
    for floor in [
        "1e etage", "1 hoog", "2 hoog", "eerste verdieping", "boven", "bovenhuis",
    ] {
        assert_all(&[(["1381AB", "20", "", floor], false, "Kade 20bov")]).await;
    }
    for floor in ["beneden", "begane grond", "bg", "parterre", "benedenhuis"] {
        assert_all(&[
            (["1381AB", "20", "", floor], false, "Kade 20ben"),
            (["1381AF", "2", "", floor], false, "Steeg 2HS"),
        ])
        .await;
    }
}

#[tokio::test]
async fn a_word_after_the_letter_is_shortened_as_in_the_register() {
    assert_all(&[
        (["1381AG", "48", "a", "schuur"], false, "Weg 48aschr"),
        (["1381AG", "48", "a", "de schuur"], false, "Weg 48aschr"),
        (["1381AC", "23", "a", "schuur"], false, "Laan 23aschr"),
        (["1381AC", "23", "b", "schuur"], false, "Laan 23b"),
        (["1381AD", "13", "A", "gedeelte"], false, "Plein 13AGED"),
        (["1381AG", "48 a schuur", "", ""], false, "Weg 48aschr"),
    ])
    .await;
}
