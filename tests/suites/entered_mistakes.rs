//! Makes the mistakes that people make in the fields of an address.

use postduif::snapshot::Snapshot;
use postduif::validation::AddressLookup as _;
use postduif_schema::{Address, HouseNumber};

use crate::chance::Chance;

/// How often a mistake is tried in one address.
pub(super) const TRIES: usize = 40;

/// The address's postcode with one character replaced, if the result is another existing postcode.
pub(super) fn existing_slip(
    address: &Address,
    snapshot: &Snapshot,
    chance: &mut Chance,
) -> Option<String> {
    for _ in 0..TRIES {
        let mut typed = address.postcode.ascii();
        let place = chance.below(6);
        typed[place] = match place {
            0..4 => b'0' + u8::try_from(chance.below(10)).ok()?,
            _ => b'A' + u8::try_from(chance.below(26)).ok()?,
        };
        let text: String = typed.map(char::from).iter().collect();
        let exists = text
            .parse()
            .is_ok_and(|postcode| snapshot.postcodes().contains(postcode));
        if exists && text != address.postcode.to_string() {
            return Some(text);
        }
    }
    None
}

/// The house number with one digit replaced, inserted or left out; `None` if the postcode has the resulting number. Such a slip cannot be
/// noticed.
pub(super) fn number_slip(
    address: &Address,
    snapshot: &Snapshot,
    chance: &mut Chance,
) -> Option<HouseNumber> {
    let mut digits = address.number.to_string().into_bytes();
    let at = chance.below(digits.len());
    let digit = b'0' + u8::try_from(chance.below(10)).ok()?;
    match chance.below(3) {
        0 => digits[at] = digit,
        1 => digits.insert(at + 1, digit),
        _ => drop(digits.remove(at)),
    }
    let number = String::from_utf8(digits).ok()?.parse().ok()?;
    let number = HouseNumber::new(number)?;
    let there = snapshot
        .addresses_at_number(address.postcode, number)
        .ok()?;
    there.is_empty().then_some(number)
}

/// The name of a street with its titles and particles shortened, such as `Burg. v. Tuyllaan`.
pub(super) fn abbreviated(street: &str) -> Option<String> {
    const SHORT: [(&str, &str); 14] = [
        ("Burgemeester ", "Burg. "),
        ("Professor ", "Prof. "),
        ("Dokter ", "Dr. "),
        ("Dominee ", "Ds. "),
        ("Pastoor ", "Past. "),
        ("Koningin ", "Kon. "),
        ("Prins ", "Pr. "),
        ("Sint ", "St. "),
        ("Generaal ", "Gen. "),
        (" van der ", " v.d. "),
        (" van ", " v. "),
        (" de ", " d. "),
        ("straat", "str."),
        ("plein", "pln."),
    ];
    let short = SHORT.iter().fold(street.to_owned(), |text, (long, short)| {
        text.replace(long, short)
    });
    (short != street).then_some(short)
}

/// A letter that no address at this number has.
pub(super) fn unknown_letter(address: &Address, snapshot: &Snapshot) -> Option<String> {
    if address.letter.is_some() || address.addition.is_some() {
        return None;
    }
    let there = snapshot
        .addresses_at_number(address.postcode, address.number)
        .ok()?;
    let has = |letter: char| {
        there.iter().any(|other| {
            let suffix = other
                .letter
                .map(|letter| letter.to_string())
                .into_iter()
                .chain(other.addition.map(|addition| addition.to_string()));
            suffix
                .collect::<String>()
                .to_ascii_uppercase()
                .starts_with(letter)
        })
    };
    ('A'..='Z').find(|&letter| !has(letter)).map(String::from)
}

/// The name with one letter removed, or with an `x` inserted; `None` for a name of fewer than six letters.
pub(super) fn with_typo(name: &str, chance: &mut Chance) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let places: Vec<usize> = (1..letters.len())
        .filter(|&at| letters[at].is_alphabetic())
        .collect();
    let &at = places.get(chance.below(places.len().max(1)))?;
    if letters.len() < 6 {
        return None;
    }
    match chance.below(2) {
        0 => drop(letters.remove(at)),
        _ => letters.insert(at, 'x'),
    }
    Some(letters.into_iter().collect())
}
