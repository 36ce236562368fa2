//! Makes queries with a street and its town, as people type them.

use postduif_schema::Address;

use super::careless::beginning;
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
    Case::from_text(typed, Expected::street(address))
}

/// At least the first two thirds of a street's name. A number in the name is never cut, because `Plein 19` is another street than
/// `Plein 1944`.
pub(crate) fn prefix(address: &Address, chance: &mut Chance) -> Option<Case> {
    let beginning = beginning(&address.street, chance);
    street(format!("{beginning} {}", address.city), address)
}

pub(crate) fn whole(address: &Address, _: &mut Chance) -> Option<Case> {
    street(format!("{} {}", address.street, address.city), address)
}

pub(crate) fn comma(address: &Address, _: &mut Chance) -> Option<Case> {
    street(format!("{}, {}", address.street, address.city), address)
}

/// The town, then the street, with or without a comma between them.
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
