//! Finds the address of a house number that was joined with its addition, or with the number in the name of its street: `55363` for
//! 55-363, `121` for 12I, and `932` in the street Kempenaar for number 32 in Kempenaar 09. Also finds the address of an addition without its
//! house number: `363` for 55-363.

use postduif_schema::{Address, HouseNumber, Postcode};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::number_in_street::has_number_and_suffix;
use super::numbered_street::is_numbered;

/// An entered number is split only if it is more than this many times the highest number of the postcode.
///
/// Assumption: a smaller number is more likely to be a mistyped number of the postcode, so the nearest number is suggested.
const MIN_RATIO: u32 = 2;

/// Minimum number of digits of a number that is split.
const MIN_JOINED_DIGITS: usize = 3;

/// Splits the entered number in two, and finds the address at the entered postcode. If no address fits, the entered number may be the addition
/// alone. `None` if the number is not far above the numbers of the postcode, if a suffix was entered, or unless exactly one address fits.
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
            is_in_entered_street(entered, address) && has_addition(address, second)
        }));
        let in_numbered_street = lookup.addresses_at_number(postcode, second_number)?;
        let street = entered.names.street();
        let no_suffix = HouseNumberSuffix::new(None, None);
        found.extend(in_numbered_street.into_iter().filter(|address| {
            is_numbered(&address.street, street, first_number)
                && has_number_and_suffix(address, second_number, no_suffix)
        }));
    }
    if found.is_empty() {
        found = addresses_with_addition(&digits, entered, postcode, lookup)?;
    }
    let only = found.pop();
    Ok(only.filter(|_| found.is_empty()))
}

/// The addresses of a postcode, at any number in the entered street, that have no letter and these digits as their addition, also after the
/// letter of a unit.
fn addresses_with_addition<B: AddressLookup>(
    digits: &str,
    entered: &EnteredAddress<'_>,
    postcode: Postcode,
    lookup: &B,
) -> Result<Vec<Address>, B::Error> {
    let addition = HouseNumberSuffix::new(None, Some(digits));
    let mut numbers = lookup.house_numbers_in(postcode)?;
    numbers.sort_unstable();
    numbers.dedup();
    let mut found = Vec::new();
    for number in numbers {
        let there = lookup.addresses_at_number(postcode, number)?.into_iter();
        found.extend(there.filter(|address| {
            address.letter.is_none()
                && addition.is_same(address)
                && is_in_entered_street(entered, address)
        }));
    }
    Ok(found)
}

fn is_in_entered_street(entered: &EnteredAddress<'_>, address: &Address) -> bool {
    let names = entered.names.compare_with_address(address);
    !names.mismatch().street
}

/// Whether the suffix of an address is these digits, or has the letter I for a 1 among them: 12I for `121`.
fn has_addition(address: &Address, digits: &str) -> bool {
    let known: String = joined_suffix(address).collect();
    HouseNumberSuffix::new(None, Some(digits)).is_same(address) || known.replace('I', "1") == digits
}
