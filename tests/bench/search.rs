//! What people find: suites that count, on any generation. `cargo bench --bench search -- SUITE --help` tells more.

#[expect(dead_code, reason = "seeds from the environment are for the tests")]
#[path = "../it/chance.rs"]
mod chance;
mod correction;
#[path = "../suites/correction.rs"]
mod correction_suite;

use clap::{Parser, Subcommand};

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// What cargo passes to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Suite {
    /// Mistyped postcodes: the share that validation puts right
    Correction(correction::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().suite {
        Suite::Correction(arguments) => correction::run(&arguments),
    }
}
