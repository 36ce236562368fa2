//! Selects the addresses at a number that have the entered suffix, exactly or in part.
//!
//! Source: decisions.md, sections Parameters and Validation. Assumption: a part may be left out only where one address fits,
//! because a parcel for one of several units needs the unit. The letter may not be left out beside a floor: `1 hoog` is not 12T-1.

use postduif_schema::{Address, HouseNumber};

use super::floor_mention::FloorMention;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use crate::search::are_equal_but_zeros;

/// The addresses at a number that have the entered suffix.
pub(super) struct SuffixFit {
    /// The addresses whose suffix is exactly the entered one.
    pub(super) exact: Vec<Address>,
    /// The other addresses that have the entered parts. If no address has them, the addresses with a suffix that differs only in leading
    /// zeros.
    pub(super) partial: Vec<Address>,
}

impl SuffixFit {
    /// Compares the entered suffix with those of all addresses at the entered number.
    pub(super) fn new(
        entered: HouseNumberSuffix<'_>,
        number: HouseNumber,
        addresses: &[Address],
    ) -> Self {
        let select = |fits: &dyn Fn(&Address) -> bool| -> Vec<Address> {
            let fitting = addresses.iter().filter(|address| fits(address));
            fitting.cloned().collect()
        };
        if let Some(with_word) = entered.with_unit_word() {
            let exact = select(&|address| with_word.matches_joined(address));
            if !exact.is_empty() {
                return Self {
                    exact,
                    partial: Vec::new(),
                };
            }
        }
        let as_given = select(&|address| equals(entered, address));
        // `1-2` after number 1 repeats the number: it means 1-2 and not 1-12.
        let repeats_number = entered.repeats_number(number);
        let exact = match as_given.is_empty() && !repeats_number {
            true => select(&|address| entered.matches_joined(address)),
            false => as_given,
        };
        let is_exact = |address: &Address| exact.iter().any(|other| other.id == address.id);
        let lacks_letter = |address: &Address| {
            entered.letter.is_none() && address.letter.is_some() && is_floor(entered)
        };
        let mut partial = select(&|address| {
            entered.matches(address) && !is_exact(address) && !lacks_letter(address)
        });
        if exact.is_empty() && partial.is_empty() && !repeats_number {
            partial = select(&|address| equals_but_zeros(entered, address));
        }
        Self { exact, partial }
    }
}

/// Whether the entered addition is a floor: `1 hoog`.
fn is_floor(entered: HouseNumberSuffix<'_>) -> bool {
    let with_word = entered.with_unit_word();
    let text = with_word.and_then(|suffix| suffix.addition);
    let floor = text.and_then(FloorMention::find);
    floor.is_some_and(|floor| floor.rest.is_empty())
}

/// Whether letter and addition are both as entered. A part that was not entered must be absent.
fn equals(entered: HouseNumberSuffix<'_>, address: &Address) -> bool {
    entered.matches(address)
        && entered.letter.is_some() == address.letter.is_some()
        && entered.addition.is_some() == address.addition.is_some()
}

/// Whether the suffix of an address differs only in leading zeros.
pub(super) fn equals_but_zeros(suffix: HouseNumberSuffix<'_>, address: &Address) -> bool {
    let entered: String = suffix.joined_chars().collect();
    let known: String = joined_suffix(address).collect();
    !suffix.is_too_long()
        && !entered.is_empty()
        && are_equal_but_zeros(entered.as_bytes(), known.as_bytes())
}
