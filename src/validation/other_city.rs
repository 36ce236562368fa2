//! Finds an address of which the street and the number were entered exactly, but with another city, such as the next village.
//!
//! Source: decisions.md, section Validation: an address is suggested only if no other one agrees as well with the entered fields.

use postduif_schema::Address;

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::suggest::closest_in_one_street;
use crate::search::{NumberAgreement, PostcodeAgreement};

/// The address with exactly the entered street, number and suffix in another city. `None` if several streets have it. `best` is the address
/// that the earlier steps found, if any; the address must be in its municipality.
pub(super) fn find_in_other_city<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    best: Option<&Address>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(street) = entered.names.street().filter(|_| !entered.is_po_box()) else {
        return Ok(None);
    };
    let query = entered.query(street, entered.names.city());
    let mut found = lookup.addresses_in_other_cities(&query)?;
    found.retain(|address| {
        let agreement = entered.agreement(address);
        // A whole postcode may be that of the entered city. Only its digits are more likely to be right than the city.
        let has_postcode =
            entered.postcode.is_some() || agreement.postcode != PostcodeAgreement::Different;
        let has_number = matches!(agreement.number, NumberAgreement::Same(_));
        has_number
            && has_postcode
            && best.is_none_or(|best| best.municipality == address.municipality)
    });
    Ok(closest_in_one_street(entered, found))
}
