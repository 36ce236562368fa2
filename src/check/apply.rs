//! Writes corrections into the cells of a row.

use postduif_schema::Address;

use super::cell_text::{is_placeholder, squashed};
use super::fields::number_text;
use super::postcode_and_city::are_swapped;
use super::postcode_text::{split_postcode_and_city, split_postcode_and_number};
use super::reason::FieldName;
use super::row_cells::joined_postcode;
use super::{ColumnMap, ColumnRole, RegisterField, RowAnswer};

/// Replaces the cells whose fields were wrong. Returns whether a cell was replaced.
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
    let [postcode, city] = [ColumnRole::Postcode, ColumnRole::City].map(|role| {
        let cell = columns.get(role).and_then(|at| cells.get(at));
        cell.map_or("", |cell| cell.trim())
    });
    // Both cells hold the other part, so correcting one of them would lose it.
    let has_swapped = are_swapped(postcode, city);
    let mut was_applied = false;
    for role in ColumnRole::ALL {
        let Some(at) = columns.get(role) else {
            continue;
        };
        let (fields, text) = corrected_cell(role, columns, cells, address);
        let cell = cells.get(at).map_or("", String::as_str);
        let is_kept = match role {
            // The cell may also hold the name of a company, which must stay.
            ColumnRole::Line | ColumnRole::Street => {
                let entry = answer.entry.as_ref();
                role == ColumnRole::Line && cell.trim().is_empty()
                    || entry.is_some_and(|entry| entry.leaves_text_of(cell))
            }
            ColumnRole::Postcode | ColumnRole::City => has_swapped,
            _ => false,
        };
        if is_wrong(fields) && !is_kept && cell != text {
            if cells.len() <= at {
                cells.resize(at + 1, String::new());
            }
            cells[at] = text;
            was_applied = true;
        }
    }
    was_applied
}

/// The corrected text of a cell, and the address fields that the text contains.
fn corrected_cell(
    role: ColumnRole,
    columns: &ColumnMap,
    cells: &[String],
    address: &Address,
) -> (&'static [FieldName], String) {
    use FieldName::{Addition, City, Number, Postcode, Street};
    let has = |role| columns.get(role).is_some();
    let is_filled = |role| {
        let cell = columns.get(role).and_then(|at| cells.get(at));
        cell.is_some_and(|cell| !is_placeholder(cell.trim(), role))
    };
    let letter = RegisterField::Letter.text(address);
    let addition = RegisterField::Addition.text(address);
    let has_suffix_columns = has(ColumnRole::Letter) || has(ColumnRole::Addition);
    let cell = columns.get(role).and_then(|at| cells.get(at));
    let cell = cell.map_or("", |cell| cell.trim());
    let is_joined = || split_postcode_and_city(cell).is_some();
    let is_split = joined_postcode(cells, columns).is_some();
    match role {
        ColumnRole::Postcode | ColumnRole::City if is_joined() => {
            let text = format!("{} {}", address.postcode, address.city);
            (&[Postcode, City], text)
        }
        ColumnRole::Postcode if is_split => (&[Postcode], postcode_parts(address).0),
        ColumnRole::Postcode => (&[Postcode], address.postcode.to_string()),
        ColumnRole::PostcodeLetters if is_split => (&[Postcode], postcode_parts(address).1),
        ColumnRole::PostcodeLetters => (&[], String::new()),
        ColumnRole::City => (&[City], address.city.to_string()),
        ColumnRole::Number if split_postcode_and_number(cell).is_some() => {
            let text = format!("{} {}", address.postcode, number_text(address));
            (&[Postcode, Number, Addition], text)
        }
        ColumnRole::Number if has_suffix_columns => {
            (&[Number, Addition], address.number.to_string())
        }
        ColumnRole::Number => (&[Number, Addition], number_text(address)),
        ColumnRole::Letter if has(ColumnRole::Addition) => (&[Addition], letter),
        ColumnRole::Letter | ColumnRole::Addition
            if !has(ColumnRole::Letter) || !has(ColumnRole::Addition) =>
        {
            (&[Addition], format!("{letter}{addition}"))
        }
        ColumnRole::Letter | ColumnRole::Addition => (&[Addition], addition),
        ColumnRole::Country => (&[], String::new()),
        // The first line now has the number and the addition, so a second line that repeats them becomes empty.
        ColumnRole::Line2 => {
            let repeated = [number_text(address), format!("{letter}{addition}")];
            let is_repeated = repeated.iter().any(|text| squashed(text) == squashed(cell));
            let text = if is_repeated { "" } else { cell };
            (&[Street, Number, Addition], text.to_owned())
        }
        ColumnRole::Street | ColumnRole::Line if is_filled(ColumnRole::Number) => {
            (&[Street], address.street.to_string())
        }
        ColumnRole::Street | ColumnRole::Line => {
            let line = format!("{} {}", address.street, number_text(address));
            match is_filled(ColumnRole::Postcode) || is_filled(ColumnRole::City) {
                true => (&[Street, Number, Addition], line),
                false => (
                    &[Street, Number, Addition, Postcode, City],
                    super::fields::address_line(address),
                ),
            }
        }
    }
}

/// The digits and the letters of a postcode.
fn postcode_parts(address: &Address) -> (String, String) {
    let postcode = address.postcode.to_string();
    let (digits, letters) = postcode.split_at(4);
    (digits.to_owned(), letters.to_owned())
}
