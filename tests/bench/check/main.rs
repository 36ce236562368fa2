//! Measures `postduif check` on any generation: `cargo bench --bench check -- kinds | calibration | speed`. To list the options, add
//! `--help` after one of these names.

mod calibration;
#[path = "../../suites/calibration.rs"]
mod calibration_suite;
#[expect(dead_code, reason = "only the tests read seeds from the environment")]
#[path = "../../it/chance.rs"]
mod chance;
mod child;
#[path = "../client.rs"]
mod client;
#[expect(
    dead_code,
    reason = "only the bench of the search uses the other countries"
)]
#[path = "../../suites/country.rs"]
mod country;
#[path = "../cpu.rs"]
mod cpu;
#[path = "../../suites/customer_files.rs"]
mod customer_files;
#[expect(
    dead_code,
    reason = "only the bench of the search enters addresses without a file"
)]
#[path = "../../suites/entered.rs"]
mod entered_suite;
mod http_loop;
mod kinds;
mod open_generation;
#[expect(dead_code, reason = "only the goals use the other requests")]
#[path = "../paths.rs"]
mod paths;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../../it/process.rs"]
mod process;
#[expect(dead_code, reason = "the goals use the rest")]
#[path = "../resources.rs"]
mod resources;
mod speed;

use clap::{Parser, Subcommand};

/// The allocator of the product binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: BenchCommand,
    /// cargo passes this flag to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Checks a file of each kind of mistake: statuses, and the share of rows that get the address that was meant
    Kinds(kinds::Arguments),
    /// Checks files with a mistake in one row of five: the share of right rows by bands of the score
    Calibration(calibration::Arguments),
    /// Measures rows a second, processor time and memory for a file, and compares them with a loop over `/v1/validate`
    Speed(speed::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        BenchCommand::Kinds(arguments) => kinds::run(&arguments),
        BenchCommand::Calibration(arguments) => calibration::run(&arguments),
        BenchCommand::Speed(arguments) => speed::run(&arguments),
    }
}
