//! Determines the client IP and the web page of a request from its connection and its headers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::header::{FORWARDED, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::accounts::ClientInfo;
use crate::limits::TrustedProxies;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The client of a request. If the peer is one of the trusted `proxies`, the client IP is the IP that the proxies report. A request
/// without a connection counts as a request from 0.0.0.0.
pub(super) fn client_info_from_headers<'a>(
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
