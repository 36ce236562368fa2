//! What an answer leads to: an address of a list is asked for by its id, its postcode, or its postcode and number.

use utoipa::openapi::Response;
use utoipa::openapi::link::Link;

/// One parameter of the next call, and where in the answer its value stands.
type Taken = (&'static str, &'static str);

/// A name, the operation that may follow, and what it takes.
type Next = (&'static str, &'static str, &'static [Taken]);

const BY_ID: Next = ("byId", "getAddress", &[("bagId", "/data/0/id")]);
const POSTCODE: Next = (
    "postcode",
    "getPostcode",
    &[("postcode", "/data/0/postcode")],
);
const LOOKUP: Next = (
    "lookup",
    "lookup",
    &[
        ("postcode", "/data/0/postcode"),
        ("number", "/data/0/number"),
    ],
);
const NEIGHBOURS: Next = (
    "neighbours",
    "listAddresses",
    &[("postcode", "/data/postcode")],
);

/// Adds what may follow on an operation's answer.
pub(super) fn lead_on(operation: &str, response: &mut Response) {
    let next: &[Next] = match operation {
        "listAddresses" | "reverse" => &[BY_ID, POSTCODE, LOOKUP],
        "autocomplete" => &[BY_ID],
        "getAddress" | "getPostcode" => &[NEIGHBOURS],
        _ => &[],
    };
    for (name, follows, taken) in next {
        let link = Link::builder().operation_id(*follows);
        let link = taken.iter().fold(link, |link, (parameter, place)| {
            link.parameter(*parameter, format!("$response.body#{place}"))
        });
        response
            .links
            .insert((*name).to_owned(), link.build().into());
    }
}
