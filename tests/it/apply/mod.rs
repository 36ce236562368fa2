//! Mutation deliveries: what they do to a register, and what is served then.

pub(crate) mod made;
mod rules;
mod state;
mod weesp;
