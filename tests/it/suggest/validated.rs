//! Tests `/v1/validate` with the addresses of the autocomplete tests: partly right names, additions after a unit word, a municipality
//! in place of the town.

use serde_json::{Value, json};

use super::places;
use crate::app::TestApp;

/// The suggested address or, without a suggestion, the found address; and whether the input is valid.
async fn suggested_or_found(app: &TestApp, entered: &Value) -> (bool, String) {
    let answer = app.post("/v1/validate", entered.to_string()).await;
    let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
    let result = &body["data"];
    let found = [&result["suggestion"], &result["address"]];
    let found = found.into_iter().find(|found| !found.is_null());
    let text = |address: &Value| {
        let field = |name: &str| address[name].as_str().unwrap_or_default().to_owned();
        let number = format!(
            "{}{}{}",
            address["number"],
            field("letter"),
            field("addition")
        );
        format!("{} {number} {}", field("street"), field("city"))
    };
    let valid = result["valid"].as_bool().expect("a bool");
    (valid, found.map(text).unwrap_or_default())
}

pub(super) async fn assert_found(app: &TestApp, entered: &Value, expected: (bool, String)) {
    assert_eq!(
        suggested_or_found(app, entered).await,
        expected,
        "{entered}"
    );
}

#[tokio::test]
async fn a_mistyped_city_does_not_change_the_house_number() {
    const WEESP: places::Town = ["Weesp", "Amsterdam", "Noord-Holland"];
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Sportweg", WEESP, "1384BA", "25"),
        (1, "Sportweg", WEESP, "1384BB", "24 250"),
    ]));
    let entered =
        json!({"postcode": "1384BB", "number": 25, "street": "Sportweg", "city": "Wesep"});
    let expected = (false, "Sportweg 25 Weesp".to_owned());
    assert_eq!(suggested_or_found(&app, &entered).await, expected);
}

#[tokio::test]
async fn another_city_beside_the_right_postcode_and_street_is_the_mistake() {
    const HOOGEVEEN: places::Town = ["Hoogeveen", "Hoogeveen", "Drenthe"];
    const FLUITENBERG: places::Town = ["Fluitenberg", "Hoogeveen", "Drenthe"];
    const ALTEVEER: places::Town = ["Alteveer gem Hoogeveen", "Hoogeveen", "Drenthe"];
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Schoolstraat", FLUITENBERG, "7931PE", "1"),
        (2, "Schoolstraat", HOOGEVEEN, "7902BJ", "1"),
        (3, "Dorpsstraat", ALTEVEER, "7927PA", "4"),
        (4, "Beukenlaan", FLUITENBERG, "7931PG", "1"),
        (5, "Beukenlaan", HOOGEVEEN, "7921PG", "1"),
    ]));
    let school = |postcode: &str, city: &str| json!({"postcode": postcode, "number": 1, "street": "Schoolstraat", "city": city});
    let (village, town) = ("Schoolstraat 1 Fluitenberg", "Schoolstraat 1 Hoogeveen");
    assert_found(
        &app,
        &school("7931PE", "Hoogeveen"),
        (false, village.to_owned()),
    )
    .await;
    assert_found(
        &app,
        &school("7927PA", "Hoogeveen"),
        (false, town.to_owned()),
    )
    .await;
    // One digit of the postcode may be the mistake too.
    let entered =
        json!({"postcode": "7931PG", "number": 1, "street": "Beukenlaan", "city": "Hoogeveen"});
    assert_found(&app, &entered, (false, "Beukenlaan 1 Hoogeveen".to_owned())).await;
    // The register adds the municipality to the name of this village.
    let entered =
        json!({"postcode": "7927PA", "number": 4, "street": "Dorpsstraat", "city": "Alteveer"});
    assert_found(
        &app,
        &entered,
        (true, "Dorpsstraat 4 Alteveer gem Hoogeveen".to_owned()),
    )
    .await;
}

#[tokio::test]
async fn a_wrong_street_keeps_the_entered_addition() {
    let app = TestApp::from_addresses(&places::addresses());
    let entered = json!({"postcode": "1382AA", "number": 5, "addition": "HS", "street": "Hoogstraat", "city": "Weesp"});
    let expected = (false, "Singel 5HS Weesp".to_owned());
    assert_eq!(suggested_or_found(&app, &entered).await, expected);
}

