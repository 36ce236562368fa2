//! Makes queries as people really type and paste them: with a wrong postcode, joined numbers, unit words, telephone numbers or
//! names of persons.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::numbers::{has_digits, has_suffix};
use super::streets::is_street;
use super::text::{numbered, suffix};
use super::typos::{mistyped, street_fits, town_fits};
use crate::chance::Chance;

/// Words that people write between a house number and the number of a unit.
const UNIT_WORDS: [&str; 8] = [
    "app", "appartement", "kamer", "bungalow", "huisje", "kavel", "unit", "apt.",
];

/// Texts that people write before the address on a parcel.
const SENDERS: [&str; 5] = [
    "Fam. de Boer",
    "T.a.v. mevr. Bakker",
    "Jan Willem Visser",
    "Bakkerij Smit B.V.",
    "dhr. P. van der Meer",
];

/// Texts that remain after the address when people paste it.
const TAILS: [&str; 5] = [
    "tel. 0118-123456", "06 12 34 56 78", "+31 6 12345678", "tel 0031612345678",
    "naam@voorbeeld.nl",
];

/// Pairs of spellings that sound alike: the register's spelling, and the typed spelling.
const ALIKE: [(&str, &str); 12] = [
    ("ij", "y"),
    ("ij", "ei"),
    ("ei", "ij"),
    ("ou", "au"),
    ("au", "ou"),
    ("ck", "k"),
    ("ph", "f"),
    ("gh", "g"),
    ("ss", "s"),
    ("tt", "t"),
    ("ch", "g"),
    ("th", "t"),
];

/// The address's postcode with another last letter. The resulting postcode usually exists.
fn near_postcode(address: &Address, chance: &mut Chance) -> String {
    let mut typed = address.postcode.ascii();
    let step = [1, 2, 24, 25][chance.below(4)];
    typed[5] = b'A' + (typed[5] - b'A' + step) % 26;
    typed.map(char::from).iter().collect()
}

/// Types of streets that people confuse.
const STREET_TYPES: [&str; 5] = ["straat", "laan", "weg", "plein", "pad"];

fn street_type(address: &Address) -> Option<&'static str> {
    let mut types = STREET_TYPES.into_iter();
    let found = types.find(|kind| address.street.ends_with(kind));
    found.filter(|kind| address.street.len() >= kind.len() + 5)
}

pub(crate) fn has_street_type(address: &Address) -> bool {
    is_street(address) && street_type(address).is_some()
}

/// The street with another type, such as `laan` for `weg`. A street with the new name may also exist.
pub(crate) fn other_type(address: &Address, chance: &mut Chance) -> Option<Case> {
    let stem = address.street.strip_suffix(street_type(address)?)?;
    let other = STREET_TYPES[chance.below(STREET_TYPES.len())];
    let typed = format!("{stem}{other} {} {}", numbered(address), address.city);
    Case::from_text(typed, whole(address)).filter(|_| !address.street.ends_with(other))
}

pub(crate) fn has_letter_alone(address: &Address) -> bool {
    address.letter.is_some() && address.addition.is_none()
}

/// The postcode and the number, then a space, a hyphen or a slash, then the letter.
pub(crate) fn lone_letter(address: &Address, chance: &mut Chance) -> Option<Case> {
    let between = [" ", "-", " / "][chance.below(3)];
    let typed = format!(
        "{} {}{between}{}",
        address.postcode,
        address.number,
        suffix(address)
    );
    Case::from_text(typed.to_lowercase(), whole(address))
}

fn whole(address: &Address) -> Expected {
    Expected::address(address)
}

pub(crate) fn wrong_postcode(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (street, number, city) = (&address.street, numbered(address), &address.city);
    let postcode = near_postcode(address, chance);
    let typed = match chance.below(3) {
        0 => format!("{street} {number} {postcode} {city}"),
        1 => format!("{postcode} {city} {street} {number}"),
        _ => format!("{street} {number}, {city} {postcode}"),
    };
    Case::from_text(typed, whole(address))
}

/// Whether the name of the street ends in a letter, so that a number joined to it can be recognised.
pub(crate) fn ends_in_letter(address: &Address) -> bool {
    is_street(address) && address.street.ends_with(char::is_alphabetic)
}

pub(crate) fn ends_in_letter_with_suffix(address: &Address) -> bool {
    ends_in_letter(address) && has_suffix(address)
}

pub(crate) fn glued(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{}{} {}", address.street, address.number, address.city);
    Case::from_text(typed.to_lowercase(), Expected::number(address))
}

pub(crate) fn glued_suffix(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{}{} {}", address.street, numbered(address), address.city);
    Case::from_text(typed.to_lowercase(), whole(address))
}

pub(crate) fn typo_fits_with_suffix(address: &Address) -> bool {
    street_fits(address) && has_suffix(address)
}

pub(crate) fn typo_suffix(address: &Address, chance: &mut Chance) -> Option<Case> {
    let street = mistyped(&address.street, chance);
    Case::from_text(
        format!("{street} {} {}", numbered(address), address.city),
        whole(address),
    )
}

pub(crate) fn both_fit(address: &Address) -> bool {
    street_fits(address) && town_fits(address)
}

