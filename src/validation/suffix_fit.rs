//! Selects the addresses at a number whose suffix is the entered one, the better kind of match first.
//!
//! Source: decisions.md, sections Parameters and Validation. Assumption: a part that was not entered is accepted only where one
//! address fits, because a parcel for one of several units needs the unit.

use postduif_schema::{Address, HouseNumber};

use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use crate::search::are_equal_but_zeros;

/// The addresses at a number that have the entered suffix.
pub(super) struct SuffixFit {
    /// The addresses whose suffix is exactly the entered one.
    pub(super) exact: Vec<Address>,
    /// The other addresses that have the entered parts, or whose suffix differs only in leading zeros.
    pub(super) partial: Vec<Address>,
}

impl HouseNumberSuffix<'_> {
    /// Compares the suffix with those of all addresses at the entered number.
    pub(super) fn fit(self, number: HouseNumber, addresses: &[Address]) -> SuffixFit {
        let select = |fits: &dyn Fn(&Address) -> bool| -> Vec<Address> {
            let fitting = addresses.iter().filter(|address| fits(address));
            fitting.cloned().collect()
        };
        let as_given = select(&|address| self.equals(address));
        // `1-2` after number 1 repeats the number, and is not the same as `12`.
        let repeats_number = self.repeats_number(number);
        let exact = match as_given.is_empty() && !repeats_number {
            true => select(&|address| self.matches_joined(address)),
            false => as_given,
        };
        let is_exact = |address: &Address| exact.iter().any(|other| other.id == address.id);
        let mut partial = select(&|address| self.matches(address) && !is_exact(address));
        if exact.is_empty() && partial.is_empty() && !repeats_number {
            partial = select(&|address| self.equals_but_zeros(address));
        }
        SuffixFit { exact, partial }
    }

    /// Whether letter and addition are both as entered. A part that was not entered must be absent.
    fn equals(self, address: &Address) -> bool {
        self.matches(address)
            && self.letter.is_some() == address.letter.is_some()
            && self.addition.is_some() == address.addition.is_some()
    }

    /// Whether the suffix of an address differs only in leading zeros.
    fn equals_but_zeros(self, address: &Address) -> bool {
        let entered: String = self.joined_chars().collect();
        let known: String = joined_suffix(address).collect();
        !self.is_too_long()
            && !entered.is_empty()
            && are_equal_but_zeros(entered.as_bytes(), known.as_bytes())
    }
}
