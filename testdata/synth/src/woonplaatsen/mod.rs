//! Makes the woonplaatsen of a delivery, and their municipalities over time.

mod records;
mod relations;

pub(crate) use records::woonplaatsen;
pub(crate) use relations::{RelationRow, relations};
