//! The bodies in which the two dialects say what is wrong.
//!
//! Source: contract.md, Errors.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem, description = "What is wrong, as v3 says it.")]
pub(crate) struct V3ErrorBody {
    pub(super) title: &'static str,
    /// There when parameters could not be read: all that could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<V3InvalidParam>, required = false)]
    pub(super) invalid_params: Option<Vec<V3InvalidParam>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = InvalidParam, description = "A parameter that could not be read.")]
pub(crate) struct V3InvalidParam {
    pub(super) name: &'static str,
    pub(super) reason: &'static str,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Error, description = "What is wrong, as v1 says it.")]
pub(crate) struct V1ErrorBody<'a> {
    #[schema(inline)]
    pub(super) error: V1ErrorDetail<'a>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct V1ErrorDetail<'a> {
    /// For programs.
    pub(super) code: &'static str,
    /// For people; it may change.
    pub(super) message: &'a str,
}
