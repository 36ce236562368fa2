//! Makes queries with postcodes: alone, before a number, before a town, and only the four digits.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::text::{numbered, suffix};
use crate::chance::Chance;

fn postcode(typed: String, address: &Address) -> Option<Case> {
    Case::from_text(typed, Expected::Postcode(address.postcode))
}

/// Formats the postcode of an address as `1234 AB`.
fn with_space(address: &Address) -> String {
    let code = address.postcode.to_string();
    let (digits, letters) = code.split_at(4);
    format!("{digits} {letters}")
}

fn in_random_spelling(address: &Address, chance: &mut Chance) -> String {
    match chance.below(3) {
        0 => address.postcode.to_string(),
        1 => with_space(address),
        _ => address.postcode.to_string().to_lowercase(),
    }
}

pub(crate) fn whole(address: &Address, _: &mut Chance) -> Option<Case> {
    postcode(address.postcode.to_string(), address)
}

pub(crate) fn spaced(address: &Address, _: &mut Chance) -> Option<Case> {
    postcode(with_space(address), address)
}

pub(crate) fn lower(address: &Address, _: &mut Chance) -> Option<Case> {
    postcode(address.postcode.to_string().to_lowercase(), address)
}

pub(crate) fn number(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", in_random_spelling(address, chance), address.number);
    Case::from_text(typed, Expected::number(address))
}

/// The number, letter and addition, spelled as on an envelope or without a space.
fn number_and_suffix(address: &Address, chance: &mut Chance) -> String {
    let suffix = suffix(address);
    let separate = suffix.starts_with(|c: char| c.is_ascii_digit()) || chance.below(2) == 0;
    if separate {
        numbered(address)
    } else {
        format!("{}{suffix}", address.number)
    }
}

pub(crate) fn with_suffix(address: &Address, chance: &mut Chance) -> Option<Case> {
    let postcode = in_random_spelling(address, chance);
    let typed = format!("{postcode} {}", number_and_suffix(address, chance));
    Case::from_text(typed, Expected::address(address))
}

pub(crate) fn town(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", in_random_spelling(address, chance), address.city);
    postcode(typed, address)
}

pub(crate) fn digits(address: &Address, _: &mut Chance) -> Option<Case> {
    let digits = address.postcode.digits();
    Case::from_text(digits.to_string(), Expected::Area(digits))
}
