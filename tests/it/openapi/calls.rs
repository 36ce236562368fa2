//! Lists, for each operation, a request that succeeds on the addresses of the test village, and further requests with their
//! expected status.

use axum::body::Body;
use axum::http::Request;

use crate::app::post;

/// A request, and the path in the OpenAPI description that describes it.
pub(super) struct Call {
    /// The path as the description writes it, with parameters in braces.
    pub(super) path: &'static str,
    pub(super) method: &'static str,
    target: String,
    body: Option<String>,
}

fn get(path: &'static str, target: &str) -> Call {
    Call {
        path,
        method: "get",
        target: target.to_owned(),
        body: None,
    }
}

fn send(path: &'static str, body: &str) -> Call {
    Call {
        path,
        method: "post",
        target: path.to_owned(),
        body: Some(body.to_owned()),
    }
}

const LOOKUP: &str = "/v3/lookup/{postcode}/{number}";
const ADDRESS: &str = "/v1/addresses/{bagId}";
const ADDRESSES: &str = "/v1/addresses";
const POSTCODE: &str = "/v1/postcodes/{postcode}";
const AUTOCOMPLETE: &str = "/v1/autocomplete";
const REVERSE: &str = "/v1/reverse";
pub(super) const BULK: &str = "/v1/bulk/lookup";
const VALIDATE: &str = "/v1/validate";

