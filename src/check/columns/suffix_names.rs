//! Says whether a column is used for letters or additions by its name and its place alone, without a look at its cells.

use postduif_schema::squashed;

use super::column_names::{
    HOUSE_NUMBERS, begins_like_addition, begins_with_name_of, ends_with_name_of, is_known_name,
    whole_names,
};
use super::known_names::{GENERIC_NAMES, known_names};
use super::unrelated_columns::GENERIC_SUFFIXES;
use crate::check::column_role::ColumnRole;

/// Whether a column is used for a role although most of its cells in the first rows are something else. Later rows may have letters or
/// additions, and a row would be `ok` with the wrong address if its addition were ignored. The column is directly after the house number or
/// the letter, or it has a certain name, such as `Toevoeging`. Before the address, such a column may belong to the name of a person, so its
/// name must mention the house number.
pub(super) fn is_suffix_column(role: ColumnRole, header: &[String], at: usize) -> bool {
    let name = &header[at];
    let is_certain =
        || is_certain_name(role, name) && !GENERIC_SUFFIXES.contains(&&*squashed(name));
    matches!(role, ColumnRole::Letter | ColumnRole::Addition)
        && (is_beside_number(header, at)
            || is_certain() && (mentions_house(name) || is_in_address(header, at)))
}

/// Whether a name is a known name of a role that means nothing else, or a longer one that has it: `Factuur toevoeging`.
pub(super) fn is_certain_name(role: ColumnRole, name: &str) -> bool {
    let whole = whole_names(name);
    let mut specific = known_names(role).filter(|known| !GENERIC_NAMES.contains(known));
    specific.any(|known| whole.iter().any(|name| name == known))
        || begins_with_name_of(role, name)
        || ends_with_name_of(role, name)
        || role == ColumnRole::Addition && begins_like_addition(name)
}

/// Whether the name of the previous column means a house number or a house letter.
pub(super) fn is_beside_number(header: &[String], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        let whole = whole_names(&header[before]);
        let mut roles = [ColumnRole::Number, ColumnRole::Letter].into_iter();
        roles.any(|role| is_known_name(role, &whole))
    })
}

fn mentions_house(name: &str) -> bool {
    let name = squashed(name);
    let mut words = HOUSE_NUMBERS.iter().chain(&["huisletter"]);
    words.any(|word| name.contains(word))
}

/// Whether a column is after the street, the address line or the house number, or directly before the house number.
fn is_in_address(header: &[String], at: usize) -> bool {
    let is_number = |name: &String| is_certain_name(ColumnRole::Number, name);
    let is_part = |name: &String| {
        let mut lines = [ColumnRole::Street, ColumnRole::Line].into_iter();
        is_number(name)
            || lines
                .any(|role| is_certain_name(role, name) || is_known_name(role, &whole_names(name)))
    };
    header[..at].iter().any(is_part) || header.get(at + 1).is_some_and(is_number)
}
