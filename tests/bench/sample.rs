//! Selects a sample of addresses, spread evenly over a generation and shuffled.

use postduif_schema::{Address, AddressIndex};

use crate::chance::Chance;

/// About `wanted` addresses of an index in random order; all of them if the index has fewer.
pub(crate) fn spread(index: &AddressIndex, wanted: usize) -> anyhow::Result<Vec<Address>> {
    let step = (usize::try_from(index.len())? / wanted).max(1);
    let spread: Result<Vec<Address>, _> = index.iter().step_by(step).collect();
    let mut spread = spread?;
    let mut chance = Chance::seeded(1);
    for at in (1..spread.len()).rev() {
        spread.swap(at, chance.below(at + 1));
    }
    Ok(spread)
}
