//! Contains the OpenAPI 3.1 description of the HTTP interface, `schema/openapi.json`, which is written by hand. `/openapi.json` serves it,
//! `/docs` renders it, and `postduif openapi` prints it.
//!
//! The tests below compare the description with the routes, errors, limits and headers of the code; `tests/it/openapi` compares responses
//! with it. To change the interface, edit the file and run both sets of tests, which report each difference.

use std::sync::LazyLock;

use serde_json::Value;

/// The description, pretty-printed, with a line break at the end.
pub const JSON: &str = include_str!("../../schema/openapi.json");

/// The version of the program, for every place that shows it.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of the interface, which is `info.version` of the description. It is shown beside the version of the program.
pub static INTERFACE_VERSION: LazyLock<String> = LazyLock::new(|| {
    let description: Value = serde_json::from_str(JSON).expect("the description is JSON");
    let version = description["info"]["version"].as_str();
    version.expect("the description has a version").to_owned()
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::JSON;
    use crate::accounts::{PUBLIC_LIVE_KEY, TRIAL_KEY};
    use crate::http::api_version::ApiVersion;
    use crate::http::dispatch::ENDPOINTS;
    use crate::http::error::InvalidParameter;
    use crate::http::error::InvalidParameter::{
        Coordinates, Number, NumberBelowOne, NumberWithSuffix, Postcode, Query, QueryLimit, Type,
    };
    use crate::http::headers::EXPOSED_HEADERS;
    use crate::http::parameters::ClampedInt;
    use crate::http::v1::{autocomplete, bulk, reverse, validate};
    use crate::http::{ApiError, Handler};

    /// An error, with the name of its example in the description.
    type ErrorExample = (&'static str, ApiError);

    fn description() -> Value {
        serde_json::from_str(JSON).expect("JSON")
    }

    /// Every operation, with its path and method.
    fn operations(description: &Value) -> Vec<(&str, &str, &Value)> {
        let paths = description["paths"].as_object().expect("paths").iter();
        paths
            .flat_map(|(path, item)| {
                let item = item.as_object().expect("methods").iter();
                item.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
            })
            .collect()
    }

    /// Resolves a part of the description: returns the component that the part refers to, or the part itself.
    fn resolve<'a>(description: &'a Value, part: &'a Value) -> &'a Value {
        match part["$ref"].as_str() {
            Some(reference) => {
                let pointer = reference.strip_prefix('#').expect("a local reference");
                description.pointer(pointer).expect("a component")
            }
            None => part,
        }
    }

    #[test]
    fn the_file_is_pretty_printed() {
        let pretty = serde_json::to_string_pretty(&description()).expect("text keys");
        assert!(JSON == pretty + "\n", "indent the file with two spaces");
    }

    #[test]
    fn the_described_operations_are_all_endpoints_but_the_account() {
        let description = description();
        let described = operations(&description).into_iter();
        let described: Vec<_> = described.map(|(path, method, _)| (path, method)).collect();
        let method = |handler: &Handler| match handler {
            Handler::Get(_) => Some("get"),
            Handler::Post(_) => Some("post"),
            // The description has the eight paths of the contract. `/v1/account` is documented in the README.
            Handler::Account(_) => None,
        };
        let endpoints = ENDPOINTS.iter();
        let endpoints: Vec<_> = endpoints
            .filter_map(|(path, _, handler)| Some((*path, method(handler)?)))
            .collect();
        assert_eq!(described, endpoints);
    }

    /// The errors that every operation has.
    fn common_errors() -> Vec<ErrorExample> {
        let quota = ApiError::QuotaExceeded {
            retry_after_s: 86_400,
        };
        vec![
            ("invalid_api_key", ApiError::InvalidApiKey),
            ("not_in_plan", ApiError::NotInPlan),
            ("rate", ApiError::RateLimitExceeded { retry_after_s: 1 }),
            ("quota", quota),
            ("internal", ApiError::Internal),
            ("accounts", ApiError::AccountsUnavailable),
            ("index", ApiError::IndexUnavailable),
        ]
    }

    /// The errors that only a POST has.
    fn post_errors(expected: &'static str) -> Vec<ErrorExample> {
        vec![
            ("media_type", ApiError::UnsupportedMediaType),
            ("too_large", ApiError::PayloadTooLarge),
            (
                "payload",
                ApiError::InvalidPayload {
                    expected,
                    fault: None,
                },
            ),
            ("timeout", ApiError::Timeout),
        ]
    }

    /// The errors of one operation, in addition to the common ones.
    fn own_errors(operation_id: &str) -> Vec<ErrorExample> {
        let parameter = |name, invalid: InvalidParameter| (name, ApiError::from(invalid));
        let not_found = ("not_found", ApiError::NotFound);
        match operation_id {
            "lookup" => {
                let both = ApiError::InvalidParameters {
                    first: Postcode,
                    second: Some(Number),
                };
                let zero = parameter("zero", NumberBelowOne);
                let [number, postcode] =
                    [("number", Number), ("postcode", Postcode)].map(|(n, p)| parameter(n, p));
                vec![number, zero, postcode, ("both", both), not_found]
            }
            "listAddresses" => vec![parameter("postcode", Postcode), parameter("number", Number)],
            "getAddress" => vec![not_found],
            "getPostcode" => vec![parameter("postcode", Postcode), not_found],
            "autocomplete" => vec![
                parameter("q", Query),
                parameter("type", Type),
                parameter("limit", QueryLimit),
            ],
            "reverse" => vec![parameter("coordinates", Coordinates)],
            "bulkLookup" => {
                let (allowed, actual) = (1000, 1001);
                let lines = ("lines", ApiError::TooManyItems { allowed, actual });
                let read_only = ("read_only_key", ApiError::ReadOnlyKey);
                [post_errors(bulk::EXPECTED_BODY), vec![lines, read_only]].concat()
            }
            "validate" => {
                let number = vec![parameter("number", NumberWithSuffix)];
                [post_errors(validate::EXPECTED_BODY), number].concat()
            }
            other => panic!("the errors of {other} are missing here"),
        }
    }

    #[test]
    fn every_error_example_is_the_body_that_the_code_sends() {
        let description = description();
        for (path, _, operation) in operations(&description) {
            let id = operation["operationId"].as_str().expect("an id");
            let version = match path.starts_with("/v3/") {
                true => ApiVersion::V3,
                false => ApiVersion::V1,
            };
            let mut undescribed = BTreeSet::new();
            for (status, response) in operation["responses"].as_object().expect("responses") {
                if status.starts_with(['2', '3']) {
                    continue;
                }
                let contents = &resolve(&description, response)["content"];
                for (content_type, content) in contents.as_object().expect("contents") {
                    let errors = content["examples"].as_object().expect("examples").iter();
                    undescribed.extend(errors.map(|(name, example)| {
                        let body = example["value"].to_string();
                        (name.clone(), status.clone(), content_type.clone(), body)
                    }));
                }
            }
            for (name, error) in [common_errors(), own_errors(id)].concat() {
                let (status, content_type, body) = error.render(version);
                let example = (
                    name.to_owned(),
                    status.as_str().to_owned(),
                    content_type.to_str().expect("ASCII").to_owned(),
                    String::from_utf8(body).expect("UTF-8"),
                );
                assert!(undescribed.remove(&example), "{id} lacks {example:?}");
            }
            assert!(undescribed.is_empty(), "{id} never sends {undescribed:#?}");
        }
    }

    #[test]
    #[rustfmt::skip]
    fn the_described_limits_are_those_of_the_code() {
        let description = description();
        let default_of = |path: &str, name: &str| {
            let parameters = &description["paths"][path]["get"]["parameters"];
            let mut parameters = parameters.as_array().expect("parameters").iter();
            let parameter = parameters.find(|parameter| parameter["name"] == name);
            parameter.expect(name)["schema"]["default"].clone()
        };
        let schemas = &description["components"]["schemas"];
        let property = |schema: &str, name: &str| schemas[schema]["properties"][name].clone();
        let case = |path: &str, name: &str, limit: &ClampedInt, max: Value| {
            assert_eq!(default_of(path, name), limit.default, "{path} {name}");
            assert_eq!(max, limit.max, "{path} {name}");
        };
        let max_items = |schema: &str| property(schema, "data")["maxItems"].clone();
        case("/v1/autocomplete", "limit", &autocomplete::LIMIT, max_items("SuggestionList"));
        case("/v1/reverse", "limit", &reverse::LIMIT, max_items("NearbyList"));
        case("/v1/reverse", "radius", &reverse::RADIUS_M, property("NearbyMeta", "radius")["maximum"].clone());
    }

    #[test]
    fn the_described_headers_and_public_keys_are_those_of_the_code() {
        let components = &description()["components"];
        let exposed = &components["headers"]["Access-Control-Expose-Headers"];
        assert_eq!(exposed["example"], EXPOSED_HEADERS.to_str().expect("ASCII"));
        let key = components["securitySchemes"]["apiKey"]["description"].as_str();
        let key = key.expect("a description");
        assert!(key.contains(TRIAL_KEY) && key.contains(PUBLIC_LIVE_KEY));
    }
}
