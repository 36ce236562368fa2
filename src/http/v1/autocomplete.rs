//! `GET /v1/autocomplete`

use super::schemas;
use crate::accounts::Endpoint;
use crate::http::error::InvalidParameter;
use crate::http::json_writer::Writer;
use crate::http::parameters::Capped;
use crate::http::{Call, GetEndpoint, Problem, Reply};
use crate::search::{Suggestion, SuggestionKind, Wanted};

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
#[utoipa::path(
    get,
    path = "/v1/autocomplete",
    tag = "v1 zoeken",
    operation_id = "autocomplete",
    summary = "Suggestions for what was typed so far",
    description = "The likeliest first. All searches are prefix searches; mistyped letters are forgiven where nothing begins as \
                   typed. For use in a browser the key must list the page's origin.",
    params(schemas::AutocompleteQuery),
    responses((status = 200, description = "Suggestions; there may be none.", body = schemas::SuggestionList)),
)]
pub(crate) fn suggest(call: &Call<'_>) -> Result<Reply, Problem> {
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
    let suggestions = V1Suggestions {
        data: &found,
        query,
        r#type: kind,
        limit,
    };
    Ok(suggestions.reply())
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

/// Bytes of most suggestions.
const SUGGESTION_BYTES: usize = 320;

struct V1Suggestions<'a> {
    data: &'a [Suggestion<'a>],
    /// As it was sent, without the white space around it: a client compares it with what it holds by now.
    query: &'a str,
    r#type: &'static str,
    limit: u32,
}

impl V1Suggestions<'_> {
    fn reply(&self) -> Reply {
        let mut json = Writer::with_capacity(SUGGESTION_BYTES * (1 + self.data.len()));
        json.raw("{\"data\":");
        json.list(self.data.iter(), write_suggestion);
        json.raw(",\"meta\":{\"count\":");
        json.number(self.data.len() as u64);
        json.raw(",\"query\":");
        json.text(self.query);
        json.raw(",\"type\":");
        json.quoted(self.r#type);
        json.raw(",\"limit\":");
        json.number(self.limit.into());
        json.raw("}}");
        Reply::written(json)
    }
}

/// Source: contract.md, Suggestion: seven fields in this order, always.
fn write_suggestion(json: &mut Writer, suggestion: &Suggestion<'_>) {
    json.raw(match suggestion.kind {
        SuggestionKind::Address => "{\"type\":\"address\",\"label\":",
        SuggestionKind::Street => "{\"type\":\"street\",\"label\":",
        SuggestionKind::City => "{\"type\":\"city\",\"label\":",
    });
    json.text(suggestion.label());
    json.raw(",\"value\":");
    json.text(&suggestion.value);
    json.raw(",\"postcode\":");
    json.option(suggestion.postcode, |json, postcode| {
        json.ascii(&postcode.ascii());
    });
    json.raw(",\"street\":");
    json.option(suggestion.street, Writer::text);
    json.raw(",\"city\":");
    json.option(suggestion.city, Writer::text);
    json.raw(",\"id\":");
    json.option(suggestion.id, |json, id| json.sixteen_digits(id.get()));
    json.raw("}");
}
