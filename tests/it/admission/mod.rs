//! What stands between the socket and the handler: rights and plans, calls per second, the month's bundle, pages in browsers.

mod ips;
mod origins;
mod plans;
mod preflights;
mod quotas;
mod rates;
mod refusals;
