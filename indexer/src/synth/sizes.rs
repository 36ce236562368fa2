//! How many addresses a town and a street have, and how many postcodes.

use super::Spec;
use super::rng::Rng;

/// Sizes by rank, as towns have them (the n-th is about 1/n of the first), that add up to all addresses.
pub(super) fn town_sizes(spec: &Spec, count: usize) -> Vec<u64> {
    let offset =
        usize::try_from(Rng::of(&[spec.seed, 3]).below(count as u64)).expect("a draw is small");
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

/// Streets and postcodes of a town of this size.
pub(super) fn count_streets(seed: u64, town: usize, addresses: u64) -> (usize, usize) {
    let (mut left, mut streets, mut postcodes) = (addresses, 0, 0);
    while left > 0 {
        let size = StreetSize::draw(seed, town, streets, left);
        left -= size.quota;
        postcodes += size.new_postcodes();
        streets += 1;
    }
    (streets, postcodes)
}

/// How many served addresses a street has, and whether they stand under the last postcode of the street before it.
pub(super) struct StreetSize {
    pub(super) quota: u64,
    pub(super) shares: bool,
}

impl StreetSize {
    pub(super) fn draw(seed: u64, town: usize, index: usize, left: u64) -> Self {
        let mut rng = Rng::of(&[seed, 21, town as u64, index as u64]);
        let drawn = match (index, rng.below(100)) {
            // Every town has a long street.
            (4, _) => 120 + rng.below(76),
            (_, 0..70) => 5 + rng.below(36),
            (_, 70..92) => 30 + rng.below(61),
            _ => 90 + rng.below(106),
        };
        let quota = if left < drawn + 5 {
            left.min(200)
        } else {
            drawn
        };
        let shares = index > 0 && quota <= 12 && rng.chance(500);
        Self { quota, shares }
    }

    pub(super) fn new_postcodes(&self) -> usize {
        let count = if self.shares {
            0
        } else {
            self.quota.div_ceil(ADDRESSES_A_POSTCODE)
        };
        usize::try_from(count).expect("a street has few postcodes")
    }
}

/// Served addresses that share a postcode, about. Real ones hold some twenty.
const ADDRESSES_A_POSTCODE: u64 = 20;
