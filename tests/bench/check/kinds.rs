//! Checks one file for each kind of mistake: the statuses of the rows, and how many rows get the intended address.

use std::io::Write;
use std::path::PathBuf;

use crate::calibration_suite::RowCounts;
use crate::customer_files::{CheckedRow, FileShape, check_file, file_of_kind};
use crate::entered_suite::Entry;
use crate::open_generation::{OpenGeneration, data_folder};

/// The statuses that `postduif check` writes.
const STATUSES: [&str; 5] = ["ok", "corrected", "ambiguous", "not_found", "unreadable"];

/// The minimum score at which a row counts as certain.
const CERTAIN: f64 = 0.95;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation; by default the bundled town
    #[arg(long)]
    data: Option<PathBuf>,
    /// Rows of each file
    #[arg(long, default_value_t = 500)]
    rows: usize,
    /// Seed of the rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many wrong answers of each kind to print
    #[arg(long, default_value_t = 0)]
    show_wrong: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = tempfile::tempdir()?;
    let data = data_folder(arguments.data.as_ref(), temporary.path())?;
    let OpenGeneration {
        snapshot,
        addresses,
    } = OpenGeneration::open(&data)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| kind | rows | right | {} | from {CERTAIN} | right |\n|---|---|---|---|---|---|---|---|---|---|",
        STATUSES.join(" | ")
    )?;
    for kind in Entry::ALL {
        let rows = (kind, arguments.rows);
        let file = file_of_kind(&addresses, &snapshot, rows, arguments.seed);
        let checked = check_file(&file, FileShape::AllFields, &snapshot)?;
        write_kind(&mut out, kind, &checked)?;
        let wrong = checked.iter().filter(|row| !row.is_right);
        for row in wrong.take(arguments.show_wrong) {
            writeln!(out, "    {}", row.text)?;
        }
    }
    Ok(())
}

fn write_kind(out: &mut impl Write, kind: Entry, checked: &[CheckedRow]) -> std::io::Result<()> {
    let (mut all, mut certain) = (RowCounts::default(), RowCounts::default());
    for row in checked {
        all.add(row.is_right);
        if row.score >= CERTAIN {
            certain.add(row.is_right);
        }
    }
    let count = |status| checked.iter().filter(|row| row.status == status).count();
    let statuses = STATUSES.map(|status| count(status).to_string());
    writeln!(
        out,
        "| {kind} | {} | {:.1}% | {} | {} | {:.1}% |",
        all.rows,
        all.percent(),
        statuses.join(" | "),
        certain.rows,
        certain.percent()
    )
}
