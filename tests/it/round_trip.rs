//! Builds and serves a generated delivery with the real binary, and checks that the service returns exactly the addresses that the
//! generator planned.

use std::collections::HashMap;
use std::path::Path;

use jiff::civil::Date;
use serde_json::{Value, json};
use synth::{
    Deliveries, ExpectedAddress, Layout, ObjectKind, Spec, expected_addresses,
    expected_addresses_on,
};

use crate::process::{Service, open_account, run};

/// The stand date of deliveries that have no stand date in their names.
const STAND: &str = "2026-01-08";

#[test]
fn a_country_is_served_as_it_was_generated() {
    round_trip(Layout::National, 3000, 7);
}

#[test]
fn a_municipality_is_served_as_it_was_generated() {
    round_trip(Layout::Municipal, 1500, 11);
}

#[test]
fn the_state_after_all_deliveries_is_served_as_it_was_generated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("data").display().to_string();
    // Enough days for announced changes to take effect.
    let days = 25;
    let spec = Spec::new(2_500, 5).expect("a spec");
    let deliveries = Deliveries::new(days)
        .and_then(|days| days.with_changes(90))
        .expect("deliveries");
    let written = synth::write_deliveries(&spec, &deliveries, folder.path(), |_| ());
    let written = written.expect("writes");
    let end = written.end.display().to_string();
    succeed(&["index", "build", "--data", &data, "--extract", &end]);
    let exported = exported(&data);
    let generated = assert_generated(expected_addresses_on(&spec, &deliveries, days), &exported);
    assert_eq!(generated, exported.len() as u64);
    let expected = std::fs::read_to_string(written.expected).expect("it was written");
    assert_eq!(expected.lines().count(), exported.len());
}

fn round_trip(layout: Layout, addresses: u64, seed: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (zip, data) = (
        folder.path().join("delivery.zip"),
        folder.path().join("data"),
    );
    let spec = Spec::new(addresses, seed)
        .expect("a spec")
        .with_layout(layout);
    synth::write_extract(&spec, &zip, |_| ()).expect("writes");
    let [zip, data] = [&zip, &data].map(|path| path.to_str().expect("a temporary path is UTF-8"));
    let report = succeed(&["index", "build", "--data", data, "--extract", zip, "--json"]);
    let report: Value = serde_json::from_str(&report).expect("the report is JSON");
    assert_eq!(report["addresses"], addresses);

    let exported = exported(data);
    let generated = assert_generated(expected_addresses(&spec), &exported);
    assert_eq!((generated, exported.len() as u64), (addresses, addresses));
    assert_served(Path::new(data), &exported);
}

/// Checks that every address is exported as generated; returns their number.
fn assert_generated(
    addresses: impl Iterator<Item = ExpectedAddress>,
    exported: &HashMap<String, Value>,
) -> u64 {
    let municipalities = municipalities();
    let mut generated = 0;
    for address in addresses {
        let found = exported
            .get(&address.id)
            .unwrap_or_else(|| panic!("{} is not exported", address.id));
        assert_eq!(without_location(found), as_json(&address, &municipalities));
        assert_located(found, &address);
        generated += 1;
    }
    generated
}

fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Every exported line, parsed, by the id of its address.
fn exported(data: &str) -> HashMap<String, Value> {
    let lines = succeed(&["index", "export", "--data", data]);
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
    let by_id = |address: Value| (address["id"].as_str().expect("an id").to_owned(), address);
    let exported: HashMap<String, Value> = lines.lines().map(parse).map(by_id).collect();
    assert_eq!(exported.len(), lines.lines().count(), "ids are unique");
    exported
}

/// Name and province of each municipality on the stand date, by code.
fn municipalities() -> HashMap<String, (String, String)> {
    let stand: Date = STAND.parse().expect("a date");
    let table = include_str!("../../indexer/data/municipalities.csv");
    let rows = csv::Reader::from_reader(table.as_bytes()).into_deserialize();
    let row = |row: csv::Result<[String; 5]>| {
        let [code, name, province, from, to] = row.expect("five columns");
        let from: Date = from.parse().expect("a date");
        let holds = from <= stand && (to.is_empty() || stand < to.parse().expect("a date"));
        holds.then_some((code, (name, province)))
    };
    rows.filter_map(row).collect()
}

fn as_json(address: &ExpectedAddress, municipalities: &HashMap<String, (String, String)>) -> Value {
    let (municipality, province) = &municipalities[&address.municipality_code];
    json!({
        "id": address.id,
        "postcode": address.postcode,
        "number": address.number,
        "letter": address.letter,
        "addition": address.addition,
        "street": address.street,
        "city": address.city,
        "municipality": municipality,
        "province": province,
        "purposes": address.purposes,
        "surface": address.surface_m2,
        "constructionYear": address.construction_year,
        "type": match address.kind {
            ObjectKind::Verblijfsobject => "verblijfsobject",
            ObjectKind::Ligplaats => "ligplaats",
            ObjectKind::Standplaats => "standplaats",
        },
    })
}

fn without_location(exported: &Value) -> Value {
    let mut fields = exported.as_object().expect("an object").clone();
    ["location", "rdX", "rdY"]
        .iter()
        .for_each(|name| drop(fields.remove(*name)));
    Value::Object(fields)
}

/// Checks that the exported RD coordinates equal the planned ones to a millimetre, and that the point is in the Netherlands.
#[track_caller]
fn assert_located(exported: &Value, address: &ExpectedAddress) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "millimetres of RD are far below 2^52"
    )]
    for (name, planned_mm) in [
        ("rdX", address.rd_x_mm as f64),
        ("rdY", address.rd_y_mm as f64),
    ] {
        let found_mm = exported[name].as_f64().expect("a number") * 1000.0;
        assert!(
            (found_mm - planned_mm).abs() < 1.5,
            "{}: {name} {found_mm}, planned {planned_mm}",
            address.id
        );
    }
    let [lon_deg, lat_deg] = [0, 1].map(|axis| {
        exported["location"]["coordinates"][axis]
            .as_f64()
            .expect("degrees")
    });
    assert!(
        (3.2..7.3).contains(&lon_deg) && (50.7..53.6).contains(&lat_deg),
        "{lon_deg}, {lat_deg}"
    );
}

/// Checks that the service answers with some of the exported addresses.
fn assert_served(data: &Path, exported: &HashMap<String, Value>) {
    let [live_key, _] = open_account(data);
    let service = Service::start(data, &[]);
    let mut ids: Vec<&String> = exported.keys().collect();
    ids.sort_unstable();
    for id in ids.iter().step_by(ids.len() / 40) {
        let mut address = exported[*id].as_object().expect("an object").clone();
        ["rdX", "rdY"]
            .iter()
            .for_each(|name| drop(address.remove(*name)));
        let answer = service.get("live", &format!("/v1/addresses/{id}"), Some(&live_key));
        let body: Value = serde_json::from_str(&answer.body).expect("JSON");
        assert_eq!((answer.status, body), (200, json!({ "data": address })));
    }
}
