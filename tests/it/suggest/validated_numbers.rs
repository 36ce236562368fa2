//! Tests `/v1/validate` with house numbers that a spreadsheet or a form changed.

use serde_json::{Value, json};

use super::places;
use super::validated::assert_found;
use crate::app::TestApp;

const NORG: places::Town = ["Norg", "Noordenveld", "Drenthe"];

#[tokio::test]
async fn a_date_in_place_of_a_number_and_its_addition_is_read_back() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "Dijk",
            NORG,
            "9331AA",
            "4 4//1 5 54 54//8 54//9 6 6/A/1 6//02",
        ),
        (2, "Kade", NORG, "9331AB", "1 1//23 3//4 4//3 21"),
        (
            3,
            "Laan",
            NORG,
            "9331AC",
            "8 8//3 8//12 14/A/6 14//06 15 15//002 50",
        ),
    ]));
    // Postcode, number, letter, addition, street, and the address that is found.
    for (postcode, number, letter, addition, street, expected) in [
        ("9331AA", "4-jan", "", "", "Dijk", "Dijk 41 Norg"),
        ("9331AA", "04-jan", "", "", "", "Dijk 41 Norg"),
        ("9331AA", "54", "", "aug", "", "Dijk 548 Norg"),
        ("9331AA", "54", "August", "", "Dijk", "Dijk 548 Norg"),
        ("9331AB", "23-jan", "", "", "Kade", "Kade 123 Norg"),
        ("", "23", "jan.", "", "Kade", "Kade 123 Norg"),
        ("9331AA", "6", "", "feb", "Dijk", "Dijk 602 Norg"),
        // 6A-1 is no date.
        ("9331AA", "6", "", "jan", "Dijk", "Dijk 6 Norg"),
        // The day comes first.
        ("9331AB", "4 mrt", "", "", "Kade", "Kade 43 Norg"),
        // A date with a year, and an addition of which the date lacks the zeros.
        (
            "9331AC",
            "2026-03-08 00:00:00",
            "",
            "",
            "Laan",
            "Laan 83 Norg",
        ),
        ("9331AC", "8-3-2026", "", "", "Laan", "Laan 83 Norg"),
        ("9331AC", "08/03/2026", "", "", "", "Laan 83 Norg"),
        ("9331AC", "8-mrt-26", "", "", "Laan", "Laan 83 Norg"),
        ("9331AC", "15-feb", "", "", "Laan", "Laan 15002 Norg"),
        ("9331AC", "2026-06-14", "-", "", "Laan", "Laan 1406 Norg"),
        ("", "2026-06-14", "", "", "Laan", "Laan 1406 Norg"),
        // Neither 54-3 nor 3-54 exists.
        ("9331AA", "54", "mrt", "", "Dijk", "Dijk 54 Norg"),
    ] {
        let entered = json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_date_as_the_number_does_not_hide_a_wrong_postcode() {
    let app = TestApp::from_addresses(&places::addresses_of(&[(
        1, "Laan", NORG, "9331AC", "8//3",
    )]));
    for (postcode, reason) in [
        ("12345", "invalid_postcode"),
        ("9999ZZ", "postcode_not_found"),
        ("9331AC", "number_not_found"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": "2026-03-08", "street": "Laan", "city": "Norg"});
        let answer = app.post("/v1/validate", entered.to_string()).await;
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
        let found = (
            &body["data"]["reason"],
            &body["data"]["suggestion"]["addition"],
        );
        assert_eq!(found, (&json!(reason), &json!("3")), "{postcode}");
    }
}

#[tokio::test]
async fn a_number_that_was_joined_with_another_one_is_split() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", NORG, "9331AA", "55 55//363 57"),
        (2, "Kade", NORG, "9331AB", "12 12/I 12/B 24"),
        (3, "Veste 09", NORG, "9331AC", "32 42"),
        (4, "Laan", NORG, "9331AD", "1//23 12//3 14"),
        (5, "Plein", NORG, "9331AE", "12//3 100"),
    ]));
    for (postcode, number, street, expected) in [
        ("9331AA", 55363, "Dijk", "Dijk 55363 Norg"),
        ("9331AA", 55363, "", "Dijk 55363 Norg"),
        ("9331AB", 121, "Kade", "Kade 12I Norg"),
        ("9331AC", 932, "Veste", "Veste 09 32 Norg"),
        // An 8 is not read as a B.
        ("9331AB", 128, "Kade", "Kade 24 Norg"),
        // Two splits exist.
        ("9331AD", 123, "Laan", "Laan 14 Norg"),
        // The number may be a mistyped one of the street.
        ("9331AE", 123, "Plein", "Plein 100 Norg"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_word_beside_the_addition_is_ignored() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", NORG, "9331AA", "1 1//GA01 1//GA02"),
        (2, "Kade", NORG, "9331AB", "21 21//D17 21//D18"),
        (3, "Laan", NORG, "9331AC", "136 136/C 136/D"),
    ]));
    for (postcode, number, letter, addition, expected) in [
        ("9331AA", 1, "garage 01", "", "Dijk 1GA01 Norg"),
        ("9331AA", 1, "", "garage 2", "Dijk 1GA02 Norg"),
        ("9331AA", 1, "garage", "1", "Dijk 1GA01 Norg"),
        ("9331AA", 1, "", "GAR 2", "Dijk 1GA02 Norg"),
        ("9331AA", 1, "", "box 2", "Dijk 1GA02 Norg"),
        ("9331AA", 1, "", "2", "Dijk 1GA02 Norg"),
        ("9331AA", 1, "", "garage 3", "Dijk 1 Norg"),
        ("9331AB", 21, "", "Platz D 18", "Kade 21D18 Norg"),
        ("9331AC", 136, "d-achter", "", "Laan 136D Norg"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_number_at_the_end_of_the_street_precedes_its_addition() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", NORG, "9331AA", "3//17 3//08 4/A/46 7 9"),
        (2, "Kade", NORG, "9331AB", "5 5//17 17"),
        (3, "Laan 12", NORG, "9331AC", "1 9"),
        (4, "Laan", NORG, "9331AD", "12//7 12//8"),
    ]));
    for (postcode, number, addition, street, expected) in [
        ("9331AA", 17, "", "Dijk 3", "Dijk 317 Norg"),
        ("9331AA", 8, "", "Dijk 3", "Dijk 308 Norg"),
        ("9331AA", 46, "", "Dijk 4a", "Dijk 4A46 Norg"),
        ("9331AA", 46, "-", "Dijk 4 A", "Dijk 4A46 Norg"),
        // The postcode or its address is wrong.
        ("", 17, "", "Dijk 3", "Dijk 317 Norg"),
        ("9331AD", 17, "", "Dijk 3", "Dijk 317 Norg"),
        ("9331AB", 17, "", "Kade 5", "Kade 517 Norg"),
        // Dijk 3-18, Dijk 4-17 and Dijk 4-46 do not exist.
        ("9331AA", 18, "", "Dijk 3", "Dijk 9 Norg"),
        ("9331AA", 17, "", "Dijk 4", "Dijk 9 Norg"),
        ("9331AA", 46, "", "Dijk 4", "Dijk 9 Norg"),
        // The name of the street ends with a number.
        ("9331AC", 8, "", "Laan 12", "Laan 12 9 Norg"),
    ] {
        let entered = json!({"postcode": postcode, "number": number, "addition": addition, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn the_article_of_a_numbered_street_may_be_missing() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "De Veste 13", NORG, "9331AA", "13 17 18"),
        (2, "'t Hof 04", NORG, "9331AB", "2 3"),
    ]));
    for (postcode, number, addition, street, expected) in [
        ("9331AA", 13, "18", "Veste", "De Veste 13 18 Norg"),
        ("", 13, "18", "Veste", "De Veste 13 18 Norg"),
        ("9331AB", 4, "3", "Hof", "'t Hof 04 3 Norg"),
        ("9331AA", 14, "18", "Veste", "De Veste 13 13 Norg"),
    ] {
        let entered = json!({"postcode": postcode, "number": number, "addition": addition, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_number_with_a_space_or_a_letter_for_a_digit_is_read_if_it_does_not_exist_as_entered() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", NORG, "9331AA", "132 148 18"),
        (1, "Dijk", NORG, "9331AB", "14 1"),
        (2, "Kade", NORG, "9331AC", "45 55 8 58"),
        (3, "Laan", NORG, "9331AD", "12 12/B 121 128"),
        (4, "Plein", NORG, "9331AE", "148"),
        (4, "Plein", NORG, "9331AF", "14//8"),
        (5, "Veste 14", NORG, "9331AG", "8 148"),
    ]));
    for (postcode, number, street, expected) in [
        ("9331AA", "14 8", "Dijk", "Dijk 148 Norg"),
        ("9331AA", "14 8", "", "Dijk 148 Norg"),
        ("9331AA", "1 48", "Dijk", "Dijk 148 Norg"),
        ("9331AA", "1B", "Dijk", "Dijk 18 Norg"),
        ("9331AC", "5S", "Kade", "Kade 55 Norg"),
        // The number exists as entered.
        ("9331AD", "12 1", "Laan", "Laan 12 Norg"),
        ("9331AD", "12S", "Laan", "Laan 12 Norg"),
        // The street has the address with exactly this addition.
        ("9331AE", "14 8", "Plein", "Plein 148 Norg"),
        ("9331AG", "14 8", "Veste", "Veste 14 8 Norg"),
        // Neither 14 nor 149 exists.
        ("9331AA", "14 9", "", "Dijk 18 Norg"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
    let entered = json!({"postcode": "9331AD", "number": "12 B", "street": "Laan"});
    assert_found(&app, &entered, (true, "Laan 12B Norg".to_owned())).await;
}

#[tokio::test]
async fn a_unit_with_a_letter_may_be_the_number_after_the_house_number_in_the_street() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "Spijkweg",
            NORG,
            "9531AA",
            "15 15//p670 15//p671 15//q671 15//k38 38",
        ),
        (2, "Slinge", NORG, "9531AB", "1/A/109 1/B/109 1/A/7 9"),
    ]));
    for (postcode, number, street, expected) in [
        ("9531AA", "670", "Spijkweg 15", "Spijkweg 15p670"),
        ("9531AB", "109A", "Slinge 1", "Slinge 1A109"),
        ("9531AB", "109 B", "Slinge 1", "Slinge 1B109"),
        // The number in the street is not used: two addresses have 671, the letter of 1A-7 was not entered, and 38 exists.
        ("9531AA", "671", "Spijkweg 15", "Spijkweg 38"),
        ("9531AB", "7", "Slinge 1", "Slinge 9"),
        ("9531AA", "38", "Spijkweg 15", "Spijkweg 38"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": "Norg"});
        assert_found(&app, &entered, (false, format!("{expected} Norg"))).await;
    }
}

#[tokio::test]
async fn the_addition_may_be_entered_without_its_house_number() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "Dijk",
            NORG,
            "9331AA",
            "4//h458 55//166 55//167 57//167 55/A/168 60",
        ),
        (2, "Kade", NORG, "9331AA", "3//169"),
    ]));
    for (number, street, expected) in [
        (166, "Dijk", "Dijk 55166 Norg"),
        (166, "", "Dijk 55166 Norg"),
        (458, "Dijk", "Dijk 4h458 Norg"),
        // The number is not read as an addition: two addresses have 167, 168 also has a letter, and 169 is in another street.
        (167, "Dijk", "Dijk 60 Norg"),
        (168, "Dijk", "Dijk 60 Norg"),
        (169, "Dijk", "Dijk 60 Norg"),
    ] {
        let entered = json!({"postcode": "9331AA", "number": number, "street": street});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}
