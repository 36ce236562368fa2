//! Fuzzes requests: runs the whole service in this process with the bundled town. No request may get a 5xx or a 429, and every
//! error with a body must have the form of its API version.

use std::sync::OnceLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, Uri};
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use postduif::accounts::ApiKey;
use postduif_indexer::Build;
use postduif_schema::DataFolder;
use postduif_schema::NoProgress;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::app::{Reply, TestApp};

/// Characters that hyper refuses in a path or query.
const REFUSED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b'#');

/// Paths whose requests have a query.
const QUERY_PATHS: [&str; 8] = [
    "/v1/autocomplete",
    "/v1/addresses",
    "/v1/reverse",
    "/v3/lookup/3931AA/1",
    "/v1/postcodes/3931AA",
    "/v1/addresses/0351200000000001",
    "/api/v1/autocomplete",
    "/docs",
];

const METHODS: [Method; 8] = [
    Method::GET,
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::OPTIONS,
    Method::PUT,
    Method::DELETE,
    Method::GET,
];

struct Town {
    app: TestApp,
    runtime: Runtime,
}

/// The service of the town, started on first use.
fn town() -> &'static Town {
    static TOWN: OnceLock<Town> = OnceLock::new();
    TOWN.get_or_init(|| {
        let folder = super::folder();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
        let root = root.strip_suffix("tests/fuzz/").unwrap_or(root);
        let data = DataFolder::new(folder.path().join("data"));
        let build = Build {
            po_boxes: Some(format!("{root}testdata/po-boxes.csv").into()),
            ..Build::new(format!("{root}testdata/town.zip").into())
        };
        build.run(&data, &NoProgress).expect("the town is valid");
        Town {
            app: TestApp::serving(&data),
            runtime: Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime"),
        }
    })
}

impl Town {
    /// Sends a request and checks what must hold for every response.
    fn send(&self, request: Request<Body>) -> Reply {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        // Advance the clock, so that the key's rate limit refills faster than the requests use it up.
        self.app.clock().advance(Duration::from_micros(2));
        let reply = self.runtime.block_on(self.app.send_raw(request));
        let context = format!("{method} {uri}: {} {:?}", reply.status, reply.body);
        assert!(reply.status.as_u16() < 500, "{context}");
        assert_ne!(reply.status.as_u16(), 429, "{context}");
        assert_eq!(reply.request_id().get_version_num(), 7, "{context}");
        let is_json = reply
            .header("Content-Type")
            .is_some_and(|kind| kind.contains("json"));
        if reply.status.is_client_error() && method != Method::HEAD {
            assert!(is_json && is_problem(&uri, &reply), "{context}");
        } else if is_json && !reply.body.is_empty() {
            serde_json::from_slice::<Value>(&reply.body).expect("JSON");
        }
        reply
    }

    /// Builds a request, with the live key if `keyed`.
    fn request(&self, method: Method, uri: Uri, keyed: bool) -> Request<Body> {
        let request = Request::builder().method(method).uri(uri);
        let request = match keyed {
            true => request.header("X-Api-Key", self.app.live_key()),
            false => request,
        };
        request.body(Body::empty()).expect("a method and a URI")
    }
}

/// Whether the body of an error has exactly the form of the path's API version.
fn is_problem(uri: &Uri, reply: &Reply) -> bool {
    let Ok(Value::Object(body)) = serde_json::from_slice(&reply.body) else {
        return false;
    };
    let names: Vec<&str> = body.keys().map(String::as_str).collect();
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    if body.contains_key("title") {
        let of_v3 = uri.path().starts_with("/v3") || uri.path().starts_with("/api/v3");
        let known = names == ["title"] || names == ["title", "invalidParams"];
        return of_v3 && known && is_text(&body["title"]);
    }
    let fields = body.get("error").and_then(Value::as_object);
    names == ["error"]
        && fields.is_some_and(|error| {
            let names: Vec<&str> = error.keys().map(String::as_str).collect();
            names == ["code", "message"] && error.values().all(is_text)
        })
}

