//! Whether every goal for speed is reached: `cargo bench --bench goals -- [--data DIR | --addresses N]`, and a soak.
//!
//! The real binary serves as users start it, with everything on, and a bare axum server answers a fixed JSON in a process of
//! its own; wrk takes turns between them, and what counts is the servers' user and system time over the requests they
//! answered. Absolute times drift from run to run, so a goal is a ratio within one round, or a count. `--help` tells the rest.

mod bare;
mod build;
#[expect(dead_code, reason = "seeds from the environment are for the tests")]
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
#[expect(dead_code, reason = "one way of typing is for the bench of days")]
#[path = "../paths.rs"]
mod paths;
#[expect(dead_code, reason = "much of it is for the tests")]
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
    reason = "ways to type are wanted, not what is found"
)]
#[path = "../../suites/relevance/mod.rs"]
mod suite;
mod swap;
mod table;
mod turns;
#[path = "../typing.rs"]
mod typing;
#[path = "../watcher.rs"]
mod watcher;
mod wrk;
mod xml_baseline;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Parser, Subcommand, ValueEnum};

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    run: run::Arguments,
    /// What cargo passes to every bench
    #[arg(long, hide = true, global = true)]
    bench: bool,
    /// Be what is measured against instead
    #[arg(long, hide = true)]
    be: Option<Role>,
}

#[derive(Subcommand)]
enum What {
    /// Half the load that saturates, for many minutes, with deliveries and changed keys: drift, memory, descriptors, failures
    Soak(soak::Arguments),
}

/// What a child of this program is.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Role {
    /// axum's own `serve`, one route, a fixed answer.
    Bare,
    /// Inflating and reading the files of an extract, and nothing else.
    XmlBaseline,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match (arguments.be, arguments.what) {
        (Some(Role::Bare), _) => bare::serve(),
        (Some(Role::XmlBaseline), _) => {
            let extract: PathBuf = arguments.run.extract.context("--extract")?;
            xml_baseline::read(&extract)
        }
        (None, Some(What::Soak(arguments))) => soak::run(&arguments),
        (None, None) => run::run(&arguments.run),
    }
}

/// What is being done, beside what is printed.
fn note(line: &str) {
    // Nobody needs to be told that nobody listens.
    writeln!(std::io::stderr(), "{line} ...").ok();
}

/// A line of what is printed.
fn print_line(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
