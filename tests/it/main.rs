//! Promises to users, tested from outside.

mod pipeline;
