//! Judges the columns of a table by the cells of the first rows: whether a column holds what its name promises.
//!
//! Assumption: a column suits a role or holds places (postcode and city) if at least half of its filled cells do. Two columns have
//! different numbers if more than half of the rows with both cells filled do. A column without filled cells suits every role, but
//! holds no places.

use postduif_schema::{HouseNumberAddition, Postcode, fold, squashed};

use crate::check::cell_text::is_placeholder;
use crate::check::column_role::ColumnRole;
use crate::check::escapes::decode_escapes;
use crate::check::lines::{
    AddressEntry, is_number_like, parse_number, split_address, split_postcode_and_city,
    split_postcode_and_number,
};
use crate::search::{has_digit, is_four_digits, is_po_box_name};

/// In a sample of at least this many rows, a column of letters or additions with the same text in every row may be a code for something
/// else.
const MIN_ROWS_FOR_CODE: usize = 10;

/// The cells of the first rows of a table.
pub(in crate::check) struct ColumnContent {
    /// For each row, the trimmed text of each column; empty for a placeholder such as `NULL`. `None` if the rows are unknown. Then every
    /// column suits every role.
    rows: Option<Vec<Vec<String>>>,
}

impl ColumnContent {
    /// The content of a table of which only the header is known.
    pub(super) fn unknown() -> Self {
        Self { rows: None }
    }

    pub(in crate::check) fn new(rows: &[Vec<String>]) -> Self {
        let text = |cell: &String| match cell.trim() {
            text if is_placeholder(text, ColumnRole::City) => String::new(),
            text => decode_escapes(text).into_owned(),
        };
        let trimmed = |row: &Vec<String>| row.iter().map(text).collect();
        Self {
            rows: Some(rows.iter().map(trimmed).collect()),
        }
    }

    /// Whether a column has text in the first rows.
    pub(in crate::check) fn is_filled(&self, at: usize) -> bool {
        self.rows.is_none() || self.cells(at).next().is_some()
    }

    /// Whether a column has text in at least 90% of the first rows that are not empty; true if the rows are unknown.
    pub(super) fn is_nearly_always_filled(&self, at: usize) -> bool {
        let rows = self.rows.iter().flatten();
        let rows = rows.filter(|row| row.iter().any(|cell| !cell.is_empty()));
        self.cells(at).count() * 10 >= rows.count() * 9
    }

    /// Whether the cells of a column can be what the role says. A city has letters, and a letter or an addition is short.
    pub(super) fn suits(&self, role: ColumnRole, at: usize) -> bool {
        match role {
            ColumnRole::City => self.are_mostly(at, |cell| cell.contains(char::is_alphabetic)),
            ColumnRole::Letter | ColumnRole::Addition => self.are_mostly_suffixes(at, role),
            ColumnRole::PostcodeLetters => self.are_mostly(at, is_postcode_letters),
            _ => true,
        }
    }

    /// Whether a column is filled and at least half of its cells have a digit; true if the rows are unknown.
    pub(in crate::check) fn holds_numbers(&self, at: usize) -> bool {
        self.is_filled(at) && self.are_mostly(at, has_digit)
    }

    /// Whether a column is filled and at least half of its cells are house numbers.
    pub(in crate::check) fn holds_house_numbers(&self, at: usize) -> bool {
        self.is_filled(at) && self.are_mostly(at, |cell| parse_number(cell).is_some())
    }

    /// Whether a column without a name holds additions: no cell is `NL` or longer than an addition, and at least half of the filled cells
    /// look like an addition.
    pub(super) fn holds_short_suffixes(&self, at: usize) -> bool {
        let is_short = |cell: &str| {
            cell.chars().count() <= HouseNumberAddition::MAX_CHARS && squashed(cell) != "nl"
        };
        self.is_known(at) && self.cells(at).all(is_short) && self.suits(ColumnRole::Addition, at)
    }

    pub(in crate::check) fn holds_postcode_and_city(&self, at: usize) -> bool {
        let has_place = |cell: &str| split_postcode_and_city(cell).is_some();
        self.is_known(at) && self.are_mostly(at, has_place)
    }

    /// Whether most cells of a column hold a postcode and other parts of an address.
    pub(super) fn holds_places(&self, at: usize) -> bool {
        let has_postcode = |cell: &str| {
            let mut readings = split_address(cell).into_iter();
            split_postcode_and_city(cell).is_some()
                || readings.any(|reading| reading.postcode.is_some_and(|text| !text.is_empty()))
        };
        self.is_known(at) && self.are_mostly(at, has_postcode)
    }

    pub(in crate::check) fn holds_postcode_and_number(&self, at: usize) -> bool {
        self.is_known(at) && self.are_mostly(at, |cell| split_postcode_and_number(cell).is_some())
    }

    /// The column in which the most cells hold a street and a house number. If `with_place`, the cells must also have a postcode or a city;
    /// otherwise, they must have neither. `None` if at most half of all rows have such a cell.
    pub(super) fn find_line_column(&self, with_place: bool) -> Option<usize> {
        self.find_column(|cell| {
            let mut readings = split_address(cell).into_iter();
            readings.any(|reading| is_line(&reading) && has_place(&reading) == with_place)
        })
    }

    pub(super) fn holds_po_boxes(&self, at: usize) -> bool {
        self.is_known(at) && self.are_mostly(at, |cell| is_po_box_name(&fold(cell)))
    }

    pub(in crate::check) fn holds_postcodes(&self, at: usize) -> bool {
        self.is_known(at) && self.are_mostly(at, |cell| Postcode::from_input(cell).is_ok())
    }

