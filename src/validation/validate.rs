//! Decides whether an entered address exists, and which address was probably meant if it does not.
//!
//! Source: contract.md, section POST /v1/validate; decisions.md, section Validation. Assumption: a letter or an addition that was not
//! entered is not compared if one address fits. So number 12 is valid if only 12A exists, but not if both 12A and 12B exist.

use postduif_schema::Address;

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::house_number_suffix::HouseNumberSuffix;
use super::joined_number::find_joined_number;
use super::moved_postcode::MovedPostcode;
use super::name_mismatch::NameMismatch;
use super::name_numbers::with_numeral_in_digits;
use super::number_as_date::find_number_as_date;
use super::number_before_addition::find_number_before_addition;
use super::number_in_street::{NumberInStreet, has_number_and_suffix};
use super::numbered_street::find_in_numbered_street;
use super::other_city::find_in_other_city;
use super::other_postcode::suggest_in_other_postcode;
use super::simplified_names::simplify_names;
use super::suffix_fit::SuffixFit;
use super::suggest::{
    address_at_nearest_number, choose_fitting, closest_at_number, find_better_by_name,
    is_house_for_po_box,
};
use super::text_search::find_by_text;
use super::unit_beside_name::{find_unit_beside_name, is_of_one_address};
use super::unit_in_names::UnitInNames;
use super::verdict::Verdict;
use crate::search::{NameAgreement, has_digit};

/// Validates an entered address. If it is not valid as it was entered, tries these readings, until one finds an address:
///
/// 1. the suffix without placeholders such as `n.v.t.`;
/// 2. the suffix from a unit in the street or the city, such as `huisje 365`, or `5` beside the whole name;
/// 3. another number: a date for a number, a number that was joined with other digits, or the number of a numbered street;
/// 4. the street with digits for a Roman numeral;
/// 5. the street without the house number in it, or with the house number, if the addition was entered as the number;
/// 6. the names without the words around them, such as a firm or a country;
/// 7. all fields as one text, as type-ahead reads it;
/// 8. the same street and number in another city.
///
/// If the address found so far has the entered street, the readings from 4 on are not tried.
///
/// # Errors
/// When the addresses cannot be read.
pub fn validate<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let verdict = validate_as_entered(entered, lookup)?;
    if matches!(verdict, Verdict::Valid(_)) {
        return Ok(verdict);
    }
    if let Some(suffix) = entered.suffix.without_placeholders() {
        // This recursion ends, because the suffix that is left has no placeholders.
        let reading = entered.with_names_and_suffix(entered.names.clone(), suffix);
        return validate(&reading, lookup);
    }
    if let Some((unit, with_unit)) = find_unit_in_names(entered, &verdict, lookup)? {
        return Ok(with_unit.with_wrong_names(unit.wrong));
    }
    if let Some(address) = find_with_other_number(entered, &verdict, lookup)? {
        return Ok(verdict.with_suggestion(address, &entered.names));
    }
    let has_street = |best| !entered.names.compare_with_address(best).mismatch().street;
    if verdict.best_address().is_some_and(has_street) {
        return Ok(verdict);
    }
    if let Some(with_digits) = with_street_number_in_digits(entered, lookup)? {
        return Ok(with_digits);
    }
    if let Some(without_number) = without_number_in_street(entered, lookup)? {
        return Ok(without_number);
    }
    if let Some(address) = find_number_before_addition(entered, lookup)? {
        return Ok(verdict.with_suggestion(address, &entered.names));
    }
    if verdict.lacks_similar_address(entered) {
        let is_in_city = |address: &Address| {
            entered.names.compare_with_address(address).city == NameAgreement::Same
        };
        // If the address found so far is in the entered city, the city is not mistyped.
        let is_city_found = verdict.best_address().is_some_and(is_in_city);
        let may_be_meant = |address: &Address| !is_city_found || is_in_city(address);
        if let Some(simplified) = with_simplified_names(entered, lookup)?
            && simplified.best_address().is_some_and(may_be_meant)
        {
            return Ok(simplified);
        }
        if let Some(found) = find_by_text(entered, lookup)?
            && may_be_meant(&found)
        {
            return Ok(verdict.with_suggestion(found, &entered.names));
        }
    }
    if verdict.may_be_in_other_city(entered)
        && let Some(found) = find_in_other_city(entered, verdict.best_address(), lookup)?
    {
        return Ok(verdict.with_suggestion(found, &entered.names));
    }
    Ok(verdict)
}

