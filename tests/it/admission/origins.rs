//! Tests keys in browsers: which pages may use a key by their origin, and which of them may read the answer.

use axum::http::{HeaderMap, Method};
use postduif::accounts::Restrictions;

use crate::app::{Customer, Reply, TestApp, post};

const SHOP: &str = "https://shop.example.org";
const PATHS: [&str; 2] = ["/v3/lookup/1234AB/29", "/v1/autocomplete?q=dijk"];
const CORS: [&str; 2] = [
    "access-control-allow-origin",
    "access-control-expose-headers",
];

fn app(origins: &str, read_only: bool) -> TestApp {
    TestApp::village_for_customer(Customer {
        restrictions: Restrictions {
            read_only,
            origins: origins.parse().expect("origins"),
            ..Restrictions::default()
        },
        ..Customer::with_limits(1_000, 2)
    })
}

async fn get_with_headers(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("X-Api-Key", app.live_key())], headers].concat();
    app.send_with_headers(Method::GET, path, &headers).await
}

#[track_caller]
fn assert_page_may_read(reply: &Reply, status: u16, page: &str, vary: &str) {
    assert_eq!(reply.status.as_u16(), status, "{}", reply.text());
    assert_eq!(reply.header(CORS[0]), Some(page));
    let exposed = reply
        .header(CORS[1])
        .expect("the headers that a script may read");
    for name in [
        "X-RateLimit-Remaining",
        "X-Quota-Remaining",
        "Retry-After",
        "X-Request-Id",
    ] {
        assert!(exposed.contains(name), "{exposed}");
    }
    assert_eq!(reply.header("Vary"), Some(vary));
}

#[tokio::test]
async fn a_listed_origin_may_read_answers_and_errors() {
    let app = app("https://other.example.org https://shop.example.org", true);
    let page = [("Origin", SHOP)];
    assert_page_may_read(
        &get_with_headers(&app, PATHS[1], &page).await,
        200,
        SHOP,
        "X-Api-Key, Origin",
    );
    assert_page_may_read(
        &get_with_headers(&app, "/v1/autocomplete?q=d", &page).await,
        400,
        SHOP,
        "Origin",
    );
    assert_page_may_read(
        &get_with_headers(&app, PATHS[0], &page).await,
        429,
        SHOP,
        "Origin",
    );
    let mut sent = post("/v1/bulk/lookup", Some(app.live_key()), "{}");
    sent.headers_mut()
        .insert("Origin", SHOP.parse().expect("a value"));
    assert_page_may_read(&app.send_raw(sent).await, 403, SHOP, "Origin");
}

#[tokio::test]
async fn an_unlisted_or_missing_origin_is_a_401() {
    let listed = app(SHOP, false);
    let server = app("", false);
    for path in PATHS {
        let plain = listed.send(Method::GET, path, None).await;
        let same = |reply: &Reply| {
            let names = |headers: &HeaderMap| headers.keys().cloned().collect::<Vec<_>>();
            assert_eq!(
                (reply.status.as_u16(), reply.text()),
                (401, plain.text()),
                "{path}"
            );
            assert_eq!(names(&reply.headers), names(&plain.headers), "{path}");
        };
        for page in [
            "https://evil.example.org",
            "http://shop.example.org",
            "https://shop.example.org:444",
            "null",
            "",
        ] {
            same(&get_with_headers(&listed, path, &[("Origin", page)]).await);
        }
        same(&get_with_headers(&listed, path, &[]).await);
        same(&get_with_headers(&listed, path, &[("Origin", SHOP), ("Origin", SHOP)]).await);
        same(
            &get_with_headers(
                &listed,
                path,
                &[
                    ("Sec-Fetch-Site", "cross-site"),
                    ("Host", "shop.example.org"),
                ],
            )
            .await,
        );
        same(&get_with_headers(&server, path, &[("Origin", SHOP)]).await);
        assert_eq!(
            get_with_headers(&server, path, &[]).await.header(CORS[0]),
            None
        );
    }
}

#[tokio::test]
async fn a_page_of_the_service_may_use_a_key_that_lists_its_origin() {
    let app = app("https://postduif.example.org", false);
    let host = ("Host", "postduif.example.org");
    let own = get_with_headers(&app, PATHS[1], &[("Sec-Fetch-Site", "same-origin"), host]).await;
    assert_eq!((own.status.as_u16(), own.header(CORS[0])), (200, None));
    let other = [
        ("Sec-Fetch-Site", "same-origin"),
        ("Host", "other.example.org"),
    ];
    assert_eq!(
        get_with_headers(&app, PATHS[1], &other)
            .await
            .status
            .as_u16(),
        401
    );
}
