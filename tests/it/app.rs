//! Runs the service in memory: the real routers and HTTP services, with a few addresses and fixed keys, but without a port.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Version};
use jiff::Timestamp;
use postduif::accounts::{
    AccountId, AccountTag, ApiKey, CustomLimits, Environment, KeyGrant, KeyId, Plan, PlanName,
    Plans, Restrictions,
};
use postduif::clock::Clock;
use postduif::http::HttpService;
use postduif::http::dispatch;
use postduif::limits::TrustedProxies;
use postduif::snapshot::{CurrentSnapshot, Snapshot};
use postduif::state::{AccessControl, App, ResponseOptions};
use postduif::usage::UsageRecorder;
use postduif_schema::{Address, DataFolder};

use crate::addresses::village;

/// A service in memory with a live and a sandbox listener, and a key for each.
pub(crate) struct TestApp {
    live: HttpService,
    sandbox: HttpService,
    live_key: String,
    test_key: String,
    app: Arc<App>,
}

/// The first time of the test clock: 2026-01-06T11:46:40Z, on the day of the account's creation.
pub(crate) const BEGIN: i64 = 1_767_700_000;

/// The plan of the account that has both keys, and the restrictions of the keys.
#[derive(Clone)]
pub(crate) struct Customer {
    pub(crate) plan: Plan,
    pub(crate) restrictions: Restrictions,
}

/// An account whose limits no test reaches. A test of limits uses [`Customer::with_limits`] or [`Customer::from_plan`].
impl Default for Customer {
    fn default() -> Self {
        Self::with_limits(1_000_000_000, 1_000_000)
    }
}

impl Customer {
    /// An account on this plan, with the limits of the contract.
    pub(crate) fn from_plan(plan: PlanName) -> Self {
        Self::with_own(plan, CustomLimits::default())
    }

    /// An account on the enterprise plan, with these limits.
    pub(crate) fn with_limits(calls_per_month: u32, calls_per_second: u32) -> Self {
        let own = CustomLimits {
            calls_per_month: NonZeroU32::new(calls_per_month),
            calls_per_second: NonZeroU32::new(calls_per_second),
            bulk_max: None,
        };
        Self::with_own(PlanName::Enterprise, own)
    }

    fn with_own(plan: PlanName, own: CustomLimits) -> Self {
        Self {
            plan: Plans::default()
                .resolve(plan, own)
                .expect("numbers that fit"),
            restrictions: Restrictions::default(),
        }
    }
}

