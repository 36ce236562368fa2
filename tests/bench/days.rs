//! Measures daily mutations beside a running service: `cargo bench --bench days -- deliveries | swaps | flips`. For the options,
//! add `--help` after one of these names.
//!
//! Each bench prints its seed, the machine, a table, and one line of JSON at the end. Times differ from run to run and from
//! machine to machine, so compare ratios within one run, or counts.

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
mod made;
mod made_up;
mod open_loop;
mod output;
mod paths;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../it/process.rs"]
mod process;
mod resources;
mod swaps;
mod untouched;
#[expect(dead_code, reason = "only the soak uses the process id of the watcher")]
mod watcher;

use clap::{Parser, Subcommand};
use output::{print_json, print_line};

/// The same allocator as the product binary has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
    /// cargo passes this flag to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum What {
    /// Day after day of mutations under a running load: seconds from file to served, disk, latencies, failures
    Deliveries(deliveries::Arguments),
    /// Swaps between two generations under a running load: every response comes from exactly one of them
    Swaps(swaps::Arguments),
    /// Generations with one flipped byte: each is refused, and the file is named
    Flips(flips::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().what {
        What::Deliveries(arguments) => deliveries::run(&arguments),
        What::Swaps(arguments) => swaps::run(&arguments),
        What::Flips(arguments) => flips::run(&arguments),
    }
}
