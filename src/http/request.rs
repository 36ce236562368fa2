//! Tracks one request with a valid key from authentication to its response: what the key permits, the rate and quota that the request
//! uses, and the headers of rate and quota.
//!
//! Source: decisions.md, sections Order of checks and Headers. The order is plan, rate, parameters, quota, work. One call is reserved
//! before the parameters are parsed, because a request with invalid parameters counts too. The result of the reservation is checked only
//! after parsing, so that an invalid parameter gets a 400 even if the quota is used up.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use tokio::time::timeout;
use uuid::{NoContext, Uuid};

use super::api_version::ApiVersion;
use super::negotiation::ContentCoding;
use super::quota_reservation::{ChargeResult, QuotaReservation};
use super::{ApiError, JsonResponse, headers};
use crate::accounts::{Endpoint, Environment, KeyGrant};
use crate::clock;
use crate::limits::{RateLimited, RateStatus};
use crate::snapshot::{Snapshot, SnapshotGuard};
use crate::state::{AccessControl, App};
use crate::usage::RequestEvent;

/// The metadata of a request, taken when it arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestMeta {
    /// The request's `X-Request-Id`.
    pub(super) request_id: Uuid,
    /// The IP and port of the other end of the connection; `None` for a request without a connection.
    pub(super) peer: Option<SocketAddr>,
    pub(super) started_at: Instant,
    pub(super) api_version: ApiVersion,
}

impl RequestMeta {
    pub(super) fn new(uri: &Uri, peer: Option<SocketAddr>) -> Self {
        Self {
            // The 74 random bits of a version 7 UUID make it unique without a shared counter, which would need a lock.
            request_id: Uuid::new_v7(uuid_timestamp(clock::system_time())),
            peer,
            started_at: Instant::now(),
            api_version: ApiVersion::from_uri(uri),
        }
    }
}

fn uuid_timestamp(now: jiff::Timestamp) -> uuid::Timestamp {
    let seconds = u64::try_from(now.as_second()).unwrap_or_default();
    let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or_default();
    uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds)
}

/// A request with a valid key: its metadata, the grant of its key, its endpoint and its client.
pub(super) struct AuthenticatedRequest {
    pub(super) meta: RequestMeta,
    pub(super) grant: Arc<KeyGrant>,
    pub(super) endpoint: Endpoint,
    pub(super) client_ip: IpAddr,
    /// The origin of the page that sent the request; `None` if the request has no `Origin`. The key allows this origin, so the page may
    /// read the response.
    pub(super) origin: Option<HeaderValue>,
}

/// A request with a valid key, and its use of rate and quota.
pub(super) struct RequestContext<'a> {
    app: &'a Arc<App>,
    request: AuthenticatedRequest,
    /// The key's bucket when the request was checked against it; `None` if it was refused before, for example by the limit per IP.
    rate_status: Option<RateStatus>,
    reservation: QuotaReservation,
    /// The generation for the whole request; `None` until the request is authorized.
    snapshot: Option<SnapshotGuard>,
}

impl<'a> RequestContext<'a> {
    pub(super) fn new(app: &'a Arc<App>, request: AuthenticatedRequest) -> Self {
        Self {
            app,
            request,
            rate_status: None,
            reservation: QuotaReservation::default(),
            snapshot: None,
        }
    }

