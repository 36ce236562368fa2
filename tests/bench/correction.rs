//! Runs the correction suite and prints a table: the share of right suggestions, and the microseconds that a validation takes.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use postduif_schema::{Address, DataFolder};

use crate::correction_suite::{Row, run as run_suite};
use crate::suite::TestedIndex;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Mistakes of each kind
    #[arg(long, default_value_t = 10_000)]
    queries: u32,
    /// Seed of the mistakes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = tempfile::tempdir()?;
    let data = match &arguments.data {
        Some(data) => DataFolder::new(data),
        None => crate::country::bundled_town(temporary.path())?,
    };
    let tested = TestedIndex::open(&data);
    let addresses: Vec<Address> = tested.addresses.iter().collect::<Result<_, _>>()?;
    let rows = run_suite(
        &addresses, &tested.snapshot, arguments.queries, arguments.seed,
    )?;
    print(&rows, addresses.len(), arguments)
}

fn print(rows: &[Row], addresses: usize, arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let (queries, seed) = (arguments.queries, arguments.seed);
    writeln!(
        out,
        "{addresses} addresses, {queries} mistakes of each kind, seed {seed}; right suggestions in percent\n"
    )?;
    writeln!(
        out,
        "{:<16} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>12}",
        "mistake", "validated", "hidden", "number", "at best", "clear", "street", "street, city"
    )?;
    for row in rows {
        let [number, street, both] = row.percent();
        let shown = |share: f64| format!("{share:.2}");
        let (at_best, clear) = match row.percent_at_best() {
            Some((at_best, clear)) => (shown(at_best), shown(clear)),
            None => ("-".to_owned(), "-".to_owned()),
        };
        writeln!(
            out,
            "{:<16} {:>7} {:>7} {number:>8.2} {at_best:>8} {clear:>8} {street:>8.2} {both:>12.2}",
            row.mistake, row.validated, row.hidden
        )?;
    }
    writeln!(
        out,
        "\nhidden: the mistake makes another existing postcode; at best: the best possible share with the number alone, since several \
         postcodes are possible;\nclear: the share where exactly one postcode is possible"
    )?;
    print_times(rows, &mut out)
}

fn print_times(rows: &[Row], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nmicroseconds of a validation: median, 99th percentile, maximum\n"
    )?;
    writeln!(
        out,
        "{:<16} {:>22} {:>22} {:>22}",
        "mistake", "number", "street", "street, city"
    )?;
    for row in rows {
        let [number, street, both] = row
            .durations
            .each_ref()
            .map(|durations| format_times(durations));
        writeln!(
            out,
            "{:<16} {number:>22} {street:>22} {both:>22}",
            row.mistake
        )?;
    }
    Ok(())
}

fn format_times(durations: &[Duration]) -> String {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    let at = |percent: usize| {
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted
            .get(place)
            .map_or(f64::NAN, |duration| duration.as_secs_f64() * 1e6)
    };
    format!("{:.1}, {:.1}, {:.1}", at(50), at(99), at(100))
}
