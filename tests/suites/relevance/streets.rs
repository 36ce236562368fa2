//! A street and its town, as people begin to type them.

use postduif_schema::Address;

use super::class::Case;
use super::expected::Expected;
use super::text::without_marks;
use crate::chance::Chance;

pub(crate) fn is_any(_: &Address) -> bool {
    true
}

pub(crate) fn is_street(address: &Address) -> bool {
    address.street_id.is_some()
}

pub(crate) fn is_box(address: &Address) -> bool {
    address.street_id.is_none()
}

pub(crate) fn has_marks(address: &Address) -> bool {
    is_street(address) && !(address.street.is_ascii() && address.city.is_ascii())
}

fn street(typed: String, address: &Address) -> Option<Case> {
    Case::some(typed, Expected::street(address))
}

/// At least two thirds of the name, rounded up. A number in a name is never cut: `Plein 19` is another street.
pub(crate) fn prefix(address: &Address, chance: &mut Chance) -> Option<Case> {
    let letters: Vec<char> = address.street.chars().collect();
    let least = (letters.len() * 2).div_ceil(3);
    let mut kept = least + chance.below(letters.len() - least + 1);
    while letters.get(kept).is_some_and(char::is_ascii_digit) {
        kept += 1;
    }
    let begun: String = letters[..kept].iter().collect();
    street(format!("{} {}", begun.trim_end(), address.city), address)
}

pub(crate) fn whole(address: &Address, _: &mut Chance) -> Option<Case> {
    street(format!("{} {}", address.street, address.city), address)
}

pub(crate) fn comma(address: &Address, _: &mut Chance) -> Option<Case> {
    street(format!("{}, {}", address.street, address.city), address)
}

/// The town before the street, with and without a comma.
pub(crate) fn town_first(address: &Address, chance: &mut Chance) -> Option<Case> {
    let comma = ["", ","][chance.below(2)];
    let typed = format!("{}{comma} {}", address.city, address.street);
    street(typed, address)
}

pub(crate) fn lower(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", address.street, address.city);
    street(typed.to_lowercase(), address)
}

pub(crate) fn plain(address: &Address, _: &mut Chance) -> Option<Case> {
    let typed = format!("{} {}", address.street, address.city);
    let plain = without_marks(&typed);
    (plain != typed)
        .then(|| street(plain.to_lowercase(), address))
        .flatten()
}
