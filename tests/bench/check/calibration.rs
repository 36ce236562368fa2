//! Measures whether the score of `postduif check` is calibrated, on files with a mistake in one row of five.

use std::io::Write;
use std::path::PathBuf;

use crate::calibration_suite::{BANDS, BandCounts, calibrate, sum};
use crate::customer_files::{FileShape, check_file, customer_file};
use crate::open_generation::{OpenGeneration, data_folder};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Rows of the file; one file is checked for each layout of columns
    #[arg(long, default_value_t = 5_000)]
    rows: usize,
    /// Seed of the rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many wrong rows with a score of at least 0.95 to print, for each layout
    #[arg(long, default_value_t = 0)]
    show_wrong: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = tempfile::tempdir()?;
    let data = data_folder(arguments.data.as_ref(), temporary.path())?;
    let tested = OpenGeneration::open(&data)?;
    let (rows, seed) = (arguments.rows, arguments.seed);
    let file = customer_file(&tested.addresses, &tested.snapshot, rows, seed);
    let shapes = calibrate(&file, &tested.snapshot)?;
    let mut out = std::io::stdout().lock();
    let bands = BANDS.map(|least| format!("{least:.2}")).join(" | ");
    writeln!(
        out,
        "| score from | {bands} |\n|---|---|---|---|---|---|---|"
    )?;
    for (shape, counts) in &shapes {
        write_counts(&mut out, &format!("{shape:?}"), counts)?;
    }
    write_counts(&mut out, "all", &sum(&shapes))?;
    if arguments.show_wrong == 0 {
        return Ok(());
    }
    for shape in FileShape::ALL {
        let checked = check_file(&file, shape, &tested.snapshot)?;
        let rows = checked.iter().zip(&file);
        let wrong = rows.filter(|(row, _)| !row.is_right && row.score >= BANDS[0]);
        for (row, meant) in wrong.take(arguments.show_wrong) {
            let kind = meant.entry.map(|kind| kind.to_string());
            let kind = kind.unwrap_or("no mistake".to_owned());
            let address = &meant.address;
            writeln!(out, "{shape:?}, {kind}: {}\n    {address:?}", row.text)?;
        }
    }
    Ok(())
}

fn write_counts(out: &mut impl Write, name: &str, counts: &BandCounts) -> std::io::Result<()> {
    let cells = counts.map(|count| match count.rows {
        0 => "–".to_owned(),
        rows => format!("{rows}, {:.2}%", count.percent()),
    });
    writeln!(out, "| {name} | {} |", cells.join(" | "))
}
