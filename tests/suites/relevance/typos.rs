//! Makes queries with one typo: a letter is changed, removed, added, or swapped with its neighbour.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use crate::chance::Chance;

/// The minimum number of letters in a name that is recognisable with a typo.
const MIN_LETTERS: usize = 5;

pub(crate) fn street_fits(address: &Address) -> bool {
    is_street(address) && has_letters(&address.street)
}

pub(crate) fn town_fits(address: &Address) -> bool {
    is_street(address) && has_letters(&address.city)
}

fn has_letters(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS
}

pub(crate) fn street(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", mistyped(&address.street, chance), address.city);
    Case::from_text(typed, Expected::street(address))
}

pub(crate) fn number(address: &Address, chance: &mut Chance) -> Option<Case> {
    let street = mistyped(&address.street, chance);
    let typed = format!("{street} {} {}", address.number, address.city);
    Case::from_text(typed, Expected::number(address))
}

pub(crate) fn town(address: &Address, chance: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", address.street, mistyped(&address.city, chance));
    Case::from_text(typed, Expected::street(address))
}

/// Makes one edit at a letter, never at a digit, a space or a sign. Every kind of edit is equally likely.
pub(super) fn mistyped(name: &str, chance: &mut Chance) -> String {
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

/// The rows of a keyboard.
const KEYS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Doubles a letter, or types a neighbouring key in place of the letter or after it.
pub(super) fn neighbour(name: &str, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let on_keys = |c: char| KEYS.iter().find_map(|row| Some((*row, row.find(c)?)));
    let places = (0..letters.len()).filter(|&at| on_keys(letters[at]).is_some());
    let places: Vec<usize> = places.collect();
    let Some(&at) = places.get(chance.below(places.len().max(1))) else {
        return name.to_owned();
    };
    let (row, key) = on_keys(letters[at]).expect("only letters on the keyboard are chosen");
    let beside = if key + 1 < row.len() && (key == 0 || chance.below(2) == 0) {
        key + 1
    } else {
        key - 1
    };
    let beside = char::from(row.as_bytes()[beside]);
    match chance.below(3) {
        0 => letters.insert(at, letters[at]),
        1 => letters.insert(at + 1, beside),
        _ => letters[at] = beside,
    }
    letters.into_iter().collect()
}

/// A random lower-case letter other than this one.
fn other_letter(there: char, chance: &mut Chance) -> char {
    let there = there.to_lowercase().next().unwrap_or(there);
    let others: Vec<char> = ('a'..='z').filter(|&c| c != there).collect();
    others[chance.below(others.len())]
}

/// Swaps two neighbouring letters that are different.
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
