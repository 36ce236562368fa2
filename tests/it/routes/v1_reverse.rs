//! Tests `GET /v1/reverse`.

use axum::http::Method;
use serde_json::Value;

use crate::addresses::house;
use crate::app::{Reply, TestApp};
use postduif_schema::{Address, Location, LonLat};

const DIJK_5: &str = r#"{"id":"1424200000000008","postcode":"1234AB","number":5,"letter":null,"addition":null,"street":"Gepland","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["woonfunctie","overige gebruiksfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject","distance":0.0}"#;
const DIJK_5_A: &str = r#"{"id":"1424200000000009","postcode":"1234AB","number":5,"letter":"A","addition":null,"street":"Winkel","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["winkelfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject","distance":111.2}"#;
const DIJK: &str = "lat=52.3276543&lon=5.04";

#[tokio::test]
async fn a_list_matches_the_contract_to_the_byte() {
    let app = TestApp::village();
    app.get(&format!("/v1/reverse?{DIJK}&limit=1")).await.assert_found(&format!(
        r#"{{"data":[{DIJK_5}],"meta":{{"count":1,"lat":52.3276543,"lon":5.04,"radius":1000,"unit":"meters"}}}}"#
    ));
    let north = app
        .get("/v1/reverse?lat=52.3286543&lon=5.04&limit=2&radius=112")
        .await;
    let dijk_5 = DIJK_5.replace(r#""distance":0.0"#, r#""distance":111.2"#);
    north.assert_found(&format!(
        r#"{{"data":[{dijk_5},{DIJK_5_A}],"meta":{{"count":2,"lat":52.3286543,"lon":5.04,"radius":112,"unit":"meters"}}}}"#
    ));
}

#[tokio::test]
async fn a_point_without_addresses_gives_an_empty_list() {
    let app = TestApp::village();
    #[rustfmt::skip]
    let cases = [
        ("lat=52.3286543&lon=5.04", 111, r#""lat":52.3286543,"lon":5.04"#),
        ("lat=0&lon=0", 1000, r#""lat":0.0,"lon":0.0"#),
        ("lat=90&lon=180", 1000, r#""lat":90.0,"lon":180.0"#),
        ("lat=-90&lon=-180", 1000, r#""lat":-90.0,"lon":-180.0"#),
        ("lat=5.04&lon=52.3276543", 1, r#""lat":5.04,"lon":52.3276543"#),
    ];
    for (point, radius, meta) in cases {
        app.get(&format!("/v1/reverse?{point}&radius={radius}"))
            .await
            .assert_found(&format!(
                r#"{{"data":[],"meta":{{"count":0,{meta},"radius":{radius},"unit":"meters"}}}}"#
            ));
    }
}

fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

/// The postcode, number, letter and addition of each address in a list, such as `1234AB 12 A 1`.
fn describe_rows(reply: &Reply) -> Vec<String> {
    let body = body(reply);
    let rows = body["data"].as_array().expect("a list");
    assert_eq!(body["meta"]["count"], rows.len(), "{body}");
    let text = |value: &Value| value.as_str().map_or_else(|| "-".to_owned(), str::to_owned);
    rows.iter()
        .map(|row| {
            let [postcode, letter, addition] =
                ["postcode", "letter", "addition"].map(|name| text(&row[name]));
            format!("{postcode} {} {letter} {addition}", row["number"])
        })
        .collect()
}

#[tokio::test]
async fn addresses_at_one_point_are_in_natural_order() {
    let app = TestApp::village();
    let all = [
        "1234AB 5 - -", "1234AB 5 A -", "1234AB 5 B -", "1234AB 12 - 2", "1234AB 12 - 10",
        "1234AB 12 - bis", "1234AB 12 A -", "1234AB 12 A 1", "1234AB 12 B -", "1234AB 29 - -",
        "1234AC 1 - -", "1234AC 3 - -",
    ];
    // Dijk 7 C and the post-office boxes have no coordinates, so the search does not find them.
    let found = app.get(&format!("/v1/reverse?{DIJK}&limit=50")).await;
    assert_eq!(describe_rows(&found), all);
    for limit in 1..=all.len() {
        let found = app.get(&format!("/v1/reverse?{DIJK}&limit={limit}")).await;
        assert_eq!(describe_rows(&found), all[..limit]);
    }
    let found = app.get(&format!("/v1/reverse?{DIJK}")).await;
    assert_eq!(describe_rows(&found), all[..10], "ten by default");
}

/// Sixty houses in a row to the north, about 11 metres apart.
fn row() -> Vec<Address> {
    (1_u32..=60)
        .map(|number| Address {
            location: house(1, ("", ""), 1).location.map(|location| Location {
                lon_lat: LonLat {
                    lat_e7: 523_276_543 + 1_000 * i32::try_from(number).expect("small"),
                    ..location.lon_lat
                },
                ..location
            }),
            ..house(number, ("", ""), number.into())
        })
        .collect()
}

#[tokio::test]
async fn distances_increase_and_have_one_decimal() {
    let app = TestApp::from_addresses(&row());
    let found = body(&app.get(&format!("/v1/reverse?{DIJK}&limit=50")).await);
    let rows = found["data"].as_array().expect("a list");
    assert_eq!(rows.len(), 50);
    for (number, row) in (1_u32..).zip(rows) {
        assert_eq!(row["number"], number);
        // 0.0001 degree of latitude is 11.119493 m.
        let expected = format!("{:.1}", 11.119_493 * f64::from(number));
        assert_eq!(row["distance"].to_string(), expected);
    }
}

#[tokio::test]
async fn radius_and_limit_are_clamped_to_their_bounds() {
    let app = TestApp::from_addresses(&row());
    let case = async |query: &str, radius: u32, count: usize| {
        let found = body(&app.get(&format!("/v1/reverse?{DIJK}&{query}")).await);
        assert_eq!(
            (&found["meta"]["radius"], &found["meta"]["count"]),
            (&radius.into(), &count.into()),
            "{query}"
        );
    };
    let long = "9".repeat(400);
    case("", 1000, 10).await;
    case("radius=1000&limit=50", 1000, 50).await;
    case("radius=1001&limit=51", 1000, 50).await;
    case(&format!("radius={long}&limit={long}"), 1000, 50).await;
    case("radius=100", 100, 8).await;
    case("radius=0", 1, 0).await;
    case("radius=-5", 1, 0).await;
    case(&format!("radius=-{long}"), 1, 0).await;
    case("limit=0", 1000, 1).await;
    case("limit=-1", 1000, 1).await;
    case("limit=+3+&radius=%20100", 100, 3).await;
    case("limit=%2B3", 1000, 3).await;
    case("limit=003", 1000, 3).await;
    case("limit=3&limit=4&lat=1&unknown=x", 1000, 3).await;
}

#[tokio::test]
async fn coordinates_are_accepted_in_every_number_format() {
    let app = TestApp::village();
    let plain = app.get(&format!("/v1/reverse?{DIJK}")).await;
    for point in [
        "lon=5.04&lat=52.3276543",
        "lat=+52.3276543+&lon=%095.04",
        "lat=%2B52.3276543&lon=05.040",
        "lat=523276543e-7&lon=0.504E1",
        "lat=52.32765430000000000000000000000000000000001&lon=5.04",
    ] {
        let reply = app.get(&format!("/v1/reverse?{point}")).await;
        assert_eq!(reply.text(), plain.text(), "{point}");
    }
}

#[tokio::test]
async fn an_invalid_point_is_rejected() {
    let app = TestApp::village();
    for query in [
        "",
        "?lat=52.3",
        "?lon=5.04",
        "?lat=&lon=",
        "?lat=52.3&lon=",
        "?LAT=52.3&LON=5.04",
        "?lat=52,3&lon=5.04",
        "?lat=52.3&lon=5.04E",
        "?lat=52.3N&lon=5.04",
        "?lat=52%C2%B018&lon=5.04",
        "?lat=NaN&lon=5.04",
        "?lat=52.3&lon=nan",
        "?lat=inf&lon=5.04",
        "?lat=52.3&lon=-infinity",
        "?lat=1e999&lon=5.04",
        "?lat=90.0000001&lon=5.04",
        "?lat=-91&lon=5.04",
        "?lat=52.3&lon=180.0000001",
        "?lat=52.3&lon=-200",
        "?lat=121687&lon=487484",
        "?lat=0x34&lon=5.04",
        "?lat=%ff&lon=5.04",
    ] {
        app.get(&format!("/v1/reverse{query}"))
            .await
            .assert_v1_error(400, "invalid_coordinates");
    }
}

#[tokio::test]
async fn a_radius_or_limit_that_is_not_a_whole_number_is_rejected() {
    let app = TestApp::village();
    for name in ["radius", "limit"] {
        for value in [
            "", "%20", "x", "5.0", "5.", "1e1", "-", "%2B", "--5", "5m", "1+0", "NaN", "inf",
            "%ff", "%D9%A7",
        ] {
            app.get(&format!("/v1/reverse?{DIJK}&{name}={value}"))
                .await
                .assert_v1_error(400, "invalid_coordinates");
        }
    }
    let reply = app.get(&format!("/v1/reverse?{DIJK}&limit=x")).await;
    assert!(
        reply.text().contains("radius and limit"),
        "{}",
        reply.text()
    );
}

#[tokio::test]
async fn the_sandbox_has_its_own_nearby_addresses() {
    let app = TestApp::village();
    let key = Some(app.test_key());
    let path = "/v1/reverse?lat=51.841554&lon=5.8706099&radius=100";
    let expected = r#"{"data":[{"id":"9999200000000001","postcode":"6545CA","number":29,"letter":null,"addition":null,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]},"purposes":["woonfunctie"],"surface":100,"constructionYear":1970,"type":"verblijfsobject","distance":68.7}],"meta":{"count":1,"lat":51.841554,"lon":5.8706099,"radius":100,"unit":"meters"}}"#;
    app.sandbox(path, key).await.assert_found(expected);
    app.send(Method::GET, &format!("/api{path}"), key)
        .await
        .assert_found(expected);
    assert_eq!(describe_rows(&app.get(path).await), [""; 0]);
    let dijk = app.sandbox(&format!("/v1/reverse?{DIJK}"), key).await;
    assert_eq!(describe_rows(&dijk), [""; 0]);
}
