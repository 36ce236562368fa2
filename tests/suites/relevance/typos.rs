//! One slip of the finger: a letter changed, left out, put in, or swapped with its neighbour.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use crate::chance::Chance;

/// Letters that a name must have for a slip to leave it recognisable.
const LEAST_LETTERS: usize = 5;

pub(crate) fn street_fits(address: &Address) -> bool {
    is_street(address) && has_letters(&address.street)
}

pub(crate) fn town_fits(address: &Address) -> bool {
    is_street(address) && has_letters(&address.city)
}

fn has_letters(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS
}

pub(crate) fn street(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", mistyped(&address.street, chance), address.city);
    Case::some(typed, Expected::street(address))
}

pub(crate) fn number(address: &Address, chance: &mut Chance) -> Option<Case> {
    let street = mistyped(&address.street, chance);
    let typed = format!("{street} {} {}", address.number, address.city);
    Case::some(typed, Expected::number(address))
}

pub(crate) fn town(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", address.street, mistyped(&address.city, chance));
    Case::some(typed, Expected::street(address))
}

/// One edit, each kind as likely as the others, at a letter: never at a digit, a space or a mark.
fn mistyped(name: &str, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let places: Vec<usize> = (0..letters.len())
        .filter(|&at| letters[at].is_alphabetic())
        .collect();
    let at = places[chance.below(places.len())];
    match chance.below(4) {
        0 => letters[at] = other_letter(letters[at], chance),
        1 => {
            letters.remove(at);
        }
        2 => letters.insert(at, other_letter(letters[at], chance)),
        _ => swap(&mut letters, &places, chance),
    }
    letters.into_iter().collect()
}

/// A random small letter, not the one that is there.
fn other_letter(there: char, chance: &mut Chance) -> char {
    let there = there.to_lowercase().next().unwrap_or(there);
    let others: Vec<char> = ('a'..='z').filter(|&c| c != there).collect();
    others[chance.below(others.len())]
}

/// Swaps two neighbouring letters that differ.
fn swap(letters: &mut [char], places: &[usize], chance: &mut Chance) {
    let differ = |at: &&usize| {
        let next = letters.get(**at + 1).copied();
        next.is_some_and(|next| next.is_alphabetic() && !next.eq_ignore_ascii_case(&letters[**at]))
    };
    let swappable: Vec<usize> = places.iter().filter(differ).copied().collect();
    if let Some(&at) = swappable.get(chance.below(swappable.len().max(1))) {
        letters.swap(at, at + 1);
    }
}
