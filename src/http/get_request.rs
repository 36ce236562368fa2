//! Defines what the handler of a GET receives. A handler reaches the addresses only through [`GetRequest`], which exists only for a request
//! with a valid key.

use std::borrow::Cow;

use axum::http::Uri;
use percent_encoding::percent_decode_str;

use super::ApiError;
use super::request::RequestContext;
use crate::snapshot::Snapshot;

/// An authorized GET, with the addresses of the current generation.
pub struct GetRequest<'a> {
    uri: &'a Uri,
    context: &'a RequestContext<'a>,
}

impl<'a> GetRequest<'a> {
    pub(super) fn new(uri: &'a Uri, context: &'a RequestContext<'a>) -> Self {
        Self { uri, context }
    }

    /// The data of the current generation. Call this after parsing the parameters: an invalid parameter must be reported before a quota
    /// that is used up.
    ///
    /// # Errors
    /// If the quota is used up, or if no generation is published yet.
    pub(super) fn snapshot_within_quota(&self) -> Result<&Snapshot, ApiError> {
        self.context.snapshot_within_quota()
    }

    /// The last `N` segments of the path, percent-decoded. Bytes that are not UTF-8 become U+FFFD, which no parameter accepts.
    pub(super) fn last_path_segments<const N: usize>(&self) -> [Cow<'a, str>; N] {
        let mut segments = self.uri.path().rsplit('/');
        let mut last = [const { Cow::Borrowed("") }; N];
        for slot in last.iter_mut().rev() {
            *slot = percent_decode_str(segments.next().unwrap_or_default()).decode_utf8_lossy();
        }
        last
    }

    /// The value of a query parameter, decoded like the data of an HTML form. If the parameter occurs several times, the first occurrence
    /// counts, because no parameter is a list, and people read the first one in a URL.
    pub(super) fn query_param(&self, name: &str) -> Option<Cow<'a, str>> {
        let query = self.uri.query().unwrap_or_default();
        form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }
}
