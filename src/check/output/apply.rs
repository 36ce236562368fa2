//! Writes corrections into the cells of a row.

use postduif_schema::{Address, squashed};

use super::fields::{RegisterField, address_line, number_text};
use crate::check::cell_text::is_placeholder;
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::check::lines::{
    find_postcode, postcode_with_label, split_four_digits, split_postcode_and_city,
    split_postcode_and_number,
};
use crate::check::reason::{FieldName, Mistake};
use crate::check::rows::{RowAnswer, are_swapped, decode_cells, joined_postcode};
use crate::search::begins_with_digit;

/// Replaces the cells in which a field was wrong. Returns whether a cell was replaced.
pub(super) fn apply_corrections(
    cells: &mut Vec<String>,
    columns: &ColumnMap,
    answer: &RowAnswer,
) -> bool {
    let Some(address) = &answer.address else {
        return false;
    };
    let is_wrong = |names: &[FieldName]| {
        let mut wrong = answer.reasons.iter();
        wrong.any(|reason| names.contains(&reason.field))
    };
    let [postcode, city] =
        [ColumnRole::Postcode, ColumnRole::City].map(|role| columns.trimmed_cell(role, cells));
    // The cell of the postcode holds the city, and the other way around. So correcting only one of the two cells would lose a part.
    let has_swapped = postcode
        .zip(city)
        .is_some_and(|(postcode, city)| are_swapped(postcode, city));
    let mut was_applied = false;
    let mut line_gained_number = false;
    // The cells as they were read: a cell that is filled here decides nothing about the other cells.
    let read = decode_cells(cells, columns).unwrap_or_else(|| cells.clone());
    let is_on_second_line = has_street_on_second_line(&read, columns, answer);
    for role in ColumnRole::ALL {
        let Some(at) = columns.get(role) else {
            continue;
        };
        let (fields, text) = corrected_cell(role, columns, &read, answer, address);
        let cell = read.get(at).map_or("", String::as_str);
        let is_kept = match role {
            // The cell may also hold the name of a company, which must stay.
            ColumnRole::Line | ColumnRole::Street if is_on_second_line => true,
            // The second line repeats the number. It becomes empty only if the first line was changed and has the number now.
            ColumnRole::Line2 if !is_on_second_line => !line_gained_number,
            ColumnRole::Line | ColumnRole::Street | ColumnRole::Line2 => {
                let entry = answer.entry.as_ref();
                role == ColumnRole::Line && cell.trim().is_empty()
                    || entry.is_some_and(|entry| entry.leaves_text_of(cell, &address.street))
            }
            ColumnRole::Postcode | ColumnRole::City => has_swapped,
            _ => false,
        };
        if !is_wrong(fields) || is_kept {
            continue;
        }
        let replaced = cells
            .get(at)
            .and_then(|cell| with_replaced_parts(cell, fields, answer));
        let replaced = replaced.or_else(|| with_replaced_parts(cell, fields, answer));
        let text = replaced.unwrap_or(text);
        if cell != text && cells.get(at) != Some(&text) {
            let has_number = [cell, &text].map(|text| has_word(text, &number_text(address)));
            line_gained_number |= has_number == [false, true];
            cells.resize(cells.len().max(at + 1), String::new());
            cells[at] = text;
            was_applied = true;
        }
    }
    was_applied
}

/// Whether the street was read from the second line, because the first line is empty or a name: `Bos BV` before `Dijk 5`.
fn has_street_on_second_line(cells: &[String], columns: &ColumnMap, answer: &RowAnswer) -> bool {
    let Some(street) = entered_street(answer) else {
        return false;
    };
    let is_in = |role: ColumnRole| {
        let cell = columns.get(role).and_then(|at| cells.get(at));
        cell.is_some_and(|cell| cell.contains(street))
    };
    is_in(ColumnRole::Line2) && !is_in(ColumnRole::Line) && !is_in(ColumnRole::Street)
}

/// The street that was read from the row; `None` if it is empty or missing.
fn entered_street(answer: &RowAnswer) -> Option<&str> {
    let street = answer.entry.as_ref()?.street.as_deref()?;
    (!street.is_empty()).then_some(street)
}

/// The text of a cell with only its wrong parts replaced, so that the rest stays as it was written, such as the country, the order and line
/// breaks. `fields` are the fields in the cell. `None` if a wrong part does not occur exactly once in the text, or if the number or the
/// addition is wrong.
fn with_replaced_parts(cell: &str, fields: &[FieldName], answer: &RowAnswer) -> Option<String> {
    let (entry, address) = (answer.entry.as_ref()?, answer.address.as_ref()?);
    let wrong = answer.reasons.iter();
    let wrong = wrong
        .filter(|reason| reason.mistake != Mistake::Spelling && fields.contains(&reason.field));
    let wrong = wrong.map(|reason| reason.field);
    let mut text = cell.to_owned();
    for field in wrong {
        let (entered, right) = match field {
            FieldName::Street => (&entry.street, address.street.to_string()),
            FieldName::City => (&entry.city, address.city.to_string()),
            FieldName::Postcode => (&entry.postcode, postcode_text(address, cell)),
            _ => return None,
        };
        let entered = entered.as_deref().filter(|entered| !entered.is_empty())?;
        if text.matches(entered).count() != 1 {
            return None;
        }
        text = text.replace(entered, &right);
    }
    Some(text)
}

