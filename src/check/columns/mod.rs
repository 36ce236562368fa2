//! Finds the columns of an address by the names in the header, and corrects them by the cells of the first rows.
//!
//! | files | content |
//! |---|---|
//! | `column_map` | the column of each part of an address |
//! | `find_columns`, `columns_beside`, `suffix_names`, `unrelated_columns` | the choice of the columns by their names |
//! | `column_content`, `columns_by_content` | the choice of the columns by their cells |
//! | `known_names`, `column_names`, `name_words` | the known names, and the words of a name |
//! | `header_names`, `line_names`, `surrounded_names`, `name_remarks`, `merged_tables` | names that are rewritten as known ones |
//! | `address_blocks`, `address_purpose` | several addresses in one table |

mod address_blocks;
mod address_purpose;
mod column_content;
mod column_map;
mod column_names;
mod columns_beside;
mod columns_by_content;
mod find_columns;
mod header_names;
mod known_names;
mod line_names;
mod merged_tables;
mod name_remarks;
mod name_words;
mod suffix_names;
mod surrounded_names;
mod unrelated_columns;

pub(super) use column_content::ColumnContent;
pub use column_map::ColumnMap;
pub(super) use column_map::{column_letters, describe_header, one_line};
pub(super) use column_names::{ends_with_name_of, is_address_column};
pub(super) use known_names::{GENERIC_NAMES, known_names};
pub(super) use merged_tables::find_ambiguous_pair;
pub(super) use name_remarks::without_remark;
