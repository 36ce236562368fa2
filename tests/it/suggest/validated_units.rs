//! Tests `/v1/validate` with a unit in the street or the city, and with a floor beside a unit or in its place.

use serde_json::json;

use super::places;
use super::validated::assert_found;
use crate::app::TestApp;

const BORGER: places::Town = ["Borger", "Borger-Odoorn", "Drenthe"];

#[tokio::test]
async fn a_unit_in_the_street_or_the_city_is_the_addition() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "De Drift", BORGER, "9531AA", "3 3//003 3//365 5"),
        (2, "De West", BORGER, "9531AB", "1 1//c212 1/b"),
        (3, "Huisje 5", BORGER, "9531AC", "3 3//5"),
        (4, "Kamerlingh Onnesstraat", BORGER, "9531AD", "3 3//12"),
    ]));
    let whole = "De Drift 3365 Borger";
    for (postcode, number, street, city, expected) in [
        ("9531AA", 3, "De Drift, huisje 365", "Borger", whole),
        ("9531AA", 3, "Huisje 365, De Drift", "Borger", whole),
        ("9531AA", 3, "de drift huisje365", "Borger", whole),
        ("9531AA", 3, "De Drift", "Borger huisje 365", whole),
        ("9531AA", 3, "De Drift", "huisje nr. 365", whole),
        ("9531AA", 3, "De Drift 3, huisje 365", "Borger", whole),
        ("", 3, "De Drift, huisje 365", "Borger", whole),
        (
            "9531AA",
            3,
            "De Drift huisje 3",
            "Borger",
            "De Drift 3003 Borger",
        ),
        (
            "9531AB",
            1,
            "De West app C212",
            "Borger",
            "De West 1c212 Borger",
        ),
        (
            "9531AB",
            1,
            "De West app. C 212",
            "Borger",
            "De West 1c212 Borger",
        ),
        (
            "9531AB", 1, "De West, unit B", "Borger", "De West 1b Borger",
        ),
        // The label belongs to the house number.
        ("9531AA", 3, "De Drift nr 3", "Borger", "De Drift 3 Borger"),
        // No address has the unit.
        (
            "9531AA",
            3,
            "De Drift, huisje 366",
            "Borger",
            "De Drift 3 Borger",
        ),
        (
            "9531AA",
            5,
            "De Drift, huisje 365",
            "Borger",
            "De Drift 5 Borger",
        ),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": city});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
    for (postcode, street, expected) in [
        ("9531AC", "Huisje 5", "Huisje 5 3 Borger"),
        (
            "9531AD",
            "Kamerlingh Onnesstraat",
            "Kamerlingh Onnesstraat 3 Borger",
        ),
    ] {
        let entered =
            json!({"postcode": postcode, "number": 3, "street": street, "city": "Borger"});
        assert_found(&app, &entered, (true, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_unit_beside_the_name_of_the_street_or_the_city_is_the_addition() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "De Drift",
            BORGER,
            "9531AA",
            "3 3//5 3//t 3/A 3//p588 3/B/7 5",
        ),
        (2, "Wijk C", BORGER, "9531AB", "3 3/C"),
        (3, "Laan 1940", BORGER, "9531AC", "3 3//1940"),
        (4, "Kade", BORGER, "9531AD", "3 3//5 5 5//3"),
    ]));
    for (postcode, street, city, expected) in [
        ("9531AA", "De Drift - 5", "Borger", "De Drift 35"),
        ("9531AA", "5 De Drift", "Borger", "De Drift 35"),
        ("9531AA", "De Drift p588", "Borger", "De Drift 3p588"),
        ("9531AA", "De Drift B 7", "Borger", "De Drift 3B7"),
        ("9531AA", "De Drift nr A", "Borger", "De Drift 3A"),
        ("9531AA", "Ingang A, De Drift", "Borger", "De Drift 3A"),
        ("9531AA", "Ingang A, De Drift 3", "Borger", "De Drift 3A"),
        ("9531AA", "De Drift 3, ingang A", "Borger", "De Drift 3A"),
        ("9531AA", "De Drift", "Borger - A", "De Drift 3A"),
        ("9531AA", "De Drift", "(a) Borger", "De Drift 3A"),
        ("", "De Drift A", "Borger", "De Drift 3A"),
        // The register lacks the unit, the word is an article, or both readings exist.
        ("9531AA", "De Drift Z", "Borger", "De Drift 3"),
        ("9531AA", "'t De Drift", "Borger", "De Drift 3"),
        ("9531AD", "Kade 5", "Borger", "Kade 53"),
    ] {
        let entered = json!({"postcode": postcode, "number": 3, "street": street, "city": city});
        assert_found(&app, &entered, (false, format!("{expected} Borger"))).await;
    }
    // The word is a part of the name.
    for (postcode, street) in [("9531AB", "Wijk C"), ("9531AC", "Laan 1940")] {
        let entered =
            json!({"postcode": postcode, "number": 3, "street": street, "city": "Borger"});
        assert_found(&app, &entered, (true, format!("{street} 3 Borger"))).await;
    }
}

