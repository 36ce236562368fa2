//! Tests how `POST /v1/validate` compares letter and addition, and that a suggestion fits the entry better than the found address.

use postduif_schema::Address;
use serde_json::{Value, json};

use crate::addresses::{house, postcode};
use crate::app::TestApp;

const NO_NUMBER: &str = "number_not_found";

/// The addresses of the tests. The last digits of an id are its place in this list, from 1.
fn app() -> TestApp {
    let place = |text, street: &str, number, suffix, serial| Address {
        postcode: postcode(text),
        street: street.into(),
        street_id: format!("142430{:010}", street.len()).parse().ok(),
        ..house(number, suffix, serial)
    };
    TestApp::from_addresses(&[
        place("1234AB", "Dijk", 1, ("", ""), 1),
        place("1234AB", "Dijk", 1, ("A", ""), 2),
        place("1234AB", "Dijk", 2, ("A", "1"), 3),
        place("1234AB", "Dijk", 2, ("A", "2"), 4),
        place("1234AB", "Dijk", 3, ("A", ""), 5),
        place("1234AB", "Dijk", 4, ("", ""), 6),
        place("1234AB", "Dijk", 4, ("", "102"), 7),
        place("1234AB", "Dijk", 4, ("", "615"), 8),
        place("1234AB", "Dijk", 4, ("C", ""), 9),
        place("5678XY", "Dijkstraat", 8, ("", ""), 10),
        place("8888AA", "Wijk", 1, ("", ""), 11),
        place("8888AA", "Wijk 1", 1, ("A", ""), 12),
        place("8888BB", "Schouw 22", 9, ("", ""), 13),
        place("8888BB", "Schouw 22", 15, ("", ""), 14),
        place("8888CC", "Kempenaar 05", 7, ("A", ""), 15),
        place("8888DD", "Sluis", 6, ("a", "1"), 16),
        place("8888DD", "Sluis", 6, ("", "A1"), 17),
    ])
}

/// Sends an entered address. Returns the reason, and the last digits of the ids of the address and the suggestion; 0 if absent.
async fn answer(app: &TestApp, sent: &Value) -> (String, u64, u64) {
    let reply = app.post("/v1/validate", sent.to_string()).await;
    let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
    let result = &body["data"];
    let id = |address: &Value| -> u64 {
        let id = address["id"].as_str().map_or("0", |id| &id[6..]);
        id.parse().expect("digits")
    };
    let reason = result["reason"].as_str().unwrap_or_default().to_owned();
    (reason, id(&result["address"]), id(&result["suggestion"]))
}

async fn assert_answers(cases: Vec<(Value, &str, u64, u64)>) {
    let app = app();
    for (sent, reason, address, suggestion) in cases {
        let expected = (reason.to_owned(), address, suggestion);
        assert_eq!(answer(&app, &sent).await, expected, "{sent}");
    }
}

fn entered(number: u32, letter: &str, addition: &str, street: &str) -> Value {
    json!({"postcode": "1234AB", "number": number, "letter": letter, "addition": addition, "street": street})
}

#[tokio::test]
async fn a_part_that_was_not_entered_is_valid_only_where_one_address_fits() {
    assert_answers(vec![
        (entered(1, "", "", "Dijk"), "", 1, 0),
        (entered(3, "", "", "Dijk"), "", 5, 0),
        (entered(2, "", "", "Dijk"), NO_NUMBER, 0, 3),
        (entered(2, "A", "", ""), NO_NUMBER, 0, 3),
        (entered(2, "", "2", ""), "", 4, 0),
    ])
    .await;
}

#[tokio::test]
async fn a_number_in_the_street_repeats_or_completes_the_fields() {
    assert_answers(vec![
        (entered(1, "A", "", "Dijk 1a"), "field_mismatch", 2, 0),
        (entered(1, "A", "", "Dijk, 1"), "field_mismatch", 2, 0),
        (entered(1, "", "", "Dijk 1"), "field_mismatch", 1, 0),
        (entered(4, "", "", "Dijk 4-615"), "field_mismatch", 8, 0),
        (entered(4, "", "", "Dijk 4 C"), "field_mismatch", 9, 0),
        (entered(4, "", "", "Dijk 4-616"), "field_mismatch", 6, 0),
        // The number belongs to the name of the street.
        (
            json!({"postcode": "8888AA", "number": 1, "letter": "A", "street": "Wijk 1"}),
            "",
            12,
            0,
        ),
    ])
    .await;
}

