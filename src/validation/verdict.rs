//! Decides whether an entered address exists, and which address was probably meant if it does not.
//!
//! Source: contract.md, section POST /v1/validate; decisions.md, section Validation. Assumption: a letter or an addition that was
//! not entered is not compared, as in the look-up of addresses. So number 12 is valid if only 12A exists.

use postduif_schema::{Address, Postcode};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::{EnteredNames, NameMismatch};
use super::moved_postcode::MovedPostcode;
use super::suggest::{better_by_name, closest_at_number, nearest_number, other_postcode};

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The address exists.
    Valid(Address),
    /// The number exists in the postcode, but street or city is not as entered.
    FieldMismatch {
        /// The address at the postcode and number.
        address: Address,
        /// The entered names that differ from those of `suggestion` or, if there is none, of `address`.
        mismatch: NameMismatch,
        /// An address in another postcode that agrees better than `address` does.
        suggestion: Option<Address>,
    },
    /// The postcode exists, but the number or its suffix does not. Holds the nearest address in the postcode, or an address in
    /// another postcode that agrees better.
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
        let moved = with_moved_postcode(entered, lookup)?;
        let suggestion = match moved {
            Some(address) => Some(address),
            None => other_postcode(entered, lookup)?,
        };
        return Ok(Verdict::InvalidPostcode(suggestion));
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

/// The address that was meant if the field of the city holds the postcode, with the city or instead of it.
fn with_moved_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let city = entered.names.city().unwrap_or_default();
    let Some(moved) = MovedPostcode::find(entered.postcode, city) else {
        return Ok(None);
    };
    let entered = EnteredAddress {
        postcode: &moved.postcode,
        number: entered.number,
        suffix: entered.suffix,
        names: EnteredNames::new(entered.names.street(), Some(&moved.city)),
    };
    // The postcode that was found is valid, so this ends.
    Ok(match validate(&entered, lookup)? {
        Verdict::Valid(address)
        | Verdict::NumberNotFound(address)
        | Verdict::PostcodeNotFound(address) => Some(address),
        Verdict::FieldMismatch {
            address,
            suggestion,
            ..
        } => suggestion.or(Some(address)),
        Verdict::InvalidPostcode(_) | Verdict::NotFound => None,
    })
}

/// Compares the entered address with the addresses at its postcode and number. `addresses` is not empty.
fn verdict_at_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    addresses: Vec<Address>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let mut matching = addresses.clone();
    let repeats_number = entered.suffix.repeats_number(entered.number);
    if repeats_number {
        entered.suffix.retain_as_given(&mut matching);
    } else {
        entered.suffix.retain_matching(&mut matching);
    }
    if matching.is_empty() && !repeats_number {
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
