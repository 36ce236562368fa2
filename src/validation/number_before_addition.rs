//! Finds an address of which the house number was entered at the end of the street, and the addition as the house number: `Dijk 3` with
//! number 17 for Dijk 3-17, `Dijk 4a` with number 46 or `Dijk 4` with 46A for Dijk 4A-46, and `Dijk 5` with number 670 for Dijk 5-P670.

use postduif_schema::{Address, HouseNumber};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::entered_number::EnteredNumber;
use super::house_number_suffix::HouseNumberSuffix;
use super::number_as_date::{addresses_at_postcode, find_at_postcode, find_by_name};
use super::suffix_fit::equals_but_zeros;
use crate::search::begins_with_digit;

/// Reads the number at the end of the entered street as the house number, and the entered number as a part of the suffix: street `Dijk 4a` with
/// number 46 is Dijk 4A-46. An entered letter may also come first in the suffix. Looks at the entered postcode first, then for the street and city,
/// and at last for a suffix with a unit letter that was not entered. Leading zeros do not count. `None` if the street does not end with such a
/// number, or if no address fits.
pub(super) fn find_number_before_addition<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let Some((street, number, suffixes)) = split_street(entered) else {
        return Ok(None);
    };
    let readings = suffixes.iter().map(|suffix| {
        let names = EnteredNames::new(Some(street), entered.names.city());
        let suffix = HouseNumberSuffix::new(None, Some(suffix));
        EnteredAddress::new(entered.postcode_text, number, suffix, names)
    });
    let readings: Vec<EnteredAddress<'_>> = readings.collect();
    for reading in &readings {
        for find in [find_at_postcode, find_by_name] {
            if let Some(address) = find(reading, equals_but_zeros, lookup)? {
                return Ok(Some(address));
            }
        }
    }
    match readings.as_slice() {
        [reading] if !has_number(entered, lookup)? => find_with_unit_letter(reading, lookup),
        _ => Ok(None),
    }
}

/// Whether the entered postcode has the entered number.
fn has_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<bool, B::Error> {
    let Some(postcode) = entered.postcode else {
        return Ok(false);
    };
    let there = lookup.addresses_at_number(postcode, entered.number)?;
    Ok(!there.is_empty())
}

/// Finds the address at the postcode, number and street of a reading that has no house letter and has the entered suffix as its addition. The
/// entered suffix may lack the letter of a unit: `670` for `P670`. `None` unless exactly one address fits.
fn find_with_unit_letter<B: AddressLookup>(
    reading: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let has_suffix = |suffix: HouseNumberSuffix<'_>, address: &Address| {
        address.letter.is_none() && suffix.is_same(address)
    };
    let mut found = addresses_at_postcode(reading, has_suffix, lookup)?;
    let only = found.pop();
    Ok(only.filter(|_| found.is_empty()))
}

/// Splits the entered street before the number at its end. Returns the name of the street, the number, and the suffixes to try: the letter
/// after that number, the entered number and its suffix, joined, and then an entered letter before the entered number. `None` if more than a
/// letter follows the number.
fn split_street<'e>(
    entered: &'e EnteredAddress<'_>,
) -> Option<(&'e str, HouseNumber, Vec<String>)> {
    let street = entered.names.street()?;
    let mut spaces = street.rmatch_indices(' ').map(|(at, _)| at);
    let is_before_number = |at: &usize| begins_with_digit(&street[at + 1..]);
    let at = spaces.find(is_before_number)?;
    let end = EnteredNumber::parse(&street[at + 1..]).filter(|end| end.addition.is_none())?;
    let after = [entered.suffix.letter, entered.suffix.addition].map(Option::unwrap_or_default);
    let letter = end.letter.unwrap_or_default();
    let mut suffixes = vec![format!("{letter}{}{}", entered.number, after.concat())];
    let entered_letter = entered.suffix.only_letter().unwrap_or_default();
    if letter.is_empty() && !entered_letter.is_empty() {
        suffixes.push(format!("{entered_letter}{}", entered.number));
    }
    Some((&street[..at], end.number, suffixes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_street_is_split_before_its_number() {
        #[track_caller]
        fn case(street: &str, addition: &str, expected: Option<(&str, u32, &[&str])>) {
            let number = HouseNumber::new(46).expect("a house number");
            let suffix = HouseNumberSuffix::new(None, Some(addition));
            let names = EnteredNames::new(Some(street), None);
            let entered = EnteredAddress::new("", number, suffix, names);
            let split = split_street(&entered);
            let split = split.as_ref().map(|(street, number, suffixes)| {
                let suffixes: Vec<&str> = suffixes.iter().map(String::as_str).collect();
                (*street, number.get(), suffixes)
            });
            let expected =
                expected.map(|(street, number, suffixes)| (street, number, suffixes.to_vec()));
            assert_eq!(split, expected, "{street}");
        }
        case("Dijk 3", "", Some(("dijk", 3, &["46"])));
        case("Lange Dijk 4a", "", Some(("lange dijk", 4, &["a46"])));
        case("Dijk 4 A", "b", Some(("dijk", 4, &["a46b"])));
        case("Dijk 4", "B", Some(("dijk", 4, &["46B", "b46"])));
        case("Dijk 1940 3", "", Some(("dijk 1940", 3, &["46"])));
        case("Dijk 3-5a", "", Some(("dijk 3", 5, &["a46"])));
        for street in ["Dijk", "3", "Dijk 3 Urk", "Dijk 0"] {
            case(street, "", None);
        }
    }
}