/// The bytes as a URI: unchanged if HTTP allows them, otherwise percent-encoded as a client would.
fn uri(bytes: &[u8]) -> Option<Uri> {
    Uri::try_from(bytes)
        .or_else(|_| Uri::try_from(percent_encode(bytes, REFUSED).to_string()))
        .ok()
}

/// The first byte selects the method and whether to send a key; the other bytes are the path and the query.
pub(super) fn paths(bytes: &[u8]) {
    let Some((&how, path)) = bytes.split_first() else {
        town();
        return;
    };
    let path = match path.first() {
        Some(b'/') => path.to_vec(),
        _ => [b"/", path].concat(),
    };
    let Some(uri) = uri(&path) else { return };
    let method = METHODS[usize::from(how & 7)].clone();
    let reply = town().send(town().request(method, uri, how & 8 == 0));
    assert!(
        how & 8 == 0 || !reply.status.is_success() || reply.header("X-Quota-Limit").is_none(),
        "a success without a key"
    );
}

/// The first byte selects the path; the other bytes are the query.
pub(super) fn queries(bytes: &[u8]) {
    let Some((&which, query)) = bytes.split_first() else {
        town();
        return;
    };
    let path = QUERY_PATHS[usize::from(which & 7)];
    let Some(uri) = uri(&[path.as_bytes(), b"?", query].concat()) else {
        return;
    };
    let reply = town().send(town().request(Method::GET, uri, true));
    let status = reply.status.as_u16();
    assert!([200, 400, 404].contains(&status), "{path}: {status}");
}

/// Sends the text as the parameter `q` of the type-ahead.
pub(super) fn autocomplete(text: &str) {
    let query = percent_encode(text.as_bytes(), percent_encoding::NON_ALPHANUMERIC);
    queries(format!("0q={query}").as_bytes());
}

/// The first byte selects the path and the content type; the other bytes are the body.
pub(super) fn bodies(bytes: &[u8]) {
    let Some((&how, body)) = bytes.split_first() else {
        town();
        return;
    };
    let path = ["/v1/bulk/lookup", "/v1/validate"][usize::from(how & 1)];
    let kind = match how >> 1 & 3 {
        0 | 1 => "application/json",
        2 => "application/json; charset=utf-8",
        _ => "text/plain",
    };
    let mut request = town().request(Method::POST, Uri::from_static(path), true);
    let headers = request.headers_mut();
    headers.insert("Content-Type", HeaderValue::from_static(kind));
    *request.body_mut() = Body::from(body.to_vec());
    let status = town().send(request).status.as_u16();
    assert!(
        [200, 400, 404, 413, 415, 422].contains(&status),
        "{path}: {status}"
    );
}

/// Sends the bytes as a key or as a part of the live key. Only the live key may be accepted, and all other keys must get the same
/// response.
pub(super) fn keys(bytes: &[u8]) {
    if let Ok(key) = ApiKey::parse(bytes) {
        assert_eq!(key.reveal().as_bytes(), bytes);
    }
    let live = town().app.live_key().as_bytes();
    let mut overwritten = live.to_vec();
    if let Some((&at, patch)) = bytes.split_first() {
        let at = usize::from(at) % live.len();
        let end = live.len().min(at + patch.len());
        overwritten[at..end].copy_from_slice(&patch[..end - at]);
    }
    let denied_body = try_key(None).1;
    for key in [bytes.to_vec(), overwritten] {
        let Ok(value) = HeaderValue::from_bytes(&key) else {
            continue;
        };
        let (accepted, body) = try_key(Some(value));
        assert_eq!(
            accepted,
            key == live,
            "{:?}",
            key.escape_ascii().to_string()
        );
        assert!(accepted || body == denied_body);
    }
}

/// Sends a request with this key. Returns whether the key is accepted, and the body of the response.
fn try_key(key: Option<HeaderValue>) -> (bool, Vec<u8>) {
    let uri = Uri::from_static("/v3/lookup/3931AA/1");
    let mut request = town().request(Method::GET, uri, false);
    if let Some(key) = key {
        request.headers_mut().insert("X-Api-Key", key);
    }
    let reply = town().send(request);
    (reply.status.as_u16() != 401, reply.body)
}
