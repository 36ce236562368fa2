//! Joins a header that is spread over two rows: `Bezoekadres` above `Straat` and `Nr` becomes `Bezoekadres Straat` and `Bezoekadres Nr`.

use std::collections::HashSet;

use super::cell_text::squashed;
use super::table_sample::rows_above_header;
use super::{ColumnMap, TableOptions};

/// Maximum number of digits in the name of a column in the other row of a header. A cell with more digits is a date or part of an address.
const MAX_DIGITS: usize = 1;

/// The rows of a header, and the names of its columns.
pub(super) struct HeaderRows {
    /// Index of the first row.
    pub(super) top: usize,
    /// Index of the last row.
    pub(super) bottom: usize,
    /// The names of the columns. If the header has two rows, each with the names of both.
    pub(super) names: Vec<String>,
}

impl HeaderRows {
    /// Finds the header in `rows`, which must have at least one row. If neither `--columns` nor `--no-header` is given, joins a header that
    /// is spread over two rows.
    pub(super) fn find(rows: &[Vec<String>], options: &TableOptions) -> Self {
        let at = rows_above_header(rows, options);
        let is_described = options.columns.is_some() || options.has_header == Some(false);
        let joined = Self::join(rows, at).filter(|_| !is_described);
        joined.unwrap_or_else(|| Self {
            top: at,
            bottom: at,
            names: rows[at].clone(),
        })
    }

    /// Joins the header in row `at` with the filled row above it, or else with the row below it. `None` unless the joined
    /// names mean more parts of an address than the header alone, or the row above makes equal names distinct.
    fn join(rows: &[Vec<String>], at: usize) -> Option<Self> {
        let is_filled = |row: &usize| rows[*row].iter().any(|cell| !cell.trim().is_empty());
        let above = (0..at).rev().find(is_filled);
        let below = Some(at + 1).filter(|below| *below < rows.len());
        let own = ColumnMap::from_header(&rows[at]).count();
        let mut others = above
            .into_iter()
            .chain(below)
            .filter(|other| has_names(&rows[*other]));
        others.find_map(|other| {
            let (top, bottom) = (at.min(other), at.max(other));
            let names = join_names(&rows[top], &rows[bottom]);
            let count = ColumnMap::from_header(&names).count();
            let is_distinct = other < at && count_distinct(&names) > count_distinct(&rows[at]);
            let is_better = count > own || count == own && is_distinct;
            is_better.then_some(Self { top, bottom, names })
        })
    }
}

/// The names of both rows. A name of the first row also belongs to the columns after it that have a name only in the second row.
fn join_names(top: &[String], bottom: &[String]) -> Vec<String> {
    let cell = |row: &[String], at: usize| row.get(at).map_or("", |cell| cell.trim()).to_owned();
    let mut title = String::new();
    let name = |at: usize| {
        let (own, below) = (cell(top, at), cell(bottom, at));
        if !own.is_empty() || below.is_empty() {
            title = own;
        }
        format!("{title} {below}").trim().to_owned()
    };
    (0..top.len().max(bottom.len())).map(name).collect()
}

/// Whether the cells of a row may be names of columns.
fn has_names(row: &[String]) -> bool {
    let is_name = |cell: &String| {
        let digits = cell.chars().filter(char::is_ascii_digit).count();
        cell.contains(char::is_alphabetic) && digits <= MAX_DIGITS
    };
    row.iter()
        .all(|cell| cell.trim().is_empty() || is_name(cell))
}

fn count_distinct(names: &[String]) -> usize {
    let names: HashSet<String> = names.iter().map(|name| squashed(name)).collect();
    names.iter().filter(|name| !name.is_empty()).count()
}
