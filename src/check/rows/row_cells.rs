//! Finds the texts of a row's cells by their roles.

use std::borrow::Cow;

use super::labelled_address::labelled_address;
use super::second_line::{has_street, is_street_line};
use crate::check::cell_text::{is_placeholder, without_text_mark};
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::check::escapes::{decode_escapes, may_have_escape};
use crate::check::lines::{
    address_after_mark, is_contact, is_number_like, is_unit_line, split_postcode_and_number,
};
use crate::search::{has_digit, is_four_digits};
use crate::validation::{is_empty_value, may_be_unit};

/// The cells of a row by their roles.
pub(super) struct RowCells<'a> {
    cells: &'a [String],
    columns: &'a ColumnMap,
    /// The postcode, if one column has its digits and another column has its letters.
    joined_postcode: Option<&'a str>,
    /// Postcode and house number, if the cell of the house number holds both.
    postcode_and_number: Option<(&'a str, &'a str)>,
}

impl<'a> RowCells<'a> {
    pub(super) fn new(
        cells: &'a [String],
        columns: &'a ColumnMap,
        joined_postcode: Option<&'a str>,
    ) -> Self {
        let number = cell_of(ColumnRole::Number, cells, columns);
        Self {
            cells,
            columns,
            joined_postcode,
            postcode_and_number: number.and_then(split_postcode_and_number),
        }
    }

    /// The text of the cell in the column of a role; empty for a placeholder. `None` if the table has no such column.
    pub(super) fn cell(&self, role: ColumnRole) -> Option<&'a str> {
        let own = cell_of(role, self.cells, self.columns);
        match (role, self.joined_postcode, self.postcode_and_number) {
            (ColumnRole::Postcode, Some(postcode), _) => Some(postcode),
            (ColumnRole::Postcode, None, Some((postcode, _))) => {
                own.filter(|own| !own.is_empty()).or(Some(postcode))
            }
            (ColumnRole::Number, _, Some((_, number))) => Some(number),
            _ => own,
        }
    }

    /// The postcode in the cell of the house number.
    pub(super) fn postcode_beside_number(&self) -> Option<&'a str> {
        self.postcode_and_number.map(|(postcode, _)| postcode)
    }

    pub(super) fn text(&self, role: ColumnRole) -> &'a str {
        self.cell(role).unwrap_or_default()
    }

    /// Whether the row has no part of an address. A row with only a country counts as empty.
    pub(super) fn is_empty(&self) -> bool {
        let mut roles = ColumnRole::ALL.into_iter();
        roles.all(|role| role == ColumnRole::Country || self.text(role).is_empty())
    }

    pub(super) fn suffix(&self) -> [&'a str; 2] {
        [ColumnRole::Letter, ColumnRole::Addition].map(|role| self.text(role))
    }

    /// The addition, if it counts as a placeholder but may also be a unit, such as `x`. `None` for any other text.
    pub(super) fn placeholder_like_unit(&self) -> Option<&'a str> {
        let cell = self.columns.trimmed_cell(ColumnRole::Addition, self.cells);
        let text = without_text_mark(cell?);
        (!is_empty_value(text) && may_be_unit(text)).then_some(text)
    }

    /// The texts that may hold street and number, the likeliest first.
    pub(super) fn lines(&self) -> Vec<Cow<'a, str>> {
        let [street, line, more] =
            [ColumnRole::Street, ColumnRole::Line, ColumnRole::Line2].map(|role| self.text(role));
        let named = [street, line].into_iter().filter(|text| !text.is_empty());
        let mut lines: Vec<Cow<'a, str>> = named.map(clean_line).collect();
        if let Some(last) = lines.last().filter(|_| !more.is_empty()) {
            // `Plaats 5` may be a street, but not if the second line has a street too.
            let is_unit = is_unit_line(last) && (!has_digit(last) || has_street(more));
            let joined = match is_unit {
                true => format!("{last}, {more}"),
                false => format!("{last} {more}"),
            };
            // A first line may be the name of a company, also with a number (`Studio 54`), so the second line is also tried alone. A unit
            // is part of the address.
            let is_alone = !is_unit
                && !is_number_with_words(more)
                && (!lines.iter().any(|line| has_digit(line)) || has_street(more));
            let alone = is_alone.then_some(Cow::Borrowed(more));
            lines.push(joined.into());
            lines.extend(alone);
        } else if has_street(more)
            || self.text(ColumnRole::Number).is_empty() && is_street_line(more)
        {
            // The first line is empty.
            lines.push(clean_line(more));
        }
        lines
    }
}

/// Whether a text is a number and then only words that may be an addition: `22 boven`.
fn is_number_with_words(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let words = text.trim_start_matches(is_digit);
    words.len() < text.len() && !words.contains(is_digit) && is_number_like(words)
}

/// Turns a text with labels into a plain address line. From any other text, removes a mark such as `p/a` and a name before it.
fn clean_line(text: &str) -> Cow<'_, str> {
    match labelled_address(text) {
        Some(line) => Cow::Owned(line),
        None => Cow::Borrowed(address_after_mark(text)),
    }
}

/// Copies the cells of a row, and decodes the escapes in its address columns. `None` if these columns have no escapes.
pub(in crate::check) fn decode_cells(cells: &[String], columns: &ColumnMap) -> Option<Vec<String>> {
    let is_read = |(at, cell): (usize, &String)| columns.contains(at) && may_have_escape(cell);
    if !cells.iter().enumerate().any(is_read) {
        return None;
    }
    let decoded = cells
        .iter()
        .enumerate()
        .map(|(at, cell)| match columns.contains(at) {
            true => decode_escapes(cell).into_owned(),
            false => cell.clone(),
        });
    Some(decoded.collect())
}

/// The postcode of a row that has its digits and its letters in two columns; `None` unless the first cell is four digits
/// and the second is filled. Does not check the letters.
pub(in crate::check) fn joined_postcode(cells: &[String], columns: &ColumnMap) -> Option<String> {
    let parts = [ColumnRole::Postcode, ColumnRole::PostcodeLetters];
    let [digits, letters] = parts.map(|role| cell_of(role, cells, columns));
    let letters = letters.filter(|letters| !letters.is_empty())?;
    let digits = digits.filter(|digits| is_four_digits(digits))?;
    Some(format!("{digits}{letters}"))
}

fn cell_of<'a>(role: ColumnRole, cells: &'a [String], columns: &ColumnMap) -> Option<&'a str> {
    let text = without_text_mark(columns.trimmed_cell(role, cells)?);
    // A telephone number on the second line is no part of the address.
    let is_ignored = role == ColumnRole::Line2 && is_contact(text);
    Some(match is_ignored || is_placeholder(text, role) {
        true => "",
        false => text,
    })
}
