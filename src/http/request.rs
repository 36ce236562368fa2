//! One request of a known key, from the door to the answer: what it may do, what it takes from its bucket and its bundle, and
//! what every answer tells of both.
//!
//! Source: decisions.md, Order of checks and Headers. The order is plan, calls per second, parameters, bundle, work. One call
//! is set aside before the parameters are read and asked for after them, so that a call that counts has been taken.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;

use super::client_info::client_info_from_headers;
use super::quota_reservation::{ChargeResult, QuotaReservation};
use super::service::RequestMeta;
use super::{ApiError, Authenticator, JsonResponse, headers, service};
use crate::accounts::{Endpoint, Environment, KeyGrant};
use crate::limits::{RateLimited, RateStatus};
use crate::snapshot::{Snapshot, SnapshotGuard};
use crate::state::AccessControl;
use crate::state::App;
use crate::usage::RequestEvent;

/// A request whose sender is known.
pub(super) struct RequestContext {
    meta: RequestMeta,
    grant: Arc<KeyGrant>,
    endpoint: Endpoint,
    /// Whether it wants to send something: a key may be for reading alone.
    is_post: bool,
    client_ip: IpAddr,
    /// The page that may read the answer.
    origin: Option<HeaderValue>,
    /// None before anything was taken from the bucket.
    rate_status: Option<RateStatus>,
}

/// What an admitted request has in hand: it outlives the visit where work leaves the async threads.
pub(super) struct Authorized {
    reservation: QuotaReservation,
    /// Held from start to end, so that every part of an answer is of one generation.
    snapshot: SnapshotGuard,
}

impl Authenticator {
    /// Asks for the key. Without a known one there is nothing to tell but that.
    pub(super) fn authenticate(
        &self,
        parts: &Parts,
        meta: RequestMeta,
        endpoint: Endpoint,
    ) -> Result<RequestContext, ApiError> {
        let app = self.app();
        let client = client_info_from_headers(
            &parts.headers,
            meta.peer,
            &app.access.trusted_proxies.load(),
        );
        let grant = self.check_key(&parts.headers, &client)?;
        Ok(RequestContext {
            meta,
            // Its key is admitted, so the page is listed.
            origin: parts.headers.get(ORIGIN).cloned(),
            client_ip: client.client_ip,
            grant,
            endpoint,
            is_post: parts.method == Method::POST,
            rate_status: None,
        })
    }
}

impl RequestContext {
    /// Whom it belongs to.
    pub(super) fn grant(&self) -> &Arc<KeyGrant> {
        &self.grant
    }

    /// Rights and plan, calls per second, and one call set aside, or [waited](Admitted::wait) for.
    pub(super) fn authorize(&mut self, app: &App) -> Result<Authorized, ApiError> {
        if self.is_post && self.grant.restrictions.read_only {
            return Err(ApiError::ReadOnlyKey);
        }
        if !self.grant.allows(self.endpoint) {
            return Err(ApiError::NotInPlan);
        }
        self.check_rate(&app.access)?;
        let snapshot = match self.grant.environment {
            Environment::Live => app.current_snapshot.load(),
            Environment::Test => SnapshotGuard::from_arc(app.sandbox_snapshot.clone()),
        };
        Ok(Authorized {
            reservation: QuotaReservation::reserve_one(&app.access, &self.grant),
            snapshot,
        })
    }

    /// What one address may do comes first, so that nobody empties a public key's bucket for all others.
    fn check_rate(&mut self, access: &AccessControl) -> Result<(), ApiError> {
        let key = self.grant.key_id;
        if let Some(per_minute) = self.grant.restrictions.per_ip_per_minute
            && let Err(wait) = access.ip_limits.check(key, per_minute, self.client_ip)
        {
            access.limit_metrics.ip.increment(1);
            let rate_limited = RateLimited::from_wait(wait);
            // The bucket may hold some yet, but none for this address before its minute is over.
            self.rate_status = Some(RateStatus {
                remaining: 0,
                reset: access.clock.now().as_second() + i64::from(rate_limited.retry_after_s),
                limit: self.grant.calls_per_second(),
            });
            return Err(rate_limited.into());
        }
        let (rate_status, result) = access.rate_limiter.take(key, self.grant.calls_per_second());
        self.rate_status = Some(rate_status);
        Ok(result.inspect_err(|_| access.limit_metrics.rate.increment(1))?)
    }

