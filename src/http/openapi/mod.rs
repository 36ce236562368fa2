//! The description of the interface, in OpenAPI 3.1, made from the code: types and paths describe themselves where they
//! stand; what many of them share is added here. What the service hands out is the frozen copy of it, `schema/openapi.json`.
//!
//! Refuses to tell what the code does not do. Source: contract.md; decisions.md.

mod answers;
mod errors;
mod headers;
mod links;
mod operations;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use headers::AddHeaderComponents;
use operations::AddErrorResponses;

use super::error::{V1ErrorBody, V3ErrorBody};
use super::{v1, v3};
use crate::accounts::TRIAL_KEY;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "postduif",
        version = "1.0.0",
        description = include_str!("about.md"),
        license(name = "MIT", identifier = "MIT")
    ),
    servers(
        (url = "/", description = "The live listener, for live keys, and the sandbox listener, for test keys."),
        (url = "/api", description = "The fallback address on the live listener, for either kind of key: the key decides."),
    ),
    tags(
        (name = "v3", description = "One look-up, compatible with an existing postcode API: bare answers, errors as \
                                     `application/problem+json`."),
        (name = "v1 adressen", description = "Addresses by postcode or identifier, and postcodes."),
        (name = "v1 zoeken", description = "Search while typing, and around a point."),
        (name = "v1 verwerking", description = "Many addresses at once, and addresses as people enter them."),
    ),
    paths(
        v3::lookup::by_number,
        v1::addresses::list,
        v1::addresses::by_id,
        v1::postcodes::summary,
        v1::autocomplete::suggest,
        v1::reverse::nearest,
        v1::bulk::look_up,
        v1::validate::check,
    ),
    components(schemas(V3ErrorBody, V1ErrorBody)),
    security(("apiKey" = [])),
    modifiers(&AddSecurityScheme, &AddHeaderComponents, &AddErrorResponses),
)]
struct ApiDescription;

/// The description as the code has it, laid out for people to read, with a line break at its end.
#[must_use]
pub fn generate() -> String {
    let mut text = ApiDescription::openapi()
        .to_pretty_json()
        .expect("a description has text keys only");
    text.push('\n');
    text
}

/// The one way to say who asks.
struct AddSecurityScheme;

impl Modify for AddSecurityScheme {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let about = format!(
            "A live key begins with `pd_live_`, a test key with `pd_test_`. Anybody may try the sandbox with `{TRIAL_KEY}`, \
             40 times a minute, where its operator has not switched that off."
        );
        let key = ApiKeyValue::with_description("X-Api-Key".to_owned(), about);
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}
