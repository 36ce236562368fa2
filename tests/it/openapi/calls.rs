//! One request for each operation that finds something in the village, and others that go wrong.

use axum::body::Body;
use axum::http::Request;

use crate::app::post;

/// A request under the path that describes it.
pub(super) struct Call {
    /// As in the description.
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
const BULK: &str = "/v1/bulk/lookup";
const VALIDATE: &str = "/v1/validate";

impl Call {
    /// The request, with this key and these headers more.
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

/// One that is answered 200, for each operation.
pub(super) fn right() -> Vec<Call> {
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

/// Others that are answered 200: boxes, nothing found, limits that are brought within their bounds, what is wrong.
pub(super) fn right_too() -> Vec<Call> {
    let lists = [
        "postcode=1234AB",
        "postcode=1300AA",
        "postcode=0123AA",
        "postcode=1234AC&letter=x&addition=",
        "postcode=1234AB&number=12&addition=10&unknown=1",
    ];
    let typed = [
        "q=1234&limit=3",
        "q=1300AA+7",
        "q=dijk&type=street&limit=-5",
        "q=els&type=city&limit=99999999999999999999",
        "q=%22%5C%F0%9F%98%80",
        "q=xyzzy",
        "q=dijk+12&type=address",
    ];
    let points = [
        "lat=0&lon=0",
        "lat=52.3286543&lon=5.04&radius=0&limit=0",
        "lat=-90&lon=180&radius=5000&limit=51",
    ];
    let entered = [
        r#"{"postcode":"1234","number":29}"#,
        r#"{"postcode":"1234AB","number":29.0,"street":"Dik","city":"Elders"}"#,
        r#"{"postcode":"1234AB","number":28,"letter":null,"unknown":[]}"#,
        r#"{"postcode":"1234BA","number":29}"#,
        r#"{"postcode":"9999ZZ","number":1}"#,
        r#"{"postcode":"1300AA","number":9001,"city":"elders"}"#,
    ];
    let lookups = ["1300AA/7", "1234AB/7", "1234AB/5", "1234AB/00029"];
    [
        lookups
            .map(|pair| get(LOOKUP, &format!("/v3/lookup/{pair}")))
            .into_iter()
            .collect::<Vec<_>>(),
        lists
            .map(|query| get(ADDRESSES, &format!("/v1/addresses?{query}")))
            .into(),
        vec![get(POSTCODE, "/v1/postcodes/1300%20aa")],
        typed
            .map(|query| get(AUTOCOMPLETE, &format!("/v1/autocomplete?{query}")))
            .into(),
        points
            .map(|query| get(REVERSE, &format!("/v1/reverse?{query}")))
            .into(),
        vec![send(
            BULK,
            r#"{"addresses":[{"postcode":7,"number":"x","letter":[]},{}]}"#,
        )],
        entered.map(|body| send(VALIDATE, body)).into(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Those that are answered 400, 404 or 422, with the status.
pub(super) fn wrong() -> Vec<(u16, Call)> {
    let many = vec![r#"{"postcode":"1234AB","number":1}"#; 1001].join(",");
    let lookups = [
        (400, "1234AB/29a"),
        (400, "1234A/x"),
        (400, "1234AB/0"),
        (404, "1234AB/28"),
        (404, "0123AA/1"),
    ];
    let queries = [
        (ADDRESSES, "postcode=1234"),
        (ADDRESSES, "number=1"),
        (ADDRESSES, "postcode=1234AB&number="),
        (AUTOCOMPLETE, "q=x"),
        (AUTOCOMPLETE, "q=dijk&type=box"),
        (AUTOCOMPLETE, "q=dijk&limit=1.0"),
        (REVERSE, "lat=91&lon=0"),
        (REVERSE, "lat=NaN&lon=0"),
        (REVERSE, "lat=1&lon=1&radius=x"),
    ];
    let bodies = [
        (BULK, "[]"),
        (BULK, r#"{"addresses":[]}"#),
        (BULK, r#"{"addresses":[1]}"#),
        (VALIDATE, "no JSON"),
        (VALIDATE, r#"{"postcode":"1234AB","number":0}"#),
        (VALIDATE, r#"{"postcode":"1234AB","number":"1"}"#),
    ];
    let mut all = vec![
        (404, get(ADDRESS, "/v1/addresses/9999")),
        (404, get(ADDRESS, "/v1/addresses/1424200000000099")),
        (400, get(POSTCODE, "/v1/postcodes/1234")),
        (404, get(POSTCODE, "/v1/postcodes/1234ZZ")),
        (422, send(BULK, &format!(r#"{{"addresses":[{many}]}}"#))),
    ];
    all.extend(lookups.map(|(status, pair)| (status, get(LOOKUP, &format!("/v3/lookup/{pair}")))));
    all.extend(queries.map(|(path, query)| (400, get(path, &format!("{path}?{query}")))));
    all.extend(bodies.map(|(path, body)| (400, send(path, body))));
    all
}

/// Bodies that are not read: too long, with the status 413.
pub(super) fn too_long() -> Vec<Call> {
    let long = " ".repeat((1 << 20) + 1);
    [BULK, VALIDATE].map(|path| send(path, &long)).into()
}