    /// The column in which the most cells have a property. `None` unless more than half of all rows have such a cell.
    pub(super) fn find_column(&self, has: impl Fn(&str) -> bool) -> Option<usize> {
        let rows = self.rows.as_ref()?;
        let width = rows.iter().map(Vec::len).max()?;
        let counts = (0..width).map(|at| (self.cells(at).filter(|cell| has(cell)).count(), at));
        let (count, at) = counts.rev().max_by_key(|(count, _)| *count)?;
        (2 * count > rows.len()).then_some(at)
    }

    /// Whether most cells of column `at` hold the digits of postcodes, and most cells of column `letters` hold the letters.
    pub(super) fn holds_split_postcode(&self, at: usize, letters: usize) -> bool {
        self.is_known(at)
            && self.is_known(letters)
            && self.are_mostly(at, is_four_digits)
            && self.are_mostly(letters, is_postcode_letters)
    }

    /// Whether most cells of column `at` hold a street with another house number than column `number`.
    pub(super) fn numbers_differ(&self, at: usize, number: usize) -> bool {
        let rows = self.rows.iter().flatten();
        let both = rows.filter_map(|row| Some((row.get(at)?, row.get(number)?)));
        let mut filled = 0;
        let mut other = 0;
        for (line, number) in both.filter(|(line, number)| !line.is_empty() && !number.is_empty()) {
            filled += 1;
            let number = parse_number(number).map(|number| number.number);
            let readings = split_address(line);
            let mut named = readings
                .iter()
                .filter(|reading| has_street(reading.street.as_deref()));
            let is_repeated = readings
                .iter()
                .any(|reading| Some(reading.number.number) == number);
            other += usize::from(named.next().is_some() && !is_repeated);
        }
        filled > 0 && 2 * other > filled
    }

    fn is_known(&self, at: usize) -> bool {
        self.rows.is_some() && self.is_filled(at)
    }

    /// The texts of the filled cells of a column.
    pub(super) fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().flatten();
        let cells = rows.filter_map(move |row| row.get(at).map(String::as_str));
        cells.filter(|cell| !cell.is_empty())
    }

    /// Whether at least half of the filled cells have a property.
    fn are_mostly(&self, at: usize, has: impl Fn(&str) -> bool) -> bool {
        let filled = self.cells(at).count();
        let having = self.cells(at).filter(|cell| has(cell)).count();
        2 * having >= filled
    }

    /// Whether at least half of the filled cells can be letters or additions. Placeholders such as `nee` do not count as filled.
    fn are_mostly_suffixes(&self, at: usize, role: ColumnRole) -> bool {
        let filled = || self.cells(at).filter(|cell| !is_placeholder(cell, role));
        2 * filled().filter(|cell| is_number_like(cell)).count() >= filled().count()
    }

    /// Whether all rows have the same text in a column. If the name of such a column is vague, the column is a code for something else.
    /// Placeholders such as `nee` are no code.
    pub(super) fn has_one_text(&self, at: usize) -> bool {
        let rows = self.rows.as_ref().map_or(0, Vec::len);
        let mut cells = self.cells(at);
        let first = cells.next();
        rows >= MIN_ROWS_FOR_CODE
            && self.cells(at).count() == rows
            && cells.all(|cell| Some(cell) == first)
            && !first.is_some_and(|cell| is_placeholder(cell, ColumnRole::Letter))
    }
}

fn is_postcode_letters(cell: &str) -> bool {
    cell.len() == 2 && cell.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a reading is a street with a house number, and not a sentence with a number in it.
fn is_line(reading: &AddressEntry) -> bool {
    let suffix = reading.number.suffix_text();
    has_street(reading.street.as_deref()) && (suffix.is_empty() || is_number_like(&suffix))
}

fn has_place(reading: &AddressEntry) -> bool {
    let [postcode, city] =
        [&reading.postcode, &reading.city].map(|text| text.as_deref().unwrap_or_default());
    !postcode.is_empty() || city.chars().filter(|c| c.is_alphabetic()).count() > 2
}

fn has_street(street: Option<&str>) -> bool {
    street.is_some_and(|street| squashed(street).contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(rows: &[&str]) -> ColumnContent {
        let cells = |row: &&str| row.split(';').map(str::to_owned).collect();
        ColumnContent::new(&rows.iter().map(cells).collect::<Vec<_>>())
    }

    #[test]
    fn a_column_suits_a_role_if_most_cells_do() {
        let content = content(&["Weesp;12;iets;A;", "Ede;7;meer;;", ";;bis;bis;"]);
        let suits = |role, at| content.suits(role, at);
        assert!(suits(ColumnRole::City, 0) && !suits(ColumnRole::City, 1));
        assert!(suits(ColumnRole::Addition, 3) && !suits(ColumnRole::Addition, 2));
        assert!(suits(ColumnRole::Addition, 4) && !content.is_filled(4));
    }

    #[test]
    fn placeholders_do_not_count() {
        let content = content(&["NULL", "n.v.t.", "nan", "A", "bis"]);
        assert!(content.suits(ColumnRole::Addition, 0));
        assert!(ColumnContent::unknown().is_filled(9));
    }

    #[test]
    fn a_letter_that_all_rows_have_is_a_code() {
        let same = content(&["A"; MIN_ROWS_FOR_CODE]);
        assert!(same.has_one_text(0));
        assert!(!content(&["A"; MIN_ROWS_FOR_CODE - 1]).has_one_text(0));
    }

    #[test]
    fn a_number_beside_a_street_with_another_number_is_recognised() {
        let content = content(&[
            "1001;Dijk 29;1234 AB Weesp;29",
            "1002;Dijk 31;1234 AB Weesp;31",
        ]);
        assert!(content.numbers_differ(1, 0));
        assert!(!content.numbers_differ(1, 3));
        assert!(content.holds_postcode_and_city(2) && !content.holds_postcode_and_city(1));
    }
}
