//! Makes the addresses of a street: numbers on both sides, a realistic share of letters and additions, twenty addresses per
//! postcode.

use std::collections::HashMap;
use std::sync::Arc;

use postduif_schema::{
    Address, AddressId, AddressKind, BagId, HouseLetter, HouseNumber, OpenbareRuimteKind, Postcode,
    Purpose, PurposeSet,
};

use super::tables::TownRow;
use crate::chance::Chance;

const PER_POSTCODE: usize = 20;

/// The additions at a number with several dwellings.
const ADDITIONS: [&[&str]; 5] = [
    &["1", "2", "3"],
    &["HS", "1", "2"],
    &["H", "I", "II", "III"],
    &["bis"],
    &["01", "02"],
];

/// Builds the addresses of all streets.
pub(super) struct Builder<'a> {
    towns: &'a [TownRow],
    /// The number of addresses to make, divided by the number of streets.
    mean: usize,
    streets: u64,
    /// For each four-digit code, the number of postcodes that are used.
    taken: HashMap<u32, u32>,
    pub(super) addresses: Vec<Address>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(towns: &'a [TownRow], mean: usize) -> Self {
        Self {
            towns,
            mean: mean.max(1),
            streets: 0,
            taken: HashMap::new(),
            addresses: Vec::new(),
        }
    }

    /// Adds a street of random length. A few streets are much longer than `mean`. Streets of a large town are twice as long.
    pub(super) fn add_street(&mut self, name: &Arc<str>, town: usize, chance: &mut Chance) {
        let row = &self.towns[town];
        self.streets += 1;
        let digits = row.postcodes[chance.below(row.postcodes.len())];
        let doubled = (0..4).take_while(|_| chance.below(3) == 0).count();
        let length = 1 + chance.below(self.mean << doubled);
        let length = if row.size > 40 { length * 2 } else { length };
        let (mut postcode, mut number) = (self.next_postcode(digits), 0);
        let first = self.addresses.len();
        while self.addresses.len() < first + length {
            let here = self.addresses.len() - first;
            if here > 0 && here.is_multiple_of(PER_POSTCODE) {
                postcode = self.next_postcode(digits);
            }
            number += 1 + u32::try_from(chance.below(3)).expect("below three");
            self.add_number(name, row, (postcode, number), chance);
        }
    }

    /// Adds the addresses at one number of a street.
    fn add_number(
        &mut self,
        name: &Arc<str>,
        row: &TownRow,
        (postcode, number): (Postcode, u32),
        chance: &mut Chance,
    ) {
        let letter = |at: usize| HouseLetter::from_ascii(b"ABCD"[at]);
        let divided = if row.size > 40 { 12 } else { 3 };
        let suffixes: Vec<(Option<HouseLetter>, &str)> = match chance.below(100) {
            0..6 => (0..1 + chance.below(4))
                .map(|at| (letter(at), ""))
                .collect(),
            6..8 => vec![(letter(0), "1"), (letter(0), "2")],
            lot if lot < 8 + divided => {
                let additions = ADDITIONS[chance.below(ADDITIONS.len())];
                additions.iter().map(|&addition| (None, addition)).collect()
            }
            _ => vec![(None, "")],
        };
        let names = [&row.name, &row.municipality, &row.province].map(Arc::clone);
        let number = HouseNumber::new(number).expect("a street has a few hundred");
        let plain = Address::new_po_box(postcode, number, names);
        for (letter, addition) in suffixes {
            let serial = self.addresses.len() as u64;
            self.addresses.push(Address {
                id: AddressId::from_number(344_200_000_000_000 + serial).expect("sixteen digits"),
                letter,
                addition: addition.parse().ok(),
                street_id: BagId::<OpenbareRuimteKind>::from_number(
                    344_300_000_000_000 + self.streets,
                ),
                street: name.clone(),
                purposes: PurposeSet::from_iter([Purpose::Woonfunctie]),
                other_purposes: None,
                kind: AddressKind::Verblijfsobject,
                ..plain.clone()
            });
        }
    }

    /// The next postcode with these four digits. After the last postcode, the first one is used again.
    fn next_postcode(&mut self, digits: u32) -> Postcode {
        let next = self.taken.entry(digits).or_default();
        loop {
            let place = *next % 676;
            *next += 1;
            let letters = [place / 26, place % 26]
                .map(|letter| char::from(b'A' + u8::try_from(letter).expect("26 letters")));
            let text = format!("{digits}{}{}", letters[0], letters[1]);
            if let Ok(postcode) = text.parse() {
                return postcode;
            }
        }
    }
}
