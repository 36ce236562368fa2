//! Makes queries in which a street name of one word is typed as two words, or the reverse.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use crate::chance::Chance;

/// Second parts of a compound that people type as a separate word.
const PARTS: [&str; 4] = ["straat", "laan", "weg", "plein"];

fn case(street: &str, address: &Address) -> Option<Case> {
    let typed = format!("{street} {}", address.city);
    Case::from_text(typed, Expected::street(address))
}

pub(crate) fn has_space(address: &Address) -> bool {
    is_street(address) && address.street.contains(' ')
}

/// The street with one space of its name removed.
pub(crate) fn squashed(address: &Address, chance: &mut Chance) -> Option<Case> {
    let words: Vec<&str> = address.street.split(' ').collect();
    let glued = chance.below(words.len().checked_sub(1)?);
    let (before, after) = words.split_at(glued + 1);
    case(&format!("{}{}", before.join(" "), after.join(" ")), address)
}

/// Whether the street's name has a hyphen between letters.
pub(crate) fn has_hyphen(address: &Address) -> bool {
    let letters: Vec<&str> = address.street.split('-').collect();
    let between = |pair: &[&str]| {
        pair[0].ends_with(char::is_alphabetic) && pair[1].starts_with(char::is_alphabetic)
    };
    is_street(address) && letters.windows(2).any(between)
}

pub(crate) fn hyphen(address: &Address, _: &mut Chance) -> Option<Case> {
    case(&address.street.replace('-', " "), address)
}

/// Splits a compound name into its first part, of at least three letters, and its second part.
fn parts(name: &str) -> Option<(&str, &'static str)> {
    PARTS.iter().find_map(|part| {
        let first = name.strip_suffix(part)?;
        let own = first.rsplit([' ', '-']).next()?;
        (own.chars().filter(|c| c.is_alphabetic()).count() >= 3).then_some((first, *part))
    })
}

pub(crate) fn is_compound(address: &Address) -> bool {
    is_street(address) && parts(&address.street).is_some()
}

/// The street with its name split, such as `Kerk straat` for `Kerkstraat`.
pub(crate) fn split(address: &Address, _: &mut Chance) -> Option<Case> {
    let (first, second) = parts(&address.street)?;
    case(&format!("{first} {second}"), address)
}
