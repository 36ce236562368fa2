//! Checks a row: reads its cells as the fields of an address, validates them, and scores the answer.
//!
//! | files | content |
//! |---|---|
//! | `row_check`, `whole_address` | the check of a row, and of a row with the whole address in one cell |
//! | `row_entry`, `row_cells` | the ways to read the cells |
//! | `first_line` | a first line that is a street |
//! | `postcode_and_city`, `second_line`, `later_lines`, `labelled_address` | cells that hold several parts, and parts in several cells |
//! | `unit_in_text` | a unit in a name, or in text that is left out |
//! | `answer`, `score`, `municipality` | the answer, its score, and the check of the municipality |

mod answer;
mod first_line;
mod labelled_address;
mod later_lines;
mod municipality;
mod postcode_and_city;
mod row_cells;
mod row_check;
mod row_entry;
mod score;
mod second_line;
mod unit_in_text;
mod whole_address;

pub use answer::{CheckStatus, RowAnswer};
pub(super) use later_lines::join_later_lines;
pub(super) use postcode_and_city::are_swapped;
pub(super) use row_cells::{decode_cells, joined_postcode};
pub use row_check::check_row;
