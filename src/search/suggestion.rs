//! A suggestion: what a pick list shows and what the input field holds afterwards.
//!
//! Source: contract.md, Suggestion; the label of an address is spelled as a line of mail is (BAG-API, adresregels.feature):
//! `Bornsesteeg 1-5A3`, `Blauwkapelseweg 1 A`.

use std::fmt::Write as _;

use postduif_schema::{AddressId, ListingKey, Postcode, Town};

/// Which kinds of suggestion are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionFilter {
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
pub struct SearchSuggestion<'a> {
    /// What it leads to.
    pub kind: SuggestionKind,
    /// What the input field should hold, so that typing on works: all but an address end in a space.
    pub value: String,
    /// Always there for an address, and for a street that was found by its postcode.
    pub postcode: Option<Postcode>,
    /// The street as the register spells it.
    pub street: Option<&'a str>,
    /// The town as the register spells it.
    pub city: Option<&'a str>,
    /// Always there for an address, and for nothing else.
    pub id: Option<AddressId>,
}

impl SuggestionFilter {
    /// Whether this kind is wanted.
    #[must_use]
    pub fn includes(self, kind: SuggestionKind) -> bool {
        match self {
            Self::All => true,
            Self::Address => kind == SuggestionKind::Address,
            Self::Street => kind == SuggestionKind::Street,
            Self::City => kind == SuggestionKind::City,
        }
    }
}

/// Room for most values.
const VALUE_CAPACITY: usize = 64;

impl<'a> SearchSuggestion<'a> {
    /// Suggests an address by its place in a list and the names of its street and its city.
    #[must_use]
    pub fn from_address(address: &ListingKey, (street, city): (&'a str, &'a str)) -> Self {
        let mut value = String::with_capacity(VALUE_CAPACITY);
        value.push_str(street);
        push_house_number(&mut value, address);
        push_postcode_and_city(&mut value, address.postcode, city);
        Self {
            kind: SuggestionKind::Address,
            value,
            postcode: Some(address.postcode),
            street: Some(street),
            city: Some(city),
            id: Some(address.id),
        }
    }

    /// Suggests a street, as far as it lies in a postcode where one is given.
    #[must_use]
    pub fn from_street(street: &'a str, town: &'a Town, postcode: Option<Postcode>) -> Self {
        let mut value = String::with_capacity(VALUE_CAPACITY);
        value.push_str(street);
        if let Some(postcode) = postcode {
            push_postcode_and_city(&mut value, postcode, &town.name);
        } else {
            value.push_str(", ");
            push_town(&mut value, town);
        }
        value.push(' ');
        Self {
            kind: SuggestionKind::Street,
            value,
            postcode,
            street: Some(street),
            city: Some(&town.name),
            id: None,
        }
    }

    /// Suggests a town.
    #[must_use]
    pub fn from_city(town: &'a Town) -> Self {
        let mut value = String::with_capacity(VALUE_CAPACITY);
        push_town(&mut value, town);
        value.push(' ');
        Self {
            kind: SuggestionKind::City,
            value,
            postcode: None,
            street: None,
            city: Some(&town.name),
            id: None,
        }
    }

    /// Ready to be shown: the value without the space that it ends in.
    #[must_use]
    pub fn label(&self) -> &str {
        match self.kind {
            SuggestionKind::Address => &self.value,
            SuggestionKind::Street | SuggestionKind::City => &self.value[..self.value.len() - 1],
        }
    }
}

/// A town that shares its name is told apart by its municipality, unless that says no more. `Bergen (NH.)` says it by itself.
fn push_town(text: &mut String, town: &Town) {
    let (name, municipality) = (&*town.name, &*town.municipality);
    let behind = municipality.strip_prefix(name);
    if town.shares_name && behind.is_some_and(|behind| behind.starts_with(" (")) {
        text.push_str(municipality);
        return;
    }
    text.push_str(name);
    if town.shares_name && municipality != name {
        text.extend([" (", municipality, ")"]);
    }
}

fn push_postcode_and_city(text: &mut String, postcode: Postcode, city: &str) {
    text.push_str(", ");
    text.extend(postcode.ascii().map(char::from));
    text.push(' ');
    text.push_str(city);
}

/// Number, letter and addition as a line of mail has them.
fn push_house_number(text: &mut String, address: &ListingKey) {
    write!(text, " {}", address.number).expect("a String takes all that is written");
    let letter = address.letter.map(|letter| char::from(letter.ascii()));
    let addition = address
        .addition
        .as_ref()
        .map_or("", |addition| addition.as_str());
    match letter.or(addition.chars().next()) {
        None => {}
        Some('0'..='9') => text.push('-'),
        Some(_) => text.push(' '),
    }
    text.extend(letter);
    text.push_str(addition);
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Address, HouseLetter, HouseNumber};

    #[test]
    fn house_numbers_are_spelled_as_on_mail() {
        #[track_caller]
        fn case(letter: &str, addition: &str, expected: &str) {
            let names = ["Wageningen"; 3].map(Into::into);
            let number = HouseNumber::new(1).expect("a house number");
            let plain = Address::new_po_box("6708GA".parse().expect("a postcode"), number, names);
            let address = Address {
                letter: letter.bytes().next().and_then(HouseLetter::from_ascii),
                addition: addition.parse().ok(),
                ..plain
            };
            let names = ("Bornsesteeg", &*address.city);
            let suggestion = SearchSuggestion::from_address(&address.listing_key(), names);
            assert_eq!(suggestion.label(), expected);
        }
        case("", "", "Bornsesteeg 1, 6708GA Wageningen");
        case("", "5A3", "Bornsesteeg 1-5A3, 6708GA Wageningen");
        case("A", "", "Bornsesteeg 1 A, 6708GA Wageningen");
        case("A", "3", "Bornsesteeg 1 A3, 6708GA Wageningen");
        case("", "DK", "Bornsesteeg 1 DK, 6708GA Wageningen");
    }
}
