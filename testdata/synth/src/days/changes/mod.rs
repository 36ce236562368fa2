//! Makes the kinds of change that mutations contain. Each change is made to one street that has the objects that the change needs.

mod corrections;
mod houses;
mod numbers;
mod objects;
mod plaatsen;
mod street_edit;
mod streets;
mod table;

pub(crate) use street_edit::{FollowUp, StreetEdit};
pub(crate) use streets::{add_street, move_woonplaats, rename_woonplaats};
pub(crate) use table::{CHANGES, NamedChange, OUTSIDE_CHANGES, USUAL_CHANGES, follow_up};
