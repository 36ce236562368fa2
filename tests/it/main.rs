//! Promises to users, tested from outside.

mod real;
mod weesp;
