//! Checks the entity tags of look-ups, and the 304 answer to a client whose copy is current.

use axum::http::Method;
use postduif::accounts::PlanName;
use postduif_schema::DataFolder;

use crate::addresses::{house, village};
use crate::app::{Customer, Reply, TestApp};
use crate::generation::publish;
use crate::scratch;

/// One path for each endpoint whose 200 answer has an entity tag.
const LOOK_UPS: [&str; 4] = [
    "/v3/lookup/1234AB/29",
    "/v1/addresses?postcode=1234AB&number=12",
    "/v1/addresses/1424200000000004",
    "/v1/postcodes/1234AB",
];

async fn ask(app: &TestApp, method: Method, path: &str, sent: &[&str]) -> Reply {
    let tags = sent.iter().map(|tag| ("If-None-Match", *tag));
    let headers: Vec<_> = tags.chain([("X-Api-Key", app.live_key())]).collect();
    app.send_with_headers(method, path, &headers).await
}

/// The entity tag of a look-up, which must be answered with 200.
async fn tag(app: &TestApp) -> String {
    let reply = app.get(LOOK_UPS[0]).await;
    assert_eq!(reply.status.as_u16(), 200);
    reply.header("ETag").expect("a tag").to_owned()
}

/// Checks a 304 answer: it has no body, and the headers of a 200 answer except those about the body.
#[track_caller]
fn is_not_modified(reply: &Reply, tag: &str) {
    assert_eq!((reply.status.as_u16(), reply.text()), (304, ""));
    assert_eq!(reply.header("ETag"), Some(tag));
    assert_eq!(reply.header("Vary"), Some("X-Api-Key, Origin"));
    for absent in ["Cache-Control", "Content-Type"] {
        assert_eq!(reply.header(absent), None, "{absent}");
    }
    for known in ["X-RateLimit-Limit", "X-Quota-Limit", "X-Request-Id"] {
        assert!(reply.header(known).is_some(), "{known}");
    }
}

#[tokio::test]
async fn a_current_copy_of_a_look_up_is_confirmed_without_a_body() {
    let app = TestApp::village();
    let tag = &*tag(&app).await;
    assert!(tag.starts_with("W/\"") && tag.len() == 20, "{tag}");
    let strong = tag.trim_start_matches("W/");
    let list = format!("\"other\", {tag}");
    for path in LOOK_UPS {
        for method in [Method::GET, Method::HEAD] {
            let whole = ask(&app, method.clone(), path, &[]).await;
            assert_eq!(
                (whole.status.as_u16(), whole.header("ETag")),
                (200, Some(tag))
            );
            for sent in [&[tag][..], &["*"], &[strong], &[&list], &["\"other\"", tag]] {
                let reply = ask(&app, method.clone(), path, sent).await;
                is_not_modified(&reply, tag);
            }
            let other = ask(&app, method, path, &["W/\"0000000000000000\""]).await;
            assert_eq!((other.status, other.text()), (whole.status, whole.text()));
        }
    }
}

#[tokio::test]
async fn errors_and_other_endpoints_have_no_tag_and_ignore_conditions() {
    let app = TestApp::village();
    for (status, path) in [
        (404, "/v3/lookup/1234AB/28"),
        (400, "/v3/lookup/1234AB/29a"),
        (404, "/v1/addresses/9999"),
        (404, "/v1/postcodes/9999ZZ"),
        (400, "/v1/addresses"),
        (200, "/v1/autocomplete?q=dijk"),
        (200, "/v1/reverse?lat=52.3276543&lon=5.04"),
    ] {
        let reply = ask(&app, Method::GET, path, &["*"]).await;
        assert_eq!(
            (reply.status.as_u16(), reply.header("ETag")),
            (status, None),
            "{path}"
        );
    }
    let [no_key, no_generation] = [
        app.send(Method::GET, LOOK_UPS[0], None).await,
        ask(&TestApp::empty(), Method::GET, LOOK_UPS[0], &["*"]).await,
    ];
    assert_eq!((no_key.status.as_u16(), no_key.header("ETag")), (401, None));
    let found = (no_generation.status.as_u16(), no_generation.header("ETag"));
    assert_eq!(found, (503, None));
}

#[tokio::test]
async fn a_304_counts_as_a_call() {
    let app = TestApp::village_for_customer(Customer::with_limits(1_000, 3));
    let number = |reply: &Reply, name| -> i64 {
        let value = reply.header(name).expect("a known key");
        value.parse().expect("a number")
    };
    for left in [2, 1, 0] {
        let reply = ask(&app, Method::GET, LOOK_UPS[0], &["*"]).await;
        assert_eq!(reply.status.as_u16(), 304);
        assert_eq!(number(&reply, "X-RateLimit-Remaining"), left);
        assert_eq!(number(&reply, "X-Quota-Remaining"), 997 + left);
    }
    let reply = ask(&app, Method::GET, LOOK_UPS[0], &["*"]).await;
    reply.assert_v3_error(429, r#"{"title":"Rate limit exceeded"}"#);
    let used_up = TestApp::village_for_customer(Customer {
        restrictions: Customer::default().restrictions,
        ..Customer::with_limits(1, 1_000)
    });
    let statuses = [(); 2].map(|()| ask(&used_up, Method::GET, LOOK_UPS[0], &["*"]));
    let mut seen = Vec::new();
    for reply in statuses {
        seen.push(reply.await.status.as_u16());
    }
    assert_eq!(seen, [304, 429], "the quota is one call");
}

#[tokio::test]
async fn each_generation_has_its_own_tag() {
    let [folder, other] = [scratch::folder(), scratch::folder()];
    let data = DataFolder::new(folder.path());
    publish(&data, "2026-01-01-1", &village());
    // Two services that serve the same generation give the same tag.
    let first = tag(&TestApp::serving(&data)).await;
    assert_eq!(tag(&TestApp::serving(&data)).await, first);
    // The same addresses in another generation get another tag, and so do other addresses in a generation of the same name.
    publish(&data, "2026-01-02-1", &village());
    let next = tag(&TestApp::serving(&data)).await;
    let changed = DataFolder::new(other.path());
    publish(&changed, "2026-01-01-1", &[house(29, ("", ""), 1)]);
    let changed = tag(&TestApp::serving(&changed)).await;
    assert!(first != next && first != changed && next != changed);

    let outdated = ask(
        &TestApp::serving(&data),
        Method::GET,
        LOOK_UPS[0],
        &[&first],
    )
    .await;
    assert_eq!(outdated.header("ETag"), Some(&*next));
    assert_eq!(outdated.status.as_u16(), 200);
}

#[tokio::test]
async fn the_sandbox_has_a_tag_of_its_own() {
    let [app, other] = [TestApp::village_on_plan(PlanName::Free), TestApp::empty()];
    let sandbox = |path: &'static str| app.sandbox(path, Some(app.test_key()));
    let reply = sandbox("/v3/lookup/6545CA/29").await;
    let sandbox_tag = reply.header("ETag").expect("a tag").to_owned();
    let again = other.sandbox("/v1/postcodes/6545CA", Some(other.test_key()));
    assert_eq!(again.await.header("ETag"), Some(&*sandbox_tag));
    assert_ne!(tag(&app).await, sandbox_tag);
    let path = "/api/v3/lookup/6545CA/29";
    let headers = [
        ("X-Api-Key", app.test_key()),
        ("If-None-Match", &sandbox_tag),
    ];
    let reply = app.send_with_headers(Method::GET, path, &headers).await;
    is_not_modified(&reply, &sandbox_tag);
}
