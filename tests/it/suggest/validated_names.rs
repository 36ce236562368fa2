//! Tests `/v1/validate` with a street as people write it, and with the city of the next village.

use postduif_schema::{Address, Location, LonLat, Rd};
use serde_json::{Value, json};

use super::places;
use super::validated::assert_found;
use crate::app::TestApp;

const EELDE: places::Town = ["Eelde", "Tynaarlo", "Drenthe"];
const PATERSWOLDE: places::Town = ["Paterswolde", "Tynaarlo", "Drenthe"];
const VRIES: places::Town = ["Vries", "Tynaarlo", "Drenthe"];
const RHEE: places::Town = ["Rhee", "Assen", "Drenthe"];
const URK: places::Town = ["Urk", "Urk", "Flevoland"];

/// The addresses with a location 6 km north of Rhee, or 60 km south of it for Urk.
fn located(addresses: Vec<Address>) -> Vec<Address> {
    let located = addresses.into_iter().map(|address| {
        let y_m = match &*address.city {
            "Urk" => 500_000.0,
            "Rhee" => 560_000.0,
            _ => 566_000.0,
        };
        let rd = Rd::from_metres(233_000.0, y_m).expect("a point");
        let lon_lat = LonLat::from_degrees(6.5, 53.0).expect("a point");
        Address {
            location: Some(Location { rd, lon_lat }),
            ..address
        }
    });
    located.collect()
}

