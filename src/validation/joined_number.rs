//! Finds the address of a house number that was joined with its addition, or with the number in the name of its street: `55363` for
//! 55-363, `121` for 12I, and `932` in the street Kempenaar for number 32 in Kempenaar 09.

use postduif_schema::{Address, HouseNumber};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::number_in_street::has_number_and_suffix;
use super::numbered_street::is_numbered;
use crate::search::NameAgreement;

/// An entered number is split only if it is more than this many times the highest number of the postcode.
///
/// Assumption: a smaller number is more likely to be a mistyped number of the postcode, so the nearest number is suggested.
const MIN_RATIO: u32 = 2;

/// Minimum number of digits of a number that is split.
const MIN_JOINED_DIGITS: usize = 3;

/// Splits the entered number in two, and finds the address at the entered postcode. `None` if the number is not far above the numbers of
/// the postcode, if a suffix was entered, or unless exactly one address fits.
pub(super) fn find_joined_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(postcode) = entered.postcode else {
        return Ok(None);
    };
    let digits = entered.number.to_string();
    if digits.len() < MIN_JOINED_DIGITS {
        return Ok(None);
    }
    let highest = lookup.house_numbers_in(postcode)?.into_iter().max();
    let is_plausible = |highest: HouseNumber| entered.number.get() <= MIN_RATIO * highest.get();
    if !entered.suffix.is_empty() || highest.is_none_or(is_plausible) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for at in 1..digits.len() {
        let (first, second) = digits.split_at(at);
        let (Ok(first_number), Ok(second_number)) = (first.parse(), second.parse()) else {
            continue;
        };
        let with_addition = lookup.addresses_at_number(postcode, first_number)?;
        found.extend(with_addition.into_iter().filter(|address| {
            let street = entered.names.compare_with_address(address).street;
            matches!(street, NameAgreement::Same | NameAgreement::NotGiven)
                && has_addition(address, second)
        }));
        let in_numbered_street = lookup.addresses_at_number(postcode, second_number)?;
        let street = entered.names.street();
        let no_suffix = HouseNumberSuffix::new(None, None);
        found.extend(in_numbered_street.into_iter().filter(|address| {
            is_numbered(&address.street, street, first_number)
                && has_number_and_suffix(address, second_number, no_suffix)
        }));
    }
    let only = found.pop();
    Ok(only.filter(|_| found.is_empty()))
}

/// Whether the suffix of an address is these digits, or has the letter I for a 1 among them: 12I for `121`.
fn has_addition(address: &Address, digits: &str) -> bool {
    let known: String = joined_suffix(address).collect();
    HouseNumberSuffix::new(None, Some(digits)).is_same(address) || known.replace('I', "1") == digits
}
