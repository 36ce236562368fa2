//! Makes the names of the streets of a town: from word parts without repetition, or drawn from a list.

use super::words::{COMMON, ODD, STREET_ENDS, STREET_PREFIXES, STREET_ROUNDS, STREET_STEMS};
use crate::rng::Rng;
use crate::street_name_list::StreetNameList;
use std::collections::HashSet;

/// Makes the names of one town's streets in order. Each index must be requested once; all names are distinct.
pub(crate) struct StreetNaming<'a> {
    rng: Rng,
    step: usize,
    start: usize,
    listed: Option<(&'a StreetNameList, HashSet<usize>)>,
}

impl<'a> StreetNaming<'a> {
    pub(crate) fn new(seed: u64, town: usize, listed: Option<&'a StreetNameList>) -> Self {
        let mut rng = Rng::from_path(&[seed, 13, town as u64]);
        // These primes divide neither the number of stems nor the number of ends, so that names repeat as late as possible.
        let step = rng.pick(&[4_177, 3_571, 2_579, 5_003]);
        let start = usize::try_from(rng.below(1 << 20)).expect("a draw is small");
        Self {
            rng,
            step,
            start,
            listed: listed.map(|names| (names, HashSet::new())),
        }
    }

    /// The name of the street at `index` in the town. Until both lists are used up, two of every three names come from `ODD` and
    /// one from `COMMON`.
    pub(crate) fn draw_name(&mut self, index: usize) -> String {
        let round = index / 3;
        let odd = if index % 3 == 2 {
            COMMON.get(round)
        } else {
            ODD.get(round * 2 + index % 3)
        };
        match (odd, &mut self.listed) {
            (Some(name), _) => (*name).to_owned(),
            (None, Some((names, used))) => {
                let name = names.draw(&mut self.rng, used);
                if COMMON.contains(&name.as_str()) || ODD.contains(&name.as_str()) {
                    format!("{name} West")
                } else {
                    name
                }
            }
            (None, None) => self.made_up(index),
        }
    }

    fn made_up(&mut self, index: usize) -> String {
        let stems = STREET_STEMS.len();
        let plain = stems * STREET_ENDS.len();
        let turn = (index * self.step + self.start) % plain;
        let name = format!(
            "{}{}",
            STREET_STEMS[turn % stems],
            STREET_ENDS[turn / stems]
        );
        match STREET_ROUNDS.get(index / plain) {
            Some(&"") if COMMON.contains(&name.as_str()) => format!("{name} West"),
            Some(&"") if self.rng.chance(125) => {
                format!("{}{name}", self.rng.pick(&STREET_PREFIXES))
            }
            Some(prefix) => format!("{prefix}{name}"),
            None => format!("{name} {}", index / plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::street_name_list::MAX_NAME_CHARS;

    #[test]
    fn names_of_the_streets_of_a_town_are_distinct() {
        let mut naming = StreetNaming::new(1, 0, None);
        let names: HashSet<String> = (0..20_000).map(|index| naming.draw_name(index)).collect();
        assert_eq!(names.len(), 20_000);
        assert!(
            names
                .iter()
                .all(|name| (1..=MAX_NAME_CHARS).contains(&name.chars().count()))
        );
    }
}
