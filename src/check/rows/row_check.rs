//! Checks one row: reads its cells in every way that makes sense, validates each reading, and keeps the best answer.

use postduif_schema::{Address, Postcode};

use super::answer::{
    CheckStatus, RowAnswer, answer_for_address, count_fitting_addresses, has_street_at_postcode,
    nearest_number, reasons_without_address,
};
use super::first_line::FirstLine;
use super::municipality::check_municipality;
use super::row_cells::{RowCells, joined_postcode};
use super::row_entry::RowEntry;
use super::score::{Evidence, differs};
use super::unit_in_text::{
    leaves_code_in_names, with_left_out_unit, with_unit_of_names, wrong_names,
};
use super::whole_address::check_whole_address;
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::check::lines::AddressEntry;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::{LookupError, NameAgreement, NumberAgreement, PostcodeAgreement, SuffixMatch};
use crate::snapshot::Snapshot;
use crate::validation::{
    AddressLookup as _, FieldReading, Verdict, best_other_score, find_unit_in_names, validate,
};

/// Checks the cells of a row.
///
/// # Errors
/// When the index cannot be read.
pub fn check_row(
    cells: &[String],
    columns: &ColumnMap,
    snapshot: &Snapshot,
) -> Result<RowAnswer, LookupError> {
    let joined_postcode = joined_postcode(cells, columns);
    let row = RowCells::new(cells, columns, joined_postcode.as_deref());
    let answer = match RowEntry::read(&row) {
        RowEntry::Abroad => RowAnswer::other_country(),
        RowEntry::Unreadable(reason) => RowAnswer::unreadable(reason),
        RowEntry::Fields(readings) => {
            let answer = best_row_reading(readings, FirstLine::new(&row), snapshot)?;
            let answer = with_repeated_number(answer, row.text(ColumnRole::Line2), snapshot)?;
            match row.placeholder_like_unit() {
                Some(placeholder) => with_literal_addition(answer, placeholder, snapshot)?,
                None => answer,
            }
        }
        RowEntry::Whole(text, readings) => {
            let answer = check_whole_address(&text, readings, snapshot)?;
            with_unit_beside_name(answer, snapshot)?
        }
    };
    let mut answer = with_unit_left_out(answer, snapshot)?;
    check_municipality(&mut answer, cells, columns);
    Ok(answer)
}

/// The answer for the reading that agrees best with the register. If several agree equally well, chooses the first. A reading that leaves
/// out the street in the first line counts only if its address is right.
fn best_row_reading(
    readings: Vec<AddressEntry>,
    first_line: FirstLine<'_>,
    snapshot: &Snapshot,
) -> Result<RowAnswer, LookupError> {
    let mut best: Option<(f32, RowAnswer)> = None;
    for entry in readings {
        let is_weaker = |known: Option<&AddressEntry>| {
            entry.doubt.is_some()
                || entry.has_earlier_number
                || known.is_some_and(|known| entry.lacks_suffix_of(known))
        };
        if let Some((_, known)) = &best
            && known.status == CheckStatus::Ok
            && is_weaker(known.entry.as_ref())
        {
            continue;
        }
        let is_doubtful = entry.doubt.is_some();
        let (points, answer) = check_entry(entry, snapshot)?;
        if answer.status != CheckStatus::Ok
            && let Some(entry) = &answer.entry
            && first_line.names_street_missing_from(entry, snapshot)?
        {
            continue;
        }
        // A better status outweighs points. In Lelystad `Tjalk 24` is the name of a street, so a row with `Tjalk 24` and house number 34
        // does not mean number 24 in a street `Tjalk`.
        let is_better = best.as_ref().is_none_or(|(most, other)| {
            let known = other.entry.as_ref();
            let is_as_certain = !is_doubtful || known.is_some_and(|known| known.doubt.is_some());
            let has_better_status = answer.status < other.status && is_as_certain;
            has_better_status || answer.status <= other.status && points > *most
        });
        if is_better {
            best = Some((points, answer));
        }
    }
    let missing = || RowAnswer::unreadable(FieldReason::NUMBER_MISSING);
    Ok(best.map_or_else(missing, |(_, answer)| answer))
}

