//! Compares the OpenAPI description with the answers of the service. The description is written by hand.

mod answers;
mod calls;
mod judge;
mod number_pattern;
mod schemathesis;
mod served;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::process::run;
use crate::tools::root;

/// The file with the description.
const FROZEN: &str = "schema/openapi.json";

const METHODS: [&str; 2] = ["get", "post"];

fn description_text() -> String {
    std::fs::read_to_string(root().join(FROZEN)).expect("the description")
}

fn description() -> Value {
    serde_json::from_str(&description_text()).expect("JSON")
}

/// Every operation with its path and method.
fn operations(description: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = description["paths"].as_object().expect("paths");
    paths.iter().flat_map(|(path, item)| {
        let method = |method| Some((path.as_str(), method, item.get(method)?));
        METHODS.into_iter().filter_map(method)
    })
}

#[test]
fn the_command_prints_the_description() {
    let output = run(&["openapi"]);
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stdout).expect("UTF-8"),
        description_text()
    );
}

#[test]
fn the_description_is_version_1_0_0_with_eight_paths_in_four_groups() {
    let description = description();
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["info"]["version"], "1.0.0");
    let groups: Vec<(&str, &str, &str)> = operations(&description)
        .map(|(path, method, operation)| {
            assert_eq!(
                operation["tags"].as_array().expect("tags").len(),
                1,
                "{path}"
            );
            (path, method, operation["tags"][0].as_str().expect("a tag"))
        })
        .collect();
    assert_eq!(
        groups,
        [
            ("/v3/lookup/{postcode}/{number}", "get", "v3"),
            ("/v1/addresses", "get", "v1 adressen"),
            ("/v1/addresses/{bagId}", "get", "v1 adressen"),
            ("/v1/postcodes/{postcode}", "get", "v1 adressen"),
            ("/v1/autocomplete", "get", "v1 zoeken"),
            ("/v1/reverse", "get", "v1 zoeken"),
            ("/v1/bulk/lookup", "post", "v1 verwerking"),
            ("/v1/validate", "post", "v1 verwerking"),
        ]
    );
    let paths = description["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 8, "a path has one operation");
    let tags = description["tags"].as_array().expect("tags").iter();
    let tags: Vec<&Value> = tags.map(|tag| &tag["name"]).collect();
    assert_eq!(tags, ["v3", "v1 adressen", "v1 zoeken", "v1 verwerking"]);
    assert_eq!(description["security"], json!([{ "apiKey": [] }]));
}

#[test]
fn fields_are_described_in_their_written_order() {
    let description = description();
    let examples = &description["paths"]["/v3/lookup/{postcode}/{number}"]["get"]["responses"]["200"]
        ["content"]["application/json"]["examples"];
    let described = &description["components"]["schemas"]["V3Address"]["properties"];
    let names = |object: &Value| -> Vec<String> {
        let object = object.as_object().expect("an object");
        object.keys().cloned().collect()
    };
    assert_eq!(names(described), names(&examples["house"]["value"]));
    assert_eq!(names(described).len(), 7);
}

/// The sandbox must answer each example of a request with the example of its answer, byte for byte.
#[tokio::test]
async fn examples_are_what_the_sandbox_answers() {
    let (app, description) = (TestApp::empty(), description());
    let mut sent = 0;
    for (path, _, operation) in operations(&description) {
        let examples = &operation["responses"]["200"]["content"]["application/json"]["examples"];
        let bodies = &operation["requestBody"]["content"]["application/json"]["examples"];
        for (name, example) in examples.as_object().expect("examples of every answer") {
            let request = example["summary"].as_str().expect("a request");
            let reply = match request.split_once(' ').expect("method and path") {
                ("GET", path) => app.sandbox(path, Some(app.test_key())).await,
                (_, path) => {
                    app.post_sandbox(path, bodies[name]["value"].to_string())
                        .await
                }
            };
            assert!(
                request.contains(path.split('{').next().expect("a path")),
                "{request}"
            );
            reply.assert_found(&example["value"].to_string());
            sent += 1;
        }
    }
    assert!(sent >= 16, "only {sent} examples");
}