/// A response with its whole body.
#[must_use]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl TestApp {
    /// Serves the addresses of [`village`].
    pub(crate) fn village() -> Self {
        Self::from_addresses(&village())
    }

    /// Serves these addresses.
    pub(crate) fn from_addresses(addresses: &[Address]) -> Self {
        let snapshot = Snapshot::in_memory(addresses).expect("an index in memory");
        Self::with_live_snapshot(
            CurrentSnapshot::from_snapshot(snapshot),
            Customer::default(),
        )
    }

    /// Serves the village to a customer with this plan.
    pub(crate) fn village_on_plan(plan: PlanName) -> Self {
        Self::village_for_customer(Customer::from_plan(plan))
    }

    /// Serves the village to this customer.
    pub(crate) fn village_for_customer(customer: Customer) -> Self {
        let village = Snapshot::in_memory(&village()).expect("an index in memory");
        Self::with_live_snapshot(CurrentSnapshot::from_snapshot(village), customer)
    }

    /// Serves the village to this customer, behind these proxies.
    pub(crate) fn village_behind(customer: Customer, proxies: &str) -> Self {
        let village = Snapshot::in_memory(&village()).expect("an index in memory");
        let proxies = proxies.parse().expect("a list of proxies");
        let live = CurrentSnapshot::from_snapshot(village);
        Self::with_options(live, customer, proxies, ResponseOptions::default())
    }

    /// Serves the village to this customer, with these response options.
    pub(crate) fn village_with(customer: Customer, options: ResponseOptions) -> Self {
        let village = Snapshot::in_memory(&village()).expect("an index in memory");
        let live = CurrentSnapshot::from_snapshot(village);
        Self::with_options(live, customer, TrustedProxies::default(), options)
    }

    /// Starts a service that has no generation.
    pub(crate) fn empty() -> Self {
        Self::empty_for_customer(Customer::default())
    }

    /// Starts a service that has no generation, for this customer.
    pub(crate) fn empty_for_customer(customer: Customer) -> Self {
        Self::with_live_snapshot(CurrentSnapshot::default(), customer)
    }

    /// Serves the current generation of a data folder.
    pub(crate) fn serving(data: &DataFolder) -> Self {
        let current = data
            .current_generation()
            .expect("readable")
            .expect("a generation");
        let snapshot = Snapshot::open(data, current, None).expect("opens");
        Self::with_live_snapshot(
            CurrentSnapshot::from_snapshot(snapshot),
            Customer::default(),
        )
    }

    fn with_live_snapshot(live: CurrentSnapshot, customer: Customer) -> Self {
        let options = ResponseOptions::default();
        Self::with_options(live, customer, TrustedProxies::default(), options)
    }

    fn with_options(
        live: CurrentSnapshot,
        customer: Customer,
        proxies: TrustedProxies,
        response_options: ResponseOptions,
    ) -> Self {
        let [live_key, test_key] = [Environment::Live, Environment::Test].map(mint);
        let account = AccountId::fresh();
        let known =
            [&live_key, &test_key].map(|key| (key.digest(), key_grant(key, account, &customer)));
        let clock = Clock::fake(Timestamp::from_second(BEGIN).expect("in range"));
        let access = AccessControl::standalone(known, proxies, clock);
        let (usage, live) = (UsageRecorder::new().0, Arc::new(live));
        let mut app = App::new(access, usage, live, Duration::from_mins(1));
        app.response_options = response_options;
        let app = Arc::new(app);
        Self {
            live: HttpService::new(dispatch::live_routes(&app)),
            sandbox: HttpService::new(dispatch::sandbox_routes(&app)),
            app,
            live_key: live_key.reveal().to_owned(),
            test_key: test_key.reveal().to_owned(),
        }
    }

    /// The clock of the service. Its time changes only if a test advances it.
    pub(crate) fn clock(&self) -> &Clock {
        &self.app.access.clock
    }

    /// Enables or disables the public live key, as the settings do.
    pub(crate) fn set_public_live_key(&self, enabled: bool) {
        self.app.access.keys.set_public_live_key_enabled(enabled);
    }

    pub(crate) fn live_key(&self) -> &str {
        &self.live_key
    }

    pub(crate) fn test_key(&self) -> &str {
        &self.test_key
    }

    /// Sends a GET to the live listener, with the live key.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, Some(&self.live_key)).await
    }

    /// Sends a JSON POST to the live listener, with the live key.
    pub(crate) async fn post(&self, path: &str, body: impl Into<Body>) -> Reply {
        read(&self.live, post(path, Some(&self.live_key), body)).await
    }

    /// Sends a request with any method to the live listener, with or without a key.
    pub(crate) async fn send(&self, method: Method, path: &str, key: Option<&str>) -> Reply {
        read(&self.live, request(method, path, key)).await
    }

    /// Sends a request with these headers and no body to the live listener.
    pub(crate) async fn send_with_headers(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Reply {
        let request = Request::builder().method(method).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        self.send_raw(request.body(Body::empty()).expect("a request"))
            .await
    }

    /// Sends any request to the live listener.
    pub(crate) async fn send_raw(&self, request: Request<Body>) -> Reply {
        read(&self.live, request).await
    }

    /// Sends a GET to the sandbox listener, with or without a key.
    pub(crate) async fn sandbox(&self, path: &str, key: Option<&str>) -> Reply {
        read(&self.sandbox, request(Method::GET, path, key)).await
    }

    /// Sends a JSON POST to the sandbox listener, with the test key.
    pub(crate) async fn post_sandbox(&self, path: &str, body: impl Into<Body>) -> Reply {
        read(&self.sandbox, post(path, Some(&self.test_key), body)).await
    }
}

/// A JSON POST, with or without a key.
pub(crate) fn post(path: &str, key: Option<&str>, body: impl Into<Body>) -> Request<Body> {
    let mut request = request(Method::POST, path, key).map(|_| body.into());
    let json = HeaderValue::from_static("application/json");
    request.headers_mut().insert(CONTENT_TYPE, json);
    request
}

