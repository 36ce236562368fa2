//! Promises to users, tested from outside: one binary, the routes mirrored by their paths.

mod addresses;
mod app;
mod config;
mod front;
mod generation;
mod process;
mod routes;
mod serve;
mod tidy;
