//! Draws random addresses of an index for each class, in one pass.

use std::collections::{BTreeMap, BTreeSet};

use postduif_schema::{Address, AddressIndex};

use super::class::{Case, Class};
use crate::chance::Chance;

/// How many addresses are drawn for each requested query. Some addresses do not fit the class, and some give the same text as
/// another address.
const SPARE: usize = 4;

/// Draws at most `wanted` queries for each class. Every address that fits the class has the same probability. The result depends
/// only on the seed, the class and the addresses. It does not depend on the order of the addresses in the index or on other
/// classes.
pub(crate) fn draw<'a>(
    index: &AddressIndex,
    classes: &[&'a Class],
    wanted: usize,
    seed: u64,
) -> Vec<(&'a Class, Vec<Case>)> {
    let drawn = |class: &&Class| Drawn::new(seed, class.name);
    let mut drawn: Vec<Drawn> = classes.iter().map(drawn).collect();
    for address in index.iter() {
        let address = address.expect("a valid index");
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

/// The addresses that are drawn for a class, which are those with the lowest hashes. A hash is computed from the id of an address
/// and the class.
struct Drawn {
    class_seed: u64,
    by_lot: BTreeMap<u64, Address>,
}

impl Drawn {
    fn new(seed: u64, class: &str) -> Self {
        let class_seed = class
            .bytes()
            .fold(seed, |hash, byte| mixed(hash ^ u64::from(byte)));
        Self {
            class_seed,
            by_lot: BTreeMap::new(),
        }
    }

    /// The queries without duplicates. A street with many addresses is queried only once.
    fn cases(&self, class: &Class, wanted: usize) -> Vec<Case> {
        let mut known = BTreeSet::new();
        let made = self.by_lot.iter();
        let made =
            made.filter_map(|(&lot, address)| (class.make)(address, &mut Chance::seeded(lot)));
        let new = made.filter(|case| known.insert(case.typed.clone()));
        new.take(wanted).collect()
    }

    fn offer(&mut self, address: &Address, room: usize) {
        let lot = mixed(address.id.get() ^ self.class_seed);
        let highest = self.by_lot.last_key_value().map(|(&lot, _)| lot);
        if self.by_lot.len() < room || highest.is_some_and(|highest| lot < highest) {
            self.by_lot.insert(lot, address.clone());
        }
        if self.by_lot.len() > room {
            self.by_lot.pop_last();
        }
    }
}

/// Mixes the bits of a number. Different numbers give different results. Source: Vigna, splitmix64, 2015.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
