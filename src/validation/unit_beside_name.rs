//! Reads a unit without a label beside the name of the street or the city: `Lange Dijk - 5`, `Ingang B, Lange Dijk`, `Weesp (C)`. A letter that
//! was entered with the number comes before the unit: 12A-5 for number 12A and `Lange Dijk - 5`.
//!
//! Assumption: any word may come before the unit, because the register has exactly this unit at the number. The end of a
//! name in the register, such as the C of Wijk C, is never left over.

use postduif_schema::{Address, HouseNumber, MAX_SUFFIX_CHARS, Postcode, fold};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::entered_number::strip_number;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::name_mismatch::NameMismatch;
use super::suffix_fit::equals_but_zeros;
use super::suffix_words::has_adjacent_numbers;
use super::unit_in_names::{UnitInNames, suffix_candidates};
use crate::search::{NameAgreement, begins_with_digit, has_digit};

/// Shortened articles before a name, which are no units: the `t` of `'t Hoekje`.
const SHORT_ARTICLES: [&str; 2] = ["t", "s"];

/// Finds a unit in the words beside the street, or else in those beside the city. Exactly one address at the entered number and postcode must have
/// the letter and the unit as its suffix, and that address must have the name without these words. If no address does, tries the postcode of
/// `known`. The letter may be empty.
pub(super) fn find_unit_beside_name<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    letter: &str,
    known: Option<&Address>,
    lookup: &B,
) -> Result<Option<UnitInNames>, B::Error> {
    let mut names = [entered.names.street(), entered.names.city()]
        .into_iter()
        .flatten();
    if !names.any(may_have_unit) {
        // The addresses need not be read.
        return Ok(None);
    }
    for postcode in postcodes_of(entered, known) {
        let addresses = lookup.addresses_at_number(postcode, entered.number)?;
        if let Some(unit) = find_unit_of(entered, letter, &addresses) {
            return Ok(Some(unit));
        }
    }
    Ok(None)
}

/// Whether exactly one address at the entered number has this letter and addition, joined: at the entered postcode, or else at that of `known`.
/// Also true without any postcode. Leading zeros do not count.
pub(super) fn is_of_one_address<B: AddressLookup>(
    suffix: &str,
    entered: &EnteredAddress<'_>,
    known: Option<&Address>,
    lookup: &B,
) -> Result<bool, B::Error> {
    let suffix = HouseNumberSuffix::new(None, Some(suffix));
    let mut is_only = true;
    for postcode in postcodes_of(entered, known) {
        let mut addresses = lookup.addresses_at_number(postcode, entered.number)?;
        addresses.retain(|address| equals_but_zeros(suffix, address));
        is_only = addresses.len() == 1;
        if !addresses.is_empty() {
            break;
        }
    }
    Ok(is_only)
}

/// The entered postcode, and then that of `known` if this address is at the entered number.
fn postcodes_of(
    entered: &EnteredAddress<'_>,
    known: Option<&Address>,
) -> impl Iterator<Item = Postcode> {
    let postcode = entered.postcode;
    let known = known.filter(|known| known.number == entered.number);
    let known = known.map(|known| known.postcode);
    let known = known.filter(|known| Some(*known) != postcode);
    postcode.into_iter().chain(known)
}

/// Whether a folded text has several words, and one of them is short enough for a unit.
fn may_have_unit(text: &str) -> bool {
    text.contains(' ')
        && text
            .split(' ')
            .any(|word| word.len() <= MAX_SUFFIX_CHARS || begins_with_digit(word))
}

/// The unit beside the street or the city that one of the addresses has. All addresses are at the entered number.
fn find_unit_of(
    entered: &EnteredAddress<'_>,
    letter: &str,
    addresses: &[Address],
) -> Option<UnitInNames> {
    let [street, city] = [entered.names.street(), entered.names.city()];
    let in_street = street.and_then(|street| {
        let as_street = |name: &str| EnteredNames::new(Some(name), None);
        let (name, suffix) = unit_beside(street, entered.number, letter, addresses, as_street)?;
        Some(UnitInNames {
            names: EnteredNames::new(Some(&name), city).into(),
            wrong: NameMismatch::STREET,
            suffix,
        })
    });
    let in_city = || {
        let as_city = |name: &str| EnteredNames::new(None, Some(name));
        let (name, suffix) = unit_beside(city?, entered.number, letter, addresses, as_city)?;
        Some(UnitInNames {
            names: EnteredNames::new(street, Some(&name)).into(),
            wrong: NameMismatch::CITY,
            suffix,
        })
    };
    in_street.or_else(in_city)
}

