//! Defines the error bodies of both API versions.
//!
//! Source: contract.md, section Errors.

use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct V3ErrorBody {
    pub(super) title: &'static str,
    /// All invalid parameters; `None` for other errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) invalid_params: Option<Vec<V3InvalidParam>>,
}

#[derive(Serialize)]
pub(crate) struct V3InvalidParam {
    pub(super) name: &'static str,
    pub(super) reason: &'static str,
}

#[derive(Serialize)]
pub(crate) struct V1ErrorBody<'a> {
    pub(super) error: V1ErrorDetail<'a>,
}

#[derive(Serialize)]
pub(crate) struct V1ErrorDetail<'a> {
    /// The error code, for programs.
    pub(super) code: &'static str,
    /// The message, for people. Its wording may change.
    pub(super) message: &'a str,
}
