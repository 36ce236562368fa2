//! Makes queries with house numbers, letters and additions, in every spelling that people use.
//!
//! The register stores letters and additions without hyphen, space or slash, so people separate them in different ways.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use super::text::{mail_line, numbered, suffix};
use crate::chance::Chance;

pub(crate) fn has_suffix(address: &Address) -> bool {
    is_street(address) && (address.letter.is_some() || address.addition.is_some())
}

/// Whether an address has no letter, but an addition that begins with a digit.
pub(crate) fn has_digits(address: &Address) -> bool {
    is_street(address) && address.letter.is_none() && begins(address, |c| c.is_ascii_digit())
}

/// Whether an address has no letter, but an addition that begins with a letter.
pub(crate) fn has_text(address: &Address) -> bool {
    is_street(address) && address.letter.is_none() && begins(address, |c| c.is_ascii_alphabetic())
}

/// Whether an address has a letter and no addition.
pub(crate) fn has_letter(address: &Address) -> bool {
    is_street(address) && address.letter.is_some() && address.addition.is_none()
}

/// Whether an address has a letter and an addition.
pub(crate) fn has_both(address: &Address) -> bool {
    is_street(address) && address.letter.is_some() && address.addition.is_some()
}

fn begins(address: &Address, with: fn(char) -> bool) -> bool {
    address
        .addition
        .is_some_and(|addition| addition.as_str().starts_with(with))
}

/// The street, the number and the town. Letter and addition are not typed, so every address at the number matches.
pub(crate) fn whole(address: &Address, _: &mut Chance) -> Option<Case> {
    let (street, number, city) = (&address.street, address.number, &address.city);
    let typed = format!("{street} {number} {city}");
    Case::from_text(typed, Expected::number(address))
}

pub(crate) fn no_town(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", address.street, address.number);
    Case::from_text(typed, Expected::number(address).in_any_town())
}

pub(crate) fn town_first(address: &Address, _: &mut Chance) -> Option<Case> {
    let (street, number, city) = (&address.street, address.number, &address.city);
    let typed = format!("{city} {street} {number}");
    Case::from_text(typed, Expected::number(address))
}

pub(crate) fn mail(address: &Address, _: &mut Chance) -> Option<Case> {
    Case::from_text(mail_line(address), Expected::address(address))
}

/// The address as printed on an envelope: with two spaces before the town, and the town in capitals.
pub(crate) fn printed(address: &Address, _: &mut Chance) -> Option<Case> {
    let (street, number) = (&address.street, numbered(address));
    let (postcode, city) = (address.postcode, address.city.to_uppercase());
    let typed = format!("{street} {number}, {postcode}  {city}");
    Case::from_text(typed, Expected::address(address))
}

pub(crate) fn hyphen(address: &Address, chance: &mut Chance) -> Option<Case> {
    spelled(address, "-", chance)
}

pub(crate) fn space(address: &Address, chance: &mut Chance) -> Option<Case> {
    spelled(address, " ", chance)
}

pub(crate) fn slash(address: &Address, chance: &mut Chance) -> Option<Case> {
    spelled(address, "/", chance)
}

pub(crate) fn glued(address: &Address, chance: &mut Chance) -> Option<Case> {
    spelled(address, "", chance)
}

fn spelled(address: &Address, between: &str, chance: &mut Chance) -> Option<Case> {
    let suffix = in_random_case(&suffix(address), chance);
    case_with_suffix(address, &format!("{between}{suffix}"))
}

/// The letter and the addition with a hyphen between them, and no hyphen before the letter.
pub(crate) fn letter_hyphen(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (letter, addition) = (address.letter?.to_string(), address.addition?.to_string());
    let joined = format!("{letter}-{addition}");
    case_with_suffix(address, &in_random_case(&joined, chance))
}

fn case_with_suffix(address: &Address, suffix: &str) -> Option<Case> {
    let (street, number, city) = (&address.street, address.number, &address.city);
    let typed = format!("{street} {number}{suffix} {city}");
    Case::from_text(typed, Expected::address(address))
}

/// The text in lower case, in capitals, or unchanged.
fn in_random_case(text: &str, chance: &mut Chance) -> String {
    match chance.below(3) {
        0 => text.to_lowercase(),
        1 => text.to_uppercase(),
        _ => text.to_owned(),
    }
}
