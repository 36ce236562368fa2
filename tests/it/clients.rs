//! Runs published clients of v3 on the sandbox. Checks what each client prints for every row of the sandbox's table and for refused
//! keys.

mod limits;
mod migration;
mod programs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Service, open_account};
use crate::scratch;
use programs::Program;

/// The sandbox's table: three houses, a post-office box, three malformed rows, one unknown.
const ROWS: [&str; 8] = [
    "6545CA/29", "1021JT/19", "5038EA/17", "3030AC/100", "6545CA/29a", "6545C/29", "6545C/29a",
    "6545CA/299",
];

/// A service with a sandbox, a test key for the sandbox, and a live key.
struct Sandbox {
    service: Service,
    test_key: String,
    live_key: String,
    _folder: TempDir,
}

impl Sandbox {
    fn start() -> Self {
        let folder = scratch::folder();
        let [live_key, test_key] = open_account(folder.path());
        let service = Service::start(folder.path(), &[]);
        wait_until_keys_are_loaded(&service);
        Self {
            service,
            test_key,
            live_key,
            _folder: folder,
        }
    }

    fn url(&self) -> String {
        format!("http://{}", self.service.address("sandbox"))
    }

    /// Keys that the sandbox refuses: a live key, an unknown test key, and a malformed one.
    fn refused_keys(&self) -> [&str; 3] {
        [&self.live_key, UNKNOWN, "geheim"]
    }
}

/// Waits until the service has loaded the customers' keys. The live listener answers only after that. The sandbox may answer
/// earlier.
pub(crate) fn wait_until_keys_are_loaded(service: &Service) {
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
}

/// A well-formed test key that belongs to no account.
const UNKNOWN: &str = "pd_test_Ab3dE6gH0123456789ABCDEFGHIJKLMN0mztJC";

/// Checks the output of a program for every row with a valid key, and for the first row with each refused key.
#[track_caller]
fn assert_outputs(program: &Program, expected: &[Value; 8], refused: &Value) {
    let sandbox = Sandbox::start();
    let seen = program.look_up(&sandbox.url(), &sandbox.test_key, &ROWS);
    for ((row, seen), expected) in ROWS.iter().zip(&seen).zip(expected) {
        assert_eq!(seen, expected, "{row}");
    }
    assert_eq!(seen.len(), ROWS.len());
    for key in sandbox.refused_keys() {
        let seen = program.look_up(&sandbox.url(), key, &ROWS[..1]);
        assert_eq!(seen, std::slice::from_ref(refused), "{key}");
    }
}

#[test]
fn py_postcode_reads_every_answer_of_the_sandbox() {
    let Some(program) = Program::python("pypostcode.py") else {
        return;
    };
    let house = |postcode, number, street, city, province, longitude: f64, latitude: f64| {
        json!({
            "street": street, "house_number": number, "postcode": postcode, "city": city, "municipality": city,
            "province": province, "latitude": latitude, "longitude": longitude,
        })
    };
    let failed = |status: u16| json!({ "failed": status });
    let mut boxed = house("3030AC", 100, "Postbus", "Leusden", "Utrecht", 0.0, 0.0);
    // In the contract, the location of a post-office box is null. This client cannot read a null location.
    boxed["latitude"] = "AttributeError".into();
    boxed["longitude"] = "AttributeError".into();
    #[rustfmt::skip]
    let expected = [
        house("6545CA", 29, "Waldeck Pyrmontsingel", "Nijmegen", "Gelderland", 5.869_609_9, 51.841_554),
        house("1021JT", 19, "Hamerstraat", "Amsterdam", "Noord-Holland", 4.919_452_7, 52.386_291_2),
        house("5038EA", 17, "Stationsstraat", "Tilburg", "Noord-Brabant", 5.083_661_4, 51.559_828_3),
        boxed,
        failed(400),
        failed(400),
        failed(400),
        failed(404),
    ];
    assert_outputs(&program, &expected, &failed(401));
}