/// The address with another number and suffix than were entered: if the house number was entered as the addition, if a spreadsheet changed
/// the number to a date, or if the number was joined with other digits.
fn find_with_other_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    verdict: &Verdict,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    if let Some(address) = find_in_numbered_street(entered, lookup)? {
        return Ok(Some(address));
    }
    if matches!(verdict, Verdict::FieldMismatch { .. }) {
        return Ok(None);
    }
    if let Some(address) = find_number_as_date(entered, lookup)? {
        return Ok(Some(address));
    }
    let best = verdict.best_address();
    match best.is_some_and(|address| address.number == entered.number) {
        true => Ok(None),
        false => find_joined_number(entered, lookup),
    }
}

/// Finds a unit in the street or the city, and the verdict with the unit as the suffix. Ignores a name that agrees with the address found so
/// far. A letter that was entered with the number comes before the unit, if exactly one address at the number has both. `None` if another
/// suffix was entered, or if no address at the number has the unit, in the entered street or at the entered postcode.
///
/// # Errors
/// When the addresses cannot be read.
pub(crate) fn find_unit_in_names<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    verdict: &Verdict,
    lookup: &B,
) -> Result<Option<(UnitInNames, Verdict)>, B::Error> {
    let Some(letter) = entered
        .suffix
        .only_letter()
        .filter(|_| !entered.is_po_box())
    else {
        return Ok(None);
    };
    let best = verdict.best_address();
    let wrong = best.map(|best| entered.names.compare_with_address(best).mismatch());
    let may_have_unit = |unit: &UnitInNames| wrong.is_none_or(|wrong| wrong.includes(unit.wrong));
    for unit in UnitInNames::find(&entered.names, entered.number, &letter) {
        if may_have_unit(&unit)
            && (letter.is_empty() || is_of_one_address(&unit.suffix, entered, best, lookup)?)
            && let Some(with_unit) = validate_with_unit(entered, &unit, lookup)?
        {
            return Ok(Some((unit, with_unit)));
        }
    }
    // For number `17a` and street `Dijk t.o. 1`, 17a is the whole number and 1 is no unit.
    let is_known = best.is_some_and(|best| {
        !letter.is_empty() && has_number_and_suffix(best, entered.number, entered.suffix)
    });
    if is_known {
        return Ok(None);
    }
    let beside = find_unit_beside_name(entered, &letter, best, lookup)?.filter(may_have_unit);
    let Some(unit) = beside else {
        return Ok(None);
    };
    // `Dijk 3` with number 17 may also be Dijk 3-17.
    if has_digit(&unit.suffix) && find_number_before_addition(entered, lookup)?.is_some() {
        return Ok(None);
    }
    let with_unit = validate_with_unit(entered, &unit, lookup)?;
    Ok(with_unit.map(|with_unit| (unit, with_unit)))
}

/// The verdict with a unit in the names as the suffix; `None` if it has no address with the unit.
fn validate_with_unit<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    unit: &UnitInNames,
    lookup: &B,
) -> Result<Option<Verdict>, B::Error> {
    let suffix = HouseNumberSuffix::new(None, Some(&unit.suffix));
    let reading = entered.with_names_and_suffix(unit.names.clone(), suffix);
    // This recursion ends, because the reading has a longer suffix.
    let with_unit = validate(&reading, lookup)?;
    let is_found = with_unit.best_address().is_some_and(|address| {
        let street = reading.names.compare_with_address(address).street;
        has_number_and_suffix(address, entered.number, suffix)
            && (street != NameAgreement::Different || entered.postcode == Some(address.postcode))
    });
    Ok(is_found.then_some(with_unit))
}

/// Validates again without the words around the names. `None` unless an address has exactly the simplified names and the entered number. A
/// suffix after the number in the street comes before the entered suffix if an address has it.
fn with_simplified_names<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Verdict>, B::Error> {
    for names in simplify_names(&entered.names, entered.number, entered.postcode_text) {
        let reading = entered.with_names_and_suffix(names, entered.suffix);
        let Some(found) = validate_simplified(&reading, lookup)? else {
            continue;
        };
        let street = entered.names.street().unwrap_or_default();
        let in_street = NumberInStreet::read(street, entered.number);
        let suffixes = in_street
            .iter()
            .flat_map(|read| read.suffixes(entered.suffix));
        for suffix in suffixes {
            let other = entered.with_names_and_suffix(reading.names.clone(), suffix);
            let other = validate_simplified(&other, lookup)?;
            let address = other.as_ref().and_then(Verdict::best_address);
            if address.is_some_and(|address| suffix.is_same(address)) {
                return Ok(other);
            }
        }
        return Ok(Some(found));
    }
    Ok(None)
}

