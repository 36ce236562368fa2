//! Addresses drawn from an index, each class its own, in one pass over it.

use std::collections::{BTreeMap, BTreeSet};

use postduif_schema::{Address, AddressIndex};

use super::class::{Case, Class};
use crate::chance::Chance;

/// How many times what is asked for is drawn: some turn out not to fit, and some come to the same text.
const SPARE: usize = 4;

/// The queries of each class, at most `wanted` each. Every address that fits has the same chance to be drawn, and no more of
/// them are held than are drawn. What is drawn depends on the seed and on the addresses, not on the order in which an index stores them, and
/// for each class not on the other classes.
pub(crate) fn draw<'a>(
    index: &AddressIndex,
    classes: &[&'a Class],
    wanted: usize,
    seed: u64,
) -> Vec<(&'a Class, Vec<Case>)> {
    let drawn = |class: &&Class| Drawn::new(seed, class.name);
    let mut drawn: Vec<Drawn> = classes.iter().map(drawn).collect();
    for address in index.iter() {
        let address = address.expect("a sound index");
        for (class, drawn) in classes.iter().zip(&mut drawn) {
            if (class.fits)(&address) {
                drawn.offer(&address, wanted.saturating_mul(SPARE));
            }
        }
    }
    let cases = classes.iter().zip(drawn);
    cases
        .map(|(class, drawn)| (*class, drawn.cases(class, wanted)))
        .collect()
}

/// The addresses with the lowest lots. An address's lot is its id, mixed with what is the class's own.
struct Drawn {
    own: u64,
    held: BTreeMap<u64, Address>,
}

impl Drawn {
    fn new(seed: u64, class: &str) -> Self {
        let own = class
            .bytes()
            .fold(seed, |own, byte| mixed(own ^ u64::from(byte)));
        Self {
            own,
            held: BTreeMap::new(),
        }
    }

    /// No text twice: a street is asked for once, however many addresses it has.
    fn cases(&self, class: &Class, wanted: usize) -> Vec<Case> {
        let mut known = BTreeSet::new();
        let made = self.held.iter();
        let made =
            made.filter_map(|(&lot, address)| (class.make)(address, &mut Chance::seeded(lot)));
        let new = made.filter(|case| known.insert(case.typed.clone()));
        new.take(wanted).collect()
    }

    fn offer(&mut self, address: &Address, room: usize) {
        let lot = mixed(address.id.get() ^ self.own);
        let highest = self.held.last_key_value().map(|(&lot, _)| lot);
        if self.held.len() < room || highest.is_some_and(|highest| lot < highest) {
            self.held.insert(lot, address.clone());
        }
        if self.held.len() > room {
            self.held.pop_last();
        }
    }
}

/// Source: Vigna, splitmix64, 2015. Different numbers stay different.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
