//! Builds suggestions. A suggestion has a label, which a pick list shows, and a value, which the input field gets when the user picks
//! the suggestion.
//!
//! Source: contract.md, section Suggestion. The label of an address is formatted like an address line on mail, such as
//! `Bornsesteeg 1-5A3` and `Blauwkapelseweg 1 A` (BAG-API, adresregels.feature).

use std::fmt::Write as _;

use postduif_schema::{AddressId, ListingKey, Postcode, Town};

/// Which kinds of suggestion to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionFilter {
    /// Every kind.
    All,
    /// Only addresses.
    Address,
    /// Only streets.
    Street,
    /// Only towns.
    City,
}

/// The kind of place that a suggestion names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionKind {
    /// An address.
    Address,
    /// A street in a town, or the part of a street in one postcode.
    Street,
    /// A town.
    City,
}

/// One line of a pick list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSuggestion<'a> {
    /// The kind of place.
    pub kind: SuggestionKind,
    /// The text for the input field. A street or town ends in a space, so that the user can continue typing.
    pub value: String,
    /// The postcode of an address, or of a street that was found by its postcode; otherwise `None`.
    pub postcode: Option<Postcode>,
    /// The street as the register spells it.
    pub street: Option<&'a str>,
    /// The town as the register spells it.
    pub city: Option<&'a str>,
    /// The id of an address; `None` for a street or a town.
    pub id: Option<AddressId>,
}

impl SuggestionFilter {
    /// Whether the filter includes this kind.
    pub fn includes(self, kind: SuggestionKind) -> bool {
        match self {
            Self::All => true,
            Self::Address => kind == SuggestionKind::Address,
            Self::Street => kind == SuggestionKind::Street,
            Self::City => kind == SuggestionKind::City,
        }
    }
}

/// Initial capacity of a suggestion's value in bytes. It is enough for most suggestions.
const VALUE_CAPACITY: usize = 64;

impl<'a> SearchSuggestion<'a> {
    /// Builds the suggestion of an address from its listing key and the names of its street and city.
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

    /// Builds the suggestion of a street. If `postcode` is given, the suggestion is for the part of the street in that postcode.
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

    /// Builds the suggestion of a town.
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

    /// The text to show: the value without its final space.
    pub fn label(&self) -> &str {
        self.value.strip_suffix(' ').unwrap_or(&self.value)
    }
}

/// Writes a town. If other towns have the same name, writes the municipality in brackets after it, unless the municipality has that
/// name too. If the municipality is the town's name with an addition, such as `Bergen (NH.)`, writes only the municipality.
fn push_town(text: &mut String, town: &Town) {
    let (name, municipality) = (&*town.name, &*town.municipality);
    let rest = municipality.strip_prefix(name);
    if town.shares_name && rest.is_some_and(|rest| rest.starts_with(" (")) {
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

/// Writes number, letter and addition as in an address line on mail.
fn push_house_number(text: &mut String, address: &ListingKey) {
    write!(text, " {}", address.number).expect("writing to a String cannot fail");
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
    fn labels_format_house_numbers_as_on_mail() {
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