impl Call {
    /// Builds the request with this key and these additional headers.
    pub(super) fn request(
        &self,
        key: Option<&str>,
        more: &[(&'static str, &str)],
    ) -> Request<Body> {
        let mut request = match &self.body {
            Some(body) => post(&self.target, key, body.clone()),
            None => {
                let request = Request::get(&self.target);
                let request = key
                    .into_iter()
                    .fold(request, |request, key| request.header("X-Api-Key", key));
                request.body(Body::empty()).expect("a request")
            }
        };
        for (name, value) in more {
            request
                .headers_mut()
                .insert(*name, value.parse().expect("a header"));
        }
        request
    }
}

/// For each operation, a request that is answered with 200.
pub(super) fn valid_calls() -> Vec<Call> {
    vec![
        get(LOOKUP, "/v3/lookup/1234ab/29"),
        get(ADDRESSES, "/v1/addresses?postcode=1234+ab&number=12"),
        get(ADDRESS, "/v1/addresses/1424200000000004"),
        get(POSTCODE, "/v1/postcodes/1234AB"),
        get(AUTOCOMPLETE, "/v1/autocomplete?q=dijk"),
        get(REVERSE, "/v1/reverse?lat=52.3276543&lon=5.04"),
        send(
            BULK,
            r#"{"addresses":[{"postcode":"1234AB","number":29},{"postcode":"1234","number":1},{"postcode":"1300AA","number":0},{"postcode":"1300AA","number":7}]}"#,
        ),
        send(
            VALIDATE,
            r#"{"postcode":"1234AB","number":29,"street":"Dijk"}"#,
        ),
    ]
}

/// For each look-up, a request that is answered with 200 and an entity tag.
pub(super) fn look_ups() -> Vec<Call> {
    let tagged = [LOOKUP, ADDRESSES, ADDRESS, POSTCODE];
    let mut calls = valid_calls();
    calls.retain(|call| tagged.contains(&call.path));
    calls
}

/// Further GETs: the expected status, the described path, and the path parameters or the query of this call.
const GETS: [(u16, &str, &str); 35] = [
    (200, LOOKUP, "1300AA/7"),
    (200, LOOKUP, "1234AB/7"),
    (200, LOOKUP, "1234AB/5"),
    (200, LOOKUP, "1234AB/00029"),
    (400, LOOKUP, "1234AB/29a"),
    (400, LOOKUP, "1234A/x"),
    (400, LOOKUP, "1234AB/0"),
    (404, LOOKUP, "1234AB/28"),
    (404, LOOKUP, "0123AA/1"),
    (200, ADDRESSES, "postcode=1234AB"),
    (200, ADDRESSES, "postcode=1300AA"),
    (200, ADDRESSES, "postcode=0123AA"),
    (200, ADDRESSES, "postcode=1234AC&letter=x&addition="),
    (
        200,
        ADDRESSES,
        "postcode=1234AB&number=12&addition=10&unknown=1",
    ),
    (400, ADDRESSES, "postcode=1234"),
    (400, ADDRESSES, "number=1"),
    (400, ADDRESSES, "postcode=1234AB&number="),
    (404, ADDRESS, "9999"),
    (404, ADDRESS, "1424200000000099"),
    (200, POSTCODE, "1300%20aa"),
    (400, POSTCODE, "1234"),
    (404, POSTCODE, "1234ZZ"),
    (200, AUTOCOMPLETE, "q=1234&limit=3"),
    (200, AUTOCOMPLETE, "q=1300AA+7"),
    (200, AUTOCOMPLETE, "q=dijk&type=street&limit=-5"),
    (
        200,
        AUTOCOMPLETE,
        "q=els&type=city&limit=99999999999999999999",
    ),
    (200, AUTOCOMPLETE, "q=%22%5C%F0%9F%98%80"),
    (400, AUTOCOMPLETE, "q=x"),
    (400, AUTOCOMPLETE, "q=dijk&type=box"),
    (400, AUTOCOMPLETE, "q=dijk&limit=1.0"),
    (200, REVERSE, "lat=0&lon=0"),
    (200, REVERSE, "lat=52.3286543&lon=5.04&radius=0&limit=0"),
    (200, REVERSE, "lat=-90&lon=180&radius=5000&limit=51"),
    (400, REVERSE, "lat=NaN&lon=0"),
    (400, REVERSE, "lat=1&lon=1&radius=x"),
];

/// Further POSTs: the expected status, the path, and the body.
const POSTS: [(u16, &str, &str); 14] = [
    (
        200,
        BULK,
        r#"{"addresses":[{"postcode":7,"number":"x","letter":[]},{}]}"#,
    ),
    (400, BULK, "[]"),
    (400, BULK, r#"{"addresses":[]}"#),
    (400, BULK, r#"{"addresses":[1]}"#),
    (200, VALIDATE, r#"{"postcode":"1234","number":29}"#),
    (
        200,
        VALIDATE,
        r#"{"postcode":"1234AB","number":29.0,"street":"Dik","city":"Elders"}"#,
    ),
    (
        200,
        VALIDATE,
        r#"{"postcode":"1234AB","number":28,"letter":null,"unknown":[]}"#,
    ),
    (200, VALIDATE, r#"{"postcode":"1234BA","number":29}"#),
    (200, VALIDATE, r#"{"postcode":"9999ZZ","number":1}"#),
    (
        200,
        VALIDATE,
        r#"{"postcode":"1300AA","number":9001,"city":"elders"}"#,
    ),
    (400, VALIDATE, "no JSON"),
    (400, VALIDATE, r#"{"postcode":"1234AB","number":0}"#),
    (400, VALIDATE, r#"{"postcode":"1234AB","number":true}"#),
    (200, VALIDATE, r#"{"postcode":"","number":"29a-1"}"#),
];

/// All further requests whose answer depends on nothing but the request, each with its expected status.
pub(super) fn other_calls() -> Vec<(u16, Call)> {
    let many = vec![r#"{"postcode":"1234AB","number":1}"#; 1001].join(",");
    let many = send(BULK, &format!(r#"{{"addresses":[{many}]}}"#));
    let gets = GETS.into_iter().map(|(status, path, more)| {
        let target = match path.split_once('{') {
            Some((begin, _)) => format!("{begin}{more}"),
            None => format!("{path}?{more}"),
        };
        (status, get(path, &target))
    });
    let posts = POSTS
        .into_iter()
        .map(|(status, path, body)| (status, send(path, body)));
    gets.chain(posts).chain([(422, many)]).collect()
}

/// Requests with bodies that are too long; the expected status is 413.
pub(super) fn overlong_calls() -> Vec<Call> {
    let long = " ".repeat((1 << 20) + 1);
    [BULK, VALIDATE].map(|path| send(path, &long)).into()
}
