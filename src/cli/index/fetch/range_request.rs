//! Requests for the rest of a file, and for a file only if it has changed.

use reqwest::Response;
use reqwest::header::{
    CONTENT_RANGE, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, RANGE,
};

use super::fetch_dir::FileVersion;
use super::http_client::header;

/// The headers that ask for the rest of an unfinished file, or for the whole file if it differs from the known version.
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

/// Whether a partial response is the rest of the version on disk.
pub(super) fn continues(
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

/// The first byte and the size of the whole file in `bytes 5-9/10`.
fn parse_content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    Some((start.trim().parse().ok()?, total.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_a_partial_response_is_parsed() {
        assert_eq!(parse_content_range("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(parse_content_range("bytes 5-9/*"), Some((5, None)));
        for value in ["bytes */10", "5-9/10", "bytes 5/10", "bytes a-9/10"] {
            assert_eq!(parse_content_range(value), None, "{value}");
        }
    }
}
