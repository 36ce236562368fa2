//! Service.
pub mod access;
pub mod cli;
