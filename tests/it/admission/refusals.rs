//! Checks that a refusal has the same bytes for every cause, so that a client cannot learn why its key was refused.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use postduif::accounts::{AccountId, ApiKey, Environment, KeyGrant, Restrictions};
use postduif::clock::Clock;
use postduif::http::HttpService;
use postduif::http::dispatch;
use postduif::limits::TrustedProxies;
use postduif::snapshot::{CurrentSnapshot, Snapshot};
use postduif::state::AccessControl;
use postduif::state::App;
use postduif::usage::UsageRecorder;

use crate::addresses::village;
use crate::app::{Customer, Reply, key_grant, mint, read};

const V3: &str = "/v3/lookup/1017XN/12";
const V1: &str = "/v1/autocomplete?q=prin";
const SHOP: &str = "https://shop.example.org";

/// The names and values of the headers of a request.
type Headers<'a> = &'a [(&'a str, &'a str)];

/// A live listener, and the keys that the listener knows.
struct Listener {
    service: HttpService,
    free: ApiKey,
    in_network: ApiKey,
    in_pages: ApiKey,
    test: ApiKey,
}

fn bound_keys(key: &ApiKey, restrictions: Restrictions) -> KeyGrant {
    KeyGrant {
        restrictions,
        ..key_grant(key, AccountId::fresh(), &Customer::default())
    }
}

fn start_listener() -> Listener {
    let [free, in_network, in_pages] = [(); 3].map(|()| mint(Environment::Live));
    let test = mint(Environment::Test);
    let networks = Restrictions {
        networks: "192.0.2.0/24 2001:db8::/32".parse().expect("networks"),
        ..Restrictions::default()
    };
    let pages = Restrictions {
        origins: SHOP.parse().expect("an origin"),
        ..Restrictions::default()
    };
    let known = [
        (&free, Restrictions::default()),
        (&in_network, networks),
        (&in_pages, pages),
        (&test, Restrictions::default()),
    ];
    let known = known.map(|(key, restrictions)| (key.digest(), bound_keys(key, restrictions)));
    let village = Snapshot::in_memory(&village()).expect("an index in memory");
    let access = AccessControl::standalone(known, TrustedProxies::default(), Clock::system());
    let live = Arc::new(CurrentSnapshot::from_snapshot(village));
    let app = Arc::new(App::new(
        access,
        UsageRecorder::new().0,
        live,
        Duration::from_mins(1),
    ));
    let service = HttpService::new(dispatch::live_routes(&app));
    Listener {
        service,
        free,
        in_network,
        in_pages,
        test,
    }
}

impl Listener {
    async fn get(&self, path: &str, peer: &str, key: &str, headers: Headers<'_>) -> Reply {
        let peer = SocketAddr::new(peer.parse().expect("an address"), 40_000);
        let request = Request::get(path).extension(ConnectInfo(peer));
        // A missing header and an empty header are different causes of a refusal.
        let request = match key {
            "none" => request,
            key => request.header("X-Api-Key", key),
        };
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        read(
            &self.service,
            request.body(Body::empty()).expect("a request"),
        )
        .await
    }
}

#[tokio::test]
async fn every_refused_key_gets_the_same_bytes() {
    let listener = start_listener();
    let revoked = mint(Environment::Live);
    let (free, test) = (listener.free.reveal(), listener.test.reveal());
    let (in_network, in_pages) = (listener.in_network.reveal(), listener.in_pages.reveal());
    let mistyped = free.replace("pd_live_", "pd_test_");
    let longer = format!("{free}0");
    let page = [("Origin", SHOP)];
    let elsewhere = [("Origin", "https://evil.example")];
    let causes: [(&str, &str, Headers<'_>); 11] = [
        ("no header", "none", &[]),
        ("nothing", "", &[]),
        ("no key", "geheim", &[]),
        ("a wrong checksum", &mistyped, &[]),
        ("one character more", &longer, &[]),
        ("revoked or unknown", revoked.reveal(), &[]),
        ("another environment", test, &[]),
        ("another network", in_network, &[]),
        ("a server that uses the key of a page", in_pages, &[]),
        ("another page", in_pages, &elsewhere),
        ("a page that uses the key of a server", free, &page),
    ];
    for path in [V3, V1] {
        let mut first = None;
        for (cause, key, headers) in causes {
            let reply = listener.get(path, "203.0.113.5", key, headers).await;
            assert_eq!(reply.status, 401, "{path}: {cause}");
            let mut headers = reply.headers.clone();
            headers
                .remove("X-Request-Id")
                .expect("every response has one");
            let headers = (format!("{headers:?}"), reply.text().to_owned());
            assert_eq!(
                first.get_or_insert(headers.clone()),
                &headers,
                "{path}: {cause}"
            );
        }
    }
}
