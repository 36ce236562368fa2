//! Tests the effect of mutation deliveries on a register and on the served generation.

mod answers;
mod archives;
mod area;
mod chain;
mod crash;
mod faults;
mod former_municipality;
mod history;
mod interrupted;
pub(crate) mod made;
pub(crate) mod permissions;
mod refusals;
mod resumed;
mod rot;
mod rules;
pub(crate) mod run;
mod state;
mod weesp;
