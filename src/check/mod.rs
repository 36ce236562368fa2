//! Checks a file of addresses: reads the rows of a table, validates each row as the service does, and writes the rows with the
//! answers in added columns.
//!
//! Owns the format of tables (encoding, separator, header, columns) and the form of a row's answer. `validation` decides whether
//! an address exists, and `search` finds the address of a cell that holds a whole address. Knows no command line and no HTTP.
//!
//! | module | content |
//! |---|---|
//! | `lines` | the text of an address |
//! | `columns` | the columns of an address |
//! | `table` | files, their rows and cells |
//! | `rows` | the check of a row |
//! | `output` | rows with their answers, corrections, the report |
//! | `pipeline` | the check of all rows on all cores |
//! | `column_role`, `cell_text`, `escapes`, `reason`, `check_error` | types and texts that these modules share |
//!
//! A module imports only modules above it, but `table` and `rows` do not know each other, and all may import the shared types.

mod cell_text;
mod check_error;
mod column_role;
mod columns;
mod escapes;
mod lines;
mod output;
mod pipeline;
mod reason;
mod rows;
mod table;

pub use check_error::FileCheckError;
pub use column_role::ColumnRole;
pub use columns::ColumnMap;
pub use output::{CheckSummary, OutputForm, RegisterField, RowWriter, Sample, render_report};
pub use pipeline::{CheckedChunk, check_rows};
pub use reason::{FieldName, FieldReason, Mistake};
pub use rows::{CheckStatus, RowAnswer, check_row};
pub use table::{
    RawRow, RowSplitter, TableFormat, TableOptions, TableRows, WORKBOOK_SEPARATOR, WorkbookText,
    describe_formulas, has_workbook_content, read_workbook,
};
