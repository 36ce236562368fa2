//! Measures daily mutations on a running service: `cargo bench --bench days -- deliveries | swaps | flips`. To list the options,
//! add `--help` after one of these names.
//!
//! Each bench prints its seed, the machine, a table, and one line of JSON at the end. Times differ between runs and machines, so
//! compare counts, or ratios within one run.

mod cached_country;
#[expect(dead_code, reason = "only the tests read tries from the environment")]
#[path = "../it/chance.rs"]
mod chance;
mod client;
#[expect(dead_code, reason = "only the goals measure processor time")]
mod cpu;
mod day;
mod days_table;
mod deliveries;
mod flips;
#[expect(dead_code, reason = "only the tests use damaged generations")]
#[path = "../suites/generation.rs"]
mod generation;
mod open_loop;
mod output;
mod paths;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../it/process.rs"]
mod process;
mod resources;
mod similar_addresses;
mod swaps;
mod untouched;
#[expect(dead_code, reason = "only the soak uses the process id of the watcher")]
mod watcher;

use clap::{Parser, Subcommand};
use output::{print_json, print_line};

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
    /// Apply days of mutations under load: seconds from file to served, disk usage, latencies, failures
    Deliveries(deliveries::Arguments),
    /// Swap between two generations under load: every response must come from exactly one generation
    Swaps(swaps::Arguments),
    /// Flip one byte of a generation: the service must refuse the generation and name the file
    Flips(flips::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        BenchCommand::Deliveries(arguments) => deliveries::run(&arguments),
        BenchCommand::Swaps(arguments) => swaps::run(&arguments),
        BenchCommand::Flips(arguments) => flips::run(&arguments),
    }
}