#[tokio::test]
async fn a_street_is_found_in_the_next_village() {
    let app = TestApp::from_addresses(&located(places::addresses_of(&[
        (1, "Paulus Potterweg", EELDE, "9761AA", "16 18"),
        (2, "Fokkerweg", PATERSWOLDE, "9765AA", "16"),
        (3, "Peesterweg", EELDE, "9761AB", "4 200"),
        (4, "Peesterstraat", VRIES, "9481AA", "4"),
        (5, "Hakstraat", EELDE, "9761AC", "2"),
        (6, "Hakstraat", PATERSWOLDE, "9765AB", "2"),
        (7, "Asserstraat", VRIES, "9481AB", "1 3"),
        (8, "Asserstraat", RHEE, "9486AA", "3 204"),
        (9, "Kerkweg", RHEE, "9486AB", "7"),
        (10, "Kerkweg", URK, "8321AA", "7 9"),
        (11, "Dijk", VRIES, "9481AC", "1"),
        (12, "Dijk", URK, "8321AB", "1 5"),
        (13, "Vissersdwarsweg", URK, "8321AC", "8"),
    ])));
    // Postcode, number, street, city, and the address that is found.
    for (postcode, number, street, city, expected) in [
        (
            "",
            "16",
            "Paulus Potterweg",
            "Paterswolde",
            "Paulus Potterweg 16 Eelde",
        ),
        (
            "9765AA",
            "16",
            "Paulus Potterweg",
            "Paterswolde",
            "Paulus Potterweg 16 Eelde",
        ),
        (
            "9765AA",
            "18",
            "Paulus Potterweg",
            "Paterswolde",
            "Paulus Potterweg 18 Eelde",
        ),
        ("", "16a", "Paulus Potterweg", "Paterswolde", ""),
        // A similar street of the city has the number, too.
        ("", "4", "Peesterweg", "Vries", "Peesterstraat 4 Vries"),
        (
            "9481AA",
            "4",
            "Peesterweg",
            "Vries",
            "Peesterstraat 4 Vries",
        ),
        // Two other villages have this street and number.
        ("", "2", "Hakstraat", "Vries", ""),
        // Another municipality, which is near.
        ("", "204", "Asserstraat", "Vries", "Asserstraat 204 Rhee"),
        ("", "7", "Kerkweg", "Vries", "Kerkweg 7 Rhee"),
        // The only address is in another municipality, far away.
        ("", "9", "Kerkweg", "Vries", ""),
        ("", "5", "Dijk", "Vries", ""),
        // It is far, but no other street has this name.
        ("", "8", "Vissersdwarsweg", "Vries", "Vissersdwarsweg 8 Urk"),
        // No city was entered.
        ("", "204", "Asserstraat", "", "Asserstraat 204 Rhee"),
        ("", "3", "Asserstraat", "", ""),
        // The city does not exist.
        ("", "204", "Asserstraat", "Nergenshuizen", ""),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": city});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_street_is_found_by_shortened_words_and_with_more_names() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Verlengde van Geulkanaal NZ", EELDE, "9761AA", "23"),
        (2, "Weg 1940-1945", EELDE, "9761AB", "14"),
        (3, "Laan der V.O.C.", EELDE, "9761AC", "27"),
        (4, "Hendrik Mesdagstraat", EELDE, "9761AD", "22"),
        (5, "Wilhelminastraat", EELDE, "9761AE", "60"),
        (6, "Havenstraat", EELDE, "9761AF", "5"),
    ]));
    for (number, street, expected) in [
        (
            23,
            "VERL V GEULKAN NZ",
            "Verlengde van Geulkanaal NZ 23 Eelde",
        ),
        (14, "Weg 1940-45", "Weg 1940-1945 14 Eelde"),
        (27, "Laan van de VOC", "Laan der V.O.C. 27 Eelde"),
        (
            22,
            "Hendrik Willem Mesdagstraat",
            "Hendrik Mesdagstraat 22 Eelde",
        ),
        (60, "Koningin Wilhelminastraat", "Wilhelminastraat 60 Eelde"),
        (5, "Verlengde Havenstraat", ""),
    ] {
        let entered = json!({"postcode": "", "number": number, "street": street, "city": "Eelde"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn a_street_with_other_words_comes_before_a_near_number_in_the_entered_postcode() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Molenweg", EELDE, "9761AA", "60"),
        (2, "Havenstraat", EELDE, "9761AF", "5"),
        (
            3,
            "Kwartelweg",
            ["Eelden", "Assen", "Drenthe"],
            "9401AA",
            "60",
        ),
    ]));
    for (postcode, street, expected) in [
        ("9761AF", "aan de Molenweg", "Molenweg 60 Eelde"),
        ("9761AF", "Molen road", "Molenweg 60 Eelde"),
        // Nothing agrees better than the nearest number.
        ("9761AF", "Onbekend", "Havenstraat 5 Eelde"),
        // Eelde has the entered postcode, so it is not a mistyped Eelden.
        ("9761AF", "Kwartelweg", "Havenstraat 5 Eelde"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": 60, "street": street, "city": "Eelde"});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}

#[tokio::test]
async fn the_side_and_the_end_of_a_street_may_be_abbreviated_or_written_out() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Oranjekanaal N.Z.", EELDE, "9761AA", "1"),
        (2, "Verlengde Scholtenskanaal OZ", EELDE, "9761AB", "1"),
        (3, "Eerste Kruisdiep Westzijde", EELDE, "9761AC", "1"),
        (4, "Stellingstraat ZZ", EELDE, "9761AD", "1"),
        (5, "Klipperdreef", EELDE, "9761AE", "1"),
        (6, "Roospothof", EELDE, "9761AG", "1"),
        (7, "Händelstraat", EELDE, "9761AH", "1"),
        (8, "P.C. Boutensstraat", EELDE, "9761AJ", "1"),
        (9, "M.E. van der Meulenweg", EELDE, "9761AK", "1"),
    ]));
    for (postcode, street, valid) in [
        ("9761AJ", "PC BOUTENSSTR", true),
        ("9761AJ", "PA BOUTENSSTR", false),
        ("9761AK", "ME vd Meulenweg", true),
        ("9761AA", "Oranjekanaal Noordzijde", true),
        ("9761AA", "Oranjekanaal Noord Zijde", true),
        ("9761AA", "oranjekanaal noordzij", true),
        ("9761AA", "Oranjekanaal NZ", true),
        ("9761AA", "Oranjekanaal Z.Z.", false),
        ("9761AB", "Verl. Scholtenskanaal O.Z.", true),
        ("9761AB", "Verl Scholtenskanaal o-zijde", true),
        ("9761AC", "1e Kruisdiep W.Z.", true),
        ("9761AC", "1e Kruisdiep wz", true),
        ("9761AD", "Stellingstr. Z.Z.", true),
        ("9761AE", "Klipperdr.", true),
        ("9761AG", "Roospothf", true),
        ("9761AH", "Haendelstraat", true),
        ("9761AH", "Haandelstraat", false),
    ] {
        let entered = json!({"postcode": postcode, "number": 1, "street": street, "city": "Eelde"});
        let answer = app.post("/v1/validate", entered.to_string()).await;
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert_eq!(body["data"]["valid"], valid, "{entered}");
    }
}

