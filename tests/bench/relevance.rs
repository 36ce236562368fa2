//! Measures how well the type-ahead finds the expected places, for each query class, and prints the suggestions for each miss.
//!
//! `cargo bench --bench search -- relevance [--data DIR | --extract ZIP | --country N [--names TSV]] [--class TEXT] [--queries N]
//! [--seed S] [--show-misses K] [--show-vanished K] [--floors]`. By default, the bench builds the bundled town and also runs the
//! fixed queries. To build a large index once for many runs:
//!
//! ```text
//! cargo run --release -p synth -- --addresses 1000000 --names openbareruimte-frequency.tsv --out country.zip
//! postduif index build --data country --extract country.zip
//! cargo bench --bench search -- relevance --data country
//! ```

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use postduif_schema::DataFolder;

use crate::country;
use crate::suite::{self, FixedQuery, Plan, Score, TestedIndex};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Index this delivery, instead of the bundled town
    #[arg(long, value_name = "ZIP", conflicts_with = "data")]
    extract: Option<PathBuf>,
    /// Index a made-up country with this number of addresses, instead of the bundled town
    #[arg(long, value_name = "ADDRESSES", conflicts_with_all = ["data", "extract"])]
    country: Option<u64>,
    /// Street names of the made-up country, one `count<TAB>name` per line
    #[arg(long, requires = "country")]
    names: Option<PathBuf>,
    /// Run only the classes whose name contains this text
    #[arg(long, default_value = "")]
    class: String,
    /// Maximum number of queries per class
    #[arg(long, default_value_t = 100)]
    queries: usize,
    /// How many of the first suggestions count as found, at most five
    #[arg(long, default_value_t = suite::VISIBLE)]
    within: usize,
    /// Seed of the queries
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many misses of each class to print
    #[arg(long, default_value_t = 0)]
    show_misses: usize,
    /// How many queries of each class to print in which the expected place vanished while typing
    #[arg(long, default_value_t = 0)]
    show_vanished: usize,
    /// Print the scores as minimums for the tests, in Rust
    #[arg(long)]
    floors: bool,
}

impl Arguments {
    /// The data folder to search: the given one, or else one that is built in the temporary folder.
    fn data(&self, folder: &Path) -> anyhow::Result<DataFolder> {
        match (&self.data, &self.extract, self.country) {
            (Some(data), _, _) => Ok(DataFolder::new(data)),
            (_, Some(extract), _) => country::delivery(folder, extract),
            (_, _, Some(count)) => country::made_up(folder, count, self.names.as_deref()),
            (None, None, None) => country::bundled_town(folder),
        }
    }

    fn is_town(&self) -> bool {
        self.data.is_none() && self.extract.is_none() && self.country.is_none()
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let made = tempfile::tempdir()?;
    let data = arguments.data(made.path())?;
    let tested = TestedIndex::open(&data);
    let started = Instant::now();
    let plan = Plan {
        queries: arguments.queries,
        seed: arguments.seed,
        within: arguments.within,
        class: arguments.class.clone(),
    };
    let scores = suite::run(&tested, &plan);
    let mut out = io::stdout().lock();
    if arguments.floors {
        return Ok(floors(&scores, &mut out)?);
    }
    writeln!(
        out,
        "{} addresses, seed {}, {:.1} s\n",
        tested.addresses.len(),
        arguments.seed,
        started.elapsed().as_secs_f64()
    )?;
    table(&scores, arguments.within, &mut out)?;
    for score in &scores {
        misses(score.class, &score.misses, arguments.show_misses, &mut out)?;
        let vanished = format!("{}, while typing: vanished", score.class);
        misses(
            &vanished,
            &score.vanished,
            arguments.show_vanished,
            &mut out,
        )?;
    }
    if arguments.is_town() {
        let (town, corner) = (suite::TOWN, suite::CORNER);
        fixed_queries("fixed queries, bundled town", town, &tested, &mut out)?;
        fixed_queries(
            "fixed queries, small index of hard names",
            corner,
            &suite::corner(),
            &mut out,
        )?;
    }
    Ok(())
}

fn table(scores: &[Score], within: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<26} {:>7} {:>7} {:>7} {:>6} {:>6} {:>8} {:>9} {:>9}",
        "class",
        "queries",
        "first",
        format!("in {within}"),
        "mean",
        "p99",
        "letters",
        "vanished",
        "unsteady"
    )?;
    for score in scores.iter().filter(|score| score.queries > 0) {
        let [first, five] = score.hit_rates().map(percent);
        let [mean, p99] = microseconds(&score.durations);
        write!(
            out,
            "{:<26} {:>7} {first:>7} {five:>7} {mean:>6.0} {p99:>6.0}",
            score.class, score.queries
        )?;
        if let (Some(letters), Some([needed, _])) = (&score.letters, score.typing_rates()) {
            let needed = percent(needed);
            let (vanished, unsteady) = (letters.vanished, letters.unsteady);
            write!(out, " {needed:>8} {vanished:>9} {unsteady:>9}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The mean and the 99th percentile, in microseconds.
pub(crate) fn microseconds(durations: &[Duration]) -> [f64; 2] {
    let mut sorted: Vec<f64> = durations
        .iter()
        .map(|duration| duration.as_secs_f64() * 1e6)
        .collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = u32::try_from(sorted.len()).map_or(f64::INFINITY, f64::from);
    let p99 = sorted.get(sorted.len() * 99 / 100).copied();
    [sorted.iter().sum::<f64>() / count, p99.unwrap_or_default()]
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn misses(
    class: &str,
    misses: &[impl Display],
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if most == 0 || misses.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{class}: {} missed", misses.len())?;
    misses
        .iter()
        .take(most)
        .try_for_each(|miss| write!(out, "{miss}"))
}

/// Prints every fixed query that does not find its place. No fixed query should miss.
fn fixed_queries(
    name: &str,
    cases: &[FixedQuery],
    tested: &TestedIndex,
    out: &mut dyn Write,
) -> io::Result<()> {
    let missed: Vec<_> = cases.iter().filter_map(|case| case.miss(tested)).collect();
    writeln!(
        out,
        "\n{name}: {} of {} found",
        cases.len() - missed.len(),
        cases.len()
    )?;
    misses(name, &missed, usize::MAX, out)
}

fn floors(scores: &[Score], out: &mut dyn Write) -> io::Result<()> {
    let floor = |share: f64| (share * 100.0).floor();
    for score in scores {
        let [first, five] = score.hit_rates().map(floor);
        let [saved, steady] = score.typing_rates().map_or([0.0, 0.0], |[needed, steady]| {
            [1.0 - needed, steady].map(floor)
        });
        let class = score.class;
        writeln!(
            out,
            "    ({class:?}, [{first}, {five}, {saved}, {steady}]),"
        )?;
    }
    Ok(())
}
