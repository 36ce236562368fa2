//! Mutation deliveries: what they do to a register, and what is served then.

mod made;
mod rules;
mod state;
mod weesp;
