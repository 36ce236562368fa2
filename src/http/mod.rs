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

pub use authenticator::Door;
pub use error::Problem;
pub use get_request::{Answer, Call, GetEndpoint};
pub use post_request::{PostEndpoint, Submission};
pub use response::Reply;
pub use route_metrics::Meter;
pub use routes::{LookUp, Routes};
pub use service::{Answering, Front};

use axum::http::Uri;
use axum::response::Response;

use api_version::Dialect;

/// Answers a path that leads nowhere.
pub(crate) fn unknown_path(uri: &Uri) -> Response {
    Problem::NotFound.response(Dialect::of(uri))
}

/// Answers a method that a path does not take; the router adds `Allow`.
pub(crate) fn wrong_method(uri: &Uri) -> Response {
    Problem::MethodNotAllowed.response(Dialect::of(uri))
}

pub(crate) use preflight::{is_preflight, preflight};
