//! Builds the streets of the plan: openbare ruimte, nummeraanduidingen, objects and panden, and the addresses in the street that
//! must be served.

mod build;
mod builder;
mod built;
mod draws;
mod heading;
mod openbare_ruimte;
mod plot;
mod plots;

pub(crate) use build::build_street;
pub(crate) use built::{BuiltStreet, ServedAddress};
pub(crate) use openbare_ruimte::build_openbare_ruimte;
