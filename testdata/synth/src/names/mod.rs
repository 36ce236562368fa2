//! Makes the names of towns and streets.

mod short;
mod streets;
mod towns;
pub(crate) mod words;

pub(crate) use short::{short_name, with_room_for_suffix};
pub(crate) use streets::StreetNaming;
pub(crate) use towns::town_name;
