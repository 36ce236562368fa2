//! Server CPU per request: postduif's look-ups against a bare axum server that answers a fixed JSON.
//!
//! `cargo bench --bench http -- [--data DIR] [--rounds N] [--seconds N] [--connections N] [--only NAME]... [--beside EXE]`.
//! Each server runs in a child process of its own; the load takes turns between them, and what counts is the children's user and system time over the
//! requests they answered. Absolute times drift from run to run, so the figure to trust is the ratio. Without `--data` a
//! made-up generation is measured, of as many addresses as `--addresses` says.

mod cpu;
#[expect(dead_code, reason = "damaged generations are for the tests")]
#[path = "../it/generation.rs"]
mod generation;
mod load;
mod made_up;
mod paths;
mod report;
mod scenario;
mod server;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use postduif_schema::DataFolder;

use report::Report;
use server::Child;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Arguments {
    /// Data folder with a published generation; made up when absent
    #[arg(long)]
    data: Option<PathBuf>,
    /// Addresses of the made-up generation
    #[arg(long, default_value_t = 200_000)]
    addresses: u32,
    /// How often the load takes its turn on every scenario
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each turn
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Connections kept alive
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Scenarios whose names begin so; all when absent, and the bare server always
    #[arg(long)]
    only: Vec<String>,
    /// Another build of this bench, whose server takes turns with this one's
    #[arg(long)]
    beside: Option<PathBuf>,
    /// What cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
    /// Be a server instead: `bare` or `postduif`
    #[arg(long, hide = true)]
    be: Option<server::Role>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match arguments.be {
        Some(role) => server::be(role, arguments.data),
        None => measure(&arguments),
    }
}

fn measure(arguments: &Arguments) -> anyhow::Result<()> {
    let made_up = tempfile::tempdir()?;
    let data = match &arguments.data {
        Some(data) => DataFolder::new(data),
        None => made_up::publish(made_up.path(), arguments.addresses),
    };
    let this = std::env::current_exe()?;
    let bare = Child::start(&this, server::Role::Bare, &data)?;
    let mut servers = vec![("", Child::start(&this, server::Role::Postduif, &data)?)];
    if let Some(beside) = &arguments.beside {
        let beside = Child::start(beside, server::Role::Postduif, &data)?;
        servers.push((", beside", beside));
    }
    let (mut scenarios, addresses) = scenario::all(&data, &bare, &servers)?;
    let wanted = |name: &String| arguments.only.iter().any(|begin| name.starts_with(begin));
    scenarios.retain(|scenario| {
        arguments.only.is_empty() || scenario.server == bare.address || wanted(&scenario.name)
    });
    let turn = Duration::from_secs(arguments.seconds);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(addresses);
    for _ in 0..arguments.rounds {
        for scenario in &scenarios {
            let before = cpu::used(scenario.process)?;
            let answered = runtime.block_on(load::run(scenario, arguments.connections, turn))?;
            let used = cpu::used(scenario.process)?.saturating_sub(before);
            report.add(&scenario.name, answered, used, turn);
        }
    }
    report.print()
}
