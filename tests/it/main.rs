//! Tests from outside what users rely on. All tests are in one binary. The files below `routes` have the names of the paths that
//! they test.

mod accounts;
mod admission;
mod app;
mod apply;
mod bucket;
mod chance;
mod check;
mod child;
mod cli;
mod clients;
mod compare;
mod config;
mod contents;
mod correction;
mod damage;
mod data_dir;
mod delivery;
mod entered;
mod escapes;
mod faults;
mod fetch;
mod fuzz;
mod guards;
mod nearest;
mod nodes;
mod number_flags;
mod oddities;
mod openapi;
mod operations;
mod pages;
mod panics;
mod process;
mod publish;
mod pull;
mod readme;
mod real_data;
mod relevance;
mod round_trip;
mod routes;
mod samples;
mod serve;
mod small_disk;
mod spellings;
mod suggest;
mod supply;
mod tidy;
mod tools;
mod town_names;
mod traces;
mod usage;
mod watch;
mod weesp;
mod wire;

#[path = "../suites/addresses.rs"]
mod addresses;

#[path = "../suites/calibration.rs"]
mod calibration_suite;

#[path = "../suites/correction.rs"]
mod correction_suite;

#[expect(
    dead_code,
    reason = "only the bench uses the statuses by kind of mistake"
)]
#[path = "../suites/customer_files.rs"]
mod customer_files;

#[path = "../suites/entered.rs"]
mod entered_suite;

#[path = "../suites/generation.rs"]
mod generation;

#[path = "../suites/json_lines.rs"]
mod json_lines;

#[path = "../suites/fuzz/mod.rs"]
mod fuzz_suite;

#[expect(
    dead_code,
    reason = "only unit tests of the accounts database use standbys"
)]
#[path = "../suites/postgres.rs"]
mod postgres;

#[path = "../suites/relay.rs"]
mod relay;

#[expect(dead_code, reason = "only unit tests of notices use the other helpers")]
#[path = "../suites/mail_sink.rs"]
mod mail_sink;

#[path = "../suites/ports.rs"]
mod ports;

#[path = "../suites/scratch.rs"]
mod scratch;

#[path = "../suites/skips.rs"]
mod skips;

#[path = "../suites/store.rs"]
mod store;
