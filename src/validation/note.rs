//! Finds the address that a note beside a house number names: III in `derde verdieping`, bov in `bovenwoning`, schr in `schuur`.
//!
//! Assumption: a note that names a part of the building counts as an addition, because a parcel for the flat above is not for the shop.

use postduif_schema::{Address, fold, squashed};

use super::address_lookup::AddressLookup;
use super::entered_number::EnteredNumber;
use super::floor_mention::FloorMention;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::similar_suffix::is_ground_floor;
use crate::search::is_building_part;

/// Minimum number of letters of an addition that may be the beginning of a word: `ben` for `benedenwoning`.
const MIN_BEGINNING: usize = 2;

/// Minimum length of an addition that is read as some consonants of a word, in their order, with the first letter of the word: `schr` for
/// `schuur`. Two letters fit too many words: `bg` would fit `bovenwoning`.
const MIN_CONSONANTS: usize = 3;

/// Minimum number of letters of a word for a part of a building. Shorter ones need a number, or are common words: `let op de hond`.
const MIN_PART_LETTERS: usize = 4;

/// Words before something that is only near: `achter de schuur`. `t.o.` is two words once it is folded.
const PREPOSITIONS: [&str; 11] = [
    "achter", "bij", "in", "langs", "naast", "o", "onder", "tegenover", "to", "tov", "voor",
];

/// The address to suggest if a note contradicts `found`, which is at `number` without the note. `None` if the note names no part of a
/// building, if it names `found`, or if the number has no other address.
pub(super) fn find_contradicted<B: AddressLookup>(
    note: &str,
    number: &EnteredNumber,
    found: &Address,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let note = before_preposition(note);
    let letter = number.letter.as_deref();
    let readings = [letter, None].map(|letter| HouseNumberSuffix::new(letter, Some(&note)));
    let is_named = |address: &Address| {
        readings
            .iter()
            .any(|reading| names_suffix(*reading, address))
    };
    let is_on_ground = || is_ground_floor(&squashed(&note).to_ascii_uppercase(), "HS");
    if is_named(found) || joined_suffix(found).eq(['H']) && is_on_ground() {
        return Ok(None);
    }
    let mut others = lookup.addresses_at_number(found.postcode, found.number)?;
    others.retain(|other| other.id != found.id && other.street_id == found.street_id);
    for reading in readings {
        let mut named = others.iter().filter(|other| names_suffix(reading, other));
        if let (Some(only), None) = (named.next(), named.next()) {
            return Ok(Some(only.clone()));
        }
    }
    let entered = HouseNumberSuffix::new(letter, number.addition.as_deref());
    let has_more_suffix = !entered.is_same(found);
    let is_other_part = names_building_part(&note) && (has_more_suffix || !others.is_empty());
    Ok((is_other_part || others.iter().any(is_named)).then(|| found.clone()))
}

/// Whether an address has the entered letter, if any, and an addition that the entered addition names.
pub(super) fn names_suffix(entered: HouseNumberSuffix<'_>, address: &Address) -> bool {
    names_floor(entered, address) || names_word(entered, address)
}

/// Whether the entered addition has a floor that is the addition of an address: III for `drie hoog`.
fn names_floor(entered: HouseNumberSuffix<'_>, address: &Address) -> bool {
    let Some((text, known)) = additions(entered, address) else {
        return false;
    };
    // The letters I, V and X are house letters, not floors.
    let may_be_floor = known.len() > 1 || address.addition.is_some();
    FloorMention::find(text).is_some_and(|floor| may_be_floor && floor.is_suffix(&known))
        || is_ground_floor(&squashed(text).to_ascii_uppercase(), &known)
}

/// Whether the addition of an address shortens a word of the entered addition.
pub(super) fn names_word(entered: HouseNumberSuffix<'_>, address: &Address) -> bool {
    let Some((text, known)) = additions(entered, address) else {
        return false;
    };
    let (known, text) = (known.to_ascii_lowercase(), fold(text));
    let mut words = text.split(' ').filter(|word| is_building_part(word));
    words.any(|word| shortens(&known, word))
}

/// The entered addition, and the suffix of an address after the entered letter, in upper case. `None` if the address lacks this letter.
fn additions<'a>(entered: HouseNumberSuffix<'a>, address: &Address) -> Option<(&'a str, String)> {
    let letter = entered.letter.unwrap_or_default().to_ascii_uppercase();
    let known: String = joined_suffix(address).collect();
    Some((entered.addition?, known.strip_prefix(&letter)?.to_owned()))
}

/// Whether `known` is the beginning of a word, or the word without its vowels and perhaps without some of its consonants.
fn shortens(known: &str, word: &str) -> bool {
    if known.len() < MIN_BEGINNING || known.len() >= word.len() {
        return false;
    }
    let is_consonant = |c: char| c.is_ascii_lowercase() && !"aeiou".contains(c);
    let mut letters = word.chars();
    let is_without_vowels = known.len() >= MIN_CONSONANTS
        && known.chars().all(is_consonant)
        && word.starts_with(&known[..1])
        && known.chars().all(|c| letters.any(|letter| letter == c));
    let is_beginning =
        word.starts_with(known) && known.bytes().all(|byte| byte.is_ascii_lowercase());
    is_beginning || is_without_vowels
}

/// The folded words of a note before a preposition. A preposition at the end of a note says where the unit is: `drie hoog achter`.
fn before_preposition(note: &str) -> String {
    let note = fold(note);
    let words: Vec<&str> = note.split(' ').collect();
    let inner = words.split_last().map_or(&[][..], |(_, inner)| inner);
    let at = inner.iter().position(|word| PREPOSITIONS.contains(word));
    words[..at.unwrap_or(words.len())].join(" ")
}

/// Whether a folded note names a part of a building.
fn names_building_part(note: &str) -> bool {
    let is_part = |word: &str| word.len() >= MIN_PART_LETTERS && is_building_part(word);
    FloorMention::find(note).is_some() || note.split(' ').any(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_addition_shortens_a_word() {
        for (known, word, expected) in [
            ("ged", "gedeelte", true),
            ("bov", "bovenwoning", true),
            ("schr", "schuur", true),
            ("wng", "woning", true),
            ("ben", "bovenwoning", false),
            ("bg", "bovenwoning", false),
            ("b", "bovenwoning", false),
            ("chr", "schuur", false),
            ("schr", "schr", false),
            ("c2", "c212", false),
        ] {
            assert_eq!(shortens(known, word), expected, "{known} {word}");
        }
    }

    #[test]
    fn a_note_names_a_part_of_a_building() {
        for (note, expected) in [
            ("derde verdieping", true),
            ("Bovenwoning.", true),
            ("links achter", true),
            ("schuur naast de kerk", true),
            ("op de derde verdieping", true),
            ("naast de schuur", false),
            ("t.o. winkel", false),
            ("achterom", false),
            ("bellen bij de buren", false),
            ("let op de hond", false),
            ("zonder toevoeging", false),
            ("geen nummer", false),
            ("sleutel onder de mat", false),
            ("rode deur", false),
        ] {
            let note = before_preposition(note);
            assert_eq!(names_building_part(&note), expected, "{note}");
        }
    }
}
