//! Makes queries of careless users: only the beginning of the town, the municipality in place of the town, words missing or in
//! another order, more than one typo.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use super::typos::{mistyped, neighbour, street_fits};
use crate::chance::Chance;

/// The minimum number of letters in a name that is recognisable with two typos.
const MIN_LETTERS_FOR_TWO_TYPOS: usize = 10;

/// Particles that people omit from a name.
const PARTICLES: [&str; 9] = ["van", "de", "der", "den", "het", "ter", "ten", "en", "in"];

fn case(typed: String, address: &Address) -> Option<Case> {
    Case::from_text(typed, Expected::street(address))
}

pub(crate) fn town_is_long(address: &Address) -> bool {
    is_street(address) && address.city.chars().filter(|c| c.is_alphabetic()).count() > 5
}

/// An address in which only the first three or four letters of the town are typed.
pub(crate) fn town_prefix(address: &Address, chance: &mut Chance) -> Option<Case> {
    let letters = address.city.chars().take(3 + chance.below(2));
    let town: String = letters.collect();
    case(format!("{} {town}", address.street), address)
}

pub(crate) fn town_is_not_municipality(address: &Address) -> bool {
    is_street(address) && address.city != address.municipality
}

pub(crate) fn municipality(address: &Address, _: &mut Chance) -> Option<Case> {
    case(
        format!("{} {}", address.street, address.municipality),
        address,
    )
}

/// Adds the province after the town. People type it to distinguish two towns of one name.
pub(crate) fn province(address: &Address, _: &mut Chance) -> Option<Case> {
    let Address {
        street,
        city,
        province,
        ..
    } = address;
    case(format!("{street} {city} {province}"), address)
}

pub(crate) fn has_words(address: &Address) -> bool {
    is_street(address) && address.street.split(' ').nth(1).is_some()
}

/// The street with its last word moved to the front: `Tuyllaan Burgemeester van`.
pub(crate) fn last_word_first(address: &Address, _: &mut Chance) -> Option<Case> {
    let (first, last) = address.street.rsplit_once(' ')?;
    let letters = last.chars().all(char::is_alphabetic);
    letters
        .then(|| case(format!("{last} {first} {}", address.city), address))
        .flatten()
}

/// Only the last word of the street, if it is long enough.
pub(crate) fn last_word(address: &Address, _: &mut Chance) -> Option<Case> {
    let (_, last) = address.street.rsplit_once(' ')?;
    let is_long = last.chars().filter(|c| c.is_alphabetic()).count() >= 7;
    is_long
        .then(|| case(format!("{last} {}", address.city), address))
        .flatten()
}

pub(crate) fn has_particle(address: &Address) -> bool {
    has_words(address) && address.street.split(' ').any(is_particle)
}

fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word)
}

/// The street without particles: `Burgemeester Tuyllaan`.
pub(crate) fn without_particles(address: &Address, _: &mut Chance) -> Option<Case> {
    let words = address.street.split(' ').filter(|word| !is_particle(word));
    let words: Vec<&str> = words.collect();
    case(format!("{} {}", words.join(" "), address.city), address)
}

/// At least the first two thirds of a street's name, and the number.
pub(crate) fn prefix_number(address: &Address, chance: &mut Chance) -> Option<Case> {
    let beginning = beginning(&address.street, chance);
    let typed = format!("{beginning} {} {}", address.number, address.city);
    Case::from_text(typed, Expected::number(address))
}

/// At least the first two thirds of a street's name, with a typo.
pub(crate) fn prefix_typo(address: &Address, chance: &mut Chance) -> Option<Case> {
    let beginning = beginning(&address.street, chance);
    let is_long = beginning.chars().filter(|c| c.is_alphabetic()).count() >= 5;
    let typed = is_long.then(|| mistyped(&beginning, chance))?;
    case(format!("{typed} {}", address.city), address)
}

/// The beginning of a name: at least the first two thirds, and never cut within a number.
pub(super) fn beginning(name: &str, chance: &mut Chance) -> String {
    let letters: Vec<char> = name.chars().collect();
    let min = (letters.len() * 2).div_ceil(3);
    let mut kept = min + chance.below(letters.len() - min + 1);
    while letters.get(kept).is_some_and(char::is_ascii_digit) {
        kept += 1;
    }
    let beginning: String = letters[..kept].iter().collect();
    beginning.trim_end().to_owned()
}

pub(crate) fn is_long(address: &Address) -> bool {
    let letters = address.street.chars().filter(|c| c.is_alphabetic());
    is_street(address) && letters.count() >= MIN_LETTERS_FOR_TWO_TYPOS
}

pub(crate) fn two_typos(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = mistyped(&mistyped(&address.street, chance), chance);
    case(format!("{typed} {}", address.city), address)
}

pub(crate) fn town_first_typo(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = mistyped(&address.street, chance);
    case(format!("{} {typed}", address.city), address)
}

pub(crate) fn both_fit(address: &Address) -> bool {
    street_fits(address) && town_is_long(address)
}

/// The street and the town, each with a typo.
pub(crate) fn both_typos(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (street, city) = (
        mistyped(&address.street, chance),
        mistyped(&address.city, chance),
    );
    case(format!("{street} {city}"), address)
}

/// The street, with a doubled letter or a neighbouring key, and the town.
pub(crate) fn key_typo(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = neighbour(&address.street, chance);
    case(format!("{typed} {}", address.city), address)
}

/// The street with a typo, and without a town.
pub(crate) fn typo_without_town(address: &Address, chance: &mut Chance) -> Option<Case> {
    let expected = Expected::street(address).in_any_town();
    Case::from_text(mistyped(&address.street, chance), expected)
}

pub(crate) fn number_first(address: &Address, _: &mut Chance) -> Option<Case> {
    let (street, number, city) = (&address.street, address.number, &address.city);
    let typed = format!("{number} {street} {city}");
    Case::from_text(typed, Expected::number(address))
}

/// The street and the postcode, with the number between them.
pub(crate) fn with_postcode(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (street, number, postcode) = (&address.street, address.number, address.postcode);
    let typed = match chance.below(3) {
        0 => format!("{street} {number} {postcode}"),
        1 => format!("{postcode} {street} {number}"),
        _ => format!("{street} {number} {}", postcode.digits()),
    };
    Case::from_text(typed, Expected::number(address))
}
