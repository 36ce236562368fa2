//! Tests the networks to which a key is bound, and the limits by client IP.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use postduif::accounts::Restrictions;

use crate::app::{Customer, Reply, TestApp};

const PATH: &str = "/v1/postcodes/1234AB";

fn app(networks: &str, per_minute: Option<u32>, proxies: &str) -> TestApp {
    let customer = Customer {
        restrictions: Restrictions {
            networks: networks.parse().expect("networks"),
            per_ip_per_minute: per_minute.and_then(NonZeroU32::new),
            ..Restrictions::default()
        },
        ..Customer::default()
    };
    TestApp::village_behind(customer, proxies)
}

/// Sends a call from the IP `peer`. `forwarded` is the value of the `X-Forwarded-For` header; `None` sends no such header.
async fn get_from_ip(app: &TestApp, peer: &str, forwarded: Option<&str>) -> Reply {
    let request = Request::get(PATH).header("X-Api-Key", app.live_key());
    let request = forwarded.into_iter().fold(request, |request, value| {
        request.header("X-Forwarded-For", value)
    });
    let mut request = request.body(Body::empty()).expect("a request");
    let peer = SocketAddr::new(peer.parse().expect("an address"), 4711);
    request.extensions_mut().insert(ConnectInfo(peer));
    app.send_raw(request).await
}

#[tokio::test]
async fn a_key_works_only_in_its_networks() {
    let app = app("192.0.2.0/24 2001:db8::/32", None, "10.0.0.0/8");
    for (peer, forwarded, status) in [
        ("192.0.2.77", None, 200),
        ("::ffff:192.0.2.77", None, 200),
        ("2001:db8::7", None, 200),
        ("192.0.3.1", None, 401),
        ("192.0.3.1", Some("192.0.2.77"), 401),
        ("10.0.0.1", Some("192.0.2.77"), 200),
        ("10.0.0.1", Some("192.0.2.77, 198.51.100.1"), 401),
        ("10.0.0.1", Some("203.0.113.5, 192.0.2.7, 10.0.0.2"), 200),
        ("10.0.0.1", Some("192.0.2.7, unknown"), 401),
        ("10.0.0.1", None, 401),
    ] {
        let reply = get_from_ip(&app, peer, forwarded).await;
        assert_eq!(reply.status.as_u16(), status, "{peer} {forwarded:?}");
        if status == 401 {
            assert_eq!(
                reply.headers.len(),
                app.send(axum::http::Method::GET, PATH, None)
                    .await
                    .headers
                    .len()
            );
            reply.assert_v1_error(401, "invalid_api_key");
        }
    }
}

#[tokio::test]
async fn the_forty_first_call_of_a_minute_from_one_ip_is_refused() {
    let app = app("", Some(40), "");
    for (first, neighbour, other) in [
        ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
        ("2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:db8:0:8::1"),
    ] {
        for _ in 0..40 {
            assert_eq!(get_from_ip(&app, first, None).await.status.as_u16(), 200);
            app.clock().advance(Duration::from_secs(1));
        }
        let refused = get_from_ip(&app, neighbour, None).await;
        // The first call was 40 seconds ago, and counts for 60 to 62 seconds.
        let wait = refused.header("Retry-After").expect("a 429 has it");
        let wait_s = wait.parse().expect("seconds");
        assert!((20..=22).contains(&wait_s), "{wait_s}");
        // The headers show the bucket of the key, which is full.
        let limit = refused.header("X-RateLimit-Limit");
        assert_eq!(refused.header("X-RateLimit-Remaining"), limit);
        let now = app.clock().now().as_second().to_string();
        assert_eq!(refused.header("X-RateLimit-Reset"), Some(now.as_str()));
        refused.assert_v1_error(429, "rate_limit_exceeded");
        assert_eq!(get_from_ip(&app, other, None).await.status.as_u16(), 200);
        app.clock().advance(Duration::from_secs(wait_s));
        assert_eq!(get_from_ip(&app, first, None).await.status.as_u16(), 200);
    }
}

/// Sends a call with these header lines from the IP `peer`; returns the status.
async fn with_lines(app: &TestApp, peer: &str, lines: &[(&str, &[u8])]) -> u16 {
    let request = Request::get(PATH).header("X-Api-Key", app.live_key());
    let request = lines.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    let mut request = request.body(Body::empty()).expect("a request");
    let peer = SocketAddr::new(peer.parse().expect("an address"), 4711);
    request.extensions_mut().insert(ConnectInfo(peer));
    app.send_raw(request).await.status.as_u16()
}

/// Header values with which a client pretends to have the IP `192.0.2.7`. A proxy adds its own value after a comma or on another
/// line.
const FORGED_LINES: [&str; 14] = [
    "192.0.2.7",
    "::ffff:192.0.2.7",
    "192.0.2.7:80",
    "[::ffff:192.0.2.7]:80",
    "for=192.0.2.7",
    "for=\"192.0.2.7:80\"",
    "192.0.2.7, 10.0.0.1",
    "for=192.0.2.7, for=10.0.0.1",
    "192.0.2.7,",
    "\"",
    "for=192.0.2.7;for=\"",
    "unknown, 192.0.2.7",
    "10.0.0.1",
    "",
];

/// One key is bound to the network of the forged IP, and another key to the real IP of the client. The test runs without a proxy,
/// and behind one and two proxies.
#[tokio::test]
async fn a_client_cannot_forge_its_ip() {
    let (xff, forwarded) = ("X-Forwarded-For", "Forwarded");
    let wanted = "192.0.2.0/24";
    // The trusted proxies, the IP of the connection, and the values that the proxies add. The real IP of the client is 203.0.113.5.
    let ways: [(&str, &str, &[&str]); 4] = [
        ("", "203.0.113.5", &[]),
        ("10.0.0.0/8", "10.0.0.1", &["203.0.113.5"]),
        (
            "10.0.0.0/8",
            "::ffff:10.0.0.1",
            &["203.0.113.5", "10.0.0.2"],
        ),
        (
            "10.0.0.0/8 2001:db8::/32",
            "2001:db8::1",
            &["203.0.113.5:4711", "10.0.0.2"],
        ),
    ];
    for (proxies, peer, added) in ways {
        let [bound, own] = [wanted, "203.0.113.5"].map(|networks| app(networks, None, proxies));
        let forged_by = |name: &'static str| -> Vec<(&str, Vec<u8>)> {
            let value = |hop: &&str| match name {
                "Forwarded" => format!("for=\"{hop}\"").into_bytes(),
                _ => hop.as_bytes().to_vec(),
            };
            added.iter().map(|hop| (name, value(hop))).collect()
        };
        for (lie, name) in FORGED_LINES
            .iter()
            .flat_map(|lie| [(*lie, xff), (*lie, forwarded)])
        {
            // Do not test a forged `X-Forwarded-For` with a proxy that writes `Forwarded`. Such a proxy must remove
            // `X-Forwarded-For`, and the log reports a proxy that does not.
            let written: &[&'static str] = if name == xff {
                &[xff]
            } else {
                &[xff, forwarded]
            };
            for proxy in written {
                let mut lines = vec![(name, lie.as_bytes().to_vec()); 2];
                lines.extend(forged_by(proxy));
                let all: Vec<(&str, &[u8])> = lines
                    .iter()
                    .map(|(name, value)| (*name, &value[..]))
                    .collect();
                let case = format!("{proxies:?} {peer} {name}: {lie}, then {proxy}");
                assert_eq!(with_lines(&bound, peer, &all).await, 401, "{case}");
                assert_eq!(with_lines(&own, peer, &all).await, 200, "{case}");
            }
        }
    }
}
