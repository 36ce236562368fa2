//! `GET /v1/autocomplete`

use postduif_schema::{AddressId, Postcode};
use serde::Serialize;

use super::address::text_or_null;
use crate::access::Endpoint;
use crate::api::parameters::Capped;
use crate::api::problem::InvalidParameter;
use crate::api::{Call, GetEndpoint, Problem, Reply};
use crate::query::{Suggestion, SuggestionKind, Wanted};

/// Suggestions. Source: contract.md, GET /v1/autocomplete: the primary form; likewise below.
const LIMIT: Capped = Capped {
    default: 10,
    max: 10,
};

/// Characters that `q` needs.
const MIN_CHARS: usize = 2;

/// What a person may mean who has typed this much, the likeliest first.
pub const SUGGEST: GetEndpoint = GetEndpoint {
    endpoint: Endpoint::Autocomplete,
    answer: suggest,
};

/// Parameters that cannot be read. Nothing found is an empty list.
fn suggest(call: &Call<'_>) -> Result<Reply, Problem> {
    let typed = call.query("q").unwrap_or_default();
    let query = typed.trim();
    if query.chars().nth(MIN_CHARS - 1).is_none() {
        return Err(InvalidParameter::Query.into());
    }
    let kind = call.query("type");
    let (wanted, kind) = wanted(kind.as_deref()).ok_or(InvalidParameter::Type)?;
    let limit = LIMIT.read(call.query("limit"));
    let limit = limit.ok_or(InvalidParameter::QueryLimit)?;
    let found = call.snapshot()?.suggest(query, wanted, limit as usize)?;
    Ok(Reply::of(&V1Suggestions {
        data: found.iter().map(V1Suggestion::from).collect(),
        meta: Meta {
            count: found.len(),
            query,
            r#type: kind,
            limit,
        },
    }))
}

fn wanted(kind: Option<&str>) -> Option<(Wanted, &'static str)> {
    Some(match kind {
        None | Some("all") => (Wanted::All, "all"),
        Some("address") => (Wanted::Address, "address"),
        Some("street") => (Wanted::Street, "street"),
        Some("city") => (Wanted::City, "city"),
        Some(_) => return None,
    })
}

#[derive(Serialize)]
struct V1Suggestions<'a> {
    data: Vec<V1Suggestion<'a>>,
    meta: Meta<'a>,
}

#[derive(Serialize)]
struct Meta<'a> {
    count: usize,
    /// As it was sent, without the white space around it: a client compares it with what it holds by now.
    query: &'a str,
    r#type: &'static str,
    limit: u32,
}

/// Source: contract.md, Suggestion: seven fields in this order, always.
#[derive(Serialize)]
struct V1Suggestion<'a> {
    r#type: &'static str,
    label: &'a str,
    value: &'a str,
    postcode: Option<Postcode>,
    street: Option<&'a str>,
    city: Option<&'a str>,
    #[serde(serialize_with = "text_or_null")]
    id: Option<AddressId>,
}

impl<'a> From<&'a Suggestion<'a>> for V1Suggestion<'a> {
    fn from(suggestion: &'a Suggestion<'a>) -> Self {
        Self {
            r#type: match suggestion.kind {
                SuggestionKind::Address => "address",
                SuggestionKind::Street => "street",
                SuggestionKind::City => "city",
            },
            label: suggestion.label(),
            value: &suggestion.value,
            postcode: suggestion.postcode,
            street: suggestion.street,
            city: suggestion.city,
            id: suggestion.id,
        }
    }
}
