//! Lists other names of towns: everyday names (Den Haag), Frisian and Dutch names (Ljouwert, Bergum), old names (Nieuweschans), and
//! villages that belong to a town in the register (Scheveningen).
//!
//! Assumption: the register has one name per town and no other table lists the other names, so this table is maintained manually.
//! The table leaves out names that folding makes equal to the registered name (case, diacritics, hyphens, spaces, apostrophes) and
//! names that are only the beginning of the registered name.
//!
//! | kind | what | source |
//! |---|---|---|
//! | `everyday` | how people say or write the name | Dutch usage; the postal suffixes (ZH, Gld) from before the register |
//! | `village` | a village or quarter whose addresses have the town's name | no woonplaats of its own in the CBS list of 2024 |
//! | `old` | the name or spelling before a decision of the council | gemeentelijke woonplaatsbesluiten |
//! | `dutch` | the Dutch name where the register has the Frisian one | Provinsje Fryslân, list of place names, 2024 |
//! | `frisian` | the Frisian name where the register has the Dutch one | the same list |
//!
//! Noardeast-Fryslân changed from Dutch to Frisian names on 1 January 2023 (decision of the council of 8 July 2021). For these towns,
//! the table lists the Dutch name under the Frisian one and the Frisian name under the Dutch one, because a delivery from before that
//! day has only the Dutch name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The table, one other name per line: `register,other,kind`.
const TOWN_NAMES_CSV: &str = include_str!("../data/town-names.csv");

/// Alternative names by the name in the register.
type AlternativeNames = BTreeMap<&'static str, Vec<&'static str>>;

static ALTERNATIVE_NAMES: LazyLock<AlternativeNames> = LazyLock::new(|| read_names(|_| true));

static VILLAGES: LazyLock<AlternativeNames> =
    LazyLock::new(|| read_names(|kind| kind == "village"));

fn read_names(is_wanted: fn(&str) -> bool) -> AlternativeNames {
    let mut names = AlternativeNames::new();
    for line in TOWN_NAMES_CSV.lines().skip(1) {
        let mut cells = line.split(',');
        if let (Some(register), Some(other)) = (cells.next(), cells.next())
            && cells.next().is_some_and(is_wanted)
        {
            names.entry(register).or_default().push(other);
        }
    }
    names
}

/// The other names of a town, by its exact name in the register.
pub fn alternative_town_names(register_name: &str) -> &'static [&'static str] {
    ALTERNATIVE_NAMES
        .get(register_name)
        .map_or(&[], Vec::as_slice)
}

/// The villages and quarters that belong to a town, by its exact name in the register.
pub(crate) fn villages_of_town(register_name: &str) -> &'static [&'static str] {
    VILLAGES.get(register_name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_are_found_by_the_registered_name() {
        #[track_caller]
        fn case(register: &str, other: &str) {
            assert!(
                alternative_town_names(register).contains(&other),
                "{register}"
            );
        }
        case("'s-Gravenhage", "Den Haag");
        case("'s-Gravenhage", "Scheveningen");
        case("Sweagerbosk", "Zwagerbosch");
        case("Zwagerbosch", "Sweagerbosk");
        case("Burgum", "Bergum");
        case("Leeuwarden", "Ljouwert");
        case("Bad Nieuweschans", "Nieuweschans");
        assert_eq!(alternative_town_names("Weesp"), [""; 0]);
        let villages = villages_of_town("'s-Gravenhage");
        assert!(villages.contains(&"Scheveningen") && !villages.contains(&"Den Haag"));
    }

    #[test]
    fn every_line_of_the_table_has_two_names_and_a_known_kind() {
        const KINDS: [&str; 5] = ["everyday", "village", "old", "dutch", "frisian"];
        let mut lines = TOWN_NAMES_CSV.lines();
        assert_eq!(lines.next(), Some("register,other,kind"));
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let &[register, other, kind] = cells.as_slice() else {
                panic!("{line:?}");
            };
            assert!(
                register == register.trim() && other == other.trim(),
                "{line:?}"
            );
            assert!(!register.is_empty() && !other.is_empty(), "{line:?}");
            assert!(KINDS.contains(&kind), "{line:?}");
        }
    }

    #[test]
    fn no_other_name_occurs_twice() {
        let mut others: Vec<&str> = ALTERNATIVE_NAMES.values().flatten().copied().collect();
        others.sort_unstable();
        let known = others.len();
        others.dedup();
        assert_eq!(others.len(), known);
    }

    #[test]
    fn no_other_name_is_a_prefix_of_the_registered_name() {
        for (register, others) in ALTERNATIVE_NAMES.iter() {
            for other in others {
                assert!(!register.starts_with(other), "{register}: {other}");
            }
        }
    }
}
