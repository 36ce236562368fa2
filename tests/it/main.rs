//! Promises to users, tested from outside: one binary, the routes mirrored by their paths.

mod accounts;
mod addresses;
mod admission;
mod app;
mod apply;
mod browser;
mod chance;
mod child;
mod cli;
mod clients;
mod config;
mod contents;
mod correction;
mod damage;
mod delivery;
mod front;
mod generation;
mod nearest;
mod openapi;
mod operations;
mod pages;
mod process;
mod publish;
mod readme;
mod real;
mod relevance;
mod round_trip;
mod routes;
mod serve;
mod served;
mod suggest;
mod tidy;
mod tools;
mod town_names;
mod usage;
mod watch;
mod weesp;

#[path = "../suites/correction.rs"]
mod correction_suite;

#[path = "../suites/postgres.rs"]
mod postgres;

#[expect(dead_code, reason = "some of it is for the unit tests of notices")]
#[path = "../suites/mail_sink.rs"]
mod mail_sink;
