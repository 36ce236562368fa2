//! Tests `postduif check`. Tests of tables and cells call the functions of the command with an index in memory, because a process
//! for each of hundreds of tables would take a minute. Tests of files, options and exit codes run the real binary.

mod calibration;
mod cells;
mod decoys;
mod equality;
mod headers;
mod interruptions;
mod layouts;
mod odd_values;
mod outputs;
mod program_output;
mod second_lines;
mod tables;
mod units;
mod workbooks;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use postduif::check::{
    OutputForm, RegisterField, RowWriter, TableFormat, TableOptions, check_rows as check_all_rows,
};
use postduif::snapshot::Snapshot;
use postduif_schema::Address;

use crate::addresses::village;
use crate::data_dir::village_folder;
use crate::process::postduif;

/// The status, reasons, street, number, letter and addition of a right row of the village.
const HOUSE: &str = "ok||Dijk|29||";
const UNIT: &str = "ok||Dijk|12|A|1";

/// An index of addresses in memory, with which tables are checked.
struct TableCheck(Snapshot);

/// The addresses of the village, which most tests share.
static VILLAGE: LazyLock<TableCheck> = LazyLock::new(|| TableCheck::new(&village()));

impl TableCheck {
    fn new(addresses: &[Address]) -> Self {
        Self(Snapshot::in_memory(addresses).expect("an index in memory"))
    }

    /// Checks a table as the command does; returns the output, which has these added fields of the register. Corrections with at
    /// least this score are applied.
    #[track_caller]
    fn run(
        &self,
        content: impl AsRef<[u8]>,
        fields: &str,
        min_applied_score: Option<f64>,
    ) -> String {
        let (table, mut rows) =
            TableFormat::open(content.as_ref(), &TableOptions::default()).expect("a table");
        let writer = RowWriter {
            table: &table,
            form: OutputForm::Table,
            fields: &RegisterField::parse_list(fields).expect("fields"),
            min_applied_score,
        };
        let mut output = writer.header();
        let checked = check_all_rows(
            || rows.next_row(),
            1,
            (&self.0, &writer),
            |chunk| {
                output.extend(chunk.text);
                Ok(())
            },
        );
        checked.expect("checks");
        String::from_utf8(output).expect("UTF-8")
    }

    /// Checks a table with a header and one row for each expected result, such as [`HOUSE`].
    #[track_caller]
    fn assert_rows(&self, content: impl AsRef<[u8]>, expected: &[&str]) {
        let output = self.run(&content, "street,number,letter,addition", None);
        let rows = output.lines().rev().take(expected.len()).map(added_cells);
        let rows: Vec<String> = rows.collect();
        let shown = String::from_utf8_lossy(content.as_ref());
        assert!(rows.iter().rev().eq(expected), "{shown}: {output}");
        let all = output.lines().count();
        assert!(expected.len() == 1 || all == 1 + expected.len(), "{output}");
    }
}

/// Returns the six cells before the last one: status, reasons, street, number, letter and addition.
fn added_cells(row: &str) -> String {
    let mut cells: Vec<&str> = row.rsplit([';', ',', '\t', '|']).skip(1).take(6).collect();
    cells.reverse();
    cells.join("|")
}

/// Checks a table with a header and one row.
#[track_caller]
fn check_row(content: impl AsRef<[u8]>, expected: &str) {
    VILLAGE.assert_rows(content, &[expected]);
}

/// Checks a table in which every row has this result. One table is checked faster than many with a row each, because most of the time goes
/// to finding the columns.
#[track_caller]
fn check_rows<Row: AsRef<str>>(header: &str, rows: &[Row], expected: &str) {
    let lines = rows.iter().map(|row| format!("\n{}", row.as_ref()));
    let table = format!("{header}{}", lines.collect::<String>());
    VILLAGE.assert_rows(table, &vec![expected; rows.len()]);
}

/// Checks a table. Each row is followed by ` → ` and its result: `status|reasons|street|number|letter|addition`.
#[track_caller]
fn check_table(header: &str, rows: &[&'static str]) {
    let split = |row: &&'static str| row.split_once(" → ").expect("a row and its result");
    let (rows, expected): (Vec<&str>, Vec<&str>) = rows.iter().map(split).unzip();
    VILLAGE.assert_rows(format!("{header}\n{}", rows.join("\n")), &expected);
}

/// Checks a table; returns the output, which has these added fields of the register.
#[track_caller]
fn check(content: impl AsRef<[u8]>, fields: &str) -> String {
    VILLAGE.run(content, fields, None)
}

/// Checks a table and applies corrections with at least this score; returns the output.
#[track_caller]
fn apply(content: impl AsRef<[u8]>, min_score: f64) -> String {
    VILLAGE.run(content, "number", Some(min_score))
}

/// The reason why this content is refused.
#[track_caller]
fn refusal(content: impl AsRef<[u8]>) -> String {
    let refused = TableFormat::open(content.as_ref(), &TableOptions::default()).err();
    refused.expect("no table").to_string()
}

/// A data folder that serves the village; the tests write their files into it.
struct CheckFolder(tempfile::TempDir);

impl CheckFolder {
    fn new() -> Self {
        Self(village_folder())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), content).expect("writes");
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the output in UTF-8")
    }

    /// Prepares the command `postduif check` with this folder as the data folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = postduif();
        command.arg("check").args(arguments);
        command.arg("--data").arg(self.0.path());
        command.current_dir(self.0.path());
        command
    }

    /// Runs the command to its end and checks its exit code; returns standard error.
    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> String {
        let output = self.command(arguments).output().expect("the binary runs");
        stderr_of(&output, code)
    }
}

#[track_caller]
fn stderr_of(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}
