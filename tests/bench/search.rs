//! Measures the quality and the speed of the search on any generation. See `cargo bench --bench search -- SUITE --help`.

#[expect(dead_code, reason = "only the tests read seeds from the environment")]
#[path = "../it/chance.rs"]
mod chance;
mod correction;
#[path = "../suites/correction.rs"]
mod correction_suite;
#[path = "../suites/country.rs"]
mod country;
mod entered;
#[path = "../suites/entered.rs"]
mod entered_suite;
mod in_process;
mod keystrokes;
mod latency;
#[path = "../suites/real_like/mod.rs"]
mod real_like;
mod relevance;
#[expect(
    dead_code,
    reason = "only the tests check that the place of a fixed query exists"
)]
#[path = "../suites/relevance/mod.rs"]
mod suite;

use clap::{Parser, Subcommand};

/// The allocator of the product binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// cargo passes this flag to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Suite {
    /// Type-ahead: the share of queries whose expected place is the first suggestion or among the first five
    Relevance(relevance::Arguments),
    /// Mistyped postcodes: the share that validation corrects
    Correction(correction::Arguments),
    /// A customer file: the share of rows with a mistake that validation accepts or corrects
    Validation(entered::Arguments),
    /// Make a data folder with the towns and street names of the real country, for the other suites
    RealLike(RealLike),
    /// The duration of each kind of request inside the process
    Latency(latency::Arguments),
}

#[derive(clap::Args)]
struct RealLike {
    /// Folder with the public tables: places, municipalities, names
    #[arg(long)]
    tables: std::path::PathBuf,
    /// Data folder to make
    #[arg(long)]
    out: std::path::PathBuf,
    /// Approximate number of addresses
    #[arg(long, default_value_t = 1_000_000)]
    addresses: usize,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().suite {
        Suite::Relevance(arguments) => relevance::run(&arguments),
        Suite::Correction(arguments) => correction::run(&arguments),
        Suite::Validation(arguments) => entered::run(&arguments),
        Suite::RealLike(made) => {
            real_like::publish(&made.tables, &made.out, made.addresses).map(drop)
        }
        Suite::Latency(arguments) => latency::run(&arguments),
    }
}
