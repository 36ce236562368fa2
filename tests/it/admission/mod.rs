//! What stands between the socket and the handler: rights and plans, calls per second, the month's bundle, pages in browsers.

mod addresses;
mod months;
mod pages;
mod plans;
mod preflights;
mod rates;
mod refusals;