/// Splits a folded text into a name and the words before or after it that end in a unit. Returns the name and the unit. A house number at the
/// end of the text is not a part of the name.
fn unit_beside(
    text: &str,
    number: HouseNumber,
    letter: &str,
    addresses: &[Address],
    to_names: fn(&str) -> EnteredNames,
) -> Option<(String, String)> {
    let mut words: Vec<&str> = text.split(' ').collect();
    words.pop_if(|last| *last == number.to_string());
    (1..words.len()).find_map(|at| {
        let (first, last) = words.split_at(at);
        [(first, last), (last, first)]
            .into_iter()
            .find_map(|(name, rest)| {
                let is_article =
                    rest == first && matches!(*rest, [word] if SHORT_ARTICLES.contains(&word));
                let (unit, fitting) = unit_at_end(rest, number, letter, addresses)?;
                let [address] = *fitting.as_slice() else {
                    return None;
                };
                let name = name.join(" ");
                let names = to_names(&name).compare_with_address(address);
                (!is_article && names.mismatch().count() == 0).then_some((name, unit))
            })
    })
}

/// The unit at the end of the words, after the letter, and the addresses that have both as their suffix. All addresses are at the house number.
/// The house number itself is not a unit, because people repeat it, also before a letter: the unit of `8c` is `c` at number 8.
fn unit_at_end<'a>(
    words: &[&str],
    number: HouseNumber,
    letter: &str,
    addresses: &'a [Address],
) -> Option<(String, Vec<&'a Address>)> {
    let first = words.len().saturating_sub(MAX_SUFFIX_CHARS);
    (first..words.len()).find_map(|start| {
        let parts = &words[start..];
        let text = parts.concat();
        let after_number = strip_number(&text, number);
        let unit = after_number
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            .unwrap_or(&text);
        let may_be_unit = unit.len() <= MAX_SUFFIX_CHARS
            && unit != number.to_string()
            && !has_adjacent_numbers(parts);
        if !may_be_unit {
            return None;
        }
        suffix_candidates(letter, unit)
            .into_iter()
            .find_map(|unit| {
                let fitting = addresses.iter().filter(|address| has_unit(address, &unit));
                let fitting: Vec<&Address> = fitting.collect();
                (!fitting.is_empty()).then_some((unit, fitting))
            })
    })
}

/// The unit at the end of a text, if an address has it. All addresses are at the house number.
pub(crate) fn find_unit_at_end(
    text: &str,
    number: HouseNumber,
    addresses: &[Address],
) -> Option<String> {
    let text = fold(text);
    let words: Vec<&str> = text.split(' ').collect();
    unit_at_end(&words, number, "", addresses).map(|(unit, _)| unit)
}

/// Whether a folded text is exactly the suffix of an address.
fn has_unit(address: &Address, unit: &str) -> bool {
    joined_suffix(address).eq(unit.chars().map(|c| c.to_ascii_uppercase()))
}

/// Whether an entered name is the name of the register and one more word that may be a unit: a letter, or a word with a digit.
pub(crate) fn leaves_code_over(entered: &str, name: &str) -> bool {
    let entered = fold(entered);
    let is_code = |word: &str| word.len() == 1 || has_digit(word);
    let is_name = |rest: &str| {
        EnteredNames::new(Some(rest), None).compare(name, "").street == NameAgreement::Same
    };
    let before = entered
        .split_once(' ')
        .filter(|(word, _)| !SHORT_ARTICLES.contains(word))
        .map(|(word, rest)| (rest, word));
    let after = entered.rsplit_once(' ');
    let mut splits = [before, after].into_iter().flatten();
    splits.any(|(rest, word)| is_code(word) && is_name(rest))
}