#[tokio::test]
async fn bulk_and_validation_choose_the_same_of_two_addresses_with_equal_joined_suffixes() {
    let app = app();
    for addition in ["a-1", "A-1", "a1", "A1"] {
        let line = json!({"postcode": "8888DD", "number": 6, "addition": addition});
        assert_eq!(
            answer(&app, &line).await,
            (String::new(), 17, 0),
            "{addition}"
        );
        let bulk = json!({ "addresses": [line] }).to_string();
        let reply = app.post("/v1/bulk/lookup", bulk).await;
        let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
        let address = &body["data"][0]["address"];
        assert_eq!(address["addition"], "A1", "{addition}: {body}");
    }
}

#[tokio::test]
async fn punctuation_and_unit_words_are_ignored_and_similar_suffixes_are_suggested() {
    assert_answers(vec![
        (entered(4, "'C'", "", ""), "", 9, 0),
        (entered(4, "", "(615)", ""), "", 8, 0),
        (entered(4, "", "appt. 615", ""), "", 8, 0),
        (entered(4, "", "IO2", ""), NO_NUMBER, 0, 7),
        (entered(4, "", "k.102", ""), NO_NUMBER, 0, 7),
        (entered(4, "", "c/o Jansen", ""), NO_NUMBER, 0, 6),
        (entered(2, "2", "A", ""), NO_NUMBER, 0, 4),
    ])
    .await;
}

