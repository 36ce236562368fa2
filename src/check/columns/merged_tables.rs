//! Recognises the columns of two tables that a program merged: pandas writes `straat_x` and `straat_y`, and R `straat.x` and `straat.y`.

use postduif_schema::squashed;

use super::column_content::ColumnContent;
use crate::check::column_role::ColumnRole;

/// The endings that a program adds to names that both tables have. The first of a pair marks the first table, and the second of the pair
/// marks the second table.
const MERGE_SUFFIXES: [[&str; 2]; 2] = [["_x", "_y"], [".x", ".y"]];

/// The header with the merge suffixes in front, as in names of two addresses: `x straat` for `straat_x`. Unchanged unless a name occurs
/// with both suffixes.
pub(super) fn name_merged_tables(header: &[String]) -> Vec<String> {
    let is_merged = (0..header.len()).any(|at| other_column(header, at).is_some());
    let rename = |name: &String| {
        let (base, suffix) = split_merge_suffix(name).filter(|_| is_merged)?;
        Some(format!("{} {base}", &suffix[1..]))
    };
    let names = header.iter();
    names
        .map(|name| rename(name).unwrap_or_else(|| name.clone()))
        .collect()
}

/// The role and the names of a used column and of the same column in the other table, if the two columns differ in some rows, and the used
/// column is not the only one that is nearly always filled. The caller then refuses the file. Columns that are often empty in any table,
/// such as the addition, are not compared.
pub(in crate::check) fn find_ambiguous_pair(
    header: &[String],
    used: impl IntoIterator<Item = (ColumnRole, usize)>,
    rows: &[Vec<String>],
) -> Option<(ColumnRole, [String; 2])> {
    use ColumnRole::{Line, Number, Postcode, Street};
    let content = ColumnContent::new(rows);
    let mut used = used
        .into_iter()
        .filter(|(role, _)| [Line, Number, Postcode, Street].contains(role));
    let has_other_address = |at: usize, other: usize| {
        let both = rows
            .iter()
            .filter_map(|row| Some((row.get(at)?, row.get(other)?)));
        let mut both = both.map(|(one, other)| [one, other].map(|text| squashed(text)));
        both.any(|[one, other]| !one.is_empty() && !other.is_empty() && one != other)
    };
    used.find_map(|(role, at)| {
        let other = other_column(header, at)?;
        let [is_complete, is_other_complete] =
            [at, other].map(|at| content.is_nearly_always_filled(at));
        let is_ambiguous = is_other_complete || !is_complete;
        let names = [at, other].map(|at| header[at].clone());
        (is_ambiguous && has_other_address(at, other)).then_some((role, names))
    })
}

/// The column of the other table that has the same name as column `at`, except for the merge suffix.
fn other_column(header: &[String], at: usize) -> Option<usize> {
    let (base, suffix) = split_merge_suffix(header.get(at)?)?;
    let pair = MERGE_SUFFIXES.iter().find(|pair| pair.contains(&suffix))?;
    let other = pair.iter().find(|other| **other != suffix)?;
    header
        .iter()
        .position(|name| name.strip_suffix(other) == Some(base))
}

/// A name without its merge suffix, and the suffix.
fn split_merge_suffix(name: &str) -> Option<(&str, &'static str)> {
    let mut suffixes = MERGE_SUFFIXES.as_flattened().iter();
    suffixes.find_map(|suffix| Some((name.strip_suffix(suffix)?, *suffix)))
}
