//! postduif: an address and postcode look-up service for the Netherlands.
#![doc = include_str!("README.md")]

pub mod accounts;
pub mod check;
pub mod cli;
pub mod clock;
pub mod config;
mod escape;
pub mod http;
pub mod limits;
mod metric;
pub mod notices;
pub mod search;
pub mod snapshot;
pub mod state;
pub mod sync;
pub mod telemetry;
pub mod usage;
pub mod validation;

#[cfg(test)]
#[path = "../tests/suites/addresses.rs"]
#[expect(dead_code, reason = "the integration tests use the rest")]
mod addresses;

#[cfg(test)]
#[path = "../tests/suites/expect_ok.rs"]
mod expect_ok;

#[cfg(test)]
#[path = "../tests/suites/generation.rs"]
#[expect(dead_code, reason = "the integration tests use the rest")]
mod generation;

#[cfg(test)]
#[path = "../tests/suites/json_lines.rs"]
mod json_lines;

#[cfg(test)]
#[path = "../tests/suites/ports.rs"]
mod ports;

#[cfg(test)]
#[path = "../tests/suites/scratch.rs"]
mod scratch;

#[cfg(test)]
#[path = "../tests/suites/skips.rs"]
mod skips;
