//! Changes the register day by day after the stand day, and records every change as a mutation group in the form of real
//! deliveries.

mod changes;
mod editor;
mod mutation;
mod runner;
mod schedule;

#[cfg(test)]
pub(crate) use changes::CHANGES;
pub(crate) use mutation::{DayChanges, MutationElement, MutationGroup};
pub(crate) use runner::DayRunner;
#[cfg(test)]
pub(crate) use runner::OTHER_CHANGES;
pub(crate) use schedule::has_onderzoek_part;
