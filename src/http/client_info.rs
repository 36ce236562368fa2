//! Where a request comes from, read from its connection and its headers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::header::{FORWARDED, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::accounts::Caller;
use crate::limits::TrustedProxies;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The caller, with `proxies` seen through. A request without a connection counts as one from 0.0.0.0.
pub(super) fn caller<'a>(
    headers: &'a HeaderMap,
    peer: Option<SocketAddr>,
    proxies: &TrustedProxies,
) -> Caller<'a> {
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let lines = |name| headers.get_all(name).iter().map(HeaderValue::as_bytes);
    Caller {
        address: proxies.client(peer, lines(X_FORWARDED_FOR), lines(FORWARDED)),
        origin: lines(ORIGIN).collect(),
        sec_fetch_site: lines(SEC_FETCH_SITE).collect(),
        host: lines(HOST).collect(),
    }
}
