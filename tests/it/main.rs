//! Promises to users, tested from outside: one binary, the routes mirrored by their paths.

mod addresses;
mod app;
mod cli;
mod config;
mod front;
mod generation;
mod process;
mod readme;
mod round_trip;
mod routes;
mod serve;
mod tidy;
