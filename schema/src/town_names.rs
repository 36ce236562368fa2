//! What people call a town besides its name in the register: everyday names (Den Haag) and old ones (Zwagerbosch).
//!
//! Assumption: the register holds one name per town and no other table lists the rest, so this one is kept by hand.
//! Source of the names of 2023 in Noardeast-Fryslân: the municipality's decision of 8 July 2021, in force on 1 January 2023.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// `register,other`, one other name a line.
const TABLE: &str = include_str!("../data/town-names.csv");

static OTHER_NAMES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (register, other) in TABLE
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
    {
        names.entry(register).or_default().push(other);
    }
    names
});

/// The other names of a town, by its name exactly as the register spells it; none for most.
#[must_use]
pub fn other_town_names(register_name: &str) -> &'static [&'static str] {
    OTHER_NAMES.get(register_name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_and_old_names_are_known_by_the_name_in_the_register() {
        assert_eq!(other_town_names("'s-Gravenhage"), ["Den Haag"]);
        assert_eq!(other_town_names("Sweagerbosk"), ["Zwagerbosch"]);
        assert_eq!(other_town_names("Weesp"), [""; 0]);
    }

    #[test]
    fn every_line_of_the_table_has_two_names() {
        for line in TABLE.lines() {
            let names = line.split(',').filter(|name| !name.trim().is_empty());
            assert_eq!(names.count(), 2, "{line:?}");
        }
    }
}