    pub(super) fn app(&self) -> &'a Arc<App> {
        self.app
    }

    pub(super) fn grant(&self) -> &Arc<KeyGrant> {
        &self.request.grant
    }

    pub(super) fn request_timeout(&self) -> Duration {
        self.app.request_timeout
    }

    /// Checks rights, plan and rate, and reserves one call. Never waits.
    ///
    /// # Errors
    /// If rights, plan or rate forbid the request. A quota that is used up is not an error here:
    /// [`snapshot_within_quota`](Self::snapshot_within_quota) returns that error, after the parameters are parsed.
    pub(super) fn authorize(&mut self) -> Result<(), ApiError> {
        self.authorize_without_quota()?;
        self.snapshot = Some(match self.request.grant.environment {
            Environment::Live => self.app.current_snapshot.load(),
            Environment::Test => SnapshotGuard::from_arc(self.app.sandbox_snapshot.clone()),
        });
        self.reservation = QuotaReservation::reserve_one(&self.app.access, &self.request.grant);
        Ok(())
    }

    /// Checks rights, plan and rate. Never waits.
    ///
    /// # Errors
    /// If rights, plan or rate forbid the request.
    pub(super) fn authorize_without_quota(&mut self) -> Result<(), ApiError> {
        self.check_rights()?;
        self.check_rate()
    }

    fn check_rights(&self) -> Result<(), ApiError> {
        // A read-only key may use validation, because validation changes nothing and a checkout needs it.
        if self.request.endpoint == Endpoint::Bulk && self.request.grant.restrictions.read_only {
            return Err(ApiError::ReadOnlyKey);
        }
        if self.request.endpoint == Endpoint::Account && !self.request.grant.shows_account() {
            return Err(ApiError::KeyNotPermitted);
        }
        if !self.request.grant.allows(self.request.endpoint) {
            return Err(ApiError::NotInPlan);
        }
        Ok(())
    }

    /// Checks the limit by IP first, so that no single client can use up a public key's rate for all others.
    fn check_rate(&mut self) -> Result<(), ApiError> {
        let access = &self.app.access;
        let key = self.request.grant.key_id;
        if let Some(per_minute) = self.request.grant.restrictions.per_ip_per_minute
            && let Err(wait) = access
                .ip_limits
                .take(key, per_minute, self.request.client_ip)
        {
            access.limit_metrics.ip.increment(1);
            return Err(RateLimited::from_wait(wait).into());
        }
        let (rate_status, result) = access
            .rate_limiter
            .take(key, self.request.grant.calls_per_second());
        self.rate_status = Some(rate_status);
        Ok(result.inspect_err(|_| access.limit_metrics.rate.increment(1))?)
    }

    /// True if this node must lease a call before it can reserve one for the request.
    pub(super) fn needs_lease(&self) -> bool {
        self.reservation.needs_lease()
    }

    /// Waits until the call is reserved or refused.
    pub(super) async fn wait_for_lease(&mut self) {
        self.reservation
            .wait_for_lease(&self.app.access, &self.request.grant)
            .await;
    }

    /// Like [`wait_for_lease`](Self::wait_for_lease), but waits for at most the request timeout. After the timeout, the result is the same
    /// as if no call could be leased.
    pub(super) async fn wait_for_lease_until_timeout(&mut self) {
        let request_timeout = self.app.request_timeout;
        timeout(request_timeout, self.wait_for_lease()).await.ok();
    }

    /// True if the response takes no call, and this node does not know yet how many calls of this month are left.
    pub(super) fn needs_quota_status(&self) -> bool {
        let grant = &self.request.grant;
        grant.is_metered()
            && matches!(self.reservation, QuotaReservation::Unmetered)
            && !self.app.access.quotas.is_status_known(grant)
    }

    /// Reads the number of calls that are left, for the headers.
    pub(super) async fn read_quota_status(&self) {
        let quotas = &self.app.access.quotas;
        quotas.read_status(&self.request.grant).await;
    }

    /// Reserves one call for each line of a bulk request, or none at all. Waits if calls must be leased.
    pub(super) async fn reserve_lines(&mut self, lines: usize) -> Result<(), ApiError> {
        self.reservation
            .reserve_lines(&self.app.access, &self.request.grant, lines)
            .await
    }

    /// Checks that the call of this request is reserved.
    pub(super) fn require_reserved(&self) -> Result<(), ApiError> {
        self.reservation.require_reserved()
    }

    /// Takes the generation out of the request, for work on another thread.
    pub(super) fn take_snapshot(&mut self) -> Option<SnapshotGuard> {
        self.snapshot.take()
    }

    /// Checks the quota, and then returns the addresses.
    pub(super) fn snapshot_within_quota(&self) -> Result<&Snapshot, ApiError> {
        self.require_reserved()?;
        let snapshot = self.snapshot.as_ref().and_then(SnapshotGuard::get);
        snapshot.ok_or(ApiError::IndexUnavailable)
    }

    /// Sets the entity tag and the coding of a 200 to a GET, or turns it into a 304, depending on the request's headers.
    pub(super) fn negotiate(&self, reply: JsonResponse, headers: &HeaderMap) -> JsonResponse {
        let snapshot = self.snapshot.as_ref().and_then(SnapshotGuard::get);
        let reply = match snapshot {
            Some(snapshot) if has_etag(self.request.endpoint) => {
                reply.with_etag(snapshot.etag(), headers)
            }
            _ => reply,
        };
        reply.with_coding(self.coding(headers))
    }

    /// The content coding of a 200; `None` if the setting `compress_responses` is off.
    pub(super) fn coding(&self, headers: &HeaderMap) -> Option<ContentCoding> {
        let is_negotiated = self.app.response_options.compress;
        is_negotiated.then(|| ContentCoding::negotiate(headers))
    }

    /// Completes the response, except for the request id. Settles the quota by the status, sets the headers for a known key, and records
    /// the usage.
    pub(super) fn finish(mut self, result: Result<JsonResponse, ApiError>) -> Response {
        let refusal = result.as_ref().err().and_then(ApiError::refusal_code);
        let mut response = match result {
            Ok(reply) => reply.into_response(),
            Err(error) => {
                // Counts exhausted quotas here and not at the reservation, because the response is a 400 if parameters are invalid.
                if matches!(error, ApiError::QuotaExceeded { .. }) {
                    self.app.access.limit_metrics.quota.increment(1);
                }
                error.to_response(self.request.meta.api_version)
            }
        };
        let reservation = std::mem::take(&mut self.reservation);
        let charge = reservation.settle(response.status());
        self.set_headers(&mut response, &charge);
        self.record_usage(response.status(), refusal, charge.calls);
        response
    }

    fn set_headers(&mut self, response: &mut Response, charge: &ChargeResult) {
        let AccessControl {
            rate_limiter,
            quotas,
            ..
        } = &*self.app.access;
        let grant = &self.request.grant;
        let quota_status = charge.quota_status;
        let quota_status = quota_status.unwrap_or_else(|| quotas.status(grant));
        let rate_status = self.rate_status;
        let rate_status = rate_status
            .unwrap_or_else(|| rate_limiter.status(grant.key_id, grant.calls_per_second()));
        let response_headers = response.headers_mut();
        headers::set_rate_headers(response_headers, &rate_status);
        if grant.is_metered() {
            headers::set_quota_headers(response_headers, &quota_status);
        } else {
            headers::set_unlimited_quota_headers(response_headers, &quota_status);
        }
        if self.app.response_options.server_timing {
            let duration = self.request.meta.started_at.elapsed();
            headers::set_server_timing(response_headers, duration, self.request.origin.as_ref());
        }
        if let Some(origin) = self.request.origin.take() {
            headers::set_cors(response_headers, origin);
        }
    }

    /// Counts and logs the request. A sandbox request is neither counted nor logged. A request with a built-in key is only logged, because
    /// the key has no row in the database. A request for the account is only logged too, because it shows the counts and must not change
    /// them.
    fn record_usage(&self, status: StatusCode, refusal: Option<&'static str>, calls: u32) {
        let grant = &self.request.grant;
        if grant.environment == Environment::Test {
            return;
        }
        let event = RequestEvent {
            answered_at: self.app.access.clock.now(),
            request_id: self.request.meta.request_id,
            key: grant.key_id,
            endpoint: self.request.endpoint.as_str(),
            status: status.as_u16(),
            refusal,
            lines: calls,
            duration: self.request.meta.started_at.elapsed(),
            client_ip: self.request.client_ip,
        };
        if grant.is_metered() && self.request.endpoint != Endpoint::Account {
            self.app.usage.record(event);
        } else {
            self.app.usage.log(event);
        }
    }
}

/// True if the responses of an endpoint have an entity tag. Look-ups have one, because clients repeat them.
fn has_etag(endpoint: Endpoint) -> bool {
    use Endpoint::{Address, Addresses, Lookup, Postcodes};
    matches!(endpoint, Lookup | Addresses | Address | Postcodes)
}
