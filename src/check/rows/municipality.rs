//! Compares the municipality of a row with that of the address found, if the table has no column of the city. A municipality often has the
//! name of one of its towns.

use postduif_schema::{Address, squashed};

use super::answer::{CheckStatus, RowAnswer};
use super::score::{DOUBT_FACTOR, differs};
use crate::check::cell_text::is_placeholder;
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::has_digit;
use crate::validation::{EnteredAddress, EnteredNames};

/// Words before the name of a municipality, without punctuation.
const LABELS: [&str; 2] = ["gemeente", "gem"];

/// Adds a reason to the answer if the municipality of the row is neither the municipality nor the city of the address.
pub(super) fn check_municipality(answer: &mut RowAnswer, cells: &[String], columns: &ColumnMap) {
    let cell = columns.municipality().and_then(|at| cells.get(at));
    let name = cell.map_or("", |cell| cell.trim());
    let has_name = name.contains(char::is_alphabetic) && !is_placeholder(name, ColumnRole::City);
    let (Some(address), Some(entry)) = (&answer.address, &answer.entry) else {
        return;
    };
    if !has_name || has_digit(name) {
        return;
    }
    let name = match name.split_once(' ') {
        Some((label, rest)) if LABELS.contains(&&*squashed(label)) => rest.trim_start(),
        _ => name,
    };
    let entered = EnteredAddress {
        names: EnteredNames::new(None, Some(name)).into(),
        ..entry.to_entered()
    };
    let in_municipality = Address {
        city: address.municipality.clone(),
        ..address.clone()
    };
    let is_other = |address: &Address| differs(entered.agreement(address).town);
    if is_other(address) && is_other(&in_municipality) {
        let reason = FieldReason::new(FieldName::City, Mistake::Different);
        answer.reasons.push(reason);
        answer.status = answer.status.max(CheckStatus::Corrected);
        answer.score *= DOUBT_FACTOR;
    }
}
