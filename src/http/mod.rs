//! All that knows HTTP: what a request asks, in which order it is checked, and how answers and errors read.
//!
//! Owns both versions' bodies and headers, byte for byte. Refuses to decide anything about addresses (that is `query`), to
//! search (that is `index`) and to know why a key is turned away (that is `access`). Source: contract.md, decisions.md.

pub mod admin;
mod api_version;
mod authenticator;
mod client_info;
pub mod dispatch;
mod error;
mod framing;
mod geo_json;
mod get_request;
mod headers;
mod json;
mod json_writer;
mod limited_body;
pub mod metrics;
pub mod openapi;
mod parameters;
mod post_request;
mod preflight;
mod quota_reservation;
mod request;
mod response;
mod route_metrics;
mod routes;
pub mod server;
mod service;
pub mod v1;
pub mod v3;
pub mod web;

pub use authenticator::Authenticator;
pub use error::ApiError;
pub use get_request::{GetEndpoint, GetRequest, HandlerResponse};
pub use post_request::{PostEndpoint, PostRequest};
pub use response::JsonResponse;
pub use route_metrics::RouteMetrics;
pub use routes::{GetRoute, Routes};
pub use service::{HttpService, ServiceFuture};

use axum::http::Uri;
use axum::response::Response;

use api_version::ApiVersion;

/// Answers a path that leads nowhere.
pub(crate) fn not_found_response(uri: &Uri) -> Response {
    ApiError::NotFound.to_response(ApiVersion::from_uri(uri))
}

/// Answers a method that a path does not take; the router adds `Allow`.
pub(crate) fn method_not_allowed_response(uri: &Uri) -> Response {
    ApiError::MethodNotAllowed.to_response(ApiVersion::from_uri(uri))
}

pub(crate) use preflight::{is_preflight, preflight_response};
