//! Makes queries with abbreviations as people write them, and with ordinals in words or in digits.
//!
//! Source: libpostal's dictionaries nl (street types, personal titles); NEN 5825 for `v`, `vd`.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::streets::is_street;
use crate::chance::Chance;

/// Endings of street names, with the abbreviations of each.
const ENDINGS: [(&str, &[&str]); 7] = [
    ("straat", &["str"]),
    ("laan", &["ln"]),
    ("plein", &["pl", "pln"]),
    ("weg", &["wg"]),
    ("gracht", &["gr"]),
    ("singel", &["sngl"]),
    ("kade", &["kd"]),
];

/// First words of street names, with the abbreviations of each. `St` means Sint only as the first word.
const TITLES: [(&str, &[&str]); 8] = [
    ("Burgemeester", &["Burg", "Bgm"]),
    ("Dominee", &["Ds"]),
    ("Sint", &["St"]),
    ("Dokter", &["Dr"]),
    ("Doctor", &["Dr"]),
    ("Professor", &["Prof"]),
    ("Pastoor", &["Past"]),
    ("Meester", &["Mr"]),
];

/// Particles of street names, the longest first, with the abbreviations of each. Source of `v`: NEN 5825, as in `Burg v N v
/// Sevenaerstr`.
const PARTICLES: [(&str, &[&str]); 8] = [
    ("van den", &["vd", "v.d.", "v d"]),
    ("van der", &["vd", "v.d.", "v d"]),
    ("van de", &["vd", "v.d.", "v d"]),
    ("Van den", &["vd", "v.d.", "v d"]),
    ("Van der", &["vd", "v.d.", "v d"]),
    ("Van de", &["vd", "v.d.", "v d"]),
    ("van", &["v", "v."]),
    ("Van", &["v", "v."]),
];

const ORDINALS: [(&str, [&str; 3]); 3] = [
    ("Eerste", ["1e", "1ste", "1e"]),
    ("Tweede", ["2e", "2de", "2e"]),
    ("Derde", ["3e", "3de", "3e"]),
];

fn case(street: &str, address: &Address) -> Option<Case> {
    let typed = format!("{street} {}", address.city);
    Case::from_text(typed, Expected::street(address))
}

/// A street name without its ending, if at least three letters are left, and the abbreviations of the ending.
fn stem_and_endings(address: &Address) -> Option<(&str, &'static [&'static str])> {
    let known = ENDINGS.iter().find_map(|(ending, shorts)| {
        let stem = address.street.strip_suffix(ending)?;
        Some((stem, *shorts))
    });
    known.filter(|(stem, _)| stem.chars().filter(|c| c.is_alphabetic()).count() >= 3)
}

pub(crate) fn ending_fits(address: &Address) -> bool {
    is_street(address) && stem_and_endings(address).is_some()
}

/// The street with its ending abbreviated. One in three abbreviations has a full stop.
pub(crate) fn ending(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (stem, shorts) = stem_and_endings(address)?;
    let short = shorts[chance.below(shorts.len())];
    let stop = ["", "", "."][chance.below(3)];
    case(&format!("{stem}{short}{stop}"), address)
}

/// The parts of a name before and after this word, which must be a whole word of the name.
fn around<'a>(name: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (at, _) = name.match_indices(word).find(|(at, _)| {
        let (before, after) = (&name[..*at], &name[at + word.len()..]);
        (before.is_empty() || before.ends_with(' ')) && after.starts_with(' ')
    })?;
    Some((&name[..at], &name[at + word.len()..]))
}

fn shortened(
    address: &Address,
    words: &[(&str, &[&str])],
    stop: &str,
    chance: &mut Chance,
) -> Option<Case> {
    let name = &address.street;
    let found = words
        .iter()
        .find_map(|(word, shorts)| Some((around(name, word)?, *shorts)));
    let ((before, after), shorts) = found?;
    let short = shorts[chance.below(shorts.len())];
    case(&format!("{before}{short}{stop}{after}"), address)
}

pub(crate) fn title_fits(address: &Address) -> bool {
    let leads = |(before, _): (&str, &str)| before.is_empty();
    let known = |(word, _): &(&str, &[&str])| around(&address.street, word).is_some_and(leads);
    is_street(address) && TITLES.iter().any(known)
}

/// The street with its title abbreviated, with or without a full stop.
pub(crate) fn title(address: &Address, chance: &mut Chance) -> Option<Case> {
    let stop = ["", "."][chance.below(2)];
    shortened(address, &TITLES, stop, chance)
}

pub(crate) fn van_fits(address: &Address) -> bool {
    let known = |(word, _): &(&str, &[&str])| around(&address.street, word).is_some();
    is_street(address) && PARTICLES.iter().any(known)
}

pub(crate) fn van(address: &Address, chance: &mut Chance) -> Option<Case> {
    shortened(address, &PARTICLES, "", chance)
}

pub(crate) fn digit_fits(address: &Address) -> bool {
    is_street(address) && address.street.starts_with(['1', '2', '3'])
}

/// The street with its ordinal in words: `2e Lindendwarsstraat` becomes `Tweede Lindendwarsstraat`.
pub(crate) fn to_words(address: &Address, _: &mut Chance) -> Option<Case> {
    let (first, rest) = address.street.split_once(' ')?;
    let (word, _) = ORDINALS
        .iter()
        .find(|(_, digits)| digits.contains(&first))?;
    case(&format!("{word} {rest}"), address)
}

pub(crate) fn word_fits(address: &Address) -> bool {
    let begins = |(word, _): &(&str, [&str; 3])| address.street.starts_with(word);
    is_street(address) && ORDINALS.iter().any(begins)
}

/// The street with its ordinal in digits: `Eerste Oosterkade` becomes `1e Oosterkade` or `1ste Oosterkade`.
pub(crate) fn to_digits(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (first, rest) = address.street.split_once(' ')?;
    let (_, digits) = ORDINALS.iter().find(|(word, _)| *word == first)?;
    case(&format!("{} {rest}", digits[chance.below(3)]), address)
}