/// The street, the number and the town. Street and town have a typo each.
pub(crate) fn typos_number(address: &Address, chance: &mut Chance) -> Option<Case> {
    let [street, city] = [&address.street, &address.city].map(|name| mistyped(name, chance));
    Case::from_text(
        format!("{street} {} {city}", numbered(address)),
        whole(address),
    )
}

pub(crate) fn unit(address: &Address, chance: &mut Chance) -> Option<Case> {
    let word = UNIT_WORDS[chance.below(UNIT_WORDS.len())];
    let typed = format!(
        "{} {} {word} {} {}",
        address.street,
        address.number,
        suffix(address),
        address.city
    );
    Case::from_text(typed, whole(address))
}

pub(crate) fn has_zeros(address: &Address) -> bool {
    has_digits(address)
        && suffix(address).starts_with('0')
        && suffix(address).bytes().any(|byte| byte != b'0')
}

pub(crate) fn without_zeros(address: &Address, _: &mut Chance) -> Option<Case> {
    let suffix = suffix(address);
    let typed = format!(
        "{} {}-{} {}",
        address.street,
        address.number,
        suffix.trim_start_matches('0'),
        address.city
    );
    Case::from_text(typed, whole(address))
}

/// Whether the suffix consists of a letter and digits, such as `K302`.
pub(crate) fn has_letter_and_digits(address: &Address) -> bool {
    let suffix = suffix(address);
    let mut rest = suffix.chars();
    is_street(address)
        && rest.next().is_some_and(char::is_alphabetic)
        && suffix.len() >= 3
        && rest.all(|c| c.is_ascii_digit())
}

pub(crate) fn without_letter(address: &Address, chance: &mut Chance) -> Option<Case> {
    let between = ["-", " kamer ", " app. "][chance.below(3)];
    let typed = format!(
        "{} {}{between}{} {}",
        address.street,
        address.number,
        &suffix(address)[1..],
        address.city
    );
    Case::from_text(typed, whole(address))
}

pub(crate) fn pasted(address: &Address, chance: &mut Chance) -> Option<Case> {
    let (sender, tail) = (
        SENDERS[chance.below(SENDERS.len())],
        TAILS[chance.below(TAILS.len())],
    );
    let (street, number, city) = (&address.street, numbered(address), &address.city);
    let postcode = address.postcode;
    let typed = match chance.below(3) {
        0 => format!("{sender}, {street} {number}, {postcode} {city}, {tail}"),
        1 => format!("{street} {number} {city} {tail}"),
        _ => format!("Adres: {street} {number}, {postcode} {city}, Nederland, {tail}"),
    };
    Case::from_text(typed, whole(address))
}

pub(crate) fn sender(address: &Address, chance: &mut Chance) -> Option<Case> {
    let sender = SENDERS[chance.below(SENDERS.len())];
    let typed = format!(
        "{sender} {} {} {}",
        address.street,
        numbered(address),
        address.city
    );
    Case::from_text(typed, whole(address))
}

/// The street and the number, with the municipality in place of the town.
pub(crate) fn municipality(address: &Address, chance: &mut Chance) -> Option<Case> {
    let word = ["", "gem. ", "gemeente "][chance.below(3)];
    let typed = format!(
        "{} {} {word}{}",
        address.street,
        numbered(address),
        address.municipality
    );
    Case::from_text(typed, whole(address))
}

pub(crate) fn has_alike(address: &Address) -> bool {
    is_street(address) && ALIKE.iter().any(|(from, _)| address.street.contains(from))
}

pub(crate) fn alike(address: &Address, chance: &mut Chance) -> Option<Case> {
    let fitting = ALIKE
        .iter()
        .filter(|(from, _)| address.street.contains(from));
    let fitting: Vec<_> = fitting.collect();
    let (from, to) = fitting.get(chance.below(fitting.len().max(1)))?;
    let street = address.street.replacen(from, to, 1);
    Case::from_text(
        format!("{street} {} {}", numbered(address), address.city),
        whole(address),
    )
}

/// The postcode with one character replaced by a similar-looking one, and the number.
pub(crate) fn look_alike(address: &Address, chance: &mut Chance) -> Option<Case> {
    const ALIKE: [(char, char); 8] = [
        ('0', 'O'),
        ('1', 'l'),
        ('1', 'I'),
        ('L', '1'),
        ('5', 'S'),
        ('S', '5'),
        ('2', 'Z'),
        ('B', '8'),
    ];
    let postcode = address.postcode.to_string();
    let fitting = ALIKE.iter().filter(|(from, _)| postcode.contains(*from));
    let fitting: Vec<_> = fitting.collect();
    let (from, to) = fitting.get(chance.below(fitting.len().max(1)))?;
    let typed = postcode.replacen(*from, &to.to_string(), 1);
    let typed = format!("{} {} {}", &typed[..4], &typed[4..], numbered(address));
    Case::from_text(typed, whole(address))
}

pub(crate) fn is_without_suffix(address: &Address) -> bool {
    is_street(address) && !has_suffix(address)
}

/// The number with a house letter that hardly any number has.
pub(crate) fn unknown_letter(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}w {}", address.street, address.number, address.city);
    Case::from_text(typed, Expected::number(address))
}

pub(crate) fn unknown_number(address: &Address, _: &mut Chance) -> Option<Case> {
    let number = address.number.get() + 5_000;
    Case::from_text(
        format!("{} {number} {}", address.street, address.city),
        Expected::street(address),
    )
}
