//! Reads the name of a province in a table that an operator gives.

use std::str::FromStr;

/// The official names of the provinces. Source: CBS, Gemeentelijke indeling 2025. Province 21 has been `Fryslân` since 1997.
const PROVINCES: [&str; 12] = [
    "Drenthe",
    "Flevoland",
    "Fryslân",
    "Gelderland",
    "Groningen",
    "Limburg",
    "Noord-Brabant",
    "Noord-Holland",
    "Overijssel",
    "Utrecht",
    "Zeeland",
    "Zuid-Holland",
];

/// The Dutch name of Fryslân, which older tables have.
const FRIESLAND: &str = "friesland";

/// The official name of a province.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProvinceName(&'static str);

/// A text that is not the name of a province.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a province; use {list}", list = PROVINCES.join(", "))]
pub(crate) struct UnknownProvince(String);

impl ProvinceName {
    pub(crate) fn as_str(self) -> &'static str {
        self.0
    }
}

/// Accepts a name in capital or small letters, and `Friesland` for Fryslân.
impl FromStr for ProvinceName {
    type Err = UnknownProvince;

    fn from_str(text: &str) -> Result<Self, UnknownProvince> {
        let name = text.to_lowercase();
        let is_same = |official: &&str| {
            official.to_lowercase() == name || (name == FRIESLAND && *official == "Fryslân")
        };
        let found = PROVINCES.into_iter().find(is_same);
        found
            .map(Self)
            .ok_or_else(|| UnknownProvince(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_province_is_accepted_in_any_case_and_gets_its_official_name() {
        #[track_caller]
        fn case(text: &str, expected: &str) {
            assert_eq!(
                text.parse::<ProvinceName>().expect("a province").as_str(),
                expected
            );
        }
        for name in PROVINCES {
            case(name, name);
        }
        case("noord-holland", "Noord-Holland");
        case("FRYSLÂN", "Fryslân");
        case("Friesland", "Fryslân");
        let error = "Atlantis".parse::<ProvinceName>().expect_err("unknown");
        assert!(
            error
                .to_string()
                .starts_with("\"Atlantis\" is not a province; use Drenthe, Flevoland, Fryslân, ")
        );
    }
}
