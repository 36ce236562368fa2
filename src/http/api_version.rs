//! Determines the API version of a path. The version decides the form of errors.

use axum::http::Uri;

/// The version of the interface, which decides the form of error bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    /// Error bodies are `{title, invalidParams?}` as `application/problem+json`.
    V3,
    /// Error bodies are `{error: {code, message}}` as `application/json`.
    V1,
}

impl ApiVersion {
    /// v3 for paths under `/v3` and `/api/v3`, v1 for all others. An additional slash in front, from a base URL that ends in a slash, does
    /// not count.
    pub(crate) fn from_uri(uri: &Uri) -> Self {
        let segments = uri.path().split('/');
        let mut segments = segments.skip_while(|segment| segment.is_empty()).peekable();
        segments.next_if_eq(&"api");
        if segments.next() == Some("v3") {
            Self::V3
        } else {
            Self::V1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_decides_the_version() {
        #[track_caller]
        fn case(path: &str, expected: ApiVersion) {
            assert_eq!(
                ApiVersion::from_uri(&path.parse().expect("a path")),
                expected,
                "{path}"
            );
        }
        case("/v3/lookup/1234AB/1", ApiVersion::V3);
        case("/v3", ApiVersion::V3);
        case("/v3/", ApiVersion::V3);
        case("/v3?x=/v1", ApiVersion::V3);
        case("/api/v3/nowhere", ApiVersion::V3);
        case("//v3/lookup/1234AB/1", ApiVersion::V3);
        case("/v30", ApiVersion::V1);
        case("/apix/v3", ApiVersion::V1);
        case("/api/api/v3", ApiVersion::V1);
        case("/v1/v3", ApiVersion::V1);
        case("/api/v1/addresses", ApiVersion::V1);
        case("/api", ApiVersion::V1);
        case("/", ApiVersion::V1);
        case("*", ApiVersion::V1);
    }
}
