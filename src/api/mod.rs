//! All that knows HTTP: what a request asks, in which order it is checked, and how answers and errors read.
//!
//! Owns both versions' bodies and headers, byte for byte. Refuses to decide anything about addresses (that is `query`), to
//! search (that is `index`) and to know why a key is turned away (that is `access`). Source: contract.md, decisions.md.

pub mod admin;
mod body;
mod call;
mod caller;
mod charge;
mod dialect;
mod door;
pub mod figures;
mod front;
mod geo_json;
mod headers;
mod json;
mod meter;
pub mod openapi;
pub mod page;
mod parameters;
mod preflight;
mod problem;
mod reply;
mod routes;
mod submission;
pub mod v1;
pub mod v3;
mod visit;
mod writer;

pub use call::{Answer, Call, GetEndpoint};
pub use door::Door;
pub use front::{Answering, Front};
pub use meter::Meter;
pub use problem::Problem;
pub use reply::Reply;
pub use routes::{LookUp, Routes};
pub use submission::{PostEndpoint, Submission};

use axum::http::Uri;
use axum::response::Response;

use dialect::Dialect;

/// Answers a path that leads nowhere.
pub(crate) fn unknown_path(uri: &Uri) -> Response {
    Problem::NotFound.response(Dialect::of(uri))
}

/// Answers a method that a path does not take; the router adds `Allow`.
pub(crate) fn wrong_method(uri: &Uri) -> Response {
    Problem::MethodNotAllowed.response(Dialect::of(uri))
}

pub(crate) use preflight::{is_preflight, preflight};
