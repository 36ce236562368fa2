//! Represents the register of the made-up country on a day after the stand day. Only streets that mutations changed are kept in
//! memory; all other streets are made from the plan.

mod expected;
mod object;
mod state;
mod street_objects;

pub(crate) use expected::{WoonplaatsIndex, expected_of_street};
pub(crate) use object::SynthObject;
pub(crate) use state::{OUTSIDE_WOONPLAATS, SynthRegister};
pub(crate) use street_objects::StreetObjects;
