//! What an answer leads to: an address of a list is asked for by its id, its postcode, or its postcode and number.

use utoipa::openapi::Response;
use utoipa::openapi::link::Link;

/// One parameter of the next call, and where in the answer its value stands.
type LinkParameter = (&'static str, &'static str);

/// A name, the operation that may follow, and what it takes.
type LinkSpec = (&'static str, &'static str, &'static [LinkParameter]);

const BY_ID: LinkSpec = ("byId", "getAddress", &[("bagId", "/data/0/id")]);
const POSTCODE: LinkSpec = (
    "postcode",
    "getPostcode",
    &[("postcode", "/data/0/postcode")],
);
const LOOKUP: LinkSpec = (
    "lookup",
    "lookup",
    &[
        ("postcode", "/data/0/postcode"),
        ("number", "/data/0/number"),
    ],
);
const NEIGHBOURS: LinkSpec = (
    "neighbours",
    "listAddresses",
    &[("postcode", "/data/postcode")],
);

/// Adds what may follow on an operation's answer.
pub(super) fn add_links(operation: &str, response: &mut Response) {
    let next: &[LinkSpec] = match operation {
        "listAddresses" | "reverse" => &[BY_ID, POSTCODE, LOOKUP],
        "autocomplete" => &[BY_ID],
        "getAddress" | "getPostcode" => &[NEIGHBOURS],
        _ => &[],
    };
    for (name, operation_id, parameters) in next {
        let link = Link::builder().operation_id(*operation_id);
        let link = parameters.iter().fold(link, |link, (parameter, pointer)| {
            link.parameter(*parameter, format!("$response.body#{pointer}"))
        });
        response
            .links
            .insert((*name).to_owned(), link.build().into());
    }
}
