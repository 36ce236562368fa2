//! Measures the speed for one file: with `postduif check` as a child process, then with a loop over `/v1/validate` for the same
//! rows.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::ensure;
use postduif_schema::DataFolder;

use crate::customer_files::{CustomerRow, customer_file};
use crate::open_generation::{OpenGeneration, data_folder};
use crate::{child, cpu, http_loop, process, resources};

/// The maximum number of different rows in a file. A longer file repeats them.
const MAX_DIFFERENT_ROWS: usize = 1_000_000;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town. If --requests is not 0, an account is opened in it
    #[arg(long)]
    data: Option<PathBuf>,
    /// Folder for the input file and its output, which are removed at the end
    #[arg(long, default_value = "/dev/shm")]
    scratch: PathBuf,
    /// Rows of each file
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000")]
    rows: Vec<usize>,
    /// Requests to `/v1/validate`; 0 for no loop
    #[arg(long, default_value_t = 100_000)]
    requests: usize,
    /// Seed of the rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir_in(&arguments.scratch)?;
    let data = data_folder(arguments.data.as_ref(), scratch.path())?;
    let most = arguments.rows.iter().copied().max().unwrap_or_default();
    let different = most.min(MAX_DIFFERENT_ROWS).max(arguments.requests);
    let rows = {
        let OpenGeneration {
            snapshot,
            addresses,
        } = OpenGeneration::open(&data)?;
        customer_file(&addresses, &snapshot, different, arguments.seed)
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}, load {}", cpu::model(), resources::load_average())?;
    for &count in &arguments.rows {
        measure_file(&data, scratch.path(), (&rows, count), &mut out)?;
    }
    if arguments.requests > 0 {
        http_loop::run(&data, &rows[..arguments.requests], &mut out)?;
    }
    Ok(())
}

/// Writes a file with `count` rows, checks it with `postduif check`, and prints the cost.
fn measure_file(
    data: &DataFolder,
    scratch: &Path,
    (rows, count): (&[CustomerRow], usize),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let [input, output] = ["in.csv", "out.csv"].map(|name| scratch.join(name));
    let bytes = write_file(&input, rows.iter().cycle().take(count))?;
    let mut command = process::postduif();
    command.arg("check").arg(&input).arg("--data");
    command.arg(data.path()).arg("--output").arg(&output);
    let usage = child::run(&mut command)?;
    let lines = BufReader::new(File::open(&output)?).split(b'\n').count();
    ensure!(lines == count + 1, "{lines} lines for {count} rows");
    std::fs::remove_file(input)?;
    std::fs::remove_file(output)?;
    let mb = |bytes: u64| bytes / 1_000_000;
    writeln!(
        out,
        "check: {count} rows, {} MB: {}; memory at most {} MB, {} MB of it without mapped files",
        mb(bytes),
        rate_text(count, usage.duration, usage.processor),
        mb(usage.peak_bytes),
        mb(usage.peak_anonymous_bytes)
    )?;
    Ok(())
}

/// A text such as `50000 rows a second, 12.3 s, 20.1 µs of processor time a row`.
pub(crate) fn rate_text(rows: usize, duration: Duration, processor: Duration) -> String {
    let rows = u32::try_from(rows).map_or(f64::MAX, f64::from);
    let seconds = duration.as_secs_f64();
    format!(
        "{:.0} rows a second, {seconds:.1} s, {:.1} µs of processor time a row",
        rows / seconds,
        processor.as_secs_f64() * 1e6 / rows
    )
}

/// Writes the rows to a file; returns the size of the file.
fn write_file<'a>(path: &Path, rows: impl Iterator<Item = &'a CustomerRow>) -> anyhow::Result<u64> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        "klantnummer;naam;e-mail;postcode;huisnummer;huisletter;toevoeging;straat;plaats;opmerking"
    )?;
    for (number, row) in rows.enumerate() {
        let cells = row.cells.join(";");
        writeln!(
            file,
            "{number};Klant {number};klant{number}@example.org;{cells};\"bezorgen bij de buren; niet bellen\""
        )?;
    }
    file.flush()?;
    Ok(file.get_ref().metadata()?.len())
}
