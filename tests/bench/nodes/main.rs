//! Measures several nodes: `cargo bench --bench nodes -- travel | share`.
//!
//! `travel` measures how a first generation, and then the generation of each day, gets from the publisher through a bucket to the
//! nodes: the time and the bytes. `share` measures the processor time per request on one, two and three nodes behind HAProxy, with
//! accounts in PostgreSQL. All processes share the cores of this machine. So requests per second say nothing about several
//! machines, but processor time per request does.

#[path = "../cached_country.rs"]
#[expect(dead_code, reason = "only the bench of days uses existing data")]
mod cached_country;
#[expect(dead_code, reason = "only the tests read seeds from the environment")]
#[path = "../../it/chance.rs"]
mod chance;
#[path = "../client.rs"]
mod client;
#[path = "../cpu.rs"]
mod cpu;
#[path = "../output.rs"]
mod output;
#[path = "../../suites/ports.rs"]
mod ports;
#[expect(dead_code, reason = "only the tests stop and restart a server")]
#[path = "../../suites/postgres.rs"]
mod postgres;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../../it/process.rs"]
mod process;
#[path = "../sample.rs"]
mod sample;
#[path = "../../suites/scratch.rs"]
mod scratch;
mod share;
#[path = "../../suites/skips.rs"]
mod skips;
mod travel;
#[expect(dead_code, reason = "only the goals read a file of requests again")]
#[path = "../goals/wrk.rs"]
mod wrk;

use clap::{Parser, Subcommand};
use output::{print_json, print_line};

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
    /// Publish a first generation and days of mutations to the nodes: seconds and bytes
    Travel(travel::Arguments),
    /// Load one, two and three nodes behind a balancer: processor time per request
    Share(share::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        BenchCommand::Travel(arguments) => travel::run(&arguments),
        BenchCommand::Share(arguments) => share::run(&arguments),
    }
}
