//! Reads pairs of a postcode and a house number from a table. The file may have any format that `check` reads.

use std::path::Path;

use anyhow::{Context as _, ensure};
use postduif_schema::files::open_regular;
use postduif_schema::{HouseNumber, Postcode};
use serde::Serialize;

use crate::check::{ColumnRole, TableFormat, TableOptions, TableRows};

/// A postcode and a house number that v3 can look up.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct AddressPair {
    pub(super) postcode: Postcode,
    pub(super) number: HouseNumber,
}

/// Reads the rows of a file that are not blank: the pair of each, or `None` if v3 cannot look the row up.
pub(super) struct PairReader {
    table: TableFormat,
    rows: TableRows<'static>,
    /// The columns of the postcode and the number.
    columns: [usize; 2],
}

/// The number of pairs and of other rows in a file.
#[derive(Debug, Default)]
pub(super) struct PairCounts {
    pub(super) pairs: u64,
    /// Rows without a valid postcode, or with a house number that is not only digits, such as `5a`.
    pub(super) skipped_rows: u64,
}

impl PairCounts {
    /// Counts the rows of the whole file, so that a mistake in the file is found before the first call.
    pub(super) fn read(path: &Path, options: &TableOptions) -> anyhow::Result<Self> {
        let mut counts = Self::default();
        for row in PairReader::open(path, options)? {
            match row? {
                Some(_) => counts.pairs += 1,
                None => counts.skipped_rows += 1,
            }
        }
        ensure!(
            counts.pairs > 0,
            "{}: no row has a postcode such as 1234AB and a house number such as 5 ({} rows were read)",
            path.display(),
            counts.skipped_rows
        );
        Ok(counts)
    }
}

impl PairReader {
    /// Opens a file and recognises its columns.
    pub(super) fn open(path: &Path, options: &TableOptions) -> anyhow::Result<Self> {
        let shown = path.display();
        let file = open_regular(path).with_context(|| shown.to_string())?;
        let (table, rows) = TableFormat::open(file, options).with_context(|| shown.to_string())?;
        let column = |role: ColumnRole| {
            let name = role.as_str();
            let missing = || {
                format!("{shown}: no column is recognised as the {name}; name it with --columns")
            };
            table.columns.get(role).with_context(missing)
        };
        let columns = [column(ColumnRole::Postcode)?, column(ColumnRole::Number)?];
        Ok(Self {
            table,
            rows,
            columns,
        })
    }
}

impl Iterator for PairReader {
    type Item = anyhow::Result<Option<AddressPair>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = match self.rows.next_row() {
                Ok(row) => row?,
                Err(error) => return Some(Err(error.into())),
            };
            if !row.bytes.is_empty() {
                let cells = self.table.cells(&row);
                let [postcode, number] = self.columns.map(|at| cells.get(at));
                return Some(Ok(postcode.zip(number).and_then(parse_pair)));
            }
        }
    }
}

/// Parses a pair as v3 accepts it. Removes the space from the postcode, as clients of v3 do. Returns `None` if the number has a
/// letter or an addition, because clients of v3 cannot send these.
fn parse_pair((postcode, number): (&String, &String)) -> Option<AddressPair> {
    let postcode: String = postcode.split_whitespace().collect();
    Some(AddressPair {
        postcode: postcode.parse().ok()?,
        number: number.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_a_postcode_and_a_whole_number() {
        #[track_caller]
        fn case(postcode: &str, number: &str, expected: Option<&str>) {
            let pair = parse_pair((&postcode.to_owned(), &number.to_owned()));
            let shown = pair.map(|pair| format!("{}/{}", pair.postcode, pair.number));
            assert_eq!(shown.as_deref(), expected, "{postcode:?} {number:?}");
        }
        case("1234AB", "5", Some("1234AB/5"));
        case(" 1234 ab ", " 5 ", Some("1234AB/5"));
        case("1234AB", "5a", None);
        case("1234AB", "0", None);
        case("1234AB", "100000", None);
        case("1234A", "5", None);
        case("", "", None);
    }
}