/// The verdict on an address with simplified names; `None` unless an address has these names and this number.
fn validate_simplified<B: AddressLookup>(
    reading: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Verdict>, B::Error> {
    // A postcode in another field was looked for already.
    let verdict = match reading.postcode {
        Some(_) => validate_as_entered(reading, lookup)?,
        None => Verdict::InvalidPostcode(suggest_in_other_postcode(reading, lookup)?),
    };
    let is_found = verdict.best_address().is_some_and(|address| {
        let names = reading.names.compare_with_address(address);
        address.number == reading.number
            && names.street == NameAgreement::Same
            && names.city == NameAgreement::Same
    });
    Ok(is_found.then_some(verdict))
}

/// Writes the Roman numeral at the end of the street in digits, and validates again. `None` if the street does not end with a Roman numeral,
/// or if the street in digits has no address with the entered number and suffix.
fn with_street_number_in_digits<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Verdict>, B::Error> {
    let streets = entered.names.street().and_then(with_numeral_in_digits);
    for street in streets.into_iter().flatten() {
        let names = EnteredNames::new(Some(&street), entered.names.city());
        let reading = entered.with_names_and_suffix(names, entered.suffix);
        let verdict = validate_as_entered(&reading, lookup)?;
        let is_found = verdict.best_address().is_some_and(|address| {
            let street = reading.names.compare_with_address(address).street;
            has_number_and_suffix(address, entered.number, entered.suffix)
                && street == NameAgreement::Same
        });
        if is_found {
            return Ok(Some(verdict));
        }
    }
    Ok(None)
}

/// The verdict if the house number is removed from the street. `None` if the street does not have the number, or if no address has
/// that street and number.
fn without_number_in_street<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Verdict>, B::Error> {
    let street = entered.names.street().unwrap_or_default();
    let Some(in_street) = NumberInStreet::read(street, entered.number) else {
        return Ok(None);
    };
    for suffix in in_street.suffixes(entered.suffix) {
        let names = EnteredNames::new(Some(&in_street.street), entered.names.city());
        let reading = entered.with_names_and_suffix(names, suffix);
        let verdict = validate_as_entered(&reading, lookup)?;
        let is_found = verdict.best_address().is_some_and(|address| {
            let street = reading.names.compare_with_address(address).street;
            has_number_and_suffix(address, reading.number, suffix)
                && street != NameAgreement::Different
        });
        if is_found {
            return Ok(Some(verdict.with_wrong_names(NameMismatch::STREET)));
        }
    }
    Ok(None)
}

fn validate_as_entered<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let Some(postcode) = entered.postcode else {
        let moved = suggest_with_moved_postcode(entered, lookup)?;
        let suggestion = match moved {
            Some(address) => Some(address),
            None => suggest_in_other_postcode(entered, lookup)?,
        };
        return Ok(Verdict::InvalidPostcode(suggestion));
    };
    let addresses = lookup.addresses_at_number(postcode, entered.number)?;
    if !addresses.is_empty() {
        return verdict_at_number(entered, addresses, lookup);
    }
    if let Some(nearest) = address_at_nearest_number(entered, postcode, lookup)? {
        return number_not_found(entered, nearest, lookup);
    }
    let suggested = suggest_in_other_postcode(entered, lookup)?;
    Ok(suggested.map_or(Verdict::NotFound, Verdict::PostcodeNotFound))
}

/// The verdict if the postcode does not have the entered number with its suffix. Suggests no house for a post-office box.
fn number_not_found<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    nearest: Address,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let better = find_better_by_name(entered, Some(&nearest), lookup)?;
    let suggested = better.unwrap_or(nearest);
    Ok(match is_house_for_po_box(entered, &suggested) {
        true => Verdict::NotFound,
        false => Verdict::NumberNotFound(suggested),
    })
}

/// The address that was meant if the postcode is in another field, or among other words.
fn suggest_with_moved_postcode<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let [street, city] =
        [entered.names.street(), entered.names.city()].map(Option::unwrap_or_default);
    let Some(moved) = MovedPostcode::find(entered.postcode_text, street, city, lookup.postcodes())
    else {
        return Ok(None);
    };
    let names = EnteredNames::new(Some(&moved.street), Some(&moved.city));
    let entered = EnteredAddress::new(&moved.postcode, entered.number, entered.suffix, names);
    // This recursion ends, because the postcode that was found is valid.
    Ok(validate(&entered, lookup)?.best_address().cloned())
}

/// Compares the entered address with the addresses at its postcode and number. `addresses` is not empty.
fn verdict_at_number<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    addresses: Vec<Address>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let fit = SuffixFit::new(entered.suffix, entered.number, &addresses);
    let Some(address) = choose_fitting(entered, fit) else {
        let nearest = closest_at_number(entered, addresses);
        return nearest.map_or(Ok(Verdict::NotFound), |nearest| {
            number_not_found(entered, nearest, lookup)
        });
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
    let suggestion = find_better_by_name(entered, Some(&address), lookup)?;
    if let Some(suggestion) = &suggestion {
        mismatch = entered.names.compare_with_address(suggestion).mismatch();
    }
    Ok(Verdict::FieldMismatch {
        address,
        mismatch,
        suggestion,
    })
}