#[tokio::test]
async fn an_invented_street_keeps_the_known_address_and_a_mistyped_one_does_not() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Klaproosstraat", EELDE, "9761AA", "1"),
        (2, "Bosstraat", EELDE, "9761BK", "1"),
        (3, "Hofstraat", EELDE, "9762CC", "1"),
        (4, "Poststraat", EELDE, "9762CD", "1"),
        (5, "Prinses Irenestraat", EELDE, "9762CE", "1"),
        (6, "Lindberghsingel", EELDE, "9762CG", "1"),
        (7, "Betonweg", EELDE, "9762CH", "7/B"),
        (8, "Pasteurhage", EELDE, "9762CK", "7"),
    ]));
    let (known, other) = ("Klaproosstraat 1 Eelde", "Prinses Irenestraat 1 Eelde");
    for (street, city, expected) in [
        ("Foostraat", "Eelde", known),
        ("Teststraat", "", known),
        ("Straat", "Eelde", known),
        ("Foostraat", "Vries", known),
        ("Bestaat niet", "Eelde", known),
        ("Prinses Irenstraat", "Eelde", other),
        ("Lindbergh", "Eelde", "Lindberghsingel 1 Eelde"),
        // People seldom mistype the first letter.
        ("Psotstraat", "Eelde", "Poststraat 1 Eelde"),
    ] {
        let entered = json!({"postcode": "9761AA", "number": 1, "street": street, "city": city});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
    // The address at the postcode lacks the entered letter, so it does not exist either.
    let entered = json!({"postcode": "9762CK", "number": 7, "letter": "B", "street": "Beonweg", "city": "Eelde"});
    assert_found(&app, &entered, (false, "Betonweg 7B Eelde".to_owned())).await;
}

#[tokio::test]
async fn the_larger_place_beside_the_village_is_ignored() {
    const WIJK: places::Town = ["Wijk bij Duurstede", "Wijk bij Duurstede", "Utrecht"];
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Hoofdweg", PATERSWOLDE, "9765AA", "27"),
        (2, "Singel", WIJK, "3961AA", "5"),
    ]));
    for city in [
        "Paterswolde bij Groningen",
        "Paterswolde nabij Groningen",
        "Paterswolde post Eelde",
        "Paterswolde (Groningen)",
        "Paterswolde, Groningen",
    ] {
        for addition in ["", "n.v.t."] {
            let entered = json!({"postcode": "", "number": 27, "addition": addition, "street": "Hoofdweg", "city": city});
            let expected = "Hoofdweg 27 Paterswolde".to_owned();
            assert_found(&app, &entered, (false, expected)).await;
        }
    }
    for city in ["Wijk bij Duurstede", "Wijk bij Duurstede gem. Houten"] {
        let entered = json!({"postcode": "", "number": 5, "street": "Singel", "city": city});
        let expected = "Singel 5 Wijk bij Duurstede".to_owned();
        assert_found(&app, &entered, (false, expected)).await;
    }
}

#[tokio::test]
async fn the_number_of_a_street_may_be_a_roman_numeral() {
    let app = TestApp::from_addresses(&places::addresses_of(&[
        (1, "Langeduinen 1", VRIES, "9481AA", "14"),
        (2, "Langeduinen G", VRIES, "9481AB", "14"),
        (3, "Kogge 06", URK, "8321AA", "3"),
        (4, "Willem II straat", VRIES, "9481AC", "2"),
    ]));
    for (postcode, number, street, city, expected) in [
        (
            "9481AA",
            14,
            "Langeduinen I",
            "Vries",
            "Langeduinen 1 14 Vries",
        ),
        ("8321AA", 3, "Kogge VI", "Urk", "Kogge 06 3 Urk"),
        (
            "9481AB",
            14,
            "Langeduinen G",
            "Vries",
            "Langeduinen G 14 Vries",
        ),
        (
            "9481AC",
            2,
            "Willem II straat",
            "Vries",
            "Willem II straat 2 Vries",
        ),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": city});
        assert_found(&app, &entered, (true, expected.to_owned())).await;
    }
    for (postcode, number, street, city, expected) in [
        ("", 14, "Langeduinen I", "Vries", "Langeduinen 1 14 Vries"),
        ("", 3, "Kogge VI", "Urk", "Kogge 06 3 Urk"),
        ("8321AA", 3, "Kogge VII", "Urk", "Kogge 06 3 Urk"),
    ] {
        let entered =
            json!({"postcode": postcode, "number": number, "street": street, "city": city});
        assert_found(&app, &entered, (false, expected.to_owned())).await;
    }
}
