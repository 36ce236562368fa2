//! Builds the headers of requests for the rest of a file or for a changed file, and checks partial responses.

use reqwest::Response;
use reqwest::header::{
    CONTENT_RANGE, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, RANGE,
};

use super::fetch_dir::FileVersion;
use super::http_client::header;

/// The headers of a request. If a download is resumed, the headers ask for the rest of the file. Otherwise, if a version is known,
/// they ask for the file only if it differs from that version.
pub(super) fn request_headers(
    known: Option<&FileVersion>,
    resumed: Option<&FileVersion>,
    on_disk: u64,
) -> Vec<(HeaderName, String)> {
    if let Some(validator) = resumed.and_then(FileVersion::range_validator) {
        return vec![
            (RANGE, format!("bytes={on_disk}-")),
            (IF_RANGE, validator.to_owned()),
        ];
    }
    let etag = known.and_then(|known| known.etag.clone());
    let last_modified = known.and_then(|known| known.last_modified.clone());
    let headers = [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)];
    let headers = headers.into_iter();
    headers
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// Whether a partial response has the rest of the file on disk, in the same version.
pub(super) fn is_rest_of_same_file(
    response: &Response,
    offered: &FileVersion,
    known: &FileVersion,
    on_disk: u64,
) -> bool {
    let range = header(response, &CONTENT_RANGE);
    let Some((start, total)) = range.as_deref().and_then(parse_content_range) else {
        return false;
    };
    let is_same =
        |offered: &Option<String>, known: &Option<String>| offered.is_none() || offered == known;
    start == on_disk
        && known
            .bytes
            .is_none_or(|bytes| total.is_none_or(|total| total == bytes))
        && is_same(&offered.etag, &known.etag)
        && is_same(&offered.last_modified, &known.last_modified)
}

/// Parses a `Content-Range` header such as `bytes 5-9/10`. Returns the first byte and the size of the whole file.
fn parse_content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    Some((start.trim().parse().ok()?, total.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_range_headers_are_parsed() {
        assert_eq!(parse_content_range("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(parse_content_range("bytes 5-9/*"), Some((5, None)));
        for value in ["bytes */10", "5-9/10", "bytes 5/10", "bytes a-9/10"] {
            assert_eq!(parse_content_range(value), None, "{value}");
        }
    }
}
