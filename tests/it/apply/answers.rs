//! Checks that the services of two data folders give the same answers.

use postduif_schema::Address;
use serde_json::json;

use crate::app::TestApp;
use crate::data_dir::ServedFolder;

/// Sends requests for some addresses of both folders to every endpoint of both services, and checks that their answers are equal.
pub(crate) async fn assert_equal_answers(a: &ServedFolder, b: &ServedFolder) {
    let [left, right] = [a, b].map(|served| TestApp::serving(&served.data));
    let mut asked = 0;
    let [first, second] = [sample(a, 40), sample(b, 20)];
    for address in first.iter().chain(&second) {
        for path in paths(address) {
            let [found, expected] = [left.get(&path).await, right.get(&path).await];
            assert_eq!(
                (found.status, found.text()),
                (expected.status, expected.text()),
                "{path}"
            );
            asked += 1;
        }
        for (path, body) in bodies(address) {
            let [found, expected] = [
                left.post(path, body.clone()).await,
                right.post(path, body.clone()).await,
            ];
            assert_eq!(
                (found.status, found.text()),
                (expected.status, expected.text()),
                "{path} {body}"
            );
        }
    }
    assert!(asked > 100, "only {asked} questions");
}

/// Returns about `count` of the served addresses, evenly spread.
fn sample(served: &ServedFolder, count: usize) -> Vec<Address> {
    let all = served.addresses();
    let step = all.len().div_ceil(count).max(1);
    all.into_iter().step_by(step).collect()
}

fn paths(address: &Address) -> Vec<String> {
    let Address {
        id,
        postcode,
        number,
        street,
        city,
        ..
    } = address;
    let mut paths = vec![
        format!("/v3/lookup/{postcode}/{number}"),
        format!("/v1/addresses?postcode={postcode}&number={number}"),
        format!("/v1/addresses/{id}"),
        format!("/v1/postcodes/{postcode}"),
    ];
    let short: String = street.chars().take(4).collect();
    let lacking: String = street
        .chars()
        .enumerate()
        .filter(|&(at, _)| at != 3)
        .map(|(_, c)| c)
        .collect();
    let typed = [
        short,
        format!("{street} {number}"),
        format!("{street} {number} {city}"),
        format!("{lacking} {city}"),
        format!("{city} {street}"),
        postcode.to_string(),
        format!("{postcode} {number}"),
        city.chars().take(3).collect(),
    ];
    paths.extend(typed.map(|text| {
        let query: String = form_urlencoded::Serializer::new(String::new())
            .append_pair("q", &text)
            .append_pair("limit", "20")
            .finish();
        format!("/v1/autocomplete?{query}")
    }));
    if let Some(location) = address.location {
        let (lon, lat) = (location.lon_lat.lon_deg(), location.lon_lat.lat_deg());
        paths.push(format!(
            "/v1/reverse?lat={lat}&lon={lon}&radius=1000&limit=50"
        ));
    }
    paths
}

fn bodies(address: &Address) -> Vec<(&'static str, String)> {
    let number = address.number.get();
    let mistyped = address
        .postcode
        .to_string()
        .replacen(['A', 'B', 'C'], "D", 1);
    let line = json!({ "postcode": address.postcode.to_string(), "number": number });
    let entered = json!({ "postcode": mistyped, "number": number, "street": &*address.street, "city": &*address.city });
    vec![
        (
            "/v1/bulk/lookup",
            json!({ "addresses": [line] }).to_string(),
        ),
        ("/v1/validate", entered.to_string()),
        (
            "/v1/validate",
            json!({ "postcode": mistyped, "number": number + 1 }).to_string(),
        ),
    ]
}
