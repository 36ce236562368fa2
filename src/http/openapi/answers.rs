//! The examples of answers: what the sandbox gives, to the byte. A test sends each request and compares.

use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::example::{Example, ExampleBuilder};

/// An answer of the sandbox and what was asked for it.
pub(super) struct SandboxExample {
    name: &'static str,
    /// Method and path. It becomes the summary.
    request: &'static str,
    /// The body that was sent.
    request_body: Option<&'static str>,
    /// The body that came back.
    response_body: &'static str,
}

/// A named example.
pub(super) type NamedExample = (String, RefOr<Example>);

impl SandboxExample {
    pub(super) fn response_example(&self) -> NamedExample {
        named_example(self.name, self.request, parse_json(self.response_body))
    }

    pub(super) fn request_example(&self) -> Option<NamedExample> {
        Some(named_example(
            self.name,
            self.request,
            parse_json(self.request_body?),
        ))
    }
}

/// An example with a line for people.
pub(super) fn named_example(name: &str, summary: &str, value: Value) -> NamedExample {
    let example = ExampleBuilder::new().summary(summary).value(Some(value));
    (name.to_owned(), example.into())
}

/// A body of ours.
pub(super) fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).expect("an example is JSON")
}

/// A `GET` and the file with its answer.
macro_rules! get {
    ($name:literal, $path:literal, $file:literal) => {
        SandboxExample {
            name: $name,
            request: concat!("GET ", $path),
            request_body: None,
            response_body: include_str!(concat!("examples/", $file, ".json")),
        }
    };
}

/// A `POST` and the files with what is sent and what is told.
macro_rules! post {
    ($name:literal, $path:literal, $file:literal) => {
        SandboxExample {
            name: $name,
            request: concat!("POST ", $path),
            request_body: Some(include_str!(concat!("examples/", $file, "_sent.json"))),
            response_body: include_str!(concat!("examples/", $file, ".json")),
        }
    };
}

const LOOKUP: &[SandboxExample] = &[
    get!("house", "/v3/lookup/6545CA/29", "lookup_house"),
    get!("postOfficeBox", "/v3/lookup/3030AC/100", "lookup_box"),
];

const LIST_ADDRESSES: &[SandboxExample] = &[
    get!(
        "house",
        "/v1/addresses?postcode=6545CA&number=29",
        "list_house"
    ),
    get!(
        "nothing",
        "/v1/addresses?postcode=6545CA&number=30",
        "list_nothing"
    ),
];

const GET_ADDRESS: &[SandboxExample] = &[
    get!("house", "/v1/addresses/9999200000000001", "address_house"),
    get!(
        "postOfficeBox",
        "/v1/addresses/9999200000000004",
        "address_box"
    ),
];

const GET_POSTCODE: &[SandboxExample] = &[
    get!("street", "/v1/postcodes/6545CA", "postcode_street"),
    get!("postOfficeBoxes", "/v1/postcodes/3030AC", "postcode_boxes"),
];

const AUTOCOMPLETE: &[SandboxExample] = &[
    get!(
        "street",
        "/v1/autocomplete?q=Waldeck",
        "autocomplete_street"
    ),
    get!(
        "address",
        "/v1/autocomplete?q=6545CA%2029&type=address",
        "autocomplete_address"
    ),
];

const REVERSE: &[SandboxExample] = &[
    get!(
        "near",
        "/v1/reverse?lat=51.8415&lon=5.8697&radius=100",
        "reverse_near"
    ),
    get!("nothing", "/v1/reverse?lat=53.5&lon=4.5", "reverse_nothing"),
];

const BULK_LOOKUP: &[SandboxExample] = &[post!("lines", "/v1/bulk/lookup", "bulk_lines")];

const VALIDATE: &[SandboxExample] = &[
    post!("correct", "/v1/validate", "validate_right"),
    post!("fieldMismatch", "/v1/validate", "validate_mismatch"),
    post!("postcodeNotFound", "/v1/validate", "validate_mistyped"),
];

/// The examples of an operation, by its id.
pub(super) fn examples_for(operation: &str) -> &'static [SandboxExample] {
    match operation {
        "lookup" => LOOKUP,
        "listAddresses" => LIST_ADDRESSES,
        "getAddress" => GET_ADDRESS,
        "getPostcode" => GET_POSTCODE,
        "autocomplete" => AUTOCOMPLETE,
        "reverse" => REVERSE,
        "bulkLookup" => BULK_LOOKUP,
        "validate" => VALIDATE,
        other => unreachable!("{other} says what it answers"),
    }
}