#[tokio::test]
async fn a_letter_in_the_number_is_not_replaced_by_another_letter() {
    let number = |text: &str, addition: &str| json!({"postcode": "1234AB", "number": text, "addition": addition});
    assert_answers(vec![
        (number("2a", "1"), "", 3, 0),
        (number("2b", "1"), NO_NUMBER, 0, 3),
        (number("2", "1"), "", 3, 0),
        // The addition replaces a letter that no address has beside it.
        (number("4c", "615"), "", 8, 0),
        // A letter in its own field replaces the letter in the number.
        (
            json!({"postcode": "1234AB", "number": "4b", "letter": "C"}),
            "",
            9,
            0,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_label_before_the_number_is_ignored() {
    let number = |text: &str| json!({"postcode": "1234AB", "number": text});
    assert_answers(vec![
        (number("#4"), "", 6, 0),
        (number("nr. 4"), "", 6, 0),
        (number("huisnr 4C"), "", 9, 0),
        (number("Nummer: 3"), "", 5, 0),
    ])
    .await;
}

#[tokio::test]
async fn texts_that_mean_no_addition_are_ignored() {
    assert_answers(vec![
        (entered(4, "", "n.v.t.", ""), "", 6, 0),
        (entered(4, "geen", "null", ""), "", 6, 0),
        (entered(4, "", "onbekend", ""), "", 6, 0),
        (entered(4, "nil", "n/a", ""), "", 6, 0),
        (entered(1, "A", "n.v.t.", "Dijk"), "", 2, 0),
        (entered(4, "c", "0", ""), "", 9, 0),
        (entered(9, "", "nvt", "Dijk"), NO_NUMBER, 0, 6),
    ])
    .await;
}

#[tokio::test]
async fn a_placeholder_does_not_remove_the_unit_in_the_number() {
    let there = [
        house(1, ("", ""), 1),
        house(1, ("", "bis"), 2),
        house(2, ("", ""), 3),
        house(3, ("", ""), 4),
        house(3, ("A", "bis"), 5),
        house(4, ("", "bis"), 6),
        house(4, ("", "0"), 7),
        house(4, ("", "X"), 8),
    ];
    let app = TestApp::from_addresses(&there);
    let additions = ["0", "00", "x", "X", "n/a", "na", "no", "nee"].map(|text| ("", text));
    for (letter, addition) in additions.into_iter().chain([("0", "0"), ("-", "0")]) {
        for (number, reason, address, suggestion) in [
            ("1 bis", "", 2, 0),
            ("2 bis", NO_NUMBER, 0, 3),
            ("2b", NO_NUMBER, 0, 3),
            ("3a bis", "", 5, 0),
            ("1", "", 1, 0),
        ] {
            let sent = json!({"postcode": "1234AB", "number": number, "letter": letter, "addition": addition});
            let expected = (reason.to_owned(), address, suggestion);
            assert_eq!(answer(&app, &sent).await, expected, "{sent}");
        }
    }
    // An address with the text as its suffix is the one that was entered.
    for (addition, address) in [("0", 7), ("x", 8), ("nee", 6)] {
        let sent = json!({"postcode": "1234AB", "number": "4 bis", "addition": addition});
        let expected = (String::new(), address, 0);
        assert_eq!(answer(&app, &sent).await, expected, "{sent}");
    }
}

#[tokio::test]
async fn a_similar_street_elsewhere_does_not_replace_the_street_of_the_postcode() {
    let city = "'s-Ginds";
    assert_answers(vec![
        (
            json!({"postcode": "1234AB", "number": 8, "street": "Dijk", "city": city}),
            NO_NUMBER,
            0,
            6,
        ),
        (
            json!({"postcode": "1234AB", "number": 8, "street": "Dijkstraat", "city": city}),
            NO_NUMBER,
            0,
            10,
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_address_that_disagrees_in_all_names_is_not_suggested() {
    assert_answers(vec![
        (
            json!({"postcode": "1234AC", "number": 4, "street": "Lindelaan", "city": "Verweg"}),
            "not_found",
            0,
            0,
        ),
        (
            json!({"postcode": "1234AC", "number": 4, "street": "Postbus", "city": "'s-Ginds"}),
            "not_found",
            0,
            0,
        ),
        (
            json!({"postcode": "1234AC", "number": 4, "city": "'s-Ginds"}),
            "postcode_not_found",
            0,
            6,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_postcode_in_the_field_of_the_street_is_used() {
    assert_answers(vec![
        (
            json!({"postcode": "", "number": 4, "street": "Dijk 4, 1234 AB 's-Ginds"}),
            "invalid_postcode",
            0,
            6,
        ),
        (
            json!({"postcode": "Dijk", "number": 4, "street": "1234AB", "city": "'s-Ginds"}),
            "invalid_postcode",
            0,
            6,
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_error_for_an_impossible_number_says_what_is_accepted() {
    let sent = json!({"postcode": "1234AB", "number": "x"});
    let reply = app().post("/v1/validate", sent.to_string()).await;
    assert!(reply.text().contains("such as 12a-3"), "{}", reply.text());
}

#[tokio::test]
async fn the_number_of_a_streets_name_may_be_entered_as_the_house_number() {
    let entered = |postcode: &str, street: &str, number: &str, addition: &str| {
        json!({
            "postcode": postcode, "number": number, "addition": addition, "street": street, "city": "'s-Ginds"
        })
    };
    assert_answers(vec![
        (entered("8888BB", "Schouw", "22", "9"), NO_NUMBER, 0, 13),
        (entered("8888BB", "Schouw", "22-9", ""), NO_NUMBER, 0, 13),
        (entered("8888BB", "", "22", "9"), NO_NUMBER, 0, 13),
        (entered("", "Schouw", "22", "9"), "invalid_postcode", 0, 13),
        (
            entered("8888ZZ", "Schouw", "22", "9"),
            "postcode_not_found",
            0,
            13,
        ),
        (entered("1234AB", "Schouw", "22", "9"), NO_NUMBER, 0, 13),
        (entered("8888CC", "Kempenaar", "5", "7A"), NO_NUMBER, 0, 15),
        (entered("8888BB", "Schouw 22", "9", ""), "", 13, 0),
        (entered("8888BB", "Schouw 22", "22", "9"), NO_NUMBER, 0, 13),
        (entered("8888BB", "Schouw", "22", "8"), NO_NUMBER, 0, 14),
    ])
    .await;
}
