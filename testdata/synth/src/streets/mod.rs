//! Builds the streets of the plan: openbare ruimte, nummeraanduidingen, objects and panden, with the addresses that must be served of them.

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