fn request(method: Method, path: &str, key: Option<&str>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    let request = key
        .into_iter()
        .fold(request, |request, key| request.header("X-Api-Key", key));
    request.body(Body::empty()).expect("a request")
}

/// Sends a request through an HTTP service and reads the response to its end.
pub(crate) async fn read(service: &HttpService, mut request: Request<Body>) -> Reply {
    // HTTP/1.1 requires a `Host` header, which most tests do not set.
    if !request.headers().contains_key(HOST) {
        *request.version_mut() = Version::HTTP_10;
    }
    let peer = request.extensions().get().map(|ConnectInfo(peer)| *peer);
    let get = request.method() == Method::GET;
    let (mut parts, body) = service.handle(request, peer).await.into_parts();
    let body = to_bytes(body, usize::MAX)
        .await
        .expect("a body in memory")
        .to_vec();
    // On a real connection, hyper adds a missing `Content-Length`.
    if get {
        let length = parts.headers.entry(CONTENT_LENGTH);
        length.or_insert(body.len().into());
    }
    Reply {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

pub(crate) fn mint(environment: Environment) -> ApiKey {
    ApiKey::generate(environment, AccountTag::random().expect("randomness")).expect("randomness")
}

pub(crate) fn key_grant(key: &ApiKey, account: AccountId, customer: &Customer) -> KeyGrant {
    KeyGrant {
        key_id: KeyId::fresh(),
        account_id: account,
        tag: key.tag(),
        environment: key.environment(),
        plan: customer.plan,
        billing_anchor: jiff::civil::date(2026, 1, 6),
        restrictions: customer.restrictions.clone(),
        expires_at: None,
    }
}

impl Reply {
    /// The value of a header; `None` if it is absent. Panics if it occurs twice.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let values: Vec<&str> = self
            .headers
            .get_all(name)
            .iter()
            .map(|value| value.to_str().expect("visible ASCII"))
            .collect();
        assert!(
            values.len() <= 1,
            "{name} occurs more than once: {values:?}"
        );
        values.first().copied()
    }

    /// Checks that the response is a 200 with exactly this body.
    #[track_caller]
    pub(crate) fn assert_found(&self, body: &str) {
        assert_eq!((self.text(), self.status), (body, StatusCode::OK));
        assert_eq!(self.header(CONTENT_TYPE.as_str()), Some("application/json"));
        assert_eq!(self.header("Cache-Control"), Some("public, max-age=86400"));
        assert_eq!(self.header("Vary"), Some("X-Api-Key, Origin"));
        self.assert_complete();
    }

    /// Checks that the response is a v3 error with this status and exactly this body.
    #[track_caller]
    pub(crate) fn assert_v3_error(&self, status: u16, body: &str) {
        assert_eq!((self.text(), self.status.as_u16()), (body, status));
        self.is_error("application/problem+json");
    }

    /// Checks that the response is a v1 error with this status and code. The message is for people and may change, so it is not
    /// checked.
    #[track_caller]
    pub(crate) fn assert_v1_error(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let body: V1Body =
            serde_json::from_slice(&self.body).expect("an error body of v1 and nothing else");
        assert_eq!(body.error.code, code);
        assert!(!body.error.message.is_empty());
        self.is_error("application/json");
    }

    #[track_caller]
    fn is_error(&self, content_type: &str) {
        assert_eq!(self.header(CONTENT_TYPE.as_str()), Some(content_type));
        assert_eq!(
            (self.header("Cache-Control"), self.header("Vary")),
            (None, None)
        );
        self.assert_complete();
    }

    /// Checks the headers and the length that every response must have.
    #[track_caller]
    fn assert_complete(&self) {
        // The header may be missing, because hyper adds it on a real connection.
        if let Some(length) = self.header(CONTENT_LENGTH.as_str()) {
            assert_eq!(length, self.body.len().to_string());
        }
        let id = self.request_id();
        assert_eq!(id.get_version_num(), 7, "{id}");
    }

    #[track_caller]
    pub(crate) fn request_id(&self) -> uuid::Uuid {
        self.header("X-Request-Id")
            .and_then(|id| id.parse().ok())
            .expect("every response has a UUID of its own")
    }

    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct V1Body {
    error: V1Error,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct V1Error {
    code: String,
    message: String,
}
