//! Makes names of towns from word parts.

use super::words::{TOWN_ENDS, TOWN_PREFIXES, TOWN_STEMS};
use crate::rng::Rng;

/// The name of the town at `index` in a country. The first 2 560 names are distinct.
pub(crate) fn town_name(seed: u64, index: usize) -> String {
    let stems = TOWN_STEMS.len();
    let plain = stems * TOWN_ENDS.len();
    let start =
        usize::try_from(Rng::from_path(&[seed, 11]).below(plain as u64)).expect("a list is short");
    // 1 021 and 2 560 have no common factor, so all names without a prefix occur before one repeats.
    let turn = (index * 1_021 + start) % plain;
    // The first towns have all forms of names. Most later names have no prefix.
    let prefix = match index {
        0 => 0,
        1 => 7,
        2 => 5,
        _ => usize::try_from(Rng::from_path(&[seed, 12, index as u64]).below(40))
            .expect("a draw is small"),
    };
    let name = format!("{}{}", TOWN_STEMS[turn % stems], TOWN_ENDS[turn / stems]);
    match TOWN_PREFIXES.get(prefix) {
        Some(prefix) => format!("{prefix}{name}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_of_towns_are_distinct() {
        let towns: HashSet<String> = (0..2_500).map(|index| town_name(1, index)).collect();
        assert_eq!(towns.len(), 2_500);
    }
}
