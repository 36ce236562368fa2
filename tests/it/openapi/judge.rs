//! Checks an answer against the OpenAPI description: status, headers, media type and body.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::calls::Call;
use super::{description, operations};
use crate::app::Reply;

/// Headers that HTTP itself defines, which an OpenAPI description omits.
const HTTP_HEADERS: [&str; 2] = ["content-type", "content-length"];

pub(super) struct DescriptionChecker {
    description: Value,
    /// The schemas of the description, changed so that they reject fields that are not described.
    components: Value,
    /// Path and status of every checked answer.
    seen: RefCell<BTreeSet<(String, String)>>,
}

impl DescriptionChecker {
    pub(super) fn new() -> Self {
        let description = description();
        let mut components = description["components"].clone();
        let schemas = components["schemas"].as_object_mut().expect("schemas");
        schemas.values_mut().for_each(close);
        Self {
            components,
            description,
            seen: RefCell::default(),
        }
    }

    /// Checks the answer to a call. `by_page` is true if the call had an `Origin` header.
    #[track_caller]
    pub(super) fn check_answer(&self, call: &Call, by_page: bool, reply: &Reply) {
        let status = reply.status.as_u16().to_string();
        let context = format!("{} {} {status}: {}", call.method, call.path, reply.text());
        let operation = &self.description["paths"][call.path][call.method];
        let response = self.resolved(&operation["responses"][&status]);
        assert!(response.is_object(), "not described: {context}");
        self.check_headers(response, by_page, reply, &context);
        self.check_body(response, reply, &context);
        self.seen
            .borrow_mut()
            .insert((call.path.to_owned(), status));
    }

    #[track_caller]
    fn check_body(&self, response: &Value, reply: &Reply, context: &str) {
        let Some(content) = response["content"].as_object() else {
            let sent = (reply.header("Content-Type"), reply.text());
            assert_eq!(sent, (None, ""), "a body is not described: {context}");
            return;
        };
        assert_eq!(content.len(), 1, "{context}");
        let media_type = reply.header("Content-Type").expect("a media type");
        let schema = &content[media_type]["schema"];
        self.is_valid(schema, &reply.text().parse().expect("JSON"), context);
    }

    #[track_caller]
    fn check_headers(&self, response: &Value, by_page: bool, reply: &Reply, context: &str) {
        let described = response["headers"].as_object().expect("headers");
        let names: Vec<String> = described.keys().map(|name| name.to_lowercase()).collect();
        for name in reply.headers.keys().map(|name| name.as_str()) {
            let known = HTTP_HEADERS.contains(&name) || names.iter().any(|known| known == name);
            assert!(known, "{name} is not described: {context}");
        }
        for (name, header) in described {
            let header = self.resolved(header);
            let Some(value) = reply.header(name) else {
                let required =
                    header["required"] == true || by_page && !reply.status.is_server_error();
                assert!(!required, "{name} is missing: {context}");
                continue;
            };
            let schema = &header["schema"];
            let value = match schema["type"].as_str() {
                Some("integer") => value.parse().expect("a number"),
                _ => Value::from(value),
            };
            self.is_valid(schema, &value, &format!("{name}: {context}"));
        }
    }

    #[track_caller]
    fn is_valid(&self, schema: &Value, value: &Value, context: &str) {
        let whole = json!({ "allOf": [schema], "components": self.components });
        let options = jsonschema::options().should_validate_formats(true);
        let schema = options.build(&whole).expect("a schema");
        let wrong: Vec<String> = schema
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}: {context}");
    }

    fn resolved<'a>(&'a self, part: &'a Value) -> &'a Value {
        match part["$ref"].as_str() {
            Some(reference) => {
                let place = self.description.pointer(&reference[1..]);
                place.unwrap_or_else(|| panic!("{reference} leads nowhere"))
            }
            None => part,
        }
    }

    /// The described answers that no test has caused, except those with a status in `beyond_tests`.
    pub(super) fn unseen(&self, beyond_tests: &[&str]) -> Vec<String> {
        let seen = self.seen.borrow();
        let described = operations(&self.description).flat_map(|(path, _, operation)| {
            let responses = operation["responses"].as_object().expect("responses");
            responses
                .keys()
                .map(|status| (path.to_owned(), status.clone()))
        });
        described
            .filter(|found| !seen.contains(found) && !beyond_tests.contains(&&*found.1))
            .map(|(path, status)| format!("{path} {status}"))
            .collect()
    }

    /// Checks every example of the description against the schema beside it; returns the number of examples.
    pub(super) fn check_examples(&self) -> usize {
        let mut judged = 0;
        for (path, _, operation) in operations(&self.description) {
            let responses = operation["responses"].as_object().expect("responses");
            let answers = responses.values().map(|response| self.resolved(response));
            for part in answers.chain(operation.get("requestBody")) {
                for (_, content) in part["content"].as_object().into_iter().flatten() {
                    let examples = content["examples"].as_object().expect("examples");
                    for (name, example) in examples {
                        self.is_valid(
                            &content["schema"],
                            &example["value"],
                            &format!("{path} {name}"),
                        );
                        judged += 1;
                    }
                }
            }
        }
        judged
    }
}

/// Makes a schema reject fields that are not described, at every depth.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") {
                fields.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(close),
        _ => {}
    }
}
