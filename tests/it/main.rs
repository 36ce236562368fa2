//! Promises to users, tested from outside.

mod chance;
mod child;
mod damage;
mod delivery;
mod publish;
mod real;
mod served;
mod weesp;
