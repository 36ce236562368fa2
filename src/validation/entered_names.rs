//! Compares entered street and city names with the register's spelling.
//!
//! Source: decisions, Validation: case and spaces are ignored; a city's everyday name is correct. A letter with a mark is the
//! same text in one character or in two: keyboards send either.

use postduif_schema::{Address, alternative_town_names, to_nfc};

/// Entered street and city, folded once for all comparisons. An empty one counts as not entered, because forms send empty
/// fields too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnteredNames {
    street: Option<String>,
    city: Option<String>,
}

/// Which of the entered names differ from those of an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NameMismatch {
    /// The street differs.
    pub street: bool,
    /// The city differs.
    pub city: bool,
}

impl EnteredNames {
    /// Folds street and city as received.
    #[must_use]
    pub fn new(street: Option<&str>, city: Option<&str>) -> Self {
        let given = |text: Option<&str>| {
            text.map(|text| fold_case_and_spaces(&to_nfc(text)).collect::<String>())
                .filter(|text| !text.is_empty())
        };
        Self {
            street: given(street),
            city: given(city),
        }
    }

    /// Whether neither was entered.
    pub(crate) fn is_empty(&self) -> bool {
        self.street.is_none() && self.city.is_none()
    }

    /// Compares the names with those of an address.
    pub(crate) fn compare_with_address(&self, address: &Address) -> NameMismatch {
        self.compare(&address.street, &address.city)
    }

    /// Compares the names with those in the register. A name that was not entered never differs.
    pub(crate) fn compare(&self, street: &str, city: &str) -> NameMismatch {
        let is_city = |entered: &str| {
            let mut others = alternative_town_names(city).iter();
            equals_folded(entered, city) || others.any(|name| equals_folded(entered, name))
        };
        let (entered_street, entered_city) = (self.street.as_deref(), self.city.as_deref());
        NameMismatch {
            street: entered_street.is_some_and(|entered| !equals_folded(entered, street)),
            city: entered_city.is_some_and(|entered| !is_city(entered)),
        }
    }
}

impl NameMismatch {
    /// How many names differ, 0 to 2.
    pub(crate) fn count(self) -> u8 {
        u8::from(self.street) + u8::from(self.city)
    }
}

/// Whether an entered and folded name equals a name of the register, which writes composed characters. Stops at the first
/// difference, so a long entered text costs nothing.
fn equals_folded(entered: &str, name: &str) -> bool {
    fold_case_and_spaces(name).eq(entered.chars())
}

/// The characters in lower case, without white space.
fn fold_case_and_spaces(text: &str) -> impl Iterator<Item = char> {
    let visible = text.chars().filter(|c| !c.is_whitespace());
    visible.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::HouseNumber;

    fn address(street: &str, city: &str) -> Address {
        let number = HouseNumber::new(1).expect("a house number");
        let place = [city, "Gemeente", "Provincie"].map(Into::into);
        let plain = Address::new_po_box("1234AB".parse().expect("a postcode"), number, place);
        Address {
            street: street.into(),
            ..plain
        }
    }

    #[test]
    fn names_are_compared_without_case_and_spaces() {
        #[track_caller]
        fn case(entered: &str, register: &str, same: bool) {
            let street = EnteredNames::new(Some(entered), None)
                .compare_with_address(&address(register, "Weesp"));
            assert_eq!(!street.street, same, "street {entered:?} for {register:?}");
            let city = EnteredNames::new(None, Some(entered))
                .compare_with_address(&address("Dijk", register));
            assert_eq!(!city.city, same, "city {entered:?} for {register:?}");
        }
        case("Lange Dijk", "Lange Dijk", true);
        case(" langedijk\t", "Lange Dijk", true);
        case("LANGE\u{a0}DIJK", "Lange Dijk", true);
        case("SÚDWEST", "Súdwest", true);
        case("Lange Dijk 5", "Lange Dijk", false);
        case("Lange", "Lange Dijk", false);
        case("Su\u{301}dwest", "Súdwest", true);
        case("SU\u{301}DWEST", "Súdwest", true);
        case("Sudwest", "Súdwest", false);
        case("sGinds", "'s-Ginds", false);
    }

    #[test]
    fn an_everyday_name_is_correct_for_a_city_but_not_for_a_street() {
        let address = address("'s-Gravenhage", "'s-Gravenhage");
        let mismatch =
            EnteredNames::new(Some("den haag"), Some("den haag")).compare_with_address(&address);
        assert_eq!(
            (mismatch.street, mismatch.city, mismatch.count()),
            (true, false, 1)
        );
    }

    #[test]
    fn a_name_that_was_not_entered_never_differs() {
        for names in [
            EnteredNames::default(),
            EnteredNames::new(Some(""), Some(" \t")),
        ] {
            assert_eq!(
                names
                    .compare_with_address(&address("Dijk", "Weesp"))
                    .count(),
                0
            );
        }
        let neither = EnteredNames::new(Some("Kade"), Some("Elders"))
            .compare_with_address(&address("Dijk", "Weesp"));
        assert_eq!(neither.count(), 2);
    }
}
