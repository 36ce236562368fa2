//! Renders the errors of an operation, and a list of the error codes of all operations.

use serde_json::Value;

use super::html::{Field, field_list};
use super::page::Page;
use super::titles::ERRORS;
use super::{as_text, code, examples};

/// The error codes of v1 by status, each with its meaning.
#[rustfmt::skip]
pub(super) const MEANINGS: [(&str, &str, &str); 21] = [
    ("400", "invalid_postcode", "The postcode is missing, or is not four digits and two letters."),
    ("400", "invalid_number", "The house number is missing, or is not a whole number from 1 to 99999."),
    ("400", "invalid_query", "The search text has fewer than two characters, or `limit` is not a number."),
    ("400", "invalid_type", "This type of suggestion does not exist."),
    ("400", "invalid_coordinates", "Latitude or longitude is missing or out of range, or `radius` or `limit` is not a whole number."),
    ("400", "invalid_payload", "The body is not JSON, or a field is missing or has another type."),
    ("400", "invalid_request", "The HTTP of the request is malformed or ambiguous. The connection closes."),
    ("401", "invalid_api_key", "The key is missing, unknown, expired or revoked, is of the other environment, or may not be used from this IP address or website."),
    ("403", "plan_upgrade_required", "The plan does not include the endpoint, or the key is read-only."),
    ("403", "key_not_permitted", "Only a live key for servers with full rights may read the account."),
    ("404", "not_found", "Nothing has this identifier, or there is no such path."),
    ("405", "method_not_allowed", "The path does not accept this method. The header `Allow` lists those that it accepts."),
    ("413", "payload_too_large", "The body is above 1 MiB. Send it in parts."),
    ("415", "unsupported_media_type", "The header `Content-Type` is not `application/json`."),
    ("422", "too_many_items", "The bulk request has more lines than the plan allows. Send it in parts."),
    ("429", "rate_limit_exceeded", "Too many calls in a row. Wait for the seconds in `Retry-After`."),
    ("429", "quota_exceeded", "What is left of the month’s quota and grace is not enough for this request. `Retry-After` has the seconds until the next month."),
    ("500", "internal_error", "A fault in the service. Report it with its `X-Request-Id`."),
    ("503", "index_unavailable", "The service has no addresses yet. Try again later."),
    ("503", "accounts_unavailable", "The service cannot check keys or quotas at the moment. Try again later."),
    ("503", "timeout", "The request or its answer took too long. Try again."),
];

const FORM: &str = "Every error of v1 has the form `{error: {code, message}}`. Programs look at `code`; `message` is for people and may change. v3 has the same statuses, with bodies as `application/problem+json`.";

/// Renders the list of all error codes.
pub(super) fn render_error_codes(page: &Page<'_>) -> String {
    let fields = MEANINGS.map(|(status, name, meaning)| Field {
        name: code(name),
        kind: status.to_owned(),
        about: page.translate_inline(meaning),
        ..Field::default()
    });
    format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n{}</section>\n",
        ERRORS.0,
        page.translate_and_escape(ERRORS.1),
        page.translate_inline(FORM),
        field_list(fields)
    )
}

/// Renders the errors among the responses of an operation, with their statuses.
pub(super) fn render_errors<'a>(
    page: &Page<'_>,
    responses: impl Iterator<Item = (&'a str, &'a Value)>,
) -> String {
    let errors = responses.filter(|(status, _)| status.starts_with(['4', '5']));
    let errors: String = errors
        .map(|(status, response)| render_error(page, status, response))
        .collect();
    format!(
        "<h4>{}</h4>\n<div class=\"errors\">\n{errors}</div>\n",
        page.translate_and_escape("Errors")
    )
}

fn render_error(page: &Page<'_>, status: &str, response: &Value) -> String {
    let bodies = examples(response).map(|(_, example)| {
        let about = page.translate_inline(as_text(&example["summary"]));
        format!(
            "<li>{about}: {}</li>\n",
            code(&example["value"].to_string())
        )
    });
    let bodies: String = bodies.collect();
    let about = page.translate_inline(as_text(&response["description"]));
    format!(
        "<details><summary><b>{status}</b> <span>{about}</span></summary>\n<ul>\n{bodies}</ul></details>\n"
    )
}
