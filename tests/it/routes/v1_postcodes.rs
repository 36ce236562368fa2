//! Tests `GET /v1/postcodes/{postcode}`.

use crate::app::TestApp;

#[tokio::test]
async fn a_postcode_matches_the_contract_to_the_byte() {
    let app = TestApp::village();
    let body = r#"{"data":{"postcode":"1234AB","street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"addressCount":11,"numberRange":{"min":5,"max":29},"isPoBox":false}}"#;
    for path in ["1234AB", "1234ab", "1234%20ab", "%201234AB%20"] {
        app.get(&format!("/v1/postcodes/{path}"))
            .await
            .assert_found(body);
    }
}

#[tokio::test]
async fn a_postcode_of_post_office_boxes_is_marked() {
    let body = r#"{"data":{"postcode":"1300AA","street":"Postbus","city":"Elders","municipality":"Elders","province":"Utrecht","location":null,"addressCount":2,"numberRange":{"min":7,"max":9001},"isPoBox":true}}"#;
    TestApp::village()
        .get("/v1/postcodes/1300AA")
        .await
        .assert_found(body);
}

#[tokio::test]
async fn an_invalid_postcode_is_a_400_and_an_unused_one_a_404() {
    let app = TestApp::village();
    for path in ["1234", "1234ABC", "%ff", "1234+AB", "..", "1234-AB", "%20"] {
        app.get(&format!("/v1/postcodes/{path}"))
            .await
            .assert_v1_error(400, "invalid_postcode");
    }
    for path in ["9999ZZ", "0123AA", "1234SS"] {
        app.get(&format!("/v1/postcodes/{path}"))
            .await
            .assert_v1_error(404, "not_found");
    }
}
