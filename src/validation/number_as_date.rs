//! Finds the address of a house number with an addition that a spreadsheet replaced by a date: `4-jan` and `2026-01-04` for 4-1, and `54 aug`
//! for 54-8.
//!
//! Assumption: the day was the number and the month the addition, as in the Dutch version of Excel. `4-jan` is read as 1-4 only if 4-1 does
//! not exist at the entered postcode.

use postduif_schema::{Address, HouseNumber};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_number::EnteredNumber;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::spreadsheet_date::numbers_of_date;
use super::suffix_fit::equals_but_zeros;
use super::suggest::closest_in_one_street;
use crate::search::{NameAgreement, month_number};

/// Finds the address at the number that the entered date replaced. `None` if letter and addition are not a month, or if the address does
/// not exist with exactly that addition.
pub(super) fn find_number_as_date<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(month) = parse_month(entered) else {
        return Ok(None);
    };
    let day = entered.number;
    // The entered postcode decides between the two orders.
    for find in [find_at_postcode, find_by_name] {
        for (number, addition) in [(day, month), (month, day)] {
            let addition = addition.to_string();
            let suffix = HouseNumberSuffix::new(None, Some(&addition));
            let reading = entered.with_number(number, suffix);
            if let Some(address) = find(&reading, has_month_as_addition, lookup)? {
                return Ok(Some(address));
            }
        }
    }
    Ok(None)
}

/// Finds the address at the number that the date `text` replaced, with the other fields as entered. Leading zeros of its addition may be
/// missing. `None` if the text is not a date.
pub(super) fn find_number_of_date<B: AddressLookup>(
    text: &str,
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let numbers = numbers_of_date(text).unwrap_or_default();
    let numbers = numbers
        .iter()
        .filter_map(|number| EnteredNumber::parse(number));
    let numbers: Vec<EnteredNumber> = numbers.collect();
    for find in [find_at_postcode, find_by_name] {
        for number in &numbers {
            let suffix = HouseNumberSuffix::new(None, number.addition.as_deref());
            let reading = entered.with_number(number.number, suffix);
            if let Some(address) = find(&reading, equals_but_zeros, lookup)? {
                return Ok(Some(address));
            }
        }
    }
    Ok(None)
}

/// The month that was entered as the letter or the addition, also after the number: `jan`, `4-jan`.
fn parse_month(entered: &EnteredAddress<'_>) -> Option<HouseNumber> {
    let suffix = entered.suffix;
    let suffix = suffix.without_number(entered.number).unwrap_or(suffix);
    let name = match (suffix.letter, suffix.addition) {
        (Some(text), None) | (None, Some(text)) => text.to_lowercase(),
        _ => return None,
    };
    HouseNumber::new(month_number(&name)?)
}

/// The address with the number and suffix of a reading, at its postcode. `has_suffix` compares the suffix with that of an address.
pub(super) fn find_at_postcode<B: AddressLookup>(
    reading: &EnteredAddress<'_>,
    has_suffix: fn(HouseNumberSuffix<'_>, &Address) -> bool,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let addresses = addresses_at_postcode(reading, has_suffix, lookup)?;
    Ok(closest_in_one_street(reading, addresses))
}

/// The addresses with the number, suffix and street of a reading, at its postcode. Empty without a postcode. `has_suffix` compares the suffix with that of an address.
pub(super) fn addresses_at_postcode<B: AddressLookup>(
    reading: &EnteredAddress<'_>,
    has_suffix: fn(HouseNumberSuffix<'_>, &Address) -> bool,
    lookup: &B,
) -> Result<Vec<Address>, B::Error> {
    let Some(postcode) = reading.postcode else {
        return Ok(Vec::new());
    };
    let mut addresses = lookup.addresses_at_number(postcode, reading.number)?;
    addresses.retain(|address| has_suffix(reading.suffix, address) && has_street(reading, address));
    Ok(addresses)
}

/// The address with the number and suffix of a reading, with its street and city. `has_suffix` compares the suffix with that of an address.
pub(super) fn find_by_name<B: AddressLookup>(
    reading: &EnteredAddress<'_>,
    has_suffix: fn(HouseNumberSuffix<'_>, &Address) -> bool,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some(street) = reading.names.street() else {
        return Ok(None);
    };
    let query = reading.query(street, reading.names.city());
    let mut addresses = lookup.addresses_by_exact_name(&query)?;
    addresses.retain(|address| has_suffix(reading.suffix, address) && has_street(reading, address));
    Ok(closest_in_one_street(reading, addresses))
}

/// Whether an address at the number of a reading has its street. If no street was entered, the address must be at the entered postcode.
fn has_street(reading: &EnteredAddress<'_>, address: &Address) -> bool {
    match reading.names.compare_with_address(address).street {
        NameAgreement::Same => true,
        NameAgreement::NotGiven => reading.postcode == Some(address.postcode),
        _ => false,
    }
}

/// Whether an address has the month as its suffix. A spreadsheet reads 4-01 as a date too, but neither 4-001 nor 4-A1.
fn has_month_as_addition(month: HouseNumberSuffix<'_>, address: &Address) -> bool {
    let known: String = joined_suffix(address).collect();
    let entered: String = month.joined_chars().collect();
    known == entered || known == format!("0{entered}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::EnteredNames;

    #[test]
    fn a_month_is_read_in_the_letter_or_the_addition() {
        #[track_caller]
        fn case(letter: &str, addition: &str, expected: Option<u32>) {
            let number = HouseNumber::new(4).expect("a house number");
            let suffix = HouseNumberSuffix::new(Some(letter), Some(addition));
            let entered = EnteredAddress::new("", number, suffix, EnteredNames::default());
            let month = parse_month(&entered);
            assert_eq!(month.map(HouseNumber::get), expected, "{letter} {addition}");
        }
        case("jan", "", Some(1));
        case("", "Aug.", Some(8));
        case("", "4-okt", Some(10));
        case("", "December", Some(12));
        case("a", "mei", None);
        case("", "janu", None);
        case("", "", None);
    }
}
