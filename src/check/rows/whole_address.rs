//! Checks a cell that holds a whole address. `search` finds the address. The cell is split into fields in every way that makes
//! sense, and the fields show how well the cell agrees with the address found.

use postduif_schema::{Address, AddressId};

use super::answer::{
    RowAnswer, answer_for_address, count_fitting_addresses, has_street_at_postcode,
};
use super::score::Evidence;
use super::unit_in_text::leaves_code_in_names;
use crate::check::lines::AddressEntry;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::{Agreement, LookupError, SuggestionFilter, Weights};
use crate::snapshot::Snapshot;
use crate::validation::AddressLookup as _;

/// Maximum number of suggestions of the search that are compared with the cell.
const CANDIDATES: usize = 3;

/// Searches a text as the type-ahead does, and compares the text with the best suggestion.
pub(super) fn check_whole_address(
    text: &str,
    readings: Vec<AddressEntry>,
    snapshot: &Snapshot,
) -> Result<RowAnswer, LookupError> {
    let mut found = Vec::new();
    for suggestion in snapshot.suggest(text, SuggestionFilter::Address, CANDIDATES)? {
        let address = suggestion.id.map(|id| address_by_id(id, snapshot));
        if let Some(address) = address.transpose()?.flatten()
            && let Some((reading, agreement)) = best_line_reading(&readings, &address)
        {
            found.push((address, reading, agreement));
        }
    }
    let mut found = found.into_iter();
    let Some((address, reading, agreement)) = found.next() else {
        let reason = FieldReason::new(FieldName::Row, Mistake::NotFound);
        let entry = readings.into_iter().next();
        return Ok(match entry {
            Some(entry) => RowAnswer::not_found(vec![reason], entry),
            None => RowAnswer::unreadable(reason),
        });
    };
    let is_elsewhere = |other: &Address| {
        (other.postcode, &other.street, &other.city)
            != (address.postcode, &address.street, &address.city)
    };
    let others = found.filter(|(other, ..)| is_elsewhere(other));
    let points = others.map(|(_, _, agreement)| Weights::VALIDATION.score_agreement(&agreement));
    let evidence = Evidence {
        fitting_addresses: count_fitting_addresses(&reading.to_entered(), &address, snapshot)?,
        leaves_code_over: leaves_code_in_names(reading, &agreement, &address),
        agreement,
        postcode_fits_other_street: false,
        postcode_is_in_street: has_street_at_postcode(&reading.to_entered(), &address, snapshot),
        other_points: points.max_by(f32::total_cmp),
    };
    let entry = reading.clone().without_empty_parts();
    Ok(answer_for_address(entry, address, &evidence, snapshot))
}

fn address_by_id(id: AddressId, snapshot: &Snapshot) -> Result<Option<Address>, LookupError> {
    let Some(borrowed) = snapshot.address_by_id(id)? else {
        return Ok(None);
    };
    let there = snapshot.addresses_at_number(borrowed.postcode, borrowed.number)?;
    Ok(there.into_iter().find(|address| address.id == id))
}

/// The reading that agrees best with an address. If several agree equally well, chooses the first.
fn best_line_reading<'a>(
    readings: &'a [AddressEntry],
    address: &Address,
) -> Option<(&'a AddressEntry, Agreement)> {
    let is_plausible = |reading: &&AddressEntry| reading.fits_street(&address.street);
    let plausible = readings.iter().any(|reading| is_plausible(&reading));
    let compared = readings
        .iter()
        .filter(|reading| !plausible || is_plausible(reading))
        .map(|reading| (reading, reading.to_entered().agreement(address)));
    let points = |(_, agreement): &(_, Agreement)| Weights::VALIDATION.score_agreement(agreement);
    compared.reduce(|best, next| match points(&next) > points(&best) {
        true => next,
        false => best,
    })
}
