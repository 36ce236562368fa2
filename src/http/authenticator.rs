//! Authenticates requests: looks up the key of a request, and checks whether the key may be used from this client IP and on this web page.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::http::header::{FORWARDED, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::ApiError;
use super::request::{AuthenticatedRequest, RequestContext, RequestMeta};
use crate::accounts::{AcceptedKeys, ClientInfo, Endpoint, KeyGrant};
use crate::limits::TrustedProxies;
use crate::state::App;

/// The header that contains the key. Source: contract.md, section Authentication.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Authenticates the requests of one listener and path prefix.
#[derive(Clone)]
pub struct Authenticator {
    app: Arc<App>,
    accepts: AcceptedKeys,
}

impl Authenticator {
    /// An authenticator that accepts keys of these environments.
    pub fn new(app: Arc<App>, accepts: AcceptedKeys) -> Self {
        Self { app, accepts }
    }

    /// Checks the key of a request.
    pub(super) fn authenticate(
        &self,
        parts: &Parts,
        meta: RequestMeta,
        endpoint: Endpoint,
    ) -> Result<RequestContext<'_>, ApiError> {
        let proxies = self.app.access.trusted_proxies.load();
        let client = client_info_from_headers(&parts.headers, meta.peer, &proxies);
        let request = AuthenticatedRequest {
            meta,
            grant: self.check_key(&parts.headers, &client)?,
            endpoint,
            client_ip: client.client_ip,
            origin: parts.headers.get(ORIGIN).cloned(),
        };
        Ok(RequestContext::new(&self.app, request))
    }

    /// Checks a key. Before the keys are loaded, an unknown key gets a 503, because it may be valid. A key that cannot be valid gets a 401.
    fn check_key(
        &self,
        headers: &HeaderMap,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, ApiError> {
        let key = single_key(headers);
        let keys = &self.app.access.keys;
        // Check this before the look-up. If the keys were loaded between the look-up and a later check, a valid key would get a 401
        // instead of a 503.
        let may_be_valid = keys.may_accept_after_load(key, self.accepts);
        let granted = keys.authenticate(key, self.accepts, client);
        granted.map_err(|denied| match may_be_valid {
            true => ApiError::AccountsUnavailable,
            false => denied.into(),
        })
    }
}

/// The key of a request. Returns an empty key, which is never valid, if the request has no key or several keys. Several keys are refused,
/// because a proxy in front could check one of them and this program another.
fn single_key(headers: &HeaderMap) -> &[u8] {
    let mut keys = headers.get_all(X_API_KEY).iter();
    match (keys.next(), keys.next()) {
        (Some(key), None) => key.as_bytes(),
        _ => &[],
    }
}

/// The client of a request. If the peer is one of the trusted `proxies`, the client IP is the IP that the proxies report. A request
/// without a connection counts as a request from 0.0.0.0.
fn client_info_from_headers<'a>(
    headers: &'a HeaderMap,
    peer: Option<SocketAddr>,
    proxies: &TrustedProxies,
) -> ClientInfo<'a> {
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let header_values = |name| headers.get_all(name).iter().map(HeaderValue::as_bytes);
    ClientInfo {
        client_ip: proxies.client_ip(
            peer,
            header_values(X_FORWARDED_FOR),
            header_values(FORWARDED),
        ),
        origin: header_values(ORIGIN).collect(),
        sec_fetch_site: header_values(SEC_FETCH_SITE).collect(),
        host: header_values(HOST).collect(),
    }
}
