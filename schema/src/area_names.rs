//! Recognizes the municipality, the province or the country that people write after the name of a town: `Bergen (NH)`,
//! `Hengelo Gld`, `Emmen, Drenthe`.
//!
//! Source: ISO 3166-2:NL for the codes of two letters. Assumption: the other short forms are the usual ones on mail.

use crate::{fold, squash, squashed, word_suffixes};

/// Each province with its other names and short forms. All of them are folded and have no spaces: `noordholland`.
const PROVINCE_CODES: [(&str, &[&str]); 12] = [
    ("drenthe", &["dr", "drt"]),
    ("flevoland", &["fl", "fld", "flev"]),
    ("fryslan", &["fr", "frl", "fri", "friesland"]),
    ("gelderland", &["ge", "gld", "geld"]),
    ("groningen", &["gr", "gron"]),
    ("limburg", &["li", "lb", "lim", "l"]),
    ("noordbrabant", &["nb", "nbr", "brabant", "nbrabant"]),
    ("noordholland", &["nh", "nholland"]),
    ("overijssel", &["ov", "o"]),
    ("utrecht", &["ut", "utr"]),
    ("zeeland", &["ze", "zl", "zld"]),
    ("zuidholland", &["zh", "zholland"]),
];

/// Names of the country, folded and without spaces: `thenetherlands`.
const COUNTRY_NAMES: [&str; 6] = [
    "nederland",
    "netherlands",
    "thenetherlands",
    "holland",
    "nl",
    "nld",
];

/// Words that people write before the name of a municipality or province: `gem. Emmen`, `prov. Drenthe`.
const AREA_LABELS: [&str; 4] = ["gemeente", "gem", "provincie", "prov"];

/// Whether `text` is a short form or another name of a province, but not its own name: `nh` and `nholland` for Noord-Holland. `text` must
/// be folded and without spaces.
pub fn is_province_code(text: &str, province: &str) -> bool {
    let province = squashed(province);
    let codes = PROVINCE_CODES.iter().find(|(name, _)| *name == province);
    codes.is_some_and(|(_, codes)| codes.contains(&text))
}

/// Whether folded words name the country, the province or the municipality. The last words of the municipality's name also count: `nh` for
/// the municipality `Bergen (NH.)`. A label such as `gemeente` may come first.
pub fn is_area(words: &[&str], municipality: &str, province: &str) -> bool {
    let words = match words {
        [label, rest @ ..] if AREA_LABELS.contains(label) => rest,
        words => words,
    };
    let area = squash(words.iter().copied());
    let is_end_of = |name: &str| word_suffixes(&fold(name)).any(|end| squash([end]) == area);
    !area.is_empty()
        && (COUNTRY_NAMES.contains(&&*area)
            || is_province_code(&area, province)
            || squashed(province) == area
            || is_end_of(municipality))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn municipality_province_and_country_are_recognized() {
        #[track_caller]
        fn case(words: &str, municipality: &str, province: &str, expected: bool) {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(
                is_area(&words, municipality, province),
                expected,
                "{words:?}"
            );
        }
        case("nh", "Bergen (NH.)", "Noord-Holland", true);
        case("n h", "Alkmaar", "Noord-Holland", true);
        case("gld", "Bronckhorst", "Gelderland", true);
        case("gem bronckhorst", "Bronckhorst", "Gelderland", true);
        case("noord holland", "Alkmaar", "Noord-Holland", true);
        case("friesland", "Leeuwarden", "Fryslân", true);
        case("nederland", "Leeuwarden", "Fryslân", true);
        case("zh", "Alkmaar", "Noord-Holland", false);
        case("holland noord", "Alkmaar", "Noord-Holland", false);
        case("gem", "Alkmaar", "Noord-Holland", false);
        case("", "Alkmaar", "Noord-Holland", false);
    }
}
