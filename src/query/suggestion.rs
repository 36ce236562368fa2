//! A suggestion: what a pick list shows and what the input field holds afterwards.
//!
//! Source: contract.md, Suggestion; the label of an address is spelled as a line of mail is (BAG-API, adresregels.feature):
//! `Bornsesteeg 1-5A3`, `Blauwkapelseweg 1 A`.

use std::sync::Arc;

use postduif_schema::{Address, AddressId, Postcode, Town};

/// Which kinds of suggestion are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Every kind.
    All,
    /// Addresses alone.
    Address,
    /// Streets alone.
    Street,
    /// Towns alone.
    City,
}

/// What a suggestion leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionKind {
    /// An address.
    Address,
    /// A street in a town, or as far as it lies in a postcode.
    Street,
    /// A town.
    City,
}

/// One line of a pick list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What it leads to.
    pub kind: SuggestionKind,
    /// Ready to be shown.
    pub label: String,
    /// What the input field should hold, so that typing on works: all but an address end in a space.
    pub value: String,
    /// Always there for an address, and for a street that was found by its postcode.
    pub postcode: Option<Postcode>,
    /// The street as the register spells it.
    pub street: Option<Arc<str>>,
    /// The town as the register spells it.
    pub city: Option<Arc<str>>,
    /// Always there for an address, and for nothing else.
    pub id: Option<AddressId>,
}

impl Wanted {
    /// Whether this kind is wanted.
    #[must_use]
    pub fn takes(self, kind: SuggestionKind) -> bool {
        match self {
            Self::All => true,
            Self::Address => kind == SuggestionKind::Address,
            Self::Street => kind == SuggestionKind::Street,
            Self::City => kind == SuggestionKind::City,
        }
    }
}

impl Suggestion {
    /// Suggests an address.
    #[must_use]
    pub fn address(address: &Address) -> Self {
        let Address {
            street,
            city,
            postcode,
            ..
        } = address;
        let label = format!("{street} {}, {postcode} {city}", house_number(address));
        Self {
            kind: SuggestionKind::Address,
            value: label.clone(),
            label,
            postcode: Some(*postcode),
            street: Some(street.clone()),
            city: Some(city.clone()),
            id: Some(address.id),
        }
    }

    /// Suggests a street, as far as it lies in a postcode where one is given.
    #[must_use]
    pub fn street(street: Arc<str>, town: &Town, postcode: Option<Postcode>) -> Self {
        let label = match postcode {
            Some(postcode) => format!("{street}, {postcode} {}", town.name),
            None => format!("{street}, {}", spelled(town)),
        };
        Self {
            kind: SuggestionKind::Street,
            value: format!("{label} "),
            label,
            postcode,
            street: Some(street),
            city: Some(town.name.clone()),
            id: None,
        }
    }

    /// Suggests a town.
    #[must_use]
    pub fn city(town: &Town) -> Self {
        let label = spelled(town);
        Self {
            kind: SuggestionKind::City,
            value: format!("{label} "),
            label,
            postcode: None,
            street: None,
            city: Some(town.name.clone()),
            id: None,
        }
    }
}

/// A town that shares its name is told apart by its municipality, unless that says no more. `Bergen (NH.)` says it by itself.
fn spelled(town: &Town) -> String {
    let Town {
        name, municipality, ..
    } = town;
    if !town.shares_name || municipality == name {
        name.to_string()
    } else if municipality.starts_with(&format!("{name} (")) {
        municipality.to_string()
    } else {
        format!("{name} ({municipality})")
    }
}

/// Number, letter and addition as a line of mail has them.
fn house_number(address: &Address) -> String {
    let letter = address.letter.map(|letter| letter.to_string());
    let addition = address.addition.map(|addition| addition.to_string());
    let suffix: String = [letter, addition].into_iter().flatten().collect();
    let gap = match suffix.bytes().next() {
        None => "",
        Some(b'0'..=b'9') => "-",
        Some(_) => " ",
    };
    format!("{}{gap}{suffix}", address.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{HouseLetter, HouseNumber};

    #[test]
    fn house_numbers_are_spelled_as_on_mail() {
        #[track_caller]
        fn case(letter: &str, addition: &str, expected: &str) {
            let names = ["Wageningen"; 3].map(Into::into);
            let number = HouseNumber::new(1).expect("a house number");
            let plain = Address::of_box("6708GA".parse().expect("a postcode"), number, names);
            let address = Address {
                letter: letter.bytes().next().and_then(HouseLetter::from_ascii),
                addition: addition.parse().ok(),
                street: "Bornsesteeg".into(),
                ..plain
            };
            assert_eq!(Suggestion::address(&address).label, expected);
        }
        case("", "", "Bornsesteeg 1, 6708GA Wageningen");
        case("", "5A3", "Bornsesteeg 1-5A3, 6708GA Wageningen");
        case("A", "", "Bornsesteeg 1 A, 6708GA Wageningen");
        case("A", "3", "Bornsesteeg 1 A3, 6708GA Wageningen");
        case("", "DK", "Bornsesteeg 1 DK, 6708GA Wageningen");
    }
}
