//! Checks a file of addresses: reads the rows of a table, validates each row as the service does, and writes the rows with the
//! answers in added columns.
//!
//! Owns the format of tables (encoding, separator, header, columns) and the form of a row's answer. `validation` decides whether
//! an address exists, and `search` finds the address of a cell that holds a whole address. Knows no command line and no HTTP.

mod addition_words;
mod address_blocks;
mod address_entry;
mod address_purpose;
mod after_number;
mod answer;
mod apply;
mod care_of;
mod cell_text;
mod cells;
mod check_error;
mod column_content;
mod column_names;
mod column_role;
mod columns;
mod columns_beside;
mod columns_by_content;
mod contact_lines;
mod country;
mod entry;
mod escapes;
mod extension_names;
mod fields;
mod find_columns;
mod header_names;
mod labelled_address;
mod later_lines;
mod line;
mod merged_tables;
mod municipality;
mod name_frames;
mod name_remarks;
mod name_words;
mod other_formats;
mod output;
mod pipeline;
mod postcode_and_city;
mod postcode_text;
mod reason;
mod report;
mod row_cells;
mod row_check;
mod row_names;
mod row_number;
mod row_splitter;
mod score;
mod second_header;
mod second_line;
mod stray_quotes;
mod summary;
mod table;
mod table_sample;
mod unrelated_columns;
mod utf16;
mod whole_address;
mod workbook;

pub use answer::{CheckStatus, RowAnswer};
pub use check_error::FileCheckError;
pub use column_role::ColumnRole;
pub use columns::ColumnMap;
pub use fields::RegisterField;
pub use output::{OutputForm, RowWriter};
pub use pipeline::{CheckedChunk, check_rows};
pub use reason::{FieldName, FieldReason, Mistake};
pub use report::render_report;
pub use row_check::check_row;
pub use row_splitter::{RawRow, RowSplitter};
pub use summary::{CheckSummary, Sample};
pub use table::{TableFormat, TableRows};
pub use table_sample::TableOptions;
pub use workbook::{WORKBOOK_SEPARATOR, WorkbookText, has_workbook_content, read_workbook};
