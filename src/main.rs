//! The binary: hands the arguments to the command line and its outcome to the operating system.

use std::process::ExitCode;

/// A request allocates some thirty times; mimalloc makes that cheaper than the system's allocator does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    postduif::cli::run(std::env::args_os()).into()
}