#[tokio::test]
async fn a_unit_in_the_names_comes_after_the_entered_letter() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "De Drift",
            BORGER,
            "9531AA",
            "3/A/1 3/A/109 3/B/109 3/A/05 3//a217 4/A 4//7",
        ),
        (2, "De West", BORGER, "9531AB", "1/A 1/A/6"),
    ]));
    for (postcode, number, street, city, expected) in [
        (
            "9531AA", "3A", "De Drift kamer 109", "Borger", "De Drift 3A109",
        ),
        (
            "9531AA", "3a", "De Drift", "Borger, app. 109", "De Drift 3A109",
        ),
        (
            "9531AA",
            "3A",
            "Kamer A109, De Drift",
            "Borger",
            "De Drift 3A109",
        ),
        (
            "9531AA",
            "3A",
            "De Drift 3A kamer 109",
            "Borger",
            "De Drift 3A109",
        ),
        ("9531AA", "3B", "De Drift 109", "Borger", "De Drift 3B109"),
        (
            "9531AA", "3A", "De Drift huisje 5", "Borger", "De Drift 3A05",
        ),
        (
            "9531AA", "3A", "De Drift unit 217", "Borger", "De Drift 3a217",
        ),
        ("", "3A", "De Drift kamer 109", "Borger", "De Drift 3A109"),
        ("9531AB", "1A", "De West unit 6", "Borger", "De West 1A6"),
        // No address has both.
        ("9531AA", "4A", "De Drift kamer 7", "Borger", "De Drift 4A"),
        ("9531AB", "1A", "De West unit 7", "Borger", "De West 1A"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": city});
        assert_found(&app, &entered, (false, format!("{expected} Borger"))).await;
    }
    let entered = json!({"postcode": "9531AA", "number": "3", "addition": "B", "street": "De Drift kamer 109"});
    assert_found(&app, &entered, (false, "De Drift 3B109 Borger".to_owned())).await;
}

#[tokio::test]
async fn a_number_with_its_letter_before_the_street_or_after_the_city_has_the_letter() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "De Drift", BORGER, "9531AA", "8 8/C 8/D 8//k3 81/C"),
        (2, "Tweede Dijk", BORGER, "9531AB", "2 2/E"),
    ]));
    for (street, city, expected) in [
        ("8C De Drift", "Borger", "De Drift 8C"),
        ("8 C, De Drift", "Borger", "De Drift 8C"),
        ("De Drift", "Borger 8C", "De Drift 8C"),
        ("De Drift", "8d Borger", "De Drift 8D"),
        ("8k3 De Drift", "Borger", "De Drift 8k3"),
        // The letter is not used: no address has it, or it belongs to number 81.
        ("8E De Drift", "Borger", "De Drift 8"),
        ("81C De Drift", "Borger", "De Drift 8"),
    ] {
        let entered = json!({"postcode": "9531AA", "number": 8, "street": street, "city": city});
        assert_found(&app, &entered, (false, format!("{expected} Borger"))).await;
    }
    let entered = json!({"postcode": "9531AB", "number": 2, "street": "2e Dijk"});
    assert_found(&app, &entered, (true, "Tweede Dijk 2 Borger".to_owned())).await;
}

#[tokio::test]
async fn an_entered_addition_outweighs_a_unit_in_the_street() {
    let app = TestApp::from_addresses(&places::addresses_of(&[(
        1, "De Drift", BORGER, "9531AA", "3 3//7 3//365",
    )]));
    let entered = json!({"postcode": "9531AA", "number": 3, "addition": "7", "street": "De Drift, huisje 365"});
    assert_found(&app, &entered, (false, "De Drift 37 Borger".to_owned())).await;
}

#[tokio::test]
async fn a_unit_outweighs_the_floor_beside_it() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "Dijk",
            BORGER,
            "9531AA",
            "60//01 60//02 60//03 60//20 60//22",
        ),
        (2, "Kade", BORGER, "9531AB", "21 21/A/2 21/A/3 21/A/14"),
        (3, "Laan", BORGER, "9531AC", "7 7/D 7/E"),
        (4, "Plein", BORGER, "9531AD", "12 12//1 12//2 12//3"),
        (5, "Singel", BORGER, "9531AE", "28 28//1 28//15 28//19"),
    ]));
    for number in ["28-1 5e etage links", "28-1 verdieping 3"] {
        let entered = json!({"postcode": "9531AE", "number": number});
        assert_found(&app, &entered, (false, "Singel 281 Borger".to_owned())).await;
    }
    for (postcode, number, addition, expected) in [
        (
            "9531AA",
            "60, 3e verdieping, appartement 20",
            "",
            "Dijk 6020",
        ),
        ("9531AA", "60 app. 20, 3e etage", "", "Dijk 6020"),
        ("9531AA", "60-20 derde verdieping", "", "Dijk 6020"),
        ("9531AA", "60 etage 3 kamer 20", "", "Dijk 6020"),
        ("9531AA", "60", "2e verdieping nr 20", "Dijk 6020"),
        ("9531AB", "21A 3e etage 14", "", "Kade 21A14"),
        ("9531AB", "'21A 3e etage 14", "", "Kade 21A14"),
        ("9531AC", "7, 2e etage, app. D", "", "Laan 7D"),
    ] {
        let entered = json!({"postcode": postcode, "number": number, "addition": addition});
        assert_found(&app, &entered, (true, format!("{expected} Borger"))).await;
    }
    // The additions are floors.
    let entered = json!({"postcode": "9531AD", "number": "12 3 hoog kamer 2"});
    assert_found(&app, &entered, (false, "Plein 123 Borger".to_owned())).await;
}

