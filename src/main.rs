//! Runs the binary: passes the arguments to the command line, and exits with its result.

use std::process::ExitCode;

/// A request makes some thirty allocations; mimalloc makes them faster than the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    postduif::cli::run(std::env::args_os()).into()
}