#[test]
fn django_postcode_lookup_reads_every_answer_of_the_sandbox() {
    let Some(program) = Program::python("django_lookup.py") else {
        return;
    };
    let house = |postcode, number, street, city| json!({ "postcode": postcode, "number": number, "street": street, "city": city });
    let expected = [
        house("6545 CA", 29, "Waldeck Pyrmontsingel", "Nijmegen"),
        house("1021 JT", 19, "Hamerstraat", "Amsterdam"),
        house("5038 EA", 17, "Stationsstraat", "Tilburg"),
        house("3030 AC", 100, "Postbus", "Leusden"),
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
    ];
    assert_outputs(&program, &expected, &Value::Null);
}

#[test]
fn form_wizard_address_lookup_reads_every_answer_of_the_sandbox() {
    let Some(program) = Program::node("form_wizard.js") else {
        return;
    };
    let house = |postcode, number: u32, street, city, province, location| {
        let found = json!({
            "postcode": postcode, "number": number, "street": street, "city": city, "municipality": city,
            "province": province, "location": location,
        });
        json!({ "found": found })
    };
    let point = |lon: f64, lat: f64| json!({ "type": "Point", "coordinates": [lon, lat] });
    #[rustfmt::skip]
    let expected = [
        house("6545CA", 29, "Waldeck Pyrmontsingel", "Nijmegen", "Gelderland", point(5.869_609_9, 51.841_554)),
        house("1021JT", 19, "Hamerstraat", "Amsterdam", "Noord-Holland", point(4.919_452_7, 52.386_291_2)),
        house("5038EA", 17, "Stationsstraat", "Tilburg", "Noord-Brabant", point(5.083_661_4, 51.559_828_3)),
        house("3030AC", 100, "Postbus", "Leusden", "Utrecht", Value::Null),
        malformed(&[NUMBER]),
        malformed(&[POSTCODE]),
        malformed(&[POSTCODE, NUMBER]),
        json!({ "type": "notFound", "error": { "status": 404, "title": "Resource not found" } }),
    ];
    let refused =
        json!({ "type": "unknownError", "error": { "status": 401, "title": "Invalid API key" } });
    assert_outputs(&program, &expected, &refused);
}

const NUMBER: [&str; 2] = ["number", "should be integer"];
const POSTCODE: [&str; 2] = [
    "postcode",
    r#"should match pattern "^[0-9]{4}[a-zA-Z]{2}$""#,
];

fn malformed(parameters: &[[&str; 2]]) -> Value {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|[name, reason]| json!({ "name": name, "reason": reason }))
        .collect();
    let error =
        json!({ "status": 400, "title": "Request validation failed", "invalidParams": parameters });
    json!({ "type": "invalidFormat", "error": error })
}

#[test]
fn curl_gets_the_bytes_of_the_contract() {
    let Some(program) = Program::curl() else {
        return;
    };
    let sandbox = Sandbox::start();
    let case = |row: &str, key: &str, status: &str, body: &str| {
        let kind = if status == "200" {
            "application/json"
        } else {
            "application/problem+json"
        };
        let url = format!("{}/v3/lookup/{row}", sandbox.url());
        assert_eq!(
            program.fetch(&url, key),
            format!("{body}\n{status} {kind}"),
            "{row}"
        );
    };
    let key = sandbox.test_key.as_str();
    case(
        ROWS[0],
        key,
        "200",
        r#"{"postcode":"6545CA","number":29,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]}}"#,
    );
    case(
        ROWS[3],
        key,
        "200",
        r#"{"postcode":"3030AC","number":100,"street":"Postbus","city":"Leusden","municipality":"Leusden","province":"Utrecht","location":null}"#,
    );
    let of_number = r#"{"name":"number","reason":"should be integer"}"#;
    let of_postcode =
        r#"{"name":"postcode","reason":"should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\""}"#;
    let both = format!("{of_postcode},{of_number}");
    for (row, parameters) in ROWS[4..7].iter().zip([of_number, of_postcode, &both]) {
        let body =
            format!(r#"{{"title":"Request validation failed","invalidParams":[{parameters}]}}"#);
        case(row, key, "400", &body);
    }
    case(ROWS[7], key, "404", r#"{"title":"Resource not found"}"#);
    for key in sandbox.refused_keys() {
        case(ROWS[0], key, "401", r#"{"title":"Invalid API key"}"#);
    }
}

#[test]
fn the_unknown_key_is_well_formed() {
    assert!(postduif::accounts::ApiKey::parse(UNKNOWN.as_bytes()).is_ok());
}