#[tokio::test]
async fn a_whole_word_that_is_a_unit_outweighs_similar_units() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (
            1,
            "Dijk",
            BORGER,
            "9531AA",
            "21 21/A 21/B 21/C 21/I 21//12 21//129",
        ),
        (2, "Kade", BORGER, "9531AB", "14//56 14/G/5 14/G/26 14/G/62"),
        (3, "Laan", BORGER, "9531AC", "22 22//230 22//789 22//968"),
        (
            4,
            "Plein",
            BORGER,
            "9531AD",
            "18/A/1 18/C/1 18/C/4 18/G/701 18/G/717",
        ),
    ]));
    for (postcode, number, letter, addition, expected) in [
        ("9531AA", "21", "", "ingang B", "Dijk 21B"),
        ("9531AA", "21 ingang B", "", "", "Dijk 21B"),
        ("9531AA", "21", "", "A t.o. school", "Dijk 21A"),
        ("9531AA", "21-12 t.o. school", "", "", "Dijk 2112"),
        ("9531AB", "14", "5", "G", "Kade 14G5"),
        ("9531AB", "14-62G", "", "", "Kade 14G62"),
        ("9531AC", "22", "", "789-790", "Laan 22789"),
        ("9531AC", "22", "", "789 t/m 790", "Laan 22789"),
        ("9531AC", "22", "", "2x 789", "Laan 22789"),
        ("9531AD", "18", "", "4e etage C", "Plein 18C4"),
        ("9531AD", "18", "G", "7e verd. 17", "Plein 18G717"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition});
        assert_found(&app, &entered, (false, format!("{expected} Borger"))).await;
    }
}

#[tokio::test]
async fn a_floor_is_only_a_suggestion_at_a_number_with_many_units() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", BORGER, "9531AA", "60//01 60//03 60//11"),
        (2, "Kade", BORGER, "9531AB", "12//1 12//3 12//10 12/A/11"),
    ]));
    for floor in ["3 hoog", "3e etage", "etage 3", "3hoog"] {
        for (postcode, number, valid, expected) in [
            ("9531AA", 60, false, "Dijk 6003 Borger"),
            ("9531AB", 12, true, "Kade 123 Borger"),
        ] {
            let in_number = json!({"postcode": postcode, "number": format!("{number} {floor}")});
            let in_addition = json!({"postcode": postcode, "number": number, "addition": floor});
            for entered in [in_number, in_addition] {
                assert_found(&app, &entered, (valid, expected.to_owned())).await;
            }
        }
    }
    let entered = json!({"postcode": "9531AA", "number": "60 app. 3"});
    assert_found(&app, &entered, (true, "Dijk 6003 Borger".to_owned())).await;
}

#[tokio::test]
async fn a_floor_without_the_letter_is_only_a_suggestion() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Dijk", BORGER, "9531AA", "76 76/T/1"),
        (2, "Kade", BORGER, "9531AB", "12/A/1 12/A/2"),
    ]));
    for floor in ["1 hoog", "1e verdieping", "etage 1", "1everdieping"] {
        for (postcode, number, expected) in [
            ("9531AA", 76, "Dijk 76T1 Borger"),
            ("9531AB", 12, "Kade 12A1 Borger"),
        ] {
            let in_number = json!({"postcode": postcode, "number": format!("{number} {floor}")});
            let in_addition = json!({"postcode": postcode, "number": number, "addition": floor});
            for entered in [in_number, in_addition] {
                assert_found(&app, &entered, (false, expected.to_owned())).await;
            }
        }
        for entered in [
            json!({"postcode": "9531AA", "number": "76T", "addition": floor}),
            json!({"postcode": "9531AA", "number": 76, "letter": "t", "addition": floor}),
            json!({"postcode": "9531AA", "number": format!("76 T {floor}")}),
        ] {
            assert_found(&app, &entered, (true, "Dijk 76T1 Borger".to_owned())).await;
        }
    }
    // The addition is no floor.
    let entered = json!({"postcode": "9531AA", "number": 76, "addition": "1"});
    assert_found(&app, &entered, (true, "Dijk 76T1 Borger".to_owned())).await;
}
