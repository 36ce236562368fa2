//! Measures every goal for speed: `cargo bench --bench goals -- [--data DIR | --addresses N]`. The subcommand `soak` runs a load
//! for many minutes.
//!
//! The real binary serves as users start it, with everything enabled. In another process, a bare axum server returns a fixed JSON
//! response. wrk loads both servers in turn, and the bench measures the user and system time of each server per request. Absolute
//! times differ between runs, so a goal is a ratio within one round, or a count. See `--help`.

mod bare;
mod build;
#[expect(dead_code, reason = "only the tests read seeds from the environment")]
#[path = "../../it/chance.rs"]
mod chance;
#[path = "../client.rs"]
mod client;
mod cost;
mod country;
#[path = "../cpu.rs"]
mod cpu;
#[path = "../day.rs"]
mod day;
mod dense;
mod goal;
mod key_changes;
#[path = "../keystrokes.rs"]
mod keystrokes;
mod machine;
mod mix;
#[path = "../open_loop.rs"]
mod open_loop;
#[expect(
    dead_code,
    reason = "only the bench of days uses one of the ways of typing"
)]
#[path = "../paths.rs"]
mod paths;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../../it/process.rs"]
mod process;
#[path = "../resources.rs"]
mod resources;
mod rows;
mod run;
#[path = "../sample.rs"]
mod sample;
mod scenario;
mod server_metrics;
mod soak;
mod soak_table;
mod start;
#[expect(
    dead_code,
    unused_imports,
    reason = "the goals use only the ways to type, not the scores"
)]
#[path = "../../suites/relevance/mod.rs"]
mod suite;
mod swap;
mod table;
mod traffic;
mod turns;
#[path = "../typing.rs"]
mod typing;
mod typing_session;
#[path = "../watcher.rs"]
mod watcher;
mod wrk;
mod xml_baseline;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Parser, Subcommand, ValueEnum};

/// The allocator of the product binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    run: run::Arguments,
    /// cargo passes this flag to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
    /// Run as this baseline instead of measuring
    #[arg(long, hide = true)]
    be: Option<Role>,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Measure half of the saturating load for many minutes, with deliveries and changed keys: drift, memory, descriptors,
    /// failures
    Soak(soak::Arguments),
}

/// The role of a child process of this program.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Role {
    /// Serves one route and a fixed response with axum's own `serve`.
    Bare,
    /// Only inflates the files of an extract and reads their fields.
    XmlBaseline,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match (arguments.be, arguments.command) {
        (Some(Role::Bare), _) => bare::serve(),
        (Some(Role::XmlBaseline), _) => {
            let extract: PathBuf = arguments.run.extract.context("--extract is missing")?;
            xml_baseline::read(&extract)
        }
        (None, Some(BenchCommand::Soak(arguments))) => soak::run(&arguments),
        (None, None) => run::run(&arguments.run),
    }
}

/// Prints progress on standard error.
fn note(line: &str) {
    // Ignore an error, because a closed standard error is no reason to fail.
    writeln!(std::io::stderr(), "{line} ...").ok();
}

/// Prints a line for the reader of the report.
fn print_line(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
