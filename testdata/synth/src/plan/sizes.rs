//! Determines how many addresses, streets and postcodes a town has.

use crate::rng::Rng;
use crate::spec::Spec;

/// The number of served addresses per postcode: about twenty, as in reality.
const ADDRESSES_PER_POSTCODE: u64 = 20;

/// The number of addresses of each town. Sizes follow the rank as in real countries: the n-th town has about 1/n of the addresses
/// of the first town. The numbers add up to the addresses of the country.
pub(crate) fn town_sizes(spec: &Spec, count: usize) -> Vec<u64> {
    let offset = usize::try_from(Rng::from_path(&[spec.seed, 3]).below(count as u64))
        .expect("a draw is small");
    let weight = |index: usize| 1_000_000 / (3 + (index * 2_503 + offset) % count) as u128;
    let total: u128 = (0..count).map(weight).sum();
    let mut upto = 0;
    let mut given = 0;
    let share = |index| {
        upto += weight(index);
        let reached = u64::try_from(u128::from(spec.addresses) * upto / total)
            .expect("a share is less than the whole");
        let size = reached - given;
        given = reached;
        size
    };
    (0..count).map(share).collect()
}

/// The numbers of streets and postcodes of a town of this size.
pub(crate) fn count_streets(seed: u64, town: usize, addresses: u64) -> (usize, usize) {
    let (mut left, mut streets, mut postcodes) = (addresses, 0, 0);
    while left > 0 {
        let size = StreetSize::draw(seed, town, streets, left);
        left -= size.served_addresses;
        postcodes += size.new_postcodes();
        streets += 1;
    }
    (streets, postcodes)
}

/// How many addresses a street serves, and whether it shares the last postcode of the previous street.
pub(crate) struct StreetSize {
    pub(crate) served_addresses: u64,
    pub(crate) shares: bool,
}

impl StreetSize {
    /// Draws the size of the street at `index` in a town that still needs `left` addresses.
    pub(crate) fn draw(seed: u64, town: usize, index: usize, left: u64) -> Self {
        let mut rng = Rng::from_path(&[seed, 21, town as u64, index as u64]);
        let drawn = match (index, rng.below(100)) {
            // Street 4 of every town is long.
            (4, _) => 120 + rng.below(76),
            (_, 0..70) => 5 + rng.below(36),
            (_, 70..92) => 30 + rng.below(61),
            _ => 90 + rng.below(106),
        };
        let served_addresses = if left < drawn + 5 {
            left.min(200)
        } else {
            drawn
        };
        let shares = index > 0 && served_addresses <= 12 && rng.chance(500);
        Self {
            served_addresses,
            shares,
        }
    }

    /// How many of the street's postcodes are not used by an earlier street.
    pub(crate) fn new_postcodes(&self) -> usize {
        let count = if self.shares {
            0
        } else {
            self.served_addresses.div_ceil(ADDRESSES_PER_POSTCODE)
        };
        usize::try_from(count).expect("a street has few postcodes")
    }
}