/// Makes the answer ambiguous if the second line may be the addition as well as the house number again: `5` beside `Dijk 5`, if 5 and 5-5
/// both exist.
fn with_repeated_number(
    answer: RowAnswer,
    second_line: &str,
    snapshot: &Snapshot,
) -> Result<RowAnswer, LookupError> {
    let (Some(address), Some(entry)) = (&answer.address, &answer.entry) else {
        return Ok(answer);
    };
    let is_repeated = address.number.to_string() == second_line
        && entry.number.number == address.number
        && entry.number.suffix_text().is_empty();
    if !is_repeated || entry.doubt.is_some() {
        return Ok(answer);
    }
    if !is_address_at(&entry.with_addition(second_line), address, snapshot)? {
        return Ok(answer);
    }
    let doubt = FieldReason::new(FieldName::Addition, Mistake::SeveralFit);
    let entry = AddressEntry {
        doubt: Some(doubt),
        ..entry.clone()
    };
    Ok(check_entry(entry, snapshot)?.1)
}

/// Whether an address at the number and in the street of `address` has exactly the letter and the addition of an entry.
fn is_address_at(
    entry: &AddressEntry,
    address: &Address,
    snapshot: &Snapshot,
) -> Result<bool, LookupError> {
    let entered = entry.to_entered();
    let there = snapshot.addresses_at_number(address.postcode, address.number)?;
    Ok(there.iter().any(|other| {
        other.street == address.street
            && entered.agreement(other).number == NumberAgreement::Same(SuffixMatch::Exact)
    }))
}

/// The answer with the addition `placeholder`, if an address at the house number has it, such as the addition `x`. If several addresses fit
/// without it, a unit was probably meant, so the answer is that for the unit too. Otherwise, returns `answer`.
fn with_literal_addition(
    answer: RowAnswer,
    placeholder: &str,
    snapshot: &Snapshot,
) -> Result<RowAnswer, LookupError> {
    let (Some(address), Some(entry)) = (&answer.address, &answer.entry) else {
        return Ok(answer);
    };
    let own_suffix = entry.number.suffix_text();
    let addition = Some(placeholder.to_owned());
    let mut readings = FieldReading::all_readings(entry.number.clone(), None, addition).into_iter();
    let literal = readings.find(|reading| reading.number.suffix_text().contains(&own_suffix));
    let Some(literal) = literal else {
        return Ok(answer);
    };
    let literal = entry.with_number(literal.number);
    let has_addition = is_address_at(&literal, address, snapshot)?;
    let is_unit = answer.status == CheckStatus::Ambiguous && entry.doubt.is_none();
    match has_addition || is_unit {
        true => Ok(check_entry(literal, snapshot)?.1),
        false => Ok(answer),
    }
}

/// Checks the row again with the unit that its text has and the entry of `answer` lacks. Returns the new answer if the register has this
/// unit. An address that only the search by text found stays, because validation does not find it again.
fn with_unit_left_out(answer: RowAnswer, snapshot: &Snapshot) -> Result<RowAnswer, LookupError> {
    let (Some(address), Some(entry)) = (&answer.address, &answer.entry) else {
        return Ok(answer);
    };
    let Some(with_unit) = with_left_out_unit(entry, address, snapshot)? else {
        return Ok(answer);
    };
    let with_unit = check_entry(with_unit, snapshot)?.1;
    Ok(match with_unit.address {
        Some(_) => with_unit,
        None => answer,
    })
}

/// The answer for the unit beside the street or the city of a whole address, if the register has this unit.
fn with_unit_beside_name(answer: RowAnswer, snapshot: &Snapshot) -> Result<RowAnswer, LookupError> {
    let (Some(address), Some(entry)) = (&answer.address, &answer.entry) else {
        return Ok(answer);
    };
    let agreement = entry.to_entered().agreement(address);
    if !entry.number.suffix_text().is_empty() || !leaves_code_in_names(entry, &agreement, address) {
        return Ok(answer);
    }
    let with_unit = check_entry(entry.clone(), snapshot)?.1;
    let number = with_unit.entry.as_ref().map(|entry| &entry.number);
    let has_unit = number.is_some_and(|number| !number.suffix_text().is_empty());
    Ok(match has_unit {
        true => with_unit,
        false => answer,
    })
}

