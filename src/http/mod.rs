//! Implements the HTTP interface: connections, routes, the sequence of checks of a request, and the exact bodies and headers of both API
//! versions.
//!
//! Other modules do the rest: `search` finds addresses, `validation` judges an entered address, `accounts` knows the keys, and `limits`
//! counts rate and quota. Source: contract.md, decisions.md.

pub mod admin;
mod api_version;
mod authenticator;
pub mod dispatch;
mod error;
mod framing;
mod geo_json;
mod get_request;
mod headers;
mod json;
pub(crate) mod json_writer;
mod limited_body;
pub mod metrics;
mod negotiation;
pub mod openapi;
mod panics;
mod parameters;
mod post_request;
mod preflight;
mod quota_reservation;
mod redacted;
mod request;
mod request_span;
mod response;
mod response_finisher;
mod route_metrics;
mod routes;
pub mod server;
pub mod v1;
pub mod v3;
pub mod web;

pub use authenticator::Authenticator;
pub use dispatch::HttpService;
pub use error::ApiError;
pub use get_request::GetRequest;
pub use post_request::{PostEndpoint, PostRequest};
pub use response::JsonResponse;
pub use route_metrics::RouteMetrics;
pub use routes::{EndpointRoute, Handler, Route, Routes};