    /// The whole response to a request that was not let in.
    pub(super) fn reject(self, app: &App, error: &ApiError) -> Response {
        let response = error.to_response(self.meta.api_version);
        self.complete(app, response, ChargeResult::default())
    }

    /// The whole response to one that was.
    pub(super) fn finish(
        self,
        app: &App,
        result: Result<JsonResponse, ApiError>,
        authorized: Authorized,
    ) -> Response {
        let response = match result {
            Ok(reply) => reply.into_response(),
            Err(error) => {
                // Counted here: what was asked wrongly is answered 400, whatever is left of the bundle.
                if matches!(error, ApiError::QuotaExceeded { .. }) {
                    app.access.limit_metrics.quota.increment(1);
                }
                error.to_response(self.meta.api_version)
            }
        };
        let charge = authorized.reservation.settle(response.status());
        self.complete(app, response, charge)
    }

    /// What stands on every response to a known key.
    fn complete(mut self, app: &App, mut response: Response, charge: ChargeResult) -> Response {
        let AccessControl {
            rate_limiter: rates,
            quotas: bundles,
            ..
        } = &*app.access;
        let grant = &self.grant;
        let quota_status = charge.quota_status;
        let quota_status = quota_status.unwrap_or_else(|| bundles.status(grant));
        let rate_status = self.rate_status;
        let rate_status =
            rate_status.unwrap_or_else(|| rates.status(grant.key_id, grant.calls_per_second()));
        let response_headers = response.headers_mut();
        headers::set_rate_headers(response_headers, &rate_status);
        match self.grant.environment {
            Environment::Live => headers::set_quota_headers(response_headers, &quota_status),
            Environment::Test => {
                headers::set_unlimited_quota_headers(response_headers, &quota_status)
            }
        }
        if let Some(origin) = self.origin.take() {
            headers::set_cors(response_headers, origin);
        }
        self.record_usage(app, response.status(), charge.calls);
        response
    }
}

impl RequestContext {
    /// Counts the request and has it written down; the sandbox counts nothing.
    fn record_usage(&self, app: &App, status: StatusCode, calls: u32) {
        if self.grant.environment == Environment::Test {
            return;
        }
        app.usage.record(RequestEvent {
            answered_at: app.access.clock.now(),
            request_id: self.meta.request_id,
            key: self.grant.key_id,
            endpoint: self.endpoint.as_str(),
            status: status.as_u16(),
            lines: calls,
            duration: self.meta.started_at.elapsed(),
            client_ip: self.client_ip,
        });
    }
}

impl Authorized {
    /// Whether the call that was set aside has to be leased first.
    pub(super) fn needs_lease(&self) -> bool {
        self.reservation.needs_lease()
    }

    /// Waits for it, a moment at most.
    pub(super) async fn wait_for_lease(&mut self, access: &AccessControl, grant: &KeyGrant) {
        self.reservation.wait_for_lease(access, grant).await;
    }

    /// The addresses, for a call that is in the bundle.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, ApiError> {
        self.reservation.check()?;
        self.snapshot.get().ok_or(ApiError::IndexUnavailable)
    }

    /// The addresses, for a request of that many lines, each of them a call.
    pub(super) fn snapshot_for_lines(
        &self,
        access: &AccessControl,
        grant: &KeyGrant,
        lines: usize,
    ) -> Result<&Snapshot, ApiError> {
        self.reservation.reserve_lines(access, grant, lines)?;
        self.snapshot()
    }
}

/// The answer, or a 500 in place of a panic. Here and not only in the [`Front`](super::Front), which does not know the key:
/// what is told on every response is told on this one too. What requests share is only ever replaced as a whole, so a panic
/// leaves nothing half changed.
pub(super) fn catch_panic(
    handler: impl FnOnce() -> Result<JsonResponse, ApiError>,
) -> Result<JsonResponse, ApiError> {
    std::panic::catch_unwind(AssertUnwindSafe(handler))
        .unwrap_or_else(|_| Err(service::panic_error()))
}