/// Validates an entry as the service does. Returns the answer, and the points for how well the entry agrees with the address found.
fn check_entry(entry: AddressEntry, snapshot: &Snapshot) -> Result<(f32, RowAnswer), LookupError> {
    let entered = entry.to_entered();
    let verdict = validate(&entered, snapshot)?;
    let is_valid = matches!(verdict, Verdict::Valid(_));
    if !is_valid
        && let Some(postcode) = entered.postcode
        && is_only_street_at(postcode, &entry, snapshot)
    {
        return Ok((f32::MIN, RowAnswer::unreadable(FieldReason::NUMBER_MISSING)));
    }
    if !is_valid && let Some((unit, _)) = find_unit_in_names(&entered, &verdict, snapshot)? {
        // This recursion ends, because the entry has an addition.
        let (points, mut answer) = check_entry(with_unit_of_names(&entry, &unit), snapshot)?;
        answer.reasons.extend(wrong_names(&unit));
        return Ok((points, answer));
    }
    let is_elsewhere = matches!(
        verdict,
        Verdict::FieldMismatch {
            suggestion: Some(_),
            ..
        }
    );
    let found = match verdict.best_address() {
        Some(address) => Some(address.clone()),
        None => nearest_number(&entered, snapshot)?,
    };
    let Some(address) = found else {
        return Ok((f32::MIN, answer_without_address(entry, snapshot)));
    };
    if !is_valid && entry.is_only_street(&address.street) {
        return Ok((f32::MIN, RowAnswer::unreadable(FieldReason::NUMBER_MISSING)));
    }
    let mut agreement = entered.agreement(&address);
    if is_valid && differs(agreement.street) {
        // Validation also accepts the short name that the register has for the street.
        agreement.street = NameAgreement::Same;
    }
    let is_exact = is_valid && agreement.street == NameAgreement::Same;
    if !is_exact && !entry.fits_street(&address.street) {
        let reason = FieldReason::NUMBER_MALFORMED;
        return Ok((f32::MIN, RowAnswer::unreadable(reason)));
    }
    let evidence = Evidence {
        fitting_addresses: count_fitting_addresses(&entered, &address, snapshot)?,
        leaves_code_over: leaves_code_in_names(&entry, &agreement, &address),
        agreement,
        postcode_fits_other_street: is_elsewhere
            && matches!(
                agreement.postcode,
                PostcodeAgreement::Near(2..)
                    | PostcodeAgreement::SameDigits
                    | PostcodeAgreement::Different
            ),
        postcode_is_in_street: has_street_at_postcode(&entered, &address, snapshot),
        // Postcode, number and street agree, so no other address fits as well.
        other_points: match is_exact {
            true => None,
            false => best_other_score(&entered, &address, snapshot)?,
        },
    };
    let points = evidence.points();
    Ok((
        points,
        answer_for_address(entry, address, &evidence, snapshot),
    ))
}

fn answer_without_address(entry: AddressEntry, snapshot: &Snapshot) -> RowAnswer {
    let mut reasons = match entry.to_entered().is_po_box() {
        true => vec![FieldReason::new(FieldName::Street, Mistake::NotFound)],
        false => reasons_without_address(&entry, snapshot),
    };
    // A malformed number, such as a date, can explain why no address is found, but two cells that disagree cannot.
    let doubt = entry.doubt;
    reasons.extend(doubt.filter(|doubt| doubt.mistake == Mistake::Malformed));
    RowAnswer::not_found(reasons, entry)
}

/// Whether street and number of an entry are together the name of a street at `postcode`, as in `Plein 1945`.
fn is_only_street_at(postcode: Postcode, entry: &AddressEntry, snapshot: &Snapshot) -> bool {
    let mut streets = snapshot.streets_in_postcode(postcode);
    streets.any(|(street, _)| entry.is_only_street(street))
}