/// Whether the number comes before the street in a cell, as in `12 Dijk`.
fn is_number_first(cell: &str, answer: &RowAnswer) -> bool {
    let at = entered_street(answer).and_then(|street| cell.find(street));
    // A postcode may come before the street too, and it also begins with a digit.
    at.is_some_and(|at| begins_with_digit(&cell[..at]) && find_postcode(&cell[..at]).is_none())
}

/// Whether `text` has `word` as a whole word, and not only inside a longer word.
fn has_word(text: &str, word: &str) -> bool {
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        !text[..at].ends_with(char::is_alphanumeric)
            && !text[at + word.len()..].starts_with(char::is_alphanumeric)
    })
}

/// The postcode of the address. It has a space if the postcode in the cell has a space.
fn postcode_text(address: &Address, cell: &str) -> String {
    let found = find_postcode(cell);
    match found.is_some_and(|found| found.postcode.contains(' ')) {
        true => {
            let (digits, letters) = postcode_parts(address);
            format!("{digits} {letters}")
        }
        false => address.postcode.to_string(),
    }
}

/// The corrected text of a cell, and the address fields that the text contains.
fn corrected_cell(
    role: ColumnRole,
    columns: &ColumnMap,
    cells: &[String],
    answer: &RowAnswer,
    address: &Address,
) -> (&'static [FieldName], String) {
    use FieldName::{Addition, City, Number, Postcode, Street};
    let has = |role| columns.get(role).is_some();
    let is_filled = |role| {
        let cell = columns.trimmed_cell(role, cells);
        cell.is_some_and(|cell| !is_placeholder(cell, role))
    };
    let letter = RegisterField::Letter.text(address);
    let addition = RegisterField::Addition.text(address);
    let has_suffix_columns = has(ColumnRole::Letter) || has(ColumnRole::Addition);
    let cell = columns.trimmed_cell(role, cells).unwrap_or_default();
    // Without a column for the postcode, the cell of the city may hold only the postcode, or its digits before the city.
    let is_postcode = || {
        let has_digits = || !split_four_digits(cell).0.is_empty();
        role == ColumnRole::City
            && !has(ColumnRole::Postcode)
            && (postcode_with_label(cell).is_some() || has_digits())
    };
    let is_joined = || split_postcode_and_city(cell).is_some() || is_postcode();
    let is_split = joined_postcode(cells, columns).is_some();
    match role {
        ColumnRole::Postcode | ColumnRole::City if is_joined() => {
            let text = format!("{} {}", postcode_text(address, cell), address.city);
            (&[Postcode, City], text)
        }
        ColumnRole::Postcode if is_split => (&[Postcode], postcode_parts(address).0),
        ColumnRole::Postcode => (&[Postcode], postcode_text(address, cell)),
        ColumnRole::PostcodeLetters if is_split => (&[Postcode], postcode_parts(address).1),
        ColumnRole::PostcodeLetters | ColumnRole::Country => (&[], String::new()),
        ColumnRole::City => (&[City], address.city.to_string()),
        ColumnRole::Number if split_postcode_and_number(cell).is_some() => {
            let text = format!("{} {}", postcode_text(address, cell), number_text(address));
            (&[Postcode, Number, Addition], text)
        }
        ColumnRole::Number if has_suffix_columns => {
            (&[Number, Addition], address.number.to_string())
        }
        ColumnRole::Number => (&[Number, Addition], number_text(address)),
        ColumnRole::Letter if has(ColumnRole::Addition) => (&[Addition], letter),
        ColumnRole::Addition if has(ColumnRole::Letter) => (&[Addition], addition),
        ColumnRole::Letter | ColumnRole::Addition => (&[Addition], format!("{letter}{addition}")),
        // The first line now has the number and the addition, so a second line that repeats them becomes empty.
        ColumnRole::Line2 if !has_street_on_second_line(cells, columns, answer) => {
            let repeated = [number_text(address), format!("{letter}{addition}")];
            let is_repeated = repeated.iter().any(|text| squashed(text) == squashed(cell));
            let text = if is_repeated { "" } else { cell };
            (&[Street, Number, Addition], text.to_owned())
        }
        ColumnRole::Street | ColumnRole::Line | ColumnRole::Line2
            if is_filled(ColumnRole::Number) =>
        {
            (&[Street], address.street.to_string())
        }
        ColumnRole::Street | ColumnRole::Line | ColumnRole::Line2 => {
            // If the cell has the only postcode of the row, the corrected cell must have one too.
            let has_own_postcode =
                !is_filled(ColumnRole::Postcode) && find_postcode(cell).is_some();
            let has_place = is_filled(ColumnRole::Postcode) || is_filled(ColumnRole::City);
            match has_place && !has_own_postcode {
                true => (
                    &[Street, Number, Addition],
                    street_line(cell, answer, address),
                ),
                false => (
                    &[Street, Number, Addition, Postcode, City],
                    address_line(address),
                ),
            }
        }
    }
}

/// Street and number in the order that they have in a cell.
fn street_line(cell: &str, answer: &RowAnswer, address: &Address) -> String {
    let (street, number) = (&address.street, number_text(address));
    match is_number_first(cell, answer) {
        true => format!("{number} {street}"),
        false => format!("{street} {number}"),
    }
}

fn postcode_parts(address: &Address) -> (String, String) {
    let postcode = address.postcode.to_string();
    let (digits, letters) = postcode.split_at(4);
    (digits.to_owned(), letters.to_owned())
}
