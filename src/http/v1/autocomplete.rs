//! Answers `GET /v1/autocomplete`.

use crate::http::error::InvalidParameter;
use crate::http::json_writer::JsonWriter;
use crate::http::parameters::ClampedInt;
use crate::http::{ApiError, GetRequest, JsonResponse};
use crate::search::{SearchSuggestion, SuggestionFilter, SuggestionKind};

/// The number of suggestions in a response. Source: contract.md, section GET /v1/autocomplete, the primary form.
pub(in crate::http) const LIMIT: ClampedInt = ClampedInt {
    default: 10,
    max: 10,
};

/// The minimum number of characters in `q`. Source: contract.md, section GET /v1/autocomplete.
const MIN_CHARS: usize = 2;

/// Suggests completions of a text, the likeliest first. The list may be empty.
pub(crate) fn suggest(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let typed = request.query_param("q").unwrap_or_default();
    let query = typed.trim();
    if query.chars().nth(MIN_CHARS - 1).is_none() {
        return Err(InvalidParameter::Query.into());
    }
    let kind = request.query_param("type");
    let (wanted, kind) = parse_type(kind.as_deref()).ok_or(InvalidParameter::Type)?;
    let limit = LIMIT.parse(request.query_param("limit"));
    let limit = limit.ok_or(InvalidParameter::QueryLimit)?;
    let found = request
        .snapshot_within_quota()?
        .suggest(query, wanted, limit as usize)?;
    let suggestions = V1Suggestions {
        data: &found,
        query,
        r#type: kind,
        limit,
    };
    Ok(suggestions.to_response())
}

fn parse_type(kind: Option<&str>) -> Option<(SuggestionFilter, &'static str)> {
    Some(match kind {
        None | Some("all") => (SuggestionFilter::All, "all"),
        Some("address") => (SuggestionFilter::Address, "address"),
        Some("street") => (SuggestionFilter::Street, "street"),
        Some("city") => (SuggestionFilter::City, "city"),
        Some(_) => return None,
    })
}

/// The number of bytes to reserve for the JSON of one suggestion. Most suggestions need less.
const SUGGESTION_BYTES: usize = 320;

struct V1Suggestions<'a> {
    data: &'a [SearchSuggestion<'a>],
    /// The text that the client sent, trimmed. The client can compare this text with the one that is now in its field.
    query: &'a str,
    r#type: &'static str,
    limit: u32,
}

impl V1Suggestions<'_> {
    fn to_response(&self) -> JsonResponse {
        let mut json = JsonWriter::with_capacity(SUGGESTION_BYTES * (1 + self.data.len()));
        json.raw("{\"data\":");
        json.array(self.data.iter(), write_suggestion);
        json.raw(",\"meta\":{\"count\":");
        json.number(self.data.len());
        json.raw(",\"query\":");
        json.string(self.query);
        json.raw(",\"type\":");
        json.plain_string(self.r#type);
        json.raw(",\"limit\":");
        json.number(self.limit);
        json.raw("}}");
        JsonResponse::from_writer(json)
    }
}

/// Writes a suggestion. It always has these seven fields, in this order. Source: contract.md, section Suggestion.
fn write_suggestion(json: &mut JsonWriter, suggestion: &SearchSuggestion<'_>) {
    json.raw(match suggestion.kind {
        SuggestionKind::Address => "{\"type\":\"address\",\"label\":",
        SuggestionKind::Street => "{\"type\":\"street\",\"label\":",
        SuggestionKind::City => "{\"type\":\"city\",\"label\":",
    });
    json.string(suggestion.label());
    json.raw(",\"value\":");
    json.string(&suggestion.value);
    json.raw(",\"postcode\":");
    json.option(suggestion.postcode, |json, postcode| {
        json.ascii_string(&postcode.ascii());
    });
    json.raw(",\"street\":");
    json.option(suggestion.street, JsonWriter::string);
    json.raw(",\"city\":");
    json.option(suggestion.city, JsonWriter::string);
    json.raw(",\"id\":");
    json.option(suggestion.id, |json, id| json.sixteen_digits(id.get()));
    json.raw("}");
}
