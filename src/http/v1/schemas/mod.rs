//! What v1 takes and tells where no other type says it: parameters that are read one by one, bodies that are judged field by
//! field, answers that are written without serde. The description of the interface is made of them; nothing else is.
//!
//! Source: contract.md, Resources and Endpoints: the primary forms.
#![expect(dead_code, reason = "for the description alone")]

mod requests;
mod responses;

pub(super) use super::schemas::requests::{
    AutocompleteQuery, IdPath, ListQuery, PostcodePath, ReverseQuery,
};
pub(crate) use super::schemas::requests::{BulkRequest, ValidateRequest, WantedType};
pub(crate) use super::schemas::responses::{
    AddressAnswer, AddressList, AddressType, BulkAnswer, NearbyList, PostcodeAnswer,
    SuggestionList, ValidationAnswer,
};
