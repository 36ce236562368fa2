//! Whether an entered address exists, and if not, which one was probably meant.
//!
//! Source: contract, POST /v1/validate; decisions, Validation. Assumption: an addition or letter that was not entered is not
//! compared, as in the list of addresses, so number 12 is valid if only 12A exists.

use postduif_schema::{Address, Postcode};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::NameMismatch;
use super::suggest::{closest_at_number, nearest_number, other_postcode};

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The address exists.
    Valid(Address),
    /// Postcode and number exist, with another street or city than entered.
    FieldMismatch(Address, NameMismatch),
    /// The postcode exists, the number or its suffix does not; the nearest address that does.
    NumberNotFound(Address),
    /// The postcode does not exist; an address in a similar one.
    PostcodeNotFound(Address),
    /// The text is not a postcode; an address in a similar one, if there is one.
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
        return Ok(verdict_at_number(entered, addresses));
    }
    if let Some(nearest) = nearest_number(entered, postcode, lookup)? {
        return Ok(Verdict::NumberNotFound(nearest));
    }
    let suggested = other_postcode(entered, lookup)?;
    Ok(suggested.map_or(Verdict::NotFound, Verdict::PostcodeNotFound))
}

/// Compares the entered address with those at its postcode and number, of which there is at least one.
fn verdict_at_number(entered: &EnteredAddress<'_>, addresses: Vec<Address>) -> Verdict {
    let mut matching = addresses.clone();
    entered.suffix.retain_matching(&mut matching);
    let Some(address) = closest_at_number(entered, matching) else {
        return closest_at_number(entered, addresses)
            .map_or(Verdict::NotFound, Verdict::NumberNotFound);
    };
    let mismatch = entered.names.compare_with_address(&address);
    if mismatch.count() == 0 {
        Verdict::Valid(address)
    } else {
        Verdict::FieldMismatch(address, mismatch)
    }
}
