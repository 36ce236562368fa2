//! Calls the real process over one connection, and checks every byte of its answers.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::process::{Service, open_enterprise};

const CALLS_PER_MONTH: u32 = 1_000_000_000;

/// A connection to a service that has no other client.
pub(super) struct RawClient {
    _service: Service,
    key: String,
    stream: BufReader<TcpStream>,
    /// The request ids of all answers so far.
    ids: HashSet<String>,
    quota_reset: Option<i64>,
    /// The entity tag, which is the same for all answers from one generation.
    etag: Option<String>,
}

/// The expected answer, byte for byte.
pub(super) struct Expected<'a> {
    pub(super) status: &'a str,
    pub(super) content_type: &'a str,
    pub(super) body: &'a str,
}

impl<'a> Expected<'a> {
    /// A 200 answer of a look-up, with this body.
    pub(super) fn ok(body: &'a str) -> Self {
        Self {
            status: "200 OK",
            content_type: "application/json",
            body,
        }
    }

    /// An error answer of v3.
    pub(super) fn problem(status: &'a str, body: &'a str) -> Self {
        Self {
            status,
            content_type: "application/problem+json",
            body,
        }
    }
}

impl RawClient {
    pub(super) fn to(data: &Path) -> Self {
        let [key, _] = open_enterprise(data, CALLS_PER_MONTH);
        let service = Service::start(data, &[]);
        let stream = service.connect();
        stream.set_nodelay(true).expect("a connection");
        Self {
            _service: service,
            key,
            stream: BufReader::new(stream),
            ids: HashSet::new(),
            quota_reset: None,
            etag: None,
        }
    }

    /// The number of requests answered so far.
    pub(super) fn answered(&self) -> usize {
        self.ids.len()
    }

    /// Sends a request and compares the whole answer with the expected one.
    #[track_caller]
    pub(super) fn check(&mut self, path: &str, expected: &Expected<'_>) {
        let key = &self.key;
        let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {key}\r\n\r\n");
        let stream = self.stream.get_mut();
        let asked = jiff::Timestamp::now().as_second();
        stream.write_all(request.as_bytes()).expect("a request");
        let (head, body) = self.answer();
        let answered = jiff::Timestamp::now().as_second();
        assert_eq!(body, expected.body, "{path}");
        self.check_head(&head, expected, asked..=answered, path);
    }

    fn answer(&mut self) -> (String, String) {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head).expect("an answer");
            assert!(read > 0, "closed after {head:?}");
        }
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok());
        let mut body = vec![0; length.expect("a length")];
        self.stream.read_exact(&mut body).expect("a whole answer");
        (head, String::from_utf8(body).expect("UTF-8"))
    }

    /// Checks every line of the head, in any order. A value that depends on the time must have the right form, agree with the other
    /// values, and be between the times of request and answer (`seconds` since 1970).
    #[track_caller]
    fn check_head(
        &mut self,
        head: &str,
        expected: &Expected<'_>,
        seconds: RangeInclusive<i64>,
        path: &str,
    ) {
        let mut lines = head.trim_end().split("\r\n");
        assert_eq!(
            lines.next(),
            Some(&*format!("HTTP/1.1 {}", expected.status)),
            "{path}"
        );
        let mut headers: BTreeMap<&str, &str> = BTreeMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").expect("a header");
            assert_eq!(
                headers.insert(name, value),
                None,
                "{path}: {name} came twice"
            );
        }
        let mut next = |name: &str| {
            headers
                .remove(name)
                .unwrap_or_else(|| panic!("{path}: {name}"))
        };
        assert_eq!(next("content-type"), expected.content_type);
        if expected.status == "200 OK" {
            assert_eq!(next("cache-control"), "public, max-age=86400", "{path}");
            assert_eq!(next("vary"), "X-Api-Key, Origin", "{path}");
            let is_look_up = ["/v3/", "/v1/addresses", "/v1/postcodes"];
            if is_look_up.iter().any(|prefix| path.starts_with(prefix)) {
                let tag = next("etag").to_owned();
                assert!(tag.starts_with("W/\""), "{path}: {tag}");
                assert_eq!(*self.etag.get_or_insert(tag.clone()), tag, "{path}");
            }
        }
        let (asked, answered) = seconds.into_inner();
        // The times are rounded to whole seconds, up or down.
        let about_now = asked - 1..=answered + 2;
        assert_eq!(next("x-ratelimit-limit"), "1000000", "{path}");
        let left = number(next("x-ratelimit-remaining"));
        // The rate limit refills so fast that it may be full again when the answer is written.
        assert!((0..=1_000_000).contains(&left), "{path}: {left}");
        let full = number(next("x-ratelimit-reset"));
        assert!(about_now.contains(&full), "{path}: {full}");
        assert_eq!(next("x-quota-limit"), CALLS_PER_MONTH.to_string());
        // Each answer counts as a call, and no other client makes calls.
        let calls = i64::try_from(self.ids.len()).expect("few") + 1;
        let left = i64::from(CALLS_PER_MONTH) - calls;
        assert_eq!(number(next("x-quota-remaining")), left, "{path}");
        let reset = number(next("x-quota-reset"));
        assert!(reset > asked, "{path}: {reset}");
        assert_eq!(*self.quota_reset.get_or_insert(reset), reset, "{path}");
        let id = next("x-request-id");
        let parsed: uuid::Uuid = id.parse().expect("a UUID");
        assert_eq!(
            (parsed.get_version_num(), parsed.to_string()),
            (7, id.to_owned())
        );
        assert!(self.ids.insert(id.to_owned()), "{id} came twice");
        let date = next("date");
        let date = jiff::fmt::strtime::parse("%a, %d %b %Y %H:%M:%S GMT", date);
        let date = date.and_then(|date| date.to_datetime()).expect("a date");
        let date = date.to_zoned(jiff::tz::TimeZone::UTC).expect("in range");
        let date = date.timestamp().as_second();
        assert!(about_now.contains(&date), "{path}: {date}");
        assert_eq!(next("content-length"), expected.body.len().to_string());
        assert!(headers.is_empty(), "{path}: {headers:?}");
    }
}

#[track_caller]
fn number(value: &str) -> i64 {
    let number = value.parse().ok();
    number.unwrap_or_else(|| panic!("a number, not {value:?}"))
}
