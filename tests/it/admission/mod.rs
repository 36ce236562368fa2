//! Tests the checks that run before the handler: permissions and plans, calls per second, the monthly quota, and browser origins.

mod ips;
mod origins;
mod plans;
mod preflights;
mod public_live_key;
mod quotas;
mod rates;
mod refusals;
