//! Chooses between the two languages of a rendered page. The visitor's choice by `?lang=` comes first; without it, the language that comes
//! first in the browser's list is used. The script of the test page uses the browser's list in the same way.
//!
//! Source: RFC 9110, sections 12.4.2 (quality values), 12.5.4 (`Accept-Language`) and 12.5.5 (`Vary`).

use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use super::{Asset, PreparedAsset};
use crate::http::negotiation::weighted_values;

/// A language of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Dutch,
    English,
}

impl Language {
    /// The BCP 47 tag.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::Dutch => "nl",
            Self::English => "en",
        }
    }

    fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        [Self::Dutch, Self::English]
            .into_iter()
            .find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }

    fn from_request(uri: &Uri, headers: &HeaderMap) -> Self {
        let parameters = uri.query().unwrap_or_default().split('&');
        let mut chosen = parameters.filter_map(|parameter| parameter.strip_prefix("lang="));
        chosen
            .find_map(Self::from_tag)
            .unwrap_or_else(|| Self::from_accept_language(headers))
    }

    /// The language that the browser prefers. Dutch for a client that names no language, and English for a client that names only other
    /// languages.
    fn from_accept_language(headers: &HeaderMap) -> Self {
        let mut accepted: Vec<(&str, f32)> = weighted_values(headers, ACCEPT_LANGUAGE)
            .filter(|(tag, weight)| *weight > 0.0 && !tag.is_empty())
            .collect();
        // The sort is stable, so languages with equal quality keep the order of the header.
        accepted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut tags = accepted.iter().map(|(tag, _)| *tag);
        let names_none = accepted.iter().all(|(tag, _)| *tag == "*");
        let known = tags.find_map(Self::from_tag);
        known.unwrap_or(match names_none {
            true => Self::Dutch,
            false => Self::English,
        })
    }
}

/// A page that is ready to be served in either language.
pub struct TranslatedAsset {
    dutch: PreparedAsset,
    english: PreparedAsset,
}

impl TranslatedAsset {
    /// Prepares the pages that `make` returns, one for each language.
    pub(super) fn new(make: impl Fn(Language) -> Asset) -> Self {
        let prepare = |language| make(language).prepare_in(language.tag());
        Self {
            dutch: prepare(Language::Dutch),
            english: prepare(Language::English),
        }
    }

    /// Answers a GET.
    pub(crate) fn response(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let asset = match Language::from_request(uri, headers) {
            Language::Dutch => &self.dutch,
            Language::English => &self.english,
        };
        asset.response(uri, headers)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn case(uri: &'static str, accepted: &[&'static str], expected: Language) {
        let mut headers = HeaderMap::new();
        for list in accepted {
            headers.append(ACCEPT_LANGUAGE, HeaderValue::from_static(list));
        }
        let chosen = Language::from_request(&Uri::from_static(uri), &headers);
        assert_eq!(chosen, expected, "{uri} {accepted:?}");
    }

    #[test]
    fn the_parameter_takes_precedence_over_the_browser() {
        use Language::{Dutch, English};
        case("/docs?lang=en", &["nl"], English);
        case("/docs?lang=nl", &["en"], Dutch);
        case("/docs?a=b&lang=NL", &["en"], Dutch);
        case("/docs?lang=fr", &["en"], English);
        case("/docs?language=en", &["nl"], Dutch);
    }

    #[test]
    fn the_language_that_the_browser_prefers_is_chosen() {
        use Language::{Dutch, English};
        case("/docs", &[], Dutch);
        case("/docs", &[""], Dutch);
        case("/docs", &["*"], Dutch);
        case("/docs", &["nl-NL,nl;q=0.9,en;q=0.8"], Dutch);
        case("/docs", &["en-GB,en;q=0.9,nl;q=0.8"], English);
        case("/docs", &["nl;q=0.5, EN-us;q=0.7"], English);
        case("/docs", &["fr, nl;q=0.2", "en;q=0.1"], Dutch);
        case("/docs", &["de-DE,de;q=0.9"], English);
        case("/docs", &["nl;q=0, de"], English);
        case("/docs", &["nlx;q=x, en"], English);
    }
}
