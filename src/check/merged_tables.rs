//! Recognises the columns of two tables that a program merged: pandas writes `straat_x` and `straat_y`, and R `straat.x` and `straat.y`.

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_role::ColumnRole;

/// The ends of names that both tables have: those of the first table, and those of the second one.
const MERGE_SUFFIXES: [[&str; 2]; 2] = [["_x", "_y"], [".x", ".y"]];

/// The header with the mark of the table in front, as in names of two addresses: `x straat` for `straat_x`. Unchanged unless a name occurs
/// with both marks.
pub(super) fn name_merged_tables(header: &[String]) -> Vec<String> {
    let is_merged = (0..header.len()).any(|at| other_column(header, at).is_some());
    let rename = |name: &String| {
        let (base, mark) = split_mark(name).filter(|_| is_merged)?;
        Some(format!("{} {base}", &mark[1..]))
    };
    let names = header.iter();
    names
        .map(|name| rename(name).unwrap_or_else(|| name.clone()))
        .collect()
}

/// The used column of one table and the column of the other table, if nearly all rows have both addresses and they differ. Then the file
/// does not say which one is meant.
pub(super) fn find_ambiguous_pair(
    header: &[String],
    used: impl IntoIterator<Item = (ColumnRole, usize)>,
    rows: &[Vec<String>],
) -> Option<(ColumnRole, [String; 2])> {
    let content = ColumnContent::new(rows);
    let has_other_address = |at: usize, other: usize| {
        let both = rows
            .iter()
            .filter_map(|row| Some((row.get(at)?, row.get(other)?)));
        let mut both = both.map(|(one, other)| [one, other].map(|text| squashed(text)));
        both.any(|[one, other]| !one.is_empty() && !other.is_empty() && one != other)
    };
    used.into_iter().find_map(|(role, at)| {
        let other = other_column(header, at)?;
        let [is_complete, is_other_complete] =
            [at, other].map(|at| content.is_nearly_always_filled(at));
        let is_ambiguous = is_other_complete || !is_complete;
        let names = [at, other].map(|at| header[at].clone());
        (is_ambiguous && has_other_address(at, other)).then_some((role, names))
    })
}

/// The column of the other table with the same name as this column.
fn other_column(header: &[String], at: usize) -> Option<usize> {
    let (base, mark) = split_mark(header.get(at)?)?;
    let pair = MERGE_SUFFIXES.iter().find(|pair| pair.contains(&mark))?;
    let other = pair.iter().find(|other| **other != mark)?;
    header
        .iter()
        .position(|name| name.strip_suffix(other) == Some(base))
}

/// A name without the mark of a merge, and the mark.
fn split_mark(name: &str) -> Option<(&str, &'static str)> {
    let mut marks = MERGE_SUFFIXES.as_flattened().iter();
    marks.find_map(|mark| Some((name.strip_suffix(mark)?, *mark)))
}
