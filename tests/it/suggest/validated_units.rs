//! Tests `/v1/validate` with a unit in the street or the city.

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
            "9531AB",
            1,
            "De West, unit B",
            "Borger",
            "De West 1b Borger",
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
async fn an_entered_addition_outweighs_a_unit_in_the_street() {
    let app = TestApp::from_addresses(&places::addresses_of(&[(
        1,
        "De Drift",
        BORGER,
        "9531AA",
        "3 3//7 3//365",
    )]));
    let entered = json!({"postcode": "9531AA", "number": 3, "addition": "7", "street": "De Drift, huisje 365"});
    assert_found(&app, &entered, (false, "De Drift 37 Borger".to_owned())).await;
}
