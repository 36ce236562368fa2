//! Which of the two interfaces a path belongs to, and so how its errors read.

use axum::http::Uri;

/// The two ways to say that something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `{title, invalidParams?}` as `application/problem+json`.
    V3,
    /// `{error: {code, message}}` as `application/json`.
    V1,
}

impl Dialect {
    /// v3 for what lies under `/v3`, with or without the `/api` of the fallback address; v1 for everything else.
    pub(crate) fn of(uri: &Uri) -> Self {
        let mut parts = uri.path().split('/').skip(1).peekable();
        parts.next_if_eq(&"api");
        if parts.next() == Some("v3") {
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
    fn the_path_decides() {
        #[track_caller]
        fn case(path: &str, expected: Dialect) {
            assert_eq!(
                Dialect::of(&path.parse().expect("a path")),
                expected,
                "{path}"
            );
        }
        case("/v3/lookup/1234AB/1", Dialect::V3);
        case("/v3", Dialect::V3);
        case("/v3/", Dialect::V3);
        case("/v3?x=/v1", Dialect::V3);
        case("/api/v3/nowhere", Dialect::V3);
        case("/v30", Dialect::V1);
        case("/apix/v3", Dialect::V1);
        case("/api/api/v3", Dialect::V1);
        case("/v1/v3", Dialect::V1);
        case("/api/v1/addresses", Dialect::V1);
        case("/api", Dialect::V1);
        case("/", Dialect::V1);
        case("*", Dialect::V1);
    }
}
