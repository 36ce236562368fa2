//! Represents a set of towns.

use super::towns::TownRank;

/// A set of towns.
#[derive(Debug, Clone, Default)]
pub struct TownSet {
    pub(super) ranks: Vec<TownRank>,
    bits: Vec<u64>,
}

impl FromIterator<TownRank> for TownSet {
    fn from_iter<I: IntoIterator<Item = TownRank>>(towns: I) -> Self {
        let mut ranks: Vec<TownRank> = towns.into_iter().collect();
        let words = ranks
            .iter()
            .max()
            .map_or(0, |last| last.0 as usize / 64 + 1);
        let mut bits = vec![0; words];
        ranks.retain(|town| {
            let (word, bit) = (&mut bits[town.0 as usize / 64], 1 << (town.0 % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        });
        Self { ranks, bits }
    }
}

impl TownSet {
    pub(super) fn contains(&self, TownRank(town): TownRank) -> bool {
        let word = self.bits.get(town as usize / 64);
        word.is_some_and(|bits| bits >> (town % 64) & 1 == 1)
    }

    /// Number of towns.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether the set has no towns.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }
}
