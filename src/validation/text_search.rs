//! Finds the entered address as type-ahead does, from its fields as one text. Used only if the lookups by postcode and by name find no
//! address, or only one with another street and number. After it, only `other_city` is tried.

use postduif_schema::Address;

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::incomplete_street::{is_cut_city, is_incomplete_form};
use super::suggest::closest_in_one_street;
use crate::search::{EnteredPostcode, NameAgreement};

/// The address found by a text search in the entered city, or else in the postcodes with the entered four digits.
pub(super) fn find_by_text<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(street) = entered.names.street() else {
        return Ok(None);
    };
    let number = entered.number;
    if let Some(city) = entered.names.city()
        && let Some(found) = find_in_city(entered, lookup, street, city)?
    {
        return Ok(Some(found));
    }
    let postcode = entered.typed_postcode.as_ref();
    let Some([first, last]) = postcode.and_then(EnteredPostcode::same_digits) else {
        return Ok(None);
    };
    let mut found =
        lookup.addresses_by_text(&format!("{street} {number} {:04}", first.digits()))?;
    found.retain(|address| {
        let names = entered.names.compare_with_address(address);
        (first..=last).contains(&address.postcode)
            && names.street == NameAgreement::Same
            && address.number == number
    });
    Ok(closest_in_one_street(entered, found))
}

/// Searches by text for the address in the entered city, in which the street may be entered as an incomplete form. If that finds no
/// address, the street must be as entered, but the city may be mistyped, cut off, or entered as its municipality.
fn find_in_city<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
    street: &str,
    city: &str,
) -> Result<Option<Address>, B::Error> {
    let compare = |address: &Address| entered.names.compare_with_address(address);
    let mut found = lookup.addresses_by_text(&format!("{street} {} {city}", entered.number))?;
    found.retain(|address| {
        let names = compare(address);
        let has_street = names.street == NameAgreement::Same;
        let is_named = match names.city {
            NameAgreement::Same => has_street || is_incomplete_form(street, &address.street),
            NameAgreement::Different => has_street && is_cut_city(city, &address.city),
            _ => has_street,
        };
        is_named && address.number == entered.number
    });
    let is_in_city = |address: &Address| compare(address).city == NameAgreement::Same;
    if found.iter().any(is_in_city) {
        found.retain(is_in_city);
    }
    Ok(closest_in_one_street(entered, found))
}
