//! Reads a file as a table: detects its format, and splits it into rows and cells.
//!
//! | files | content |
//! |---|---|
//! | `table_format`, `table_sample` | encoding, separator, header and columns, from the beginning of the file |
//! | `row_splitter`, `row_scan`, `stray_quotes`, `cells`, `column_keys` | rows and cells |
//! | `row_names`, `second_header` | a column without a name, and a header that is repeated |
//! | `utf16`, `workbook`, `other_formats` | other encodings and formats, and files that are refused |

mod cells;
mod column_keys;
mod other_formats;
mod row_names;
mod row_scan;
mod row_splitter;
mod second_header;
mod stray_quotes;
mod table_format;
mod table_sample;
mod utf16;
mod workbook;

pub(super) use cells::{push_cell, push_cells, push_changed_cells};
pub use row_splitter::{RawRow, RowSplitter};
pub(super) use second_header::is_header_in_other_order;
pub use table_format::{TableFormat, TableRows};
pub use table_sample::TableOptions;
pub use workbook::{
    WORKBOOK_SEPARATOR, WorkbookText, describe_formulas, has_workbook_content, read_workbook,
};
