//! Checks that `check` and `POST /v1/validate` give the same answer for the same entry.

use postduif::check::{CheckStatus, ColumnMap, check_row};
use postduif_schema::Address;
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::customer_files::customer_file;
use crate::relevance::town;

const ROWS: usize = 400;

#[tokio::test]
async fn a_row_gets_the_same_answer_as_the_same_entry_sent_to_the_service() {
    let tested = town();
    let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
    let addresses = addresses.expect("a sound index");
    let app = TestApp::from_addresses(&addresses);
    let header = [
        "postcode", "nummer", "letter", "toevoeging", "straat", "plaats",
    ];
    let columns = ColumnMap::from_header(&header.map(str::to_owned));
    for row in customer_file(&addresses, &tested.snapshot, ROWS, 2) {
        let answer = check_row(&row.cells, &columns, &tested.snapshot).expect("reads");
        let [postcode, number, letter, addition, street, city] = &row.cells;
        let body = json!({"postcode": postcode, "number": number, "letter": letter, "addition": addition, "street": street, "city": city});
        let reply = app.post("/v1/validate", body.to_string()).await;
        let service: Value = serde_json::from_str(reply.text()).expect("JSON");
        let data = &service["data"];
        let address = match &data["suggestion"] {
            Value::Null => &data["address"],
            suggestion => suggestion,
        };
        let id = answer
            .address
            .as_ref()
            .map(|address| address.id.to_string());
        assert_eq!(
            address["id"].as_str(),
            id.as_deref(),
            "{:?}: {data}",
            row.cells
        );
        if answer.status == CheckStatus::Ok {
            assert_eq!(data["valid"], true, "{:?}", row.cells);
        }
        let is_right = matches!(answer.status, CheckStatus::Ok | CheckStatus::Ambiguous);
        assert!(
            is_right || data["valid"] == false,
            "{:?}: {answer:?}",
            row.cells
        );
    }
}
