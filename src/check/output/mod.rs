//! Writes checked rows, corrections and the report.
//!
//! | files | content |
//! |---|---|
//! | `row_writer`, `fields` | a checked row as a row of the table or as JSON; the fields of the register in it |
//! | `apply` | corrections in the cells of the input |
//! | `summary`, `report` | counts and samples, and the page that shows them |

mod apply;
mod fields;
mod report;
mod row_writer;
mod summary;

pub(super) use fields::RESULT_PREFIX;
pub use fields::RegisterField;
pub use report::render_report;
pub(super) use row_writer::RowToWrite;
pub use row_writer::{OutputForm, RowWriter};
pub use summary::{CheckSummary, Sample};
