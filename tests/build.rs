//! Makes cargo run two tests per core: most tests wait for another process, not for a core.
//!
//! Cargo also passes variables that a build script sets with `rustc-env` to the test binaries that it starts. A
//! `RUST_TEST_THREADS` that the user sets takes precedence.

use std::thread::available_parallelism;

fn main() {
    println!("cargo::rerun-if-changed=tests/build.rs");
    println!("cargo::rerun-if-env-changed=RUST_TEST_THREADS");
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let threads = 2 * available_parallelism().map_or(1, usize::from);
        println!("cargo::rustc-env=RUST_TEST_THREADS={threads}");
    }
}
