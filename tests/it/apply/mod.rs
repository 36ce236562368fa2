//! Mutation deliveries: what they do to a register, and what is served then.

mod answers;
mod area;
mod chain;
mod crash;
mod faults;
mod history;
mod interrupted;
pub(crate) mod made;
mod refusals;
mod resumed;
mod rules;
mod run;
mod state;
mod weesp;