#[tokio::test]
async fn an_address_is_found_by_what_is_right_in_its_fields() {
    const BORGER: places::Town = ["Borger", "Borger-Odoorn", "Drenthe"];
    const DRIEL: places::Town = ["Driel", "Borger-Odoorn", "Drenthe"];
    const EMMEN: places::Town = ["Emmen", "Emmen", "Drenthe"];
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Grote Kade", BORGER, "9531AA", "8 8/a 8//13 9"),
        (2, "Dijk", BORGER, "9531AB", "8 10"),
        (3, "Laan van het Bos", DRIEL, "7871AA", "7"),
        (4, "Weerdingerstraat", DRIEL, "7871AB", "7"),
        (5, "Herenweg Zuid", DRIEL, "7871AC", "9"),
        (6, "Kerkweg", EMMEN, "7811AA", "90 91"),
        (
            7,
            "Kerkweg",
            ["Bargeveen", "Emmen", "Drenthe"],
            "7812AA",
            "9",
        ),
    ]));
    // The entered address, whether it is valid, and the address that is found.
    #[rustfmt::skip]
    let cases = [
        // The municipality, and a district.
        (json!({"postcode": "9531AA", "number": 9, "street": "Grote Kade", "city": "Borger-Odoorn"}), false, "Grote Kade 9 Borger"),
        (json!({"postcode": "", "number": 7, "street": "Weerdingerstraat", "city": "Borger-Odoorn"}), false, "Weerdingerstraat 7 Driel"),
        (json!({"postcode": "", "number": 9, "street": "Grote Kade", "city": "Borger-Noord"}), false, "Grote Kade 9 Borger"),
        // The whole address in one field.
        (json!({"postcode": "", "number": 8, "street": "Grote Kade 8a, Borger"}), false, "Grote Kade 8a Borger"),
        (json!({"postcode": "", "number": 8, "city": "Grote Kade 8a, 9531 AA Borger"}), false, "Grote Kade 8a Borger"),
        (json!({"postcode": "9531AA", "number": 8, "street": "Grote Kade 8 kamer 13"}), false, "Grote Kade 813 Borger"),
        // The postcode of another street, and no city.
        (json!({"postcode": "9531AB", "number": 9, "street": "Grote Kade"}), false, "Grote Kade 9 Borger"),
        // Shortened names.
        (json!({"postcode": "7871AB", "number": 7, "street": "Weerdingerst."}), true, "Weerdingerstraat 7 Driel"),
        (json!({"postcode": "", "number": 7, "street": "Weerdinger", "city": "Driel"}), false, "Weerdingerstraat 7 Driel"),
        (json!({"postcode": "7871AA", "number": 7, "street": "Laan van 't Bos"}), true, "Laan van het Bos 7 Driel"),
        (json!({"postcode": "", "number": 9, "street": "Gr. Kade", "city": "Borger"}), false, "Grote Kade 9 Borger"),
        (json!({"postcode": "", "number": 9, "street": "Herenweg-Z", "city": "Driel"}), false, "Herenweg Zuid 9 Driel"),
        (json!({"postcode": "7871AC", "number": 9, "street": "Herenweg Z."}), true, "Herenweg Zuid 9 Driel"),
        (json!({"postcode": "7871AC", "number": 9, "street": "Herenweg N."}), false, "Herenweg Zuid 9 Driel"),
        (json!({"postcode": "", "number": 9, "street": "Grote Kade", "city": "Borg."}), false, "Grote Kade 9 Borger"),
        (json!({"postcode": "", "number": 9, "street": "Grote Kade", "city": "Bor"}), false, ""),
        // The street of the town lacks the number, and that of another town in the municipality has it.
        (json!({"postcode": "", "number": 9, "street": "Kerkweg", "city": "Emmen"}), false, "Kerkweg 9 Bargeveen"),
        // Encoded for a link.
        (json!({"postcode": "9531AA", "number": 9, "street": "Grote%20Kade"}), true, "Grote Kade 9 Borger"),
        // The digits of the postcode, and a wrong city.
        (json!({"postcode": "9531", "number": 9, "street": "Grote Kade", "city": "Driel"}), false, "Grote Kade 9 Borger"),
        (json!({"postcode": "9532", "number": 9, "street": "Grote Kade", "city": "Driel"}), false, ""),
        // A letter X is unknown, and a long dash is a hyphen.
        (json!({"postcode": "9531AA", "number": "9X"}), false, "Grote Kade 9 Borger"),
        (json!({"postcode": "9531AA", "number": 8, "addition": "\u{2013}13"}), true, "Grote Kade 813 Borger"),
    ];
    for (entered, is_valid, expected) in cases {
        assert_found(&app, &entered, (is_valid, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_partly_right_name_is_preferred_to_a_similar_name() {
    let app = TestApp::from_addresses(&places::addresses());
    for (postcode, street) in [
        ("1383AA", "Koningsbeltlaan"),
        ("1383AA", "Koningsbelt"),
        ("1383AB", "Koningsbeltlaan"),
        ("1384AA", "Koningsbeltlaan"),
        ("", "Koningsbeltlaan"),
        ("", "Koningsbelt"),
        ("", "Beltweg"),
    ] {
        let entered = json!({"postcode": postcode, "number": 41, "letter": "B", "street": street, "city": "Weesp"});
        let expected = match street {
            // Less than half of the name is right.
            "Beltweg" => (false, String::new()),
            _ => (false, "Koningsbeltweg 41B Weesp".to_owned()),
        };
        assert_found(&app, &entered, expected).await;
    }
    let last_words =
        json!({"postcode": "", "number": 2, "street": "Sinnighepad", "city": "Utrecht"});
    let expected = (false, "Burgemeester Sinnighepad 2 Utrecht".to_owned());
    assert_found(&app, &last_words, expected).await;
}

#[tokio::test]
async fn an_initial_stands_for_the_first_word_of_a_name() {
    let app = TestApp::from_addresses(&places::addresses());
    // Weesp has a Kolk 13 as well.
    for (street, found) in [("N. Kolk", "Nieuwezijds Kolk"), ("Kolk", "Kolk")] {
        let entered = json!({"postcode": "", "number": 13, "street": street, "city": "Weesp"});
        let expected = (false, format!("{found} 13 Weesp"));
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn the_digits_of_a_postcode_replace_the_city() {
    let app = TestApp::from_addresses(&places::addresses());
    for (digits, city) in [("3511", "Utrecht"), ("7255", "Hengelo")] {
        let entered = json!({"postcode": digits, "number": 7, "street": "Kerkstraat"});
        let expected = (false, format!("Kerkstraat 7 {city}"));
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn a_municipality_in_place_of_the_town_finds_the_street() {
    let app = TestApp::from_addresses(&places::addresses());
    let entered = json!({"postcode": "", "number": 18, "street": "Heggeweg", "city": "Dinkelland"});
    let expected = (false, "Heggeweg 18 Deurningen".to_owned());
    assert_found(&app, &entered, expected).await;
}

#[tokio::test]
async fn a_unit_word_before_an_addition_is_ignored() {
    let app = TestApp::from_addresses(&places::addresses());
    for entered in [
        json!({"postcode": "3511AB", "number": "12 kamer 2"}),
        json!({"postcode": "3511AB", "number": "12 app. 2"}),
        json!({"postcode": "3511AB", "number": 12, "addition": "unit 2"}),
    ] {
        let expected = (true, "Oudegracht 122 Utrecht".to_owned());
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn a_value_in_the_wrong_field_is_found() {
    let app = TestApp::from_addresses(&places::addresses());
    let [unit, path] = [
        "Oudegracht 122 Utrecht",
        "Burgemeester Sinnighepad 2 Utrecht",
    ];
    #[rustfmt::skip]
    let cases = [
        (json!({"postcode": "3511AB", "number": 12, "addition": "12-2"}), unit),
        (json!({"postcode": "3511 AB Utrecht", "number": 12, "addition": "2"}), unit),
        (json!({"postcode": "Utrecht", "number": 12, "addition": "2", "city": "3511 AB"}), unit),
        (json!({"postcode": "", "number": 2, "street": "Burgemeester Sinnighepad 2", "city": "Utrecht"}), path),
        (json!({"postcode": "1383AA", "number": 2, "street": "Utrecht", "city": "Burgemeester Sinnighepad"}), path),
    ];
    for (entered, expected) in cases {
        let expected = (false, expected.to_owned());
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn a_number_sign_before_an_addition_is_ignored() {
    let app = TestApp::from_addresses(&places::addresses());
    let entered = json!({"postcode": "3511AB", "number": 12, "addition": "#2"});
    let expected = (true, "Oudegracht 122 Utrecht".to_owned());
    assert_found(&app, &entered, expected).await;
}

#[tokio::test]
async fn a_suffix_in_the_number_counts_beside_the_other_fields() {
    let app = TestApp::from_addresses(&places::addresses());
    for (number, letter, addition, valid, expected) in [
        ("12a", "", "-", true, "12A"),
        ("12a", "n.v.t.", "geen", true, "12A"),
        ("12a", "", "1", true, "12A1"),
        ("12-1", "a", "", true, "12A1"),
        ("12", "12a", "", false, "12A"),
        ("12a", "", "achterom", true, "12A"),
        ("12.0", "", "2.0", true, "122"),
        ("'12", "", "bis", true, "12bis"),
        ("12O", "", "", false, "120"),
    ] {
        let entered =
            json!({"postcode": "3511AB", "number": number, "letter": letter, "addition": addition});
        let expected = (valid, format!("Oudegracht {expected} Utrecht"));
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn words_around_the_names_are_removed() {
    let app = TestApp::from_addresses(&places::addresses());
    for (postcode, street, city) in [
        ("", "Stationsweg", "Barneveld, Nederland"),
        ("", "Stationsweg", "Barneveld gem. Barneveld"),
        ("", "Stationsweg", "3771 Barneveld"),
        ("", "Stationsweg", "Barneveld centrum"),
        ("", "30, Stationsweg", "Barneveld"),
        ("", "Bakker B.V., Stationsweg", "Barneveld"),
        ("", "Stationsweg (achterom)", "Barneveld"),
        ("", "Stationsweg 30 Barneveld", ""),
        ("", "Stationsweg Barneveld", ""),
        ("3771 Barneveld", "Stationsweg", ""),
    ] {
        let entered = json!({"postcode": postcode, "number": 30, "street": street, "city": city});
        let expected = (false, "Stationsweg 30 Barneveld".to_owned());
        assert_found(&app, &entered, expected).await;
    }
    let none =
        json!({"postcode": "", "number": 30, "street": "Oude Stationsweg", "city": "Barneveld"});
    assert!(!suggested_or_found(&app, &none).await.0);
}

#[tokio::test]
async fn a_new_street_of_a_known_city_gets_no_other_street() {
    let app = TestApp::from_addresses(&places::addresses());
    let new =
        json!({"postcode": "3771AE", "number": 8, "street": "Quantumkade", "city": "Barneveld"});
    assert_eq!(suggested_or_found(&app, &new).await, (false, String::new()));
}

#[tokio::test]
async fn a_shorter_form_of_a_street_is_found_without_a_postcode() {
    let app = TestApp::from_addresses(&places::addresses());
    for (street, expected) in [
        ("B. Sinnighepad", "Burgemeester Sinnighepad 2 Utrecht"),
        ("Burgemeester Si", "Burgemeester Sinnighepad 2 Utrecht"),
        ("K. Sinnighepad", ""),
    ] {
        let entered = json!({"postcode": "", "number": 2, "street": street, "city": "Utrecht"});
        let expected = (false, expected.to_owned());
        assert_found(&app, &entered, expected).await;
    }
}

#[tokio::test]
async fn the_beginning_and_the_type_of_a_street_name_it() {
    let app = TestApp::from_addresses(&places::addresses());
    for (postcode, street, expected) in [
        ("1383AA", "Kon.weg", "Koningsbeltweg 41B Weesp"),
        ("", "Kon.weg", "Koningsbeltweg 41B Weesp"),
        ("", "Koninwg", "Koningsbeltweg 41B Weesp"),
        ("", "Kon.laan", ""),
    ] {
        let entered = json!({"postcode": postcode, "number": 41, "letter": "B", "street": street, "city": "Weesp"});
        let expected = (false, expected.to_owned());
        assert_eq!(
            suggested_or_found(&app, &entered).await,
            expected,
            "{entered}"
        );
    }
}
