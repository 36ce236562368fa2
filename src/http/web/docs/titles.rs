//! Defines English titles for the documentation page, and short titles for its navigation. The OpenAPI description cannot provide them: it
//! has a sentence for each operation and Dutch names for its groups, and neither may change in the frozen interface.

/// The title of the page.
pub(super) const TITLE: &str = "API documentation";

/// The sections of the documentation page that are not groups of operations, each with its id and title.
pub(super) const BEGIN: (&str, &str) = ("begin", "Getting started");
pub(super) const FIELD: (&str, &str) = ("field", "Address field for forms");
pub(super) const ERRORS: (&str, &str) = ("errors", "Errors (v1)");
pub(super) const HEADERS: (&str, &str) = ("headers", "Response headers");
pub(super) const TYPES: (&str, &str) = ("types", "Types");

/// Titles of operations, by `operationId`.
pub(super) const OPERATIONS: [(&str, &str); 8] = [
    ("lookup", "Look up one address"),
    ("listAddresses", "Addresses at a postcode"),
    ("getAddress", "Address by BAG id"),
    ("getPostcode", "Postcode summary"),
    ("autocomplete", "Suggestions while typing"),
    ("reverse", "Nearest addresses"),
    ("bulkLookup", "Look up many addresses"),
    ("validate", "Check an address"),
];

/// Titles of groups, by the name of the tag.
pub(super) const TAGS: [(&str, &str); 4] = [
    ("v3", "Look-up (v3)"),
    ("v1 adressen", "Addresses (v1)"),
    ("v1 zoeken", "Search (v1)"),
    ("v1 verwerking", "Bulk and validation (v1)"),
];

/// The title of a group.
pub(super) fn tag_title(name: &str) -> &str {
    find(&TAGS, name).unwrap_or(name)
}

/// The title of an operation; if it has none, its `summary` from the description.
pub(super) fn operation_title<'a>(id: &str, summary: &'a str) -> &'a str {
    find(&OPERATIONS, id).unwrap_or(summary)
}

fn find(titles: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let found = titles.iter().find(|(known, _)| *known == name);
    found.map(|(_, title)| *title)
}
