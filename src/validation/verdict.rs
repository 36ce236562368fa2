//! Whether an entered address exists, and if not, which one was probably meant.
//!
//! Source: contract, POST /v1/validate; decisions, Validation. Assumption: an addition or letter that was not entered is not
//! compared, as in the list of addresses, so number 12 is valid if only 12A exists.

use postduif_schema::{Address, Postcode};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::NameMismatch;
use super::suggest::{better_by_name, closest_at_number, nearest_number, other_postcode};

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The address exists.
    Valid(Address),
    /// Postcode and number exist, with another street or city than entered.
    FieldMismatch {
        /// The address at the postcode and number.
        address: Address,
        /// The names that differ from those of the suggestion, or else of the address.
        mismatch: NameMismatch,
        /// An address that agrees better, with another postcode than `address`.
        suggestion: Option<Address>,
    },
    /// The postcode exists, but the number or its suffix does not. Holds the nearest address in the postcode, or one elsewhere
    /// that agrees better.
    NumberNotFound(Address),
    /// The postcode does not exist. Holds an address in a similar postcode.
    PostcodeNotFound(Address),
    /// The text is not a postcode. Holds an address in a similar postcode, if there is one.
    InvalidPostcode(Option<Address>),
    /// The address does not exist, and none is similar enough to suggest.
    NotFound,
}

/// Validates an entered address.
///
/// # Errors
/// When the addresses cannot be read.
pub fn validate<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let Ok(postcode) = Postcode::from_input(entered.postcode) else {
        return Ok(Verdict::InvalidPostcode(other_postcode(entered, lookup)?));
    };
    let addresses = lookup.addresses_at_number(postcode, entered.number)?;
    if !addresses.is_empty() {
        return verdict_at_number(entered, addresses, lookup);
    }
    if let Some(nearest) = nearest_number(entered, postcode, lookup)? {
        let better = better_by_name(entered, Some(&nearest), lookup)?;
        return Ok(Verdict::NumberNotFound(better.unwrap_or(nearest)));
    }
    let suggested = other_postcode(entered, lookup)?;
    Ok(suggested.map_or(Verdict::NotFound, Verdict::PostcodeNotFound))
}

/// Compares the entered address with the addresses at its postcode and number. `addresses` is not empty.
fn verdict_at_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    addresses: Vec<Address>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let mut matching = addresses.clone();
    entered.suffix.retain_matching(&mut matching);
    if matching.is_empty() {
        matching.clone_from(&addresses);
        entered.suffix.retain_equivalent(&mut matching);
    }
    let Some(address) = closest_at_number(entered, matching) else {
        let Some(nearest) = closest_at_number(entered, addresses) else {
            return Ok(Verdict::NotFound);
        };
        let better = better_by_name(entered, Some(&nearest), lookup)?;
        return Ok(Verdict::NumberNotFound(better.unwrap_or(nearest)));
    };
    let mut mismatch = entered.names.compare_with_address(&address).mismatch();
    if mismatch.street {
        lookup.for_each_street_form(&address, &mut |form| {
            mismatch.street &= !entered.names.is_street_form(form);
        });
    }
    if mismatch.count() == 0 {
        return Ok(Verdict::Valid(address));
    }
    let suggestion = better_by_name(entered, Some(&address), lookup)?;
    if let Some(suggestion) = &suggestion {
        mismatch = entered.names.compare_with_address(suggestion).mismatch();
    }
    Ok(Verdict::FieldMismatch {
        address,
        mismatch,
        suggestion,
    })
}
