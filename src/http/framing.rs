//! Rejects requests in which a proxy may find another host, or another end of the body, than hyper does. If two readers disagree on where a
//! request ends, an attacker can hide a second request behind the first one (request smuggling).
//!
//! hyper rejects most such requests, with a 400 without a body. It does not check `Host`, and checks only the last coding of
//! `Transfer-Encoding`. If a chunked request also has a `Content-Length`, hyper ignores the length and (since 1.12) closes the connection
//! after the response, as RFC 9112 allows. Source: RFC 9112, sections 3.2, 6.1 and 11.2.

use hyper::body::Body;
use hyper::header::{HOST, TRANSFER_ENCODING};
use hyper::{Request, Version};

const HOST_EXPECTED: &str = "a request must have one Host header, with only a host name and port";

const BODY_LENGTH_EXPECTED: &str = "the length of a body must be given by one header, either Content-Length or Transfer-Encoding: chunked";

/// Checks the framing of a request. The error says what the request must have.
pub(super) fn validate<B: Body>(request: &Request<B>) -> Result<(), &'static str> {
    if !has_valid_host(request) {
        return Err(HOST_EXPECTED);
    }
    // An empty body needs no check. A body with a transfer coding never counts as empty here, because it is not read yet.
    match request.body().is_end_stream() || has_valid_transfer_encoding(request) {
        true => Ok(()),
        false => Err(BODY_LENGTH_EXPECTED),
    }
}

/// Checks the header `Host`. HTTP/1.0 does not require it, and health checks of load balancers still use HTTP/1.0.
fn has_valid_host<B>(request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => host.as_bytes().iter().all(is_host_byte),
        (Some(_), Some(_)) => false,
    }
}

/// True if a host and port may contain this byte. A user name is not allowed. Source: RFC 3986, section 3.2.2.
fn is_host_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:[]%".contains(byte)
}

fn has_valid_transfer_encoding<B>(request: &Request<B>) -> bool {
    let mut codings = request.headers().get_all(TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of unknown length.
    struct PendingBody;

    impl Body for PendingBody {
        type Data = hyper::body::Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
            std::task::Poll::Pending
        }
    }

    #[track_caller]
    fn case(version: Version, headers: &[(&str, &str)], expected: Option<&str>) {
        let request = Request::builder().version(version);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        let request = request.body(PendingBody).expect("a request");
        assert_eq!(
            validate(&request).err(),
            expected,
            "{version:?} {headers:?}"
        );
    }

    #[test]
    fn a_request_has_one_valid_host() {
        let invalid = Some(HOST_EXPECTED);
        case(Version::HTTP_10, &[], None);
        case(Version::HTTP_11, &[], invalid);
        for host in [
            "",
            "api.example.org",
            "API.example.org:8080",
            "192.0.2.1:80",
            "[2001:db8::1]:80",
            "xn--bcher-kva.example",
            "under_score",
        ] {
            case(Version::HTTP_11, &[("Host", host)], None);
        }
        for host in [
            "a b", "a/b", "a?b", "a#b", "user@a", "a\\b", "a\"b", "a\tb", "<a>",
        ] {
            case(Version::HTTP_11, &[("Host", host)], invalid);
            case(Version::HTTP_10, &[("Host", host)], invalid);
        }
        case(Version::HTTP_11, &[("Host", "a"), ("Host", "a")], invalid);
        case(Version::HTTP_10, &[("Host", "a"), ("Host", "b")], invalid);
    }

    #[test]
    fn chunked_is_the_only_accepted_transfer_coding() {
        let host = ("Host", "a");
        let coded = |codings: &[&'static str], expected| {
            let coded = codings.iter().map(|coding| ("Transfer-Encoding", *coding));
            let headers: Vec<_> = std::iter::once(host).chain(coded).collect();
            case(Version::HTTP_11, &headers, expected);
        };
        coded(&[], None);
        coded(&["chunked"], None);
        coded(&["Chunked"], None);
        let invalid = Some(BODY_LENGTH_EXPECTED);
        for coding in [
            "", "identity", "identity, chunked", "gzip, chunked", "chunked, chunked",
            "chunked, identity", "xchunked", "\"chunked\"", ",chunked",
        ] {
            coded(&[coding], invalid);
        }
        coded(&["chunked", "chunked"], invalid);
        coded(&["identity", "chunked"], invalid);
    }
}
