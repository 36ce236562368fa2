//! Defines fixed queries and the places that they must find.

use postduif_schema::Address;

use super::expected::Expected;
use super::score::Miss;
use super::tested_index::TestedIndex;

/// A query, the expected place, and how many of the first suggestions are searched for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedQuery {
    pub(crate) typed: &'static str,
    want: Want,
    within: usize,
}

/// The expected place. An empty town means any town.
#[derive(Debug, Clone, Copy)]
enum Want {
    Street(&'static str, &'static str),
    Address(&'static str, u32, Option<&'static str>, &'static str),
    City(&'static str),
    Postcode(&'static str),
    Area(u32),
}

const fn query(typed: &'static str, want: Want) -> FixedQuery {
    let within = 5;
    FixedQuery {
        typed,
        want,
        within,
    }
}

/// Expects a street, or an address in it, among the first five suggestions.
pub(crate) const fn street(
    typed: &'static str,
    name: &'static str,
    city: &'static str,
) -> FixedQuery {
    query(typed, Want::Street(name, city))
}

/// Expects any address at a number of a street among the first five suggestions.
pub(crate) const fn number(
    typed: &'static str,
    street: &'static str,
    number: u32,
    city: &'static str,
) -> FixedQuery {
    query(typed, Want::Address(street, number, None, city))
}

/// Expects the address with this suffix among the first five suggestions. The suffix is the joined letter and addition, in any
/// case.
pub(crate) const fn address(
    typed: &'static str,
    street: &'static str,
    number: u32,
    suffix: &'static str,
    city: &'static str,
) -> FixedQuery {
    query(typed, Want::Address(street, number, Some(suffix), city))
}

/// Expects a town among the first five suggestions.
pub(crate) const fn city(typed: &'static str, name: &'static str) -> FixedQuery {
    query(typed, Want::City(name))
}

/// Expects a postcode among the first five suggestions.
pub(crate) const fn postcode(typed: &'static str, postcode: &'static str) -> FixedQuery {
    query(typed, Want::Postcode(postcode))
}

/// Expects any place whose postcode has these four digits among the first five suggestions.
pub(crate) const fn area(typed: &'static str, digits: u32) -> FixedQuery {
    query(typed, Want::Area(digits))
}

impl FixedQuery {
    /// Expects the place as the first suggestion.
    pub(crate) const fn first(self) -> Self {
        Self { within: 1, ..self }
    }

    /// Runs the query. Returns the suggestions if the expected place is not among the first ones, and `None` if it is.
    pub(crate) fn miss(&self, tested: &TestedIndex) -> Option<Miss> {
        let expected = self.expected();
        let suggestions = tested.suggest(self.typed);
        let met = |suggestion| expected.is_met_by(suggestion, &tested.addresses);
        (!suggestions.iter().take(self.within).any(met)).then(|| Miss {
            typed: self.typed.to_owned(),
            expected: format!("{expected} (among the first {})", self.within),
            suggestions: suggestions
                .iter()
                .map(|suggestion| suggestion.label().to_owned())
                .collect(),
        })
    }

    /// Whether an address is the expected address, or is in the expected place.
    pub(crate) fn is_of(&self, address: &Address) -> bool {
        self.expected().is_of(address)
    }

    fn expected(&self) -> Expected {
        let town = |city: &'static str| (!city.is_empty()).then(|| city.into());
        match self.want {
            Want::Street(street, city) => Expected::Street {
                street: street.into(),
                city: town(city),
            },
            Want::Address(street, number, suffix, city) => Expected::Address {
                street: street.into(),
                city: town(city),
                number,
                suffix: suffix.map(str::to_owned),
            },
            Want::City(city) => Expected::City(city.into()),
            Want::Postcode(postcode) => {
                Expected::Postcode(postcode.parse().expect("a postcode in a table"))
            }
            Want::Area(digits) => Expected::Area(digits),
        }
    }
}
