//! Makes a made-up country or town in the exact format of BAG 2.0 deliveries. Equal parameters make equal deliveries, byte by byte. A
//! delivery of any size is written as a stream.
//!
//! ```text
//! spec         parameters                                     → a checked Spec
//! plan         a Spec                                         → towns and streets, planned while iterating
//! streets      one street of the plan                         → its objects, and the addresses that must be served
//! woonplaatsen the towns of the plan                          → woonplaatsen, and their municipalities over time
//! register     the plan and all changes so far                → the objects and the expected addresses of a day
//! days         a register                                     → the changes of the next day
//! xml          one voorkomen                                  → its XML
//! write        a register, or the changes of a day            → a delivery
//! ```
//!
//! The expected addresses are computed from the plan, not from the XML. The data has the oddities of real registers: history, dates in
//! the future, withdrawn and planned objects, shared and missing numbers, letters and additions of every kind. Names of towns and
//! streets, and all addresses, are made up; municipality codes are real.
//!
//! Source: the BAG 2.0 schemas v20200601, and the layout of real deliveries of 2020 to 2026.

mod calendar;
mod days;
mod geometry;
mod model;
mod names;
mod plan;
mod register;
mod rng;
mod spec;
mod street_name_list;
mod streets;
mod woonplaatsen;
mod write;
mod xml;

#[cfg(test)]
#[path = "../../../tests/suites/skips.rs"]
mod skips;
#[cfg(test)]
mod tests;

pub use model::{ExpectedAddress, ObjectKind};
pub use spec::{Deliveries, Layout, MAX_ADDRESSES, MAX_CHANGES, MAX_DAYS, Spec, SpecError};
pub use street_name_list::{StreetNameList, StreetNameListError};
pub use write::{
    DeliveriesSummary, ExtractSummary, SynthError, SynthProgress, expected_addresses,
    expected_addresses_on, write_deliveries, write_extract, write_extract_on,
};
