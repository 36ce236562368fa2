//! Enters made-up customer files and prints a table of the right answers.

use std::io::Write;
use std::path::PathBuf;

use postduif_schema::DataFolder;

use crate::entered_suite::{EntryScore, run as run_suite};
use crate::relevance::microseconds;
use crate::suite::TestedIndex;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Addresses to enter with each kind of mistake
    #[arg(long, default_value_t = 1_000)]
    queries: usize,
    /// Seed of the mistakes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many wrong answers of each kind to print
    #[arg(long, default_value_t = 0)]
    show_wrong: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = tempfile::tempdir()?;
    let data = match &arguments.data {
        Some(data) => DataFolder::new(data),
        None => crate::country::bundled_town(temporary.path())?,
    };
    let tested = TestedIndex::open(&data);
    let step = usize::try_from(tested.addresses.len())? / MAX_ADDRESSES + 1;
    let addresses: Vec<_> = tested
        .addresses
        .iter()
        .step_by(step)
        .collect::<Result<_, _>>()?;
    print(
        &run_suite(
            &addresses, &tested.snapshot, arguments.queries, arguments.seed,
        )?,
        arguments,
    )
}

/// The maximum number of addresses from which the entries are drawn.
const MAX_ADDRESSES: usize = 1_000_000;

fn print(scores: &[EntryScore], arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<34} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "entered", "entries", "right", "other", "mean", "p99"
    )?;
    for score in scores {
        let [mean, p99] = microseconds(&score.durations);
        writeln!(
            out,
            "{:<34} {:>7} {:>6.1}% {:>7} {mean:>6.0} {p99:>6.0}",
            score.entry,
            score.entries,
            score.percent(),
            score.other
        )?;
        for wrong in score.wrong.iter().take(arguments.show_wrong) {
            writeln!(out, "    {wrong}")?;
        }
    }
    writeln!(
        out,
        "\nright: valid, or the true address is the found or the suggested address; other: another address was found or suggested; microseconds"
    )?;
    Ok(())
}
