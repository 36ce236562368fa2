//! Finds the unit of an address in text that is not the number: in a name, or in the text that a reading leaves out.

use postduif_schema::Address;

use super::score::differs;
use crate::check::lines::AddressEntry;
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::{Agreement, LookupError, is_digits};
use crate::snapshot::Snapshot;
use crate::validation::{
    AddressLookup as _, EnteredNumber, UnitInNames, find_unit_at_end, leaves_code_over,
};

/// The entry with a unit as its addition. Such an entry is never certain.
fn with_unit(entry: &AddressEntry, unit: &str) -> AddressEntry {
    AddressEntry {
        number: EnteredNumber {
            addition: Some(unit.to_owned()),
            ..EnteredNumber::from_number(entry.number.number)
        },
        doubt: entry.doubt.or(Some(FieldReason::ADDITION_MALFORMED)),
        left_out: None,
        ..entry.clone()
    }
}

/// The entry with a unit that was entered in its street or city as the addition.
pub(super) fn with_unit_of_names(entry: &AddressEntry, unit: &UnitInNames) -> AddressEntry {
    let name = |name: Option<&str>, entered: &Option<String>| {
        name.map(str::to_owned).or_else(|| entered.clone())
    };
    AddressEntry {
        street: name(unit.names.street(), &entry.street),
        city: name(unit.names.city(), &entry.city),
        ..with_unit(entry, &unit.suffix)
    }
}

/// A mistake for each name field that also contains the unit.
pub(super) fn wrong_names(unit: &UnitInNames) -> impl Iterator<Item = FieldReason> {
    let names = [
        (unit.wrong.street, FieldName::Street),
        (unit.wrong.city, FieldName::City),
    ];
    let wrong = names.into_iter().filter(|(is_wrong, _)| *is_wrong);
    wrong.map(|(_, field)| FieldReason::new(field, Mistake::Different))
}

/// The entry with the unit at the end of its left-out text as the addition. `None` if the entry already has an addition, or if no address at
/// the number of `address` has this unit.
pub(super) fn with_left_out_unit(
    entry: &AddressEntry,
    address: &Address,
    snapshot: &Snapshot,
) -> Result<Option<AddressEntry>, LookupError> {
    let is_plain = entry.number.suffix_text().is_empty() && entry.number.number == address.number;
    let Some(text) = entry.left_out.as_deref().filter(|_| is_plain) else {
        return Ok(None);
    };
    let mut there = snapshot.addresses_at_number(address.postcode, address.number)?;
    there.retain(|other| other.street == address.street);
    // A number alone is rather that of a list: `1. Dijk 5`.
    let is_number = is_digits(text.trim_end_matches(|c: char| !c.is_alphanumeric()));
    let unit = find_unit_at_end(text, address.number, &there).filter(|_| !is_number);
    Ok(unit.map(|unit| with_unit(entry, &unit)))
}

/// Whether the street or the city of an entry holds one more word that may be a unit, which the address does not have.
pub(super) fn leaves_code_in_names(
    entry: &AddressEntry,
    agreement: &Agreement,
    address: &Address,
) -> bool {
    let names = [
        (&entry.street, agreement.street, &address.street),
        (&entry.city, agreement.town, &address.city),
    ];
    names.into_iter().any(|(entered, agreement, name)| {
        let entered = entered.as_deref().filter(|_| differs(agreement));
        entered.is_some_and(|entered| leaves_code_over(entered, name))
    })
}
