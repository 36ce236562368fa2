//! Chooses the form of a response by the request's headers: a body in gzip or brotli, or no body because the client has a current copy.
//!
//! Source: RFC 9110, sections 8.8.3.2 (comparison of tags), 12.5.3 (`Accept-Encoding`) and 13.1.2 (`If-None-Match`).

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderName, IF_NONE_MATCH};

/// How the body of an answer is coded. The service compresses answers only with gzip; only files that are compiled in have a brotli form,
/// see [`prefers_brotli`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentCoding {
    Identity,
    Gzip,
}

impl ContentCoding {
    /// Gzip if the client accepts it and does not prefer the plain body.
    pub(super) fn negotiate(request_headers: &HeaderMap) -> Self {
        let weights = CodingWeights::from_headers(request_headers);
        match weights.gzip > 0.0 && weights.gzip >= weights.identity {
            true => Self::Gzip,
            false => Self::Identity,
        }
    }
}

/// True if the client accepts brotli and prefers neither gzip nor the plain body.
pub(super) fn prefers_brotli(request_headers: &HeaderMap) -> bool {
    let weights = CodingWeights::from_headers(request_headers);
    weights.brotli > 0.0 && weights.brotli >= weights.gzip.max(weights.identity)
}

/// The weights of the codings of this service in `Accept-Encoding`; 0 for a coding that the client does not list.
struct CodingWeights {
    brotli: f32,
    gzip: f32,
    identity: f32,
}

impl CodingWeights {
    /// Reads the weights. If a coding is listed twice, its first weight counts. `*` gives the weight of the compressed codings that are not
    /// listed.
    fn from_headers(request_headers: &HeaderMap) -> Self {
        let [mut brotli, mut gzip, mut any, mut identity] = [None; 4];
        for (name, weight) in weighted_values(request_headers, ACCEPT_ENCODING) {
            let slot = match name.to_ascii_lowercase().as_str() {
                "br" => &mut brotli,
                "gzip" | "x-gzip" => &mut gzip,
                "*" => &mut any,
                "identity" => &mut identity,
                _ => continue,
            };
            slot.get_or_insert(weight);
        }
        Self {
            brotli: brotli.or(any).unwrap_or(0.0),
            gzip: gzip.or(any).unwrap_or(0.0),
            identity: identity.unwrap_or(0.0),
        }
    }
}

/// The values in a header such as `Accept-Encoding` with their weights. Omits a value if its weight cannot be parsed.
pub(super) fn weighted_values(
    request_headers: &HeaderMap,
    name: HeaderName,
) -> impl Iterator<Item = (&str, f32)> {
    list_values(request_headers, name)
        .flat_map(|list| list.split(','))
        .filter_map(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let (q, weight) = weight.split_once('=')?;
            let weight: f32 = weight.trim().parse().ok()?;
            let is_weight = q.trim().eq_ignore_ascii_case("q") && (0.0..=1.0).contains(&weight);
            is_weight.then_some((name.trim(), weight))
        })
}

/// True if the client has a copy with this tag, so that the response needs no body. The comparison is weak, and `*` matches every tag.
pub(super) fn has_current_copy(request_headers: &HeaderMap, etag: &str) -> bool {
    let own = opaque_tag(etag);
    list_values(request_headers, IF_NONE_MATCH)
        .any(|list| list.trim() == "*" || list.split(',').any(|tag| opaque_tag(tag.trim()) == own))
}

/// Removes the `W/` of a weak tag. Tags of this service have no comma, so a list of tags may be split at every comma.
fn opaque_tag(etag: &str) -> &str {
    etag.strip_prefix("W/").unwrap_or(etag)
}

fn list_values(request_headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = request_headers.get_all(name).into_iter();
    values.filter_map(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(name: &HeaderName, sent: &[&'static str]) -> HeaderMap {
        let values = sent.iter().map(|text| HeaderValue::from_static(text));
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, value);
        }
        headers
    }

    #[test]
    fn gzip_is_sent_to_clients_that_accept_it_and_do_not_prefer_the_plain_body() {
        let case = |sent: &[&'static str]| {
            ContentCoding::negotiate(&headers(&ACCEPT_ENCODING, sent)) == ContentCoding::Gzip
        };
        assert!(case(&["gzip, deflate, br"]));
        assert!(case(&["br;q=1.0, GZIP;q=0.5"]));
        assert!(case(&["br", "gzip"]));
        assert!(case(&["x-gzip"]));
        assert!(case(&["*"]));
        assert!(case(&["identity;q=0.5, *;q=0.6"]));
        assert!(case(&["gzip ; Q=1.0"]));
        assert!(!case(&[]));
        assert!(!case(&["identity"]));
        assert!(!case(&["br"]));
        assert!(!case(&["gzip;q=0"]));
        assert!(!case(&["gzip;q=0, *"]));
        assert!(!case(&["*;q=0.000"]));
        assert!(!case(&["identity, gzip;q=0.9"]));
        for malformed in [
            "gzip;quality", "gzip;q=", "gzip;q=2", "gzip;q=NaN", "gzip;p=1",
        ] {
            assert!(!case(&[malformed]), "{malformed}");
        }
    }

    #[test]
    fn brotli_is_sent_to_clients_that_accept_it_and_prefer_no_other_body() {
        let case = |sent: &[&'static str]| prefers_brotli(&headers(&ACCEPT_ENCODING, sent));
        assert!(case(&["gzip, deflate, br"]));
        assert!(case(&["gzip, deflate, br, zstd"]));
        assert!(case(&["gzip", "BR"]));
        assert!(case(&["*"]));
        assert!(case(&["gzip;q=0, *"]));
        assert!(case(&["br;q=0.5, gzip;q=0.5"]));
        assert!(case(&["br;q=0.001"]));
        assert!(!case(&[]));
        assert!(!case(&["gzip, deflate"]));
        assert!(!case(&["identity"]));
        assert!(!case(&["br;q=0"]));
        assert!(!case(&["br;q=0, *"]));
        assert!(!case(&["gzip, *;q=0"]));
        assert!(!case(&["br;q=0.9, gzip"]));
        assert!(!case(&["identity, br;q=0.9"]));
        assert!(!case(&["gzip, *;q=0.5"]));
        for malformed in ["br;quality", "br;q=", "br;q=2", "br;p=1", "brotli"] {
            assert!(!case(&[malformed]), "{malformed}");
        }
    }

    #[test]
    fn a_copy_is_current_if_the_list_has_its_tag_or_a_star() {
        let case = |sent: &[&'static str]| {
            let sent = headers(&IF_NONE_MATCH, sent);
            let both = ["W/\"1a\"", "\"1a\""].map(|own| has_current_copy(&sent, own));
            assert_eq!(both[0], both[1], "the comparison is weak");
            both[0]
        };
        assert!(case(&["W/\"1a\""]));
        assert!(case(&["\"1a\""]));
        assert!(case(&["\"0\", W/\"1a\" ,\"2\""]));
        assert!(case(&["\"0\"", "\"1a\""]));
        assert!(case(&[" * "]));
        for other in [
            &[][..],
            &[""],
            &["1a"],
            &["\"1A\""],
            &["w/\"1a\""],
            &["\"*\""],
            &["W/W/\"1a\""],
        ] {
            assert!(!case(other), "{other:?}");
        }
    }
}
